#pragma once

#include <cstddef>
#include <vector>

#include "warpipe/parallel/hand_out.hpp"

namespace warpipe::test {

/// Ranks working in virtual time, with the ranges given by HandOut itself.
struct VirtualRanks {
  std::size_t count = 1;
  double latency = 50e-6;  ///< seconds, of a message
  double service = 20e-6;  ///< seconds for which each message occupies the handing-out rank
};

struct VirtualRun {
  double seconds = 0;         ///< until the last point is done
  double efficiency = 0;      ///< of the ranks' time, the share spent on points
  std::size_t messages = 0;   ///< reports
  std::size_t most_kept = 0;  ///< waiting results
};

/// @param points  seconds of each
VirtualRun run_on(const VirtualRanks& ranks, const std::vector<double>& points, const HandOutLimits& limits);

}  // namespace warpipe::test
