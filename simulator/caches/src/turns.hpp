#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "address_streams.hpp"
#include "hierarchy.hpp"
#include "warpipe/caches/levels.hpp"

namespace warpipe {

/// The part of a launch that is simulated.
struct Sample {
  std::int64_t first = 0, groups = 1;  ///< neighbouring groups of the launch
  std::int64_t all = 1;                ///< groups of the launch
  std::int64_t early = 0;              ///< the first of them: each stands for itself
  std::int64_t most_trips = 0;         ///< of each loop: a power of two, or more than any loop has
  bool is_cut = false;                 ///< some loop has more trips

  /// How many groups of the launch a group of the sample stands for: those that are not early for all others.
  double weight(std::int64_t group) const {
    return group < first + early ? 1 : static_cast<double>(all - early) / static_cast<double>(groups - early);
  }
};

/// What was counted in one order of the warps.
struct Counted {
  std::vector<double> executions;           ///< by access
  std::vector<std::vector<double>> found;   ///< by access, level: executions whose slowest sector was there
  std::vector<std::vector<double>> served;  ///< likewise: those that wait for that level
  std::vector<Moved> moved;                 ///< by access
};

/// Simulates the caches on the accesses of a sample. All units go on in step: in a turn, each warp of each unit makes
/// so many accesses, one warp after the other, unless it comes to a barrier that not all warps of its group have
/// reached. Slots whose group has ended take the next groups between turns.
/// @param accesses_per_turn  of a warp
Counted take_turns(AddressStreams& streams, const Device& device, const Sample& sample, int accesses_per_turn);

}  // namespace warpipe
