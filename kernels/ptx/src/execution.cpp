#include "warpipe/ptx/execution.hpp"

#include <algorithm>

#include "group_finder.hpp"
#include "record_counts.hpp"
#include "warp_run.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::int64_t kMostSteps = 150'000;  // of warps, for the statistics
constexpr std::size_t kFewestGroups = 32, kMostGroups = 4096;

void gather(const Prepared& kernel, Execution& execution, const Dimensions& group, double stands_for) {
  const auto& launch = kernel.input.launch;
  const auto warps = (launch.block[0] * launch.block[1] * launch.block[2] + launch.warp_size - 1) / launch.warp_size;
  execution.stands_for = stands_for;
  for (std::int64_t warp = 0; warp < warps; ++warp) WarpRun(kernel, execution, group, warp).run();
  execution.stands_for = 0;
}

}  // namespace

Execution execute(const ExecutionInput& input) {
  Execution execution;
  GroupFinder finder(input, execution);
  finder.run();
  const Prepared kernel(input);
  execution.local_memory = kernel.memory.shared_bytes();
  auto most = kFewestGroups;
  if (finder.standing() > most) {
    const auto before = execution.executed;
    gather(kernel, execution, execution.kinds.front().group, 0);
    const auto cost = std::max<std::int64_t>(1, execution.executed - before);
    most = std::clamp(static_cast<std::size_t>(kMostSteps / cost), kFewestGroups, kMostGroups);
  }
  for (const auto& [group, stands_for] : finder.sample(most)) gather(kernel, execution, group, stands_for);
  extrapolate(input.flow, execution);
  return execution;
}

}  // namespace warpipe::ptx
