#include "execution.hpp"

#include <algorithm>

#include "group_finder.hpp"
#include "tally.hpp"
#include "touched_sectors.hpp"
#include "warp_run.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostSteps = 150'000;  // of warps, for the statistics
constexpr std::size_t kFewestGroupsLookedAt = 32, kMostGroupsLookedAt = 4096;

/// Adds what the warps of a group reach to the statistics.
/// @return their records
std::vector<std::uint32_t> gather(const Prepared& kernel, Execution& execution, const Dimensions& group,
                                  double stands_for) {
  const auto warps = warps_per_group(kernel.input);
  std::vector<std::uint32_t> records;
  execution.stands_for = stands_for;
  execution.touched->begin(group, stands_for);
  for (std::int64_t warp = 0; warp < warps; ++warp) records.push_back(WarpRun(kernel, execution, group, warp).run());
  execution.stands_for = 0;
  return records;
}

/// As many groups as the statistics may cost.
std::size_t groups_to_gather(const Prepared& kernel, Execution& execution, std::size_t standing) {
  if (standing <= kFewestGroupsLookedAt) return kFewestGroupsLookedAt;
  const auto before = execution.executed;
  for (std::size_t warp = 0; warp < execution.kinds.front().warps.size(); ++warp)
    WarpRun(kernel, execution, execution.kinds.front().group, static_cast<std::int64_t>(warp)).run();
  const auto cost = std::max<std::int64_t>(1, execution.executed - before);
  return std::clamp(static_cast<std::size_t>(kMostSteps / cost), kFewestGroupsLookedAt, kMostGroupsLookedAt);
}

}  // namespace

std::int64_t warps_per_group(const ExecutionInput& input) {
  const auto& block = input.launch.block;
  return (block[0] * block[1] * block[2] + input.lanes - 1) / input.lanes;
}

Execution execute(const ExecutionInput& input) {
  Execution execution;
  const Prepared kernel(input);
  execution.shared_memory = kernel.memory.shared_bytes();
  GroupFinder finder(input, execution);
  finder.run();
  execution.touched =
      std::make_shared<TouchedSectors>(axes_of_addresses(input.program, input.definitions), input.launch.grid);
  const auto most = groups_to_gather(kernel, execution, finder.standing());
  for (const auto& [group, stands_for] : finder.sample(most)) {
    auto records = gather(kernel, execution, group, stands_for);
    if (execution.kinds.empty()) finder.take_as_all(std::move(records));
  }
  execution.compulsory_bytes = execution.touched->bytes();
  execution.touched.reset();
  extrapolate(input.flow, execution);
  return execution;
}

}  // namespace warpipe::isa
