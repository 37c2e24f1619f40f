#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "warpipe/predict/launch.hpp"

/// The stated work of a launch, and its throughput.

namespace warpipe {

struct Prediction;

/// @return why groups of another size would do other work: their number does not follow their size; empty where it does
std::string why_groups_stay(const Kernel& kernel, const LaunchOptions& options);

/// Evaluates the work stated by the kernel. Stated work that does not grow with the groups of the options belongs to
/// the kernel's own launch: it is left out, and `work_of_others` names the groups of the kernel's own launch.
/// @param warp_size  lanes of a warp
/// @param launch     settled but for its work
/// @throws InputError, ModelError for an expression that has no value
void settle_work(const Kernel& kernel, std::int64_t warp_size, const LaunchOptions& options, Launch& launch);

/// The work of a launch, for a rate in the kernel's unit.
struct Throughput {
  std::string unit;   ///< "GFLOP/s", "GB/s", "GB/s at dram" or "groups/us"
  double amount = 0;  ///< of the whole launch, per second in that unit
};
/// Stated operations of the kernel, else its stated bytes, else groups.
Throughput throughput_of(const Launch& launch);

/// As above, with the bytes of memory_throughput in place of the stated bytes.
Throughput throughput_of(const Prediction& prediction);

/// Bytes to and from the memory: the traffic of its last level where known, less than the bytes asked for by
/// instructions where caches help; else the bytes stated by the kernel.
/// @return in "GB/s at dram", or in "GB/s" of stated bytes; nothing where neither is known
std::optional<Throughput> memory_throughput(const Prediction& prediction);

}  // namespace warpipe
