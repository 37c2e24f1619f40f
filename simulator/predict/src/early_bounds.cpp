#include "warpipe/predict/early_bounds.hpp"

#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

/// The kernel with all accesses to the caches served by the nearest level, and no sectors beyond it.
Kernel with_nearest_level(Kernel kernel, const Device& device) {
  if (!has_levels(device)) return kernel;
  const LevelUse nearest{device.memory->levels.front().name, Expression(1), Expression(0)};
  for (Instruction& instruction : kernel.instructions)
    if (instruction.levels.empty() && has_addresses(instruction)) instruction.levels = {nearest};
  return kernel;
}

}  // namespace

EarlyBounds early_bounds(const Kernel& original_kernel, const Device& original_device, const LaunchOptions& options) {
  const Device device = with_options(original_device, options);
  const Kernel kernel = with_nearest_level(with_options(original_kernel, options), device);
  require_ops(kernel, device);
  EarlyBounds early{resolve_launch(kernel, device, options), {}, {}};
  early.bounds = lower_bounds(lower(kernel, device, early.launch, options), device, options.skipping);
  early.highest = to_seconds(highest(early.bounds.bounds).cycles, device.clock);
  return early;
}

}  // namespace warpipe
