#pragma once

#include <string>
#include <vector>

#include "warpipe/baselines/compare.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {

/// A row per occupancy: the simulated time, and each model's time over it.
TextTable table_of(const LaunchComparison& comparison);

/// A model without an estimate for a launch, and why.
struct NotApplied {
  std::string model, why;
};
/// Each model and reason once.
std::vector<NotApplied> not_applied(const LaunchComparison& comparison);

/// A line per occupancy: the simulated time, and each model's time over it.
///
///     sgemm on example, An example device
///     Time of each model / time of the simulation; below 1: the model says faster.
///
///     groups  warps  occupancy  simulated  roofline  volkov
///          1      8     12.5 %   12.00 us     0.250   0.900
///          2     16     25.0 %   6.500 us     0.462   0.950
///
///     Not applied:
///       hong-kim: divides by the number of global memory instructions, and there are none
std::string write_text(const LaunchComparison& comparison);
/// An object of format "warpipe-comparison".
std::string write_json(const LaunchComparison& comparison);
/// RFC 4180: a row per model and occupancy, the simulation first.
std::string write_csv(const LaunchComparison& comparison);

}  // namespace warpipe
