#include "support/reference_kinds.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "support/reference_stream.hpp"

namespace warpipe::reference {
namespace {

__extension__ using Wide = __int128;

struct Group {
  std::int64_t work = 0, index = 0, kind = 0;
};

// Rule 8: "the work of a group is the number of instructions that its warps issue".
std::int64_t work_of(const Kernel& kernel, const Device& device, const Launch& launch, std::int64_t kind) {
  std::int64_t work = 0;
  for (std::int64_t warp = 0; warp < warps_per_group(device, launch); ++warp) {
    InstructionStream stream(kernel, body_values(kernel, device, launch, kind, warp));
    while (stream.next()) ++work;
  }
  return work;
}

// Rule 8: "sorted by work, those of equal work by their index".
std::vector<Group> sorted_groups(const Kernel& kernel, const Device& device, const Launch& launch) {
  std::map<std::int64_t, std::int64_t> works;
  std::vector<Group> groups;
  for (const std::int64_t kind : kinds_of_launch(kernel, device, launch)) {
    if (!works.contains(kind)) works[kind] = work_of(kernel, device, launch, kind);
    groups.push_back({works[kind], static_cast<std::int64_t>(groups.size()), kind});
  }
  std::ranges::sort(groups, {}, [](const Group& group) { return std::pair(group.work, group.index); });
  return groups;
}

Wide work_of(const std::vector<Group>& groups) {
  Wide work = 0;
  for (const Group& group : groups) work += group.work;
  return work;
}

// Rule 8: "While the work of the chosen groups is more than 1/200 of the *wanted* work off, a chosen group is exchanged
// for one that is not chosen, if that brings the sum nearer. The exchange that brings it nearest is taken; of several,
// that with the smallest work that goes, then with the smallest work that comes. Of the chosen groups with the work
// that goes, the one of the lowest index goes. Of the *n* others with the work that comes, the one behind floor(*n* /
// 2) of them in the order of the index comes. At most *N* groups are exchanged."
void exchange(std::vector<Group>& sent, const std::vector<Group>& all, std::int64_t n) {
  const auto total = static_cast<Wide>(all.size());
  const Wide wanted = n * work_of(all);
  const auto off = [&](Wide work) { return work * total < wanted ? wanted - work * total : work * total - wanted; };
  for (std::int64_t exchanged = 0; exchanged < n; ++exchanged) {
    const Wide sum = work_of(sent);
    if (200 * off(sum) <= wanted) return;
    std::vector<Group> others;
    std::ranges::copy_if(all, std::back_inserter(others), [&](const Group& group) {
      return std::ranges::find(sent, group.index, &Group::index) == sent.end();
    });
    std::tuple<Wide, std::int64_t, std::int64_t> best(off(sum), -1, -1);
    for (const Group& goes : sent)
      for (const Group& comes : others)
        if (off(sum - goes.work + comes.work) < off(sum))
          best = std::min(best, std::tuple(off(sum - goes.work + comes.work), goes.work, comes.work));
    const auto& [error, a, b] = best;
    if (a < 0) return;
    std::vector<Group> of_work_b;
    std::ranges::copy_if(others, std::back_inserter(of_work_b),
                         [&](const Group& group) { return group.work == std::get<2>(best); });
    auto goes = sent.end();
    for (auto group = sent.begin(); group != sent.end(); ++group)
      if (group->work == a && (goes == sent.end() || group->index < goes->index)) goes = group;
    *goes = of_work_b[of_work_b.size() / 2];
  }
}

// Rule 8: "If the last of the sorted groups does more than 3/2 of the *wanted* work, and none of the chosen groups as
// much, it takes the place of the first chosen one in that order."
void take_largest(std::vector<Group>& sent, const std::vector<Group>& all, std::int64_t n) {
  const Wide largest = all.back().work;
  if (2 * largest * static_cast<Wide>(all.size()) <= 3 * n * work_of(all)) return;
  if (std::ranges::any_of(sent, [&](const Group& group) { return group.work >= largest; })) return;
  *std::ranges::min_element(sent, {}, [](const Group& group) { return std::pair(group.work, group.index); }) =
      all.back();
}

// Rule 8: "Those at the positions floor((2 *i* + 1) *Ntotal* / (2 *N*)), *i* = 0 to *N* - 1, are chosen."
std::vector<std::int64_t> sample(const std::vector<Group>& groups, std::int64_t n) {
  const auto total = static_cast<std::int64_t>(groups.size());
  std::vector<Group> sent;
  for (std::int64_t i = 0; i < n; ++i) sent.push_back(groups[static_cast<std::size_t>((2 * i + 1) * total / (2 * n))]);
  exchange(sent, groups, n);
  take_largest(sent, groups, n);
  // "The chosen groups are placed in the order of their index."
  std::ranges::stable_sort(sent, {}, &Group::index);
  std::vector<std::int64_t> kinds;
  for (const Group& group : sent) kinds.push_back(group.kind);
  return kinds;
}

bool all_alike(const std::vector<std::int64_t>& kinds) {
  return std::ranges::all_of(kinds, [&](std::int64_t kind) { return kind == kinds.front(); });
}

}  // namespace

std::vector<std::int64_t> kinds_of_launch(const Kernel& kernel, const Device& device, const Launch& launch) {
  std::vector<std::int64_t> kinds(static_cast<std::size_t>(launch.groups), 0);
  if (!kernel.kinds) return kinds;
  if (const auto* expression = std::get_if<Expression>(&kernel.kinds->of_group)) {
    Values values(kernel.parameters.begin(), kernel.parameters.end());
    values["group_size"] = static_cast<double>(launch.group_size);
    values["warps"] = static_cast<double>(warps_per_group(device, launch));
    values["groups"] = static_cast<double>(launch.groups);
    for (std::size_t group = 0; group < kinds.size(); ++group) {
      values["group"] = static_cast<double>(group);
      kinds[group] = expression->evaluate_whole(values, 0);
    }
    return kinds;
  }
  const auto& runs = std::get<std::vector<GroupKinds::Run>>(kernel.kinds->of_group);
  std::vector<std::int64_t> cycle;
  for (const GroupKinds::Run& run : runs)
    for (std::int64_t i = 0; i < run.groups && cycle.size() < kinds.size(); ++i) cycle.push_back(run.kind);
  for (std::size_t group = 0; group < kinds.size(); ++group) kinds[group] = cycle[group % cycle.size()];
  return kinds;
}

std::vector<std::int64_t> kinds_simulated(const Kernel& kernel, const Device& device, const Launch& launch) {
  const std::vector<std::int64_t> all = kinds_of_launch(kernel, device, launch);
  if (launch.mode == Mode::AllUnits) return all;
  const std::int64_t n = groups_per_unit(device, launch);
  if (n == launch.groups || all_alike(all)) return {all.begin(), all.begin() + n};
  return sample(sorted_groups(kernel, device, launch), n);
}

Values body_values(const Kernel& kernel, const Device& device, const Launch& launch, std::int64_t kind,
                   std::int64_t warp) {
  Values values(kernel.parameters.begin(), kernel.parameters.end());
  values["group_size"] = static_cast<double>(launch.group_size);
  values["warps"] = static_cast<double>(warps_per_group(device, launch));
  values["warp"] = static_cast<double>(warp);
  if (!kernel.kinds) return values;
  values["kind"] = static_cast<double>(kind);
  for (const auto& [name, column] : kernel.kinds->values) {
    const std::vector<double>& numbers = column.at(static_cast<std::size_t>(kind));
    values[name] = numbers.size() == 1 ? numbers.front() : numbers.at(static_cast<std::size_t>(warp));
  }
  return values;
}

}  // namespace warpipe::reference
