#pragma once

#include <cstdint>

#include "kernel_values.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// How much longer one unit takes what the device has once, where that unit stands for all: as long as all groups of
/// the launch take it together. 1 where all units are simulated.
struct FairShare {
  std::int64_t all = 1;   ///< Ntotal
  std::int64_t here = 1;  ///< groups that the simulated unit plays

  /// @param time  >= 0
  /// @return floor(time x all / here + 1/2)
  /// @throws ModelError where it does not fit 64 bits
  Ticks of(Ticks time) const;
};

/// Lowers the instructions of one warp.
/// @param expressions     of the kernel
/// @param values          what the body sees, with `warp`
/// @param resident_warps  R of rule 4
/// @param share           of device pipelines
/// @throws as lower
Stream lower_stream(const KernelValues& expressions, const Device& device, const Values& values,
                    std::int64_t resident_warps, FairShare share);

}  // namespace warpipe
