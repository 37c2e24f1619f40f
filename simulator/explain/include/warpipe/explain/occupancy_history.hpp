#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "warpipe/engine/residency.hpp"
#include "warpipe/predict/lower.hpp"

/// Resident groups and warps over the time of a run.

namespace warpipe {

struct OccupancyHistory {
  std::int64_t units = 1;  ///< simulated
  std::int64_t slots = 1;  ///< groups that a unit may hold
  std::int64_t warps_per_group = 1;
  std::optional<std::int64_t> warps_per_unit;  ///< room of the device
  Ticks cycles;
  Residency residency;
};

/// The mean number of groups on a unit over a bucket; over the run.
double mean_groups(const OccupancyHistory& history, std::size_t bucket);
double mean_groups(const OccupancyHistory& history);
/// The share of the run with some empty slot, since no group waits for it; 0 for a run of no time.
double tail_share(const OccupancyHistory& history);
/// When a bucket ends.
Ticks end_of_bucket(const OccupancyHistory& history, std::size_t bucket);

/// @param cycles, residency  of a run of the launch's program
OccupancyHistory occupancy_history(const LoweredLaunch& launch, Ticks cycles, Residency residency);

}  // namespace warpipe
