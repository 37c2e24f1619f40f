#include "survey/survey.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "lanes/warp_run.hpp"
#include "survey/address_log.hpp"
#include "survey/axis_profile.hpp"
#include "survey/group_finder.hpp"
#include "survey/meeting_lanes.hpp"
#include "survey/tally.hpp"
#include "survey/touched_sectors.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostSteps = 150'000;  // of warps, for the statistics
constexpr std::size_t kFewestGroupsLookedAt = 32, kMostGroupsLookedAt = 4096;
// Instructions of the slice that may be executed for the kinds of groups, each mostly in one lane, and for statistics.
constexpr std::int64_t kEnoughForKinds = 1'500'000, kEnoughForStatistics = 1'000'000;
constexpr std::size_t kMostAsked = 32;                          // groups, for what has to be assumed
constexpr std::int64_t kFewestFurther = 8, kMostFurther = 128;  // groups, for addresses alone
// Where nothing is left to spend on them, a warp of so many groups, so many instructions of it.
constexpr std::int64_t kFewestTelling = 6, kEnoughOfAWarp = 200'000;

using Sample = std::vector<std::pair<Dimensions, double>>;

/// Adds what the warps of a group reach to the statistics.
/// @return their records
std::vector<std::uint32_t> gather(const Prepared& kernel, Execution& execution, const Dimensions& group,
                                  double stands_for) {
  execution.stands_for = stands_for;
  execution.touched->begin(group, stands_for);
  execution.log->begin(group);
  auto records = run_warps(kernel, execution, group, warps_per_group(kernel.input));
  execution.log->end(records);
  execution.meeting->next();
  execution.stands_for = 0;
  return records;
}

/// Groups that tell how addresses go on from group to group, those that tell most first: the corners of the grid, its
/// middle and what is next to it, powers of two along each axis, and some that share no stride.
std::vector<Dimensions> telling_groups(const Dimensions& grid) {
  std::vector<Dimensions> groups;
  for (std::size_t corner = 0; corner < 8; ++corner)
    groups.push_back({corner & 1 ? grid[0] - 1 : 0, corner & 2 ? grid[1] - 1 : 0, corner & 4 ? grid[2] - 1 : 0});
  const Dimensions middle{grid[0] / 2, grid[1] / 2, grid[2] / 2};
  groups.push_back(middle);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    groups.push_back(middle);
    ++groups.back()[axis];
  }
  for (std::int64_t place = 1; place < std::max({grid[0], grid[1], grid[2]}); place *= 2)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      groups.push_back({0, 0, 0});
      groups.back()[axis] = place;
    }
  for (std::int64_t next = 2; next < 10; ++next) {
    groups.push_back(middle);
    groups.back()[0] += next;
  }
  const auto spread = spread_places(grid[0] * grid[1] * grid[2], 8);
  for (const auto index : spread)
    groups.push_back({index % grid[0], index / grid[0] % grid[1], index / grid[0] / grid[1]});
  std::erase_if(groups, [&](const Dimensions& group) {
    return group[0] >= grid[0] || group[1] >= grid[1] || group[2] >= grid[2];
  });
  return groups;
}

/// Logs the addresses of a group. One that cannot be executed is left out, as it was before.
void look_at(const Prepared& kernel, Execution& execution, const Dimensions& group, std::int64_t warps) {
  execution.log->begin(group);
  try {
    execution.log->end(run_warps(kernel, execution, group, warps));
  } catch (const InputError&) {
    execution.log->discard();
  }
}

/// Logs the addresses of a group's first warp, whose loops are sampled soon, as far as it gets. Nothing is assumed for
/// that.
void glance_at(const Prepared& kernel, Execution& execution, const Dimensions& group) {
  const auto assumed = execution.assumptions.size();
  execution.executed = kernel.input.launch.max_instructions / 16 + 1;  // see WarpRun::most_without_samples
  execution.most_executed = execution.executed + kEnoughOfAWarp;
  try {
    look_at(kernel, execution, group, 1);
  } catch (const CostlyGroup&) {
    execution.log->end({});
  } catch (const TakesLong&) {
    execution.log->end({});
  }
  execution.most_executed = INT64_MAX;
  execution.assumptions.resize(assumed);
}

/// Logs the addresses of groups that no statistics are of.
/// @param cost  of a group, in instructions of the slice
void look_further(const Prepared& kernel, Execution& execution, const Sample& looked_at, std::int64_t cost) {
  const auto before = std::tuple(execution.executed, execution.sampled_iterations, execution.largest_sample);
  std::set<Dimensions> known;
  for (const auto& [group, stands_for] : looked_at) known.insert(group);
  auto whole = std::clamp<std::int64_t>(kMostSteps / std::max<std::int64_t>(1, cost), kFewestFurther, kMostFurther);
  whole = std::min(whole, left_to_spend(kernel.input, execution) / std::max<std::int64_t>(1, cost));
  std::int64_t looked = 0;
  for (const auto& group : telling_groups(kernel.input.launch.grid)) {
    if (looked >= std::max(whole, kFewestTelling) || !known.insert(group).second) continue;
    execution.executed = 0;
    if (looked++ < whole)
      look_at(kernel, execution, group, warps_per_group(kernel.input));
    else
      glance_at(kernel, execution, group);
  }
  std::tie(execution.executed, execution.sampled_iterations, execution.largest_sample) = before;
}

