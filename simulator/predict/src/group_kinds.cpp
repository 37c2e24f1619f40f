#include "warpipe/predict/group_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kMostGroups = std::int64_t{1} << 22;  // evaluated one by one

ModelError too_many(const std::string& what, std::int64_t found, const std::string& advice) {
  return ModelError(Diagnostic{"/kinds/of_group",
                               fmt::format("{} of groups that differ can be at most {}", what, kMostGroups),
                               fmt::format("found {}", found), advice});
}

using Runs = std::vector<GroupKinds::Run>;

/// Adds to an error the group whose kind has no value.
std::int64_t kind_of(const Expression& of_group, const Values& values, std::int64_t group) {
  try {
    return of_group.evaluate_whole(values, 0);
  } catch (const ModelError& error) {
    Diagnostic problem = error.diagnostics().front();
    problem.where = "/kinds/of_group";
    problem.problem += fmt::format(" for group {}", group);
    throw ModelError(problem);
  }
}

Runs runs_of_expression(const Expression& of_group, Values values, std::int64_t groups) {
  if (groups > kMostGroups)
    throw too_many("the groups of a launch whose kinds are an expression", groups,
                   "give the kinds as a table, or use fewer groups");
  values["groups"] = static_cast<double>(groups);
  Runs runs;
  for (std::int64_t group = 0; group < groups; ++group) {
    values["group"] = static_cast<double>(group);
    const std::int64_t kind = kind_of(of_group, values, group);
    if (runs.empty() || runs.back().kind != kind) runs.push_back({kind, 0});
    ++runs.back().groups;
  }
  return runs;
}

/// The runs of the table reached by the launch's groups.
Runs runs_of_table(const Runs& table, std::int64_t groups) {
  Runs runs;
  std::int64_t left = groups;
  for (const GroupKinds::Run& run : table) {
    if (left == 0) break;
    runs.push_back({run.kind, std::min(run.groups, left)});
    left -= runs.back().groups;
  }
  return runs;
}

struct Group {
  std::int64_t index = 0;  ///< in the launch
  std::uint32_t kind = 0;
  std::int64_t work = 0;
  std::int64_t position = 0;  ///< among the groups sorted by work
  friend auto operator<=>(const Group&, const Group&) = default;
};

WideTicks distance(WideTicks a, WideTicks b) { return a < b ? b - a : a - b; }

/// The groups of a launch in the order of their work; of equal work by index.
class SortedGroups {
 public:
  SortedGroups(const GroupOrder& order, std::int64_t total, const std::vector<std::int64_t>& work) {
    std::map<std::int64_t, Part> parts;
    for (const GroupOrder::Run& run : order.runs()) {
      Part& part = parts[work[run.kind]];
      part.places.push_back({part.of_cycle, cycle_, run.kind});
      part.of_cycle += run.groups;
      cycle_ += run.groups;
    }
    const std::vector<std::int64_t> counts = order.counts(work.size(), total);
    for (std::size_t kind = 0; kind < work.size(); ++kind)
      if (counts[kind] > 0) parts[work[kind]].groups += counts[kind];
    for (auto& [work_of_group, part] : parts) {
      if (part.groups == 0) continue;  // the launch ends before its first group
      part.work = work_of_group;
      if (!parts_.empty()) {
        part.first = parts_.back().first + parts_.back().groups;
        part.work_before =
            parts_.back().work_before + static_cast<WideTicks>(parts_.back().work) * parts_.back().groups;
      }
      parts_.push_back(std::move(part));
    }
  }

  /// The work of all groups.
  WideTicks work() const {
    return parts_.back().work_before + static_cast<WideTicks>(parts_.back().work) * parts_.back().groups;
  }

  Group at(std::int64_t position) const { return group_at(part_at(position), position); }

  void take(const Group& group) {
    Part& part = part_at(group.position);
    part.taken.insert(group.position - part.first);
  }
  void give_back(const Group& group) {
    Part& part = part_at(group.position);
    part.taken.erase(group.position - part.first);
  }

