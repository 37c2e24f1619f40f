#include "change_maker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "finding_changes.hpp"
#include "warpipe/idg/op.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kLargeGroup = 256;  // threads: a common size of groups
constexpr std::int64_t kMoreWork = 4;      // times as much in each thread, where groups are large
constexpr std::int64_t kUnrolled = 4;      // trips of a loop, whose loads begin together

/// Floating-point operations of a lane.
int flops_of(std::string_view op) {
  op = op.substr(0, op.find('.'));
  if (op == "ffma" || op == "dfma") return 2;
  return op == "fadd" || op == "fmul" || op == "dadd" || op == "dmul" ? 1 : 0;
}

/// "loads of a.cu:7, stores of a.cu:9": some of the lines.
std::string lines_text(const std::vector<std::size_t>& instructions, const LinesOfLaunch& lines) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const auto i : instructions) {
    const auto& one = lines.instruction(i);
    const auto kind = access_kind(one.op);
    auto name = fmt::format("{} of {}",
                            kind == AccessKind::Load    ? "loads"
                            : kind == AccessKind::Store ? "stores"
                                                        : "atomics",
                            place_of(one));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  const bool more = names.size() > kNamed;
  if (more) names.resize(kNamed);
  return fmt::format("{}{}", fmt::join(names, ", "), more ? ", ..." : "");
}

}  // namespace

LaunchOptions ChangeMaker::unchanged() const {
  auto options = launch_.options;
  options.range = options.doubts = false;
  return options;
}

std::vector<std::size_t> ChangeMaker::scattered() const {
  return lines_.all_that([&](auto i) { return lines_.is_scattered(i); });
}

Finding::Change ChangeMaker::neighbours() const {
  Finding::Change change{unchanged(), as_neighbours(launch_, scattered(), prediction_.memory), "as neighbours"};
  if (change.edit) return change;
  for (const auto i : scattered()) {
    const auto& id = lines_.instruction(i).id;
    change.options.transactions.insert_or_assign(id, lines_.uses[i].needed);
    if (lines_.uses[i].ways > lines_.uses[i].executions) change.options.conflict_degree.insert_or_assign(id, 1);
  }
  return change;
}

bool ChangeMaker::has_conversions(const std::string& place) const {
  const auto is_one = [&](std::size_t i) {
    const auto& one = lines_.instruction(i);
    return one.op.starts_with("convert") && place_of(one) == place;
  };
  return !lines_.all_that(is_one).empty();
}

Finding::Change ChangeMaker::floats() const { return {unchanged(), in_floats(launch_.kernel), "in floats"}; }

double ChangeMaker::share_of_lanes() const {
  const auto& launch = prediction_.launch;
  if (launch_.kernel.form.empty() || !launch.flops || !launch.work_of_others.empty()) return 1;
  double all = 0;
  for (std::size_t i = 0; i < lines_.uses.size(); ++i)
    all += lines_.uses[i].executions * flops_of(lines_.instruction(i).op);
  const auto of_warps = all * static_cast<double>(launch_.device.warp_size);
  return of_warps > 0 ? std::min(1.0, *launch.flops / of_warps) : 1;
}

Heavy ChangeMaker::busiest() const { return lines_.by_weight(place_of, &Use::executions).front(); }

std::optional<Finding::Change> ChangeMaker::all_lanes() const {
  auto edit = with_fewer_trips(launch_.kernel, busiest().instructions, share_of_lanes());
  if (!edit) return std::nullopt;
  return Finding::Change{unchanged(), std::move(edit), "with all of them"};
}

std::optional<Finding::Change> ChangeMaker::loads_ahead(const std::vector<std::size_t>& loads) const {
  const auto& launch = prediction_.launch;
  const auto warps = static_cast<double>(launch.groups.value * launch.warps_per_group);
  std::vector<std::size_t> repeated;  // by each warp, as often at least as the loop is unrolled
  std::ranges::copy_if(loads, std::back_inserter(repeated), [&](auto load) {
    return lines_.uses[load].executions >= static_cast<double>(kUnrolled) * warps;
  });
  auto edit = with_loads_ahead(launch_.kernel, repeated, kUnrolled - 1);
  if (!edit) return std::nullopt;
  return Finding::Change{unchanged(), std::move(edit), fmt::format("unrolled by {}", kUnrolled)};
}

Finding::Change ChangeMaker::fewer_starts() const {
  const auto size = prediction_.launch.group_size.value;
  const bool small = size < kLargeGroup;
  const auto fewer = small ? static_cast<double>(kLargeGroup) / static_cast<double>(size) : kMoreWork;
  Finding::Change change{unchanged(),
                         {},
                         small ? fmt::format("in groups of {}", kLargeGroup)
                               : fmt::format("with {} times the work per thread", kMoreWork)};
  change.options.set_device.push_back(
      {"group_dispatch_interval", launch_.device.group_dispatch_interval.count / fewer});
  if (small) let_reside(more_groups(), change);
  return change;
}

std::int64_t ChangeMaker::more_groups() const {
  const auto& launch = prediction_.launch;
  const auto most = launch_.device.limits.warps_per_unit.value_or(launch.resident_warps);
  return std::max(launch.slots,
                  std::min(std::max<std::int64_t>(1, most / launch.warps_per_group), launch.groups_per_unit));
}

void ChangeMaker::let_reside(std::int64_t groups, Finding::Change& change) {
  change.options.occupancy.reset();
  change.options.concurrent_groups = groups;
  change.options.ignore_limits = true;
}

std::vector<SourceChange> source_changes(const LoweredLaunch& launch, const Prediction& prediction) {
  const LinesOfLaunch lines(launch, prediction);
  const ChangeMaker make(launch, prediction, lines);
  std::vector<SourceChange> changes;
  if (const auto scattered = make.scattered(); !scattered.empty())
    changes.push_back({"coalesced access", lines_text(scattered, lines) + " that reach neighbours", make.neighbours()});
  const auto is_double = [&](auto i) {
    const auto& op = lines.instruction(i).op;
    return op.size() > 1 && op.starts_with("d") && make.has_conversions(place_of(lines.instruction(i)));
  };
  if (const auto doubles = lines.all_that(is_double); !doubles.empty())
    changes.push_back(
        {"floats for doubles", place_of(lines.instruction(doubles.front())) + " in floats", make.floats()});
  if (make.share_of_lanes() <= kMostLanes)
    if (auto change = make.all_lanes())
      changes.push_back({"all lanes",
                         "work of " + place_of(lines.instruction(make.busiest().instructions.front())) +
                             " spread over the lanes of a warp",
                         std::move(*change)});
  const auto is_load = [&](auto i) {
    const auto& op = lines.instruction(i).op;
    return class_of(op) == OpClass::GlobalMemory && access_kind(op) == AccessKind::Load;
  };
  if (auto change = make.loads_ahead(lines.all_that(is_load)))
    changes.push_back(
        {"unrolled loops", fmt::format("#pragma unroll {} at loops with loads", kUnrolled), std::move(*change)});
  if (launch.device.group_dispatch_interval.count > 0) {
    auto change = make.fewer_starts();
    changes.push_back({"more work per group", change.words.substr(change.words.find(' ') + 1), std::move(change)});
  }
  return changes;
}

}  // namespace warpipe