/// As many groups as the statistics may cost, by what the first warp of one does.
std::size_t groups_to_gather(const Prepared& kernel, Execution& execution, const GroupFinder& finder) {
  if (finder.standing() == 1) return 1;
  const auto before = execution.executed, left = left_to_spend(kernel.input, execution);
  run_warps(kernel, execution, finder.sample(1).front().first, 1);
  const auto cost = std::max<std::int64_t>(1, (execution.executed - before) * warps_per_group(kernel.input));
  const auto wanted =
      std::clamp(static_cast<std::size_t>(kMostSteps / cost), kFewestGroupsLookedAt, kMostGroupsLookedAt);
  return std::clamp<std::size_t>(static_cast<std::size_t>(left / (2 * cost)), 1, wanted);
}

/// Nearly all that has to be assumed is met in a few groups. Asked for there, it does not cost a look at all others
/// each time that an answer leads to more questions.
void look_for_questions(const Prepared& kernel) {
  const auto& [grid, assume] = std::tie(kernel.input.launch.grid, kernel.input.launch.assume);
  if (!assume || grid == Dimensions{1, 1, 1}) return;
  std::vector<Dimensions> groups{{grid[0] / 2, grid[1] / 2, grid[2] / 2}};
  for (const auto index : spread_places(grid[0] * grid[1] * grid[2], kMostAsked))
    groups.push_back({index % grid[0], index / grid[0] % grid[1], index / grid[0] / grid[1]});
  Execution scratch;
  std::int64_t executed = 0;
  for (const auto& group : groups) {
    const auto known = scratch.assumptions.size();
    for (std::int64_t warp = 0; warp < warps_per_group(kernel.input) && executed <= kSoonAsked; ++warp) {
      scratch.executed = 0;
      WarpRun(kernel, scratch, group, warp).run();
      executed += scratch.executed;
    }
    if (scratch.assumptions.size() == known) break;
  }
  require_answers(scratch, kernel.input.launch);
}

/// Forgets all statistics, for those of a sample of the groups.
void begin_statistics(const Prepared& kernel, Execution& execution, const std::vector<AddressOrigin>& origins,
                      const Sample& sample) {
  const auto& grid = kernel.input.launch.grid;
  execution.statistics.clear();
  execution.touched = std::make_shared<TouchedSectors>(origins, grid);
  execution.log = std::make_shared<AddressLog>(kernel);
  execution.meeting = std::make_shared<MeetingLanes>(origins, grid, sample);
}

/// Gathers the statistics of groups that stand for all: of fewer where the first one shows that they would take too
/// long.
void gather_sample(const Prepared& kernel, Execution& execution, GroupFinder& finder) {
  const auto origins = origins_of_addresses(kernel.input.program, kernel.input.definitions);
  const auto cost = finder.cost();
  const bool is_costly = cost > left_to_spend(kernel.input, execution);
  auto sample = finder.sample(is_costly ? 1 : groups_to_gather(kernel, execution, finder));
  if (sample.size() < std::min(finder.standing(), kFewestGroupsLookedAt)) execution.few_groups = sample.size();
  const auto gather_at = [&](std::size_t number) {
    if (number == 0) begin_statistics(kernel, execution, origins, sample);
    auto records = gather(kernel, execution, sample[number].first, sample[number].second);
    if (execution.kinds.empty()) finder.take_as_all(std::move(records));
  };
  const auto before = execution.executed;
  gather_at(0);
  execution.group_cost = std::max<std::int64_t>(1, execution.executed - before);
  const auto further = static_cast<std::size_t>(left_to_spend(kernel.input, execution) / (2 * execution.group_cost));
  if (further + 1 < sample.size()) {
    sample = finder.sample(std::max<std::size_t>(1, further));
    execution.few_groups = sample.size();
    gather_at(0);
  }
  for (std::size_t next = 1; next < sample.size(); ++next) gather_at(next);
  look_further(kernel, execution, sample, is_costly ? std::max(cost, execution.group_cost) : execution.group_cost);
}

}  // namespace

std::int64_t left_to_spend(const ExecutionInput& input, const Execution& execution) {
  const auto spent = execution.executed - execution.spent_on_kinds;
  return std::max<std::int64_t>(0, std::min(execution.soon_enough, input.launch.max_instructions) - spent);
}

Execution execute(const ExecutionInput& input) {
  Execution execution;
  const Prepared kernel(input);
  look_for_questions(kernel);
  execution.shared_memory = kernel.memory.shared_bytes();
  GroupFinder finder(input, execution);
  execution.soon_enough = kEnoughForKinds;
  finder.run();
  execution.spent_on_kinds = execution.executed;
  execution.soon_enough = kEnoughForStatistics;
  gather_sample(kernel, execution, finder);
  execution.log->close();
  for (std::uint32_t i = 0; i < kernel.patterns.size(); ++i)
    if (kernel.patterns[i]) execution.said_addresses.insert(i);
  execution.meeting_lanes = execution.meeting->per_execution();
  execution.meeting.reset();
  extrapolate(input.flow, execution);
  for (const auto& [name, branches] : kernel.said_branches)
    if (std::ranges::none_of(branches, [&](auto branch) { return execution.shared_out.contains(branch); }))
      execution.unused_taken.push_back(name);
  return execution;
}

}  // namespace warpipe::isa