  /// The group nearest to a target by its work times a factor, rather below than above, of the groups not taken: the
  /// middle group of its part.
  std::optional<Group> nearest(WideTicks target, std::int64_t factor) const {
    const auto scaled = [factor](const Part& part) { return static_cast<WideTicks>(part.work) * factor; };
    auto more = std::ranges::lower_bound(parts_, target, {}, scaled), less = more;
    while (more != parts_.end() && more->is_taken()) ++more;
    while (less != parts_.begin() && std::prev(less)->is_taken()) --less;
    if (less == parts_.begin() && more == parts_.end()) return std::nullopt;
    const bool is_less =
        less != parts_.begin() &&
        (more == parts_.end() || distance(scaled(*std::prev(less)), target) <= distance(scaled(*more), target));
    const Part& part = is_less ? *std::prev(less) : *more;
    return group_at(part, part.first + part.middle());
  }

 private:
  /// A run of groups in a cycle of the order.
  struct Place {
    std::int64_t before = 0;  ///< groups of the same work
    std::int64_t index = 0;
    std::uint32_t kind = 0;
  };

  /// Groups of the same work.
  struct Part {
    std::int64_t work = 0, first = 0, groups = 0;
    WideTicks work_before = 0;     ///< of all groups before `first`
    std::vector<Place> places;     ///< of one cycle
    std::int64_t of_cycle = 0;     ///< groups
    std::set<std::int64_t> taken;  ///< ranks in the part, from 0

    bool is_taken() const { return std::ssize(taken) == groups; }
    /// The rank of the middle group not taken.
    std::int64_t middle() const {
      std::int64_t rank = (groups - std::ssize(taken)) / 2;
      for (auto each = taken.begin(); each != taken.end() && *each <= rank; ++each) ++rank;
      return rank;
    }
  };

  Part& part_at(std::int64_t position) {
    return *std::prev(std::ranges::upper_bound(parts_, position, {}, &Part::first));
  }
  const Part& part_at(std::int64_t position) const {
    return *std::prev(std::ranges::upper_bound(parts_, position, {}, &Part::first));
  }

  Group group_at(const Part& part, std::int64_t position) const {
    const std::int64_t rank = position - part.first;
    const std::int64_t in_cycle = rank % part.of_cycle;
    const Place& place = *std::prev(std::ranges::upper_bound(part.places, in_cycle, {}, &Place::before));
    return {rank / part.of_cycle * cycle_ + place.index + in_cycle - place.before, place.kind, part.work, position};
  }

  std::vector<Part> parts_;
  std::int64_t cycle_ = 0;  ///< groups
};

/// Picks the sample of groups.
class Sample {
 public:
  /// @param total, picked  the groups of the launch, and the number of them to pick
  Sample(SortedGroups& sorted, std::int64_t total, std::int64_t picked)
      : sorted_(sorted), total_(total), wanted_(sorted.work() * picked) {
    // The middle group of each part: part i of the sorted groups begins at total / picked x i.
    for (std::int64_t i = 0; i < picked; ++i)
      add(sorted_.at(static_cast<std::int64_t>(static_cast<WideTicks>(2 * i + 1) * total / (2 * picked))));
    for (std::int64_t i = 0; i < picked && is_off() && exchange(); ++i) {
    }
    take_largest();
  }

  std::vector<GroupOrder::Run> runs() const {
    std::vector<Group> groups(groups_.begin(), groups_.end());
    std::ranges::sort(groups);
    std::vector<GroupOrder::Run> runs;
    for (const Group& group : groups) runs.push_back({group.kind, 1});
    return runs;
  }

 private:
  bool is_off() const { return 200 * distance(sum_ * total_, wanted_) > wanted_; }

  /// Exchanges a group for an unpicked group, so that the sum of work comes nearest to the wanted sum.
  /// @return whether the sum comes nearer than it was
  bool exchange() {
    auto best = groups_.end();
    Group instead;
    WideTicks least = distance(sum_ * total_, wanted_);
    for (auto leaves = groups_.begin(); leaves != groups_.end();
         leaves = groups_.upper_bound({INT64_MAX, UINT32_MAX, leaves->work, 0})) {
      const WideTicks without = (sum_ - leaves->work) * total_;
      const std::optional<Group> comes = sorted_.nearest(wanted_ - without, total_);
      if (!comes) return false;
      const WideTicks error = distance(without + static_cast<WideTicks>(comes->work) * total_, wanted_);
      if (error >= least) continue;
      least = error;
      best = leaves;
      instead = *comes;
    }
    if (best == groups_.end()) return false;
    remove(best);
    add(instead);
    return true;
  }

