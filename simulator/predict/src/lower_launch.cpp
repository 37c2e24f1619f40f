#include <fmt/format.h>

#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/predict/with_effort.hpp"

namespace warpipe {
namespace {

constexpr double kMostInstructions = 1e12;  // about a day

/// A run of years looks like a hang.
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

LoweredLaunch lower_launch(Kernel kernel, Device device, const LaunchOptions& options) {
  return lower_launch(std::move(kernel), std::move(device), options, {});
}

LoweredLaunch lower_launch(Kernel kernel, Device device, const LaunchOptions& options, const CacheEffort& effort) {
  LoweredLaunch lowered{settle_launch(std::move(kernel), std::move(device), options, effort), {}, {}};
  lowered.program = lower(lowered);
  require_reasonable_length(lowered.program);
  lowered.bounds = lower_bounds(lowered.program, lowered.device, options.skipping);
  return lowered;
}

}  // namespace warpipe
