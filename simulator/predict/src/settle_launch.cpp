#include "warpipe/predict/settle_launch.hpp"

#include <utility>

#include "kernel_values.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"

namespace warpipe {

SettledLaunch settle_launch(Kernel kernel, Device device, const LaunchOptions& options) {
  SettledLaunch settled{
      with_options(std::move(kernel), options), with_options(std::move(device), options), options, {}, {}};
  require_ops(settled.kernel, settled.device);
  settled.launch = resolve_launch(settled.kernel, settled.device, options);
  const Launch& launch = settled.launch;
  const CacheLaunch seen{launch.values, launch.groups.value, launch.slots, launch.shared_memory_per_group};
  KernelWithLevels found =
      KernelValues(settled.kernel, options).in_file([&] { return with_levels(settled.kernel, settled.device, seen); });
  settled.kernel = std::move(found.kernel);
  settled.levels = std::move(found.found);
  return settled;
}

}  // namespace warpipe
