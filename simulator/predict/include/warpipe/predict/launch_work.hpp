#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "warpipe/predict/launch.hpp"

/// The work of launches, and whether it is the same.

namespace warpipe {

struct Prediction;

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
  std::string unit;   ///< "GFLOP/s", "GB/s", "GB/s at dram" or "groups/us"
  double amount = 0;  ///< of the whole launch, per second in that unit
};
/// Operations where the kernel states some, else the bytes that it states, else groups.
Throughput throughput_of(const Launch& launch);

/// The same for what the device does: in place of the bytes that the kernel states those of memory_throughput.
Throughput throughput_of(const Prediction& prediction);

/// Bytes that go to and from the memory: those that its last level moves where that is known, which caches make fewer
/// than instructions ask for, else those that the kernel states.
/// @return in "GB/s at dram", or in "GB/s" of stated ones; nothing where neither is known
std::optional<Throughput> memory_throughput(const Prediction& prediction);

}  // namespace warpipe
