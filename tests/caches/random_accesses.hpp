#pragma once

#include <rapidcheck.h>

#include <ostream>
#include <string>

#include "caches/access_kernels.hpp"

namespace warpipe {

/// Draws a number from `least` to `most`, both included, at any size of RapidCheck: for callers that draw more than the
/// number.
inline int between(int least, int most) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
}

/// A small kernel whose accesses have addresses, a small device with caches, and a launch.
struct RandomAccesses {
  AccessMaker maker;
  Device device;
  std::string text;  ///< all of them, for a person who looks for a mistake

  Kernel kernel() const { return maker.kernel(); }
  CacheLaunch launch() const { return maker.launch(device.warp_size); }
  friend void showValue(const RandomAccesses& accesses, std::ostream& out) { out << accesses.text; }
};

/// Loads, copies, stores and atomics at strides, columns, tables and addresses outside their arrays, of every width, by
/// some of the lanes, thread-private or not, in loops and conditions, between barriers, for groups of one or two kinds;
/// one to four caches of any capacity, line, sector, associativity and scope.
rc::Gen<RandomAccesses> random_accesses();

}  // namespace warpipe
