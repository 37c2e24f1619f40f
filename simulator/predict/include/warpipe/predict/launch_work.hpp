#pragma once

#include <cstdint>
#include <string>

#include "warpipe/predict/launch.hpp"

/// Whether launches do the same work.

namespace warpipe {

/// @return why groups of another size would do other work: their number does not follow their size; empty where it does
std::string why_groups_stay(const Kernel& kernel, const LaunchOptions& options);

/// Evaluates the work that the kernel states. Where the options give other groups than the kernel's own, and the stated
/// work does not grow with them, it is that of another launch: it is left out, and `work_of_others` says so.
/// @param warp_size  lanes of a warp
/// @param launch     settled but for its work
/// @throws InputError, ModelError for an expression that has no value
void settle_work(const Kernel& kernel, std::int64_t warp_size, const LaunchOptions& options, Launch& launch);

/// The work of a launch, for a rate in the unit that fits the kernel.
struct Throughput {
  std::string unit;   ///< "GFLOP/s", "GB/s" or "groups/us"
  double amount = 0;  ///< of the whole launch, per second in that unit
};
/// Operations where the kernel states some, else bytes, else groups.
Throughput throughput_of(const Launch& launch);

}  // namespace warpipe
