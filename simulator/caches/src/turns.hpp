#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "address_streams.hpp"
#include "hierarchy.hpp"
#include "warpipe/caches/levels.hpp"

namespace warpipe {

/// The simulated parts of a launch, each from empty caches, each representing an equal number of groups.
struct Sample {
  std::vector<std::int64_t> firsts{0};  ///< by part: its first group
  std::int64_t groups = 1;              ///< of a part, neighbours
  std::int64_t all = 1;                 ///< groups of the launch
  std::int64_t early = 0;               ///< first groups of a part, filling the caches
  std::int64_t most_trips = 0;          ///< of each loop: a power of two, or more than the trips of any loop
  bool is_cut = false;                  ///< some loop has more trips
  bool is_even = false;                 ///< in the second half of these trips, accesses walk evenly through whole lines
  double work_of_others = 1;            ///< of a represented group, relative to its representative

  friend bool operator==(const Sample&, const Sample&) = default;

  std::int64_t parts() const { return static_cast<std::int64_t>(firsts.size()); }
  bool is_all() const { return groups == all && !is_cut; }

  /// The number of groups of the launch represented by a group. An early group of the first part stands for itself, of
  /// another part for none, as only one part finds the caches empty; later groups stand for all the rest.
  /// @param place  of the group in its part
  double weight(std::int64_t part, std::int64_t place) const {
    const std::int64_t themselves = part == 0 ? early : 0;
    if (place < early) return part == 0 ? 1 : 0;
    const double of_part = static_cast<double>(all) / static_cast<double>(parts());
    return (of_part - static_cast<double>(themselves)) / static_cast<double>(groups - early) * work_of_others;
  }
};

/// The counts of one order of the warps.
struct Counted {
  std::vector<double> executions;           ///< by access
  std::vector<std::vector<double>> found;   ///< by access, level: executions with their slowest sector there
  std::vector<std::vector<double>> served;  ///< likewise: executions waiting for the level
  std::vector<Moved> moved;                 ///< by access
  std::vector<double> far_apart;            ///< by access: executions with lines multiples of kFarApart apart
  std::vector<double> transactions;         ///< by access, of all executions, if the kernel's numbers vary
  double lines = 0;                         ///< looked up
};

/// The turn of a warp.
struct Turn {
  int most = 1;   ///< accesses
  int times = 1;  ///< time from the turn of a warp to the next warp's
};

/// Simulates the caches on the accesses of a sample. All units go on in step: in a turn, each warp of each unit makes
/// up to `turn.most` accesses, one warp after the other, unless it waits for one of them or comes to a barrier before
/// some warps of its group. Slots of ended groups take the next groups between turns.
/// @param launch  of the streams, perhaps with another `room`
Counted take_turns(AddressStreams& streams, const Device& device, const CacheLaunch& launch, const Sample& sample,
                   const Turn& turn);

}  // namespace warpipe