  /// Where the largest group has more to do than one and a half average units, its unit ends last, whatever the rest
  /// does.
  void take_largest() {
    const Group largest = sorted_.at(total_ - 1);
    if (2 * static_cast<WideTicks>(largest.work) * total_ <= 3 * wanted_ || groups_.rbegin()->work >= largest.work)
      return;
    remove(groups_.begin());
    add(largest);
  }

  struct ByWork {
    bool operator()(const Group& a, const Group& b) const {
      return std::tie(a.work, a.index) < std::tie(b.work, b.index);
    }
  };
  using Groups = std::set<Group, ByWork>;

  void add(const Group& group) {
    groups_.insert(group);
    sorted_.take(group);
    sum_ += group.work;
  }

  void remove(Groups::iterator group) {
    sum_ -= group->work;
    sorted_.give_back(*group);
    groups_.erase(group);
  }

  SortedGroups& sorted_;
  std::int64_t total_;
  WideTicks wanted_;  ///< work of as many average groups, times the groups of the launch
  WideTicks sum_ = 0;
  Groups groups_;
};

}  // namespace

std::map<std::int64_t, std::int64_t> LaunchKinds::first_groups() const {
  std::map<std::int64_t, std::int64_t> first;
  std::int64_t group = 0;
  for (const GroupOrder::Run& run : order.runs()) {
    first.emplace(numbers[run.kind], group);
    group += run.groups;
  }
  return first;
}

bool addresses_differ_by_kind(const Kernel& kernel, const NameSet& names_of_kinds) {
  const NameSet names_of_groups{"group", "group_x", "group_y", "group_z"};
  return std::ranges::any_of(kernel.instructions, [&](const Instruction& instruction) {
    const auto* addressed =
        instruction.access ? std::get_if<AccessPattern::Addressed>(&instruction.access->lanes) : nullptr;
    return addressed && addressed->address.uses_any(names_of_kinds) && addressed->address.uses_any(names_of_groups);
  });
}

LaunchKinds launch_kinds(const Kernel& kernel, const Values& values, std::int64_t groups) {
  if (!kernel.kinds) return {{0}, {}};
  const auto* table = std::get_if<Runs>(&kernel.kinds->of_group);
  const Runs runs = table ? runs_of_table(*table, groups)
                          : runs_of_expression(std::get<Expression>(kernel.kinds->of_group), values, groups);
  LaunchKinds kinds;
  for (const GroupKinds::Run& run : runs) kinds.numbers.push_back(run.kind);
  std::ranges::sort(kinds.numbers);
  kinds.numbers.erase(std::unique(kinds.numbers.begin(), kinds.numbers.end()), kinds.numbers.end());
  if (static_cast<std::int64_t>(kinds.numbers.size()) > kMostGroups)
    throw too_many("the kinds", static_cast<std::int64_t>(kinds.numbers.size()), "use fewer kinds");
  std::vector<GroupOrder::Run> order;
  for (const GroupKinds::Run& run : runs) {
    const auto index = std::ranges::lower_bound(kinds.numbers, run.kind) - kinds.numbers.begin();
    order.push_back({static_cast<std::uint32_t>(index), run.groups});
  }
  kinds.order = GroupOrder(order);
  return kinds;
}

GroupOrder sample_groups(const GroupOrder& order, std::int64_t total, const std::vector<std::int64_t>& work,
                         std::int64_t picked) {
  if (picked == total || order.runs().size() == 1) return order;
  if (picked > kMostGroups)
    throw too_many("the groups of one unit", picked, "use fewer groups, or `units = all` on a device with more units");
  SortedGroups sorted(order, total, work);
  return GroupOrder(Sample(sorted, total, picked).runs());
}

}  // namespace warpipe
