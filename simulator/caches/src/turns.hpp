#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "address_streams.hpp"
#include "hierarchy.hpp"
#include "warpipe/caches/levels.hpp"

namespace warpipe {

/// What is simulated of a launch: some parts of it, each from empty caches, that stand for as many groups each.
struct Sample {
  std::vector<std::int64_t> firsts{0};  ///< by part: its first group
  std::int64_t groups = 1;              ///< of a part, neighbours
  std::int64_t all = 1;                 ///< groups of the launch
  std::int64_t early = 0;               ///< groups of a part, the first ones, that fill the caches
  std::int64_t most_trips = 0;          ///< of each loop: a power of two, or more than any loop has
  bool is_cut = false;                  ///< some loop has more trips
  bool is_even = false;                 ///< in the second half of these trips, accesses walk evenly through whole lines
  double work_of_others = 1;            ///< of a group that others stand for, by that of one that stands for them

  friend bool operator==(const Sample&, const Sample&) = default;

  std::int64_t parts() const { return static_cast<std::int64_t>(firsts.size()); }
  bool is_all() const { return groups == all && !is_cut; }

  /// How many groups of the launch a group stands for: an early one of the first part for itself, of another part for
  /// none, for only one part finds the caches empty; those behind them for all others.
  /// @param place  of the group in its part
  double weight(std::int64_t part, std::int64_t place) const {
    const std::int64_t themselves = part == 0 ? early : 0;
    if (place < early) return part == 0 ? 1 : 0;
    const double of_part = static_cast<double>(all) / static_cast<double>(parts());
    return (of_part - static_cast<double>(themselves)) / static_cast<double>(groups - early) * work_of_others;
  }
};

/// What was counted in one order of the warps.
struct Counted {
  std::vector<double> executions;           ///< by access
  std::vector<std::vector<double>> found;   ///< by access, level: executions whose slowest sector was there
  std::vector<std::vector<double>> served;  ///< likewise: those that wait for that level
  std::vector<Moved> moved;                 ///< by access
  std::vector<double> far_apart;            ///< by access: executions whose lines lie multiples of kFarApart apart
  std::vector<double> transactions;         ///< by access, of all executions, where the kernel says what varies
  double lines = 0;                         ///< that were looked up
};

/// What a warp does in its turn.
struct Turn {
  int most = 1;               ///< accesses
  int times = 1;              ///< by which the turn of the next warp is later
  bool ends_at_wait = false;  ///< where an instruction needs what the warp loaded in this turn
};

/// Simulates the caches on the accesses of a sample. All units go on in step: in a turn, each warp of each unit makes
/// so many accesses, one warp after the other, unless it waits for one of them or comes to a barrier that not all warps
/// of its group have reached. Slots whose group has ended take the next groups between turns.
Counted take_turns(AddressStreams& streams, const Device& device, const Sample& sample, const Turn& turn);

}  // namespace warpipe
