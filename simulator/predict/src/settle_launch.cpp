#include "warpipe/predict/settle_launch.hpp"

#include <utility>

#include "kernel_values.hpp"
#include "warpipe/caches/with_effort.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/predict/with_effort.hpp"

namespace warpipe {

namespace {

/// A launch as seen by the caches.
CacheLaunch cache_launch(const Launch& launch, const LaunchOptions& options) {
  return {launch.values, launch.groups.value, launch.slots, launch.shared_memory_per_group, 1, options.repeated};
}

}  // namespace

SettledLaunch settle_launch(Kernel kernel, Device device, const LaunchOptions& options) {
  return settle_launch(std::move(kernel), std::move(device), options, {});
}

SettledLaunch settle_launch(Kernel kernel, Device device, const LaunchOptions& options, const CacheEffort& effort) {
  device = device_of_run(std::move(device), kernel, options);
  SettledLaunch settled{with_options(std::move(kernel), options), std::move(device), options, {}, {}, {}};
  require_ops(settled.kernel, settled.device);
  settled.launch = resolve_launch(settled.kernel, settled.device, options);
  KernelWithLevels found = KernelValues(settled.kernel, options).in_file([&] {
    return with_levels(settled.kernel, settled.device, cache_launch(settled.launch, options), effort);
  });
  settled.kernel = std::move(found.kernel);
  settled.levels = std::move(found.found);
  settled.filled = std::move(found.filled);
  return settled;
}

Kernel kernel_with_room(const SettledLaunch& settled, double room) {
  Kernel kernel = settled.kernel;
  for (const AccessLevels& access : settled.filled) kernel.instructions[access.instruction].levels.clear();
  return with_room(std::move(kernel), settled.device, cache_launch(settled.launch, settled.options), *settled.levels,
                   room)
      .kernel;
}

}  // namespace warpipe
