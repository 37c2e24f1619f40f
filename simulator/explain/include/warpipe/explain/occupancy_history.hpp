#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "warpipe/engine/residency.hpp"
#include "warpipe/predict/playable.hpp"

/// Resident groups and warps over the time of a run.

namespace warpipe {

struct OccupancyHistory {
  std::string kernel, device;
  std::int64_t units = 1;  ///< simulated
  std::int64_t slots = 1;  ///< groups that a unit may hold
  std::int64_t warps_per_group = 1;
  std::optional<std::int64_t> warps_per_unit;  ///< that the device has room for
  Ticks cycles;
  Residency residency;
};

/// Groups that reside on a unit on average over a bucket; over the run.
double mean_groups(const OccupancyHistory& history, std::size_t bucket);
double mean_groups(const OccupancyHistory& history);
/// The share of the run in which some slot stays empty, since no group waits for it; 0 for a run of no time.
double tail_share(const OccupancyHistory& history);
/// When a bucket ends.
Ticks end_of_bucket(const OccupancyHistory& history, std::size_t bucket);

/// Plays a launch again and follows its groups.
/// @param cycles   of the run
/// @param buckets  at most
/// @complexity as follow_groups
OccupancyHistory occupancy_history(const Playable& played, Ticks cycles, Skipping skipping, std::size_t buckets = 20);

}  // namespace warpipe
