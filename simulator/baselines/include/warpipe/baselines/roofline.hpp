#pragma once

#include <optional>
#include <span>
#include <string>

#include "warpipe/latency_tables/rates.hpp"

/// The roofline: run time = max(math time, memory time), and the ridge between the two.
///
/// Follows S. Williams, A. Waterman and D. Patterson, "Roofline", Communications of the ACM 52(4), 2009.

namespace warpipe {

/// The two roofs of a device.
struct Roofs {
  OpsPerSecond peak;         ///< > 0
  BytesPerSecond bandwidth;  ///< > 0
};

/// @return operations a byte from which the peak binds: peak / bandwidth
double ridge_point(const Roofs& roofs);

/// The inputs of the occupancy roofline from a launch, in cycles of one compute unit.
struct OccupancyRoofs {
  double groups = 1;                                          ///< run by the unit
  double resident_groups = 1;                                 ///< at a time
  Cycles latency;                                             ///< longest path of a warp
  std::span<const std::pair<std::string, Cycles>> resources;  ///< cycles of each, taken by all groups
};

struct OccupancyRoofline {
  Cycles total;
  std::string limiter;  ///< a resource's name or "latency"; the first of equals
};

/// The roofline with the latency ceiling: max over resources of their cycles, and groups / resident groups x latency.
/// Rounded to no whole number of waves.
/// @source papers of J. Lemeire and J. G. Cornelis, PDP 2016 and JPDC 173 (2023): the upper bound common to Volkov's
///         and the Transit model
OccupancyRoofline occupancy_roofline(const OccupancyRoofs& roofs);

}  // namespace warpipe
