#include "warpipe/baselines/compare.hpp"

#include <numeric>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

/// The numbers of concurrent groups to look at.
Variation occupancies(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  Variation variation;
  variation.name = "concurrent_groups";
  variation.kind = Variation::Kind::ConcurrentGroups;
  const Launch launch = resolve_launch(with_options(kernel, options), with_options(device, options), options);
  if (options.concurrent_groups || options.occupancy) {
    variation.values = {static_cast<double>(launch.concurrent_groups.value)};
    return variation;
  }
  variation.values.resize(static_cast<std::size_t>(launch.slots));
  std::iota(variation.values.begin(), variation.values.end(), 1.0);
  return variation;
}

}  // namespace

std::optional<double> ratio_to_simulation(const Estimate& estimate, Ticks simulated) {
  if (!estimate.cycles || simulated.count <= 0) return std::nullopt;
  return estimate.cycles->count / to_cycles(simulated).count;
}

LaunchComparison compare_models(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                                const ModelInputs& inputs, std::size_t threads, const Progress& progress) {
  const Variation variation = occupancies(kernel, device, options);
  LaunchComparison comparison{kernel.name, device.name, device.title, device_of_run(device, kernel, options).clock, {}};
  for (const SweepPoint& point : run_sweep(kernel, device, options, {variation}, threads, progress)) {
    if (!point.prediction) throw ModelError(Diagnostic{"compare", "an occupancy cannot be simulated", point.error, ""});
    const Prediction& prediction = *point.prediction;
    const LaunchOptions here = options_at(options, {variation}, point.values, kernel, device);
    comparison.launches.push_back({prediction.launch.concurrent_groups.value, prediction.launch.resident_warps,
                                   prediction.launch.occupancy, prediction.cycles,
                                   estimates(kernel, device, here, inputs), prediction.range});
  }
  return comparison;
}

}  // namespace warpipe
