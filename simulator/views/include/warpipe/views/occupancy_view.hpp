#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "warpipe/latency_tables/occupancy.hpp"
#include "warpipe/predict/launch.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {

/// The number of a kernel's groups on a unit of a device, and its limits.
struct OccupancyReport {
  std::string kernel, device, device_title;
  GroupNeeds needs;
  Occupancy occupancy;
  Launch::Value concurrent_groups;  ///< M as it would be simulated
  Limits limits;                    ///< of the device
  std::int64_t warp_size = 32;
};

/// "8 concurrent groups of 8 warps: 64 resident warps, occupancy 100.0 %, limited by warps", and the request of the
/// launch.
std::string show_occupancy(const OccupancyReport& report);
/// A row per limit: the allowed groups, and how far the next step is; no rows where no limit binds.
TextTable table_of(const OccupancyReport& report);

/// As text: M, its limiter, and how far it is to the next step.
///
///     sgemm on example, An example device
///
///     2 concurrent groups of 8 warps: 16 resident warps, occupancy 25.0 %, limited by registers
///
///     Limit         groups  next step
///     groups            32
///     warps              8  9 with at most 224 threads per group (now 256)
///     registers          2  3 with at most 80 registers per thread (now 96)
///     shared memory      12  13 with at most 7552 bytes of shared memory a group (now 8192)
std::string write_text(const OccupancyReport& report);

/// As a JSON object of format "warpipe-occupancy".
std::string write_json(const OccupancyReport& report);

}  // namespace warpipe
