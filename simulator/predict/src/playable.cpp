#include "warpipe/predict/playable.hpp"

#include <fmt/format.h>

#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr double kMostInstructions = 1e12;  // about a day

/// A run of years is a hang to whoever started it.
void require_reasonable_length(const Program& program) {
  double issued = 0;
  const std::vector<std::int64_t> warps = warps_of_streams(program);
  for (std::size_t i = 0; i < warps.size(); ++i)
    for (const std::int64_t runs : program.streams[i].runs)
      issued += static_cast<double>(warps[i]) * static_cast<double>(runs);
  issued += static_cast<double>(program.machine.groups);
  if (issued > kMostInstructions)
    throw ModelError(
        Diagnostic{"launch", fmt::format("a simulation can issue at most {:g} instructions", kMostInstructions),
                   fmt::format("found {:.3g}", issued), "use fewer groups or smaller trip counts and scale the time"});
}

}  // namespace

Playable playable(const Kernel& original_kernel, const Device& original_device, const LaunchOptions& options) {
  Kernel kernel = with_options(original_kernel, options);
  Device device = with_options(original_device, options);
  require_ops(kernel, device);
  Launch launch = resolve_launch(kernel, device, options);
  Program program = lower(kernel, device, launch, options);
  require_reasonable_length(program);
  Bounds bounds = lower_bounds(program, device, options.skipping);
  return {std::move(kernel), std::move(device), std::move(launch), std::move(program), std::move(bounds)};
}

}  // namespace warpipe
