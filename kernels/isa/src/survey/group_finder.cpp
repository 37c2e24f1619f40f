#include "survey/group_finder.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "program/effort.hpp"
#include "survey/axis_profile.hpp"
#include "survey/sampler.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kInnerPlaces = 1;  // along an axis that decides nothing, for the statistics

/// Fractions of which no few multiples come near each other, by the number of axes.
/// @source M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018
constexpr std::array<std::array<double, 3>, 3> kSpread{{{0.6180339887498949, 0, 0},
                                                        {0.7548776662466927, 0.5698402909980532, 0},
                                                        {0.8191725133961644, 0.6710436067037893, 0.5497004779019703}}};

/// Shares of lanes are drawn for each thread. What was recorded may differ for each, and is followed load by load.
ControlSlice control_of(const ExecutionInput& input) {
  auto control = find_control_slice(input.program, input.definitions);
  const bool recorded = input.launch.recorded != nullptr;
  if (recorded) control.slice.needed = input.slice.needed;
  if (recorded || draws_lanes(input.launch)) {
    control.by_thread = true;
    control.axes = {true, true, true};
  }
  for (std::size_t axis = 0; axis < 3; ++axis) control.axes[axis] = control.axes[axis] && input.launch.grid[axis] > 1;
  return control;
}

/// The numbers from 0 on: the middle one, the last and the first, then those that halve what lies between.
std::vector<std::size_t> in_halves(std::size_t count) {
  std::vector<std::size_t> order;
  std::vector<bool> taken(count, false);
  const auto take = [&](std::size_t number) {
    if (!taken[number]) order.push_back(number);
    taken[number] = true;
  };
  take(count / 2);
  take(count - 1);
  take(0);
  for (std::size_t parts = 4; order.size() < count; parts *= 2)
    for (std::size_t part = 1; part < parts; part += 2) take(part * count / parts);
  return order;
}

/// Of numbers in order the one nearest to another.
std::int64_t nearest(const std::vector<std::int64_t>& numbers, std::int64_t to) {
  const auto above = std::ranges::lower_bound(numbers, to);
  if (above == numbers.begin()) return *above;
  if (above == numbers.end()) return *std::prev(above);
  return *above - to < to - *std::prev(above) ? *above : *std::prev(above);
}

template <class Value>
typename std::map<std::uint64_t, Value>::const_iterator nearest(const std::map<std::uint64_t, Value>& values,
                                                                std::uint64_t to) {
  const auto above = values.lower_bound(to);
  if (above == values.begin()) return above;
  if (above == values.end()) return std::prev(above);
  return above->first - to < to - std::prev(above)->first ? above : std::prev(above);
}

}  // namespace

GroupFinder::GroupFinder(const ExecutionInput& input, Survey& survey, Questions& questions)
    : input_(input),
      survey_(survey),
      questions_(questions),
      control_(control_of(input)),
      control_input_{
          input.program,      input.flow,      input.definitions, control_.slice, input.branch_of,
          input.launch,       input.arguments, input.names,       input.issued,   control_.by_thread ? input.lanes : 1,
          input.may_take_long},
      prepared_(control_input_),
      warps_(warps_per_group(input)) {}

std::optional<Stop> GroupFinder::run() {
  use_axes(false);
  if (std::ranges::none_of(control_.axes, std::identity())) return std::nullopt;
  use_axes(true);
  if (input_.launch.recorded) {
    recorded_groups();
    if (stop_) return std::move(stop_);
    name_kinds();
    return std::nullopt;
  }
  kind_of(middle());
  if (stop_ && stop_->why == Stop::Why::Costly) {
    // Nothing of it is kept: the one whose statistics are gathered stands for all.
    stop_.reset();
    use_axes(false);
    takes_neighbours_ = survey_.groups.sampled = true;
    return std::nullopt;
  }
  if (!every_group(kEffort.every_group) && !along_each_axis() && !every_group(kEffort.order_of_groups)) as_one_axis();
  if (stop_) return std::move(stop_);
  survey_.groups.sampled |= takes_neighbours_;
  name_kinds();
  return std::nullopt;
}

void GroupFinder::take_as_all(std::vector<std::uint32_t> records) {
  kind_of_.emplace(known_of({0, 0, 0}), 0);
  behaviours_.push_back(&kinds_.emplace(std::move(records), 0).first->first);
  name_kinds();
}

/// Makes one axis of those from the first to the last one that decides, or one of each.
void GroupFinder::use_axes(bool as_one) {
  const auto& grid = input_.launch.grid;
  axes_.clear();
  for (std::size_t low = 0; low < 3; ++low) {
    Axis axis{low, low, grid[low], control_.axes[low], {}};
    for (auto high = low + 1; as_one && axis.decides && high < 3; ++high)
      if (std::any_of(control_.axes.begin() + static_cast<std::ptrdiff_t>(high), control_.axes.end(),
                      std::identity())) {
        axis.size *= grid[high];
        axis.high = high;
      }
    low = axis.high;
    axis.profile = some_places(axis.size, kInnerPlaces);
    axes_.push_back(std::move(axis));
  }
}

Dimensions GroupFinder::group_at(const Places& places) const {
  Dimensions group{0, 0, 0};
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    auto place = places[i];
    for (auto axis = axes_[i].low; axis <= axes_[i].high; ++axis) {
      group[axis] = place % input_.launch.grid[axis];
      place /= input_.launch.grid[axis];
    }
  }
  return group;
}

GroupFinder::Places GroupFinder::middle() const {
  Places middle;
  for (const auto& axis : axes_) middle.push_back(axis.size / 2);
  return middle;
}

std::uint32_t GroupFinder::kind_of(const Places& places) { return kind_of_group(group_at(places)); }

/// The group in the middle of the axes that decide nothing.
Dimensions GroupFinder::known_of(Dimensions group) const {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!control_.axes[axis]) group[axis] = input_.launch.grid[axis] / 2;
  return group;
}

std::uint32_t GroupFinder::kind_of_group(const Dimensions& group) {
  if (stop_) return 0;
  const auto known = known_of(group);
  const auto found = kind_of_.lower_bound(known);
  if (found != kind_of_.end() && found->first == known) return found->second;
  if (kind_of_.size() >= kEffort.costly_places && left_to_spend(input_, survey_) == 0) takes_neighbours_ = true;
  if (takes_neighbours_ && !kind_of_.empty()) {
    // Far more than what the first ones let expect: one that is near stands for it.
    return (found == kind_of_.end() ? std::prev(found) : found)->second;
  }
  auto made = execute(known);
  if (stop_) return 0;
  const auto [behaviour, is_new] = kinds_.emplace(std::move(made), static_cast<std::uint32_t>(kinds_.size()));
  if (is_new) behaviours_.push_back(&behaviour->first);
  kind_of_.emplace(known, behaviour->second);
  return behaviour->second;
}

std::int64_t GroupFinder::cost() const {
  const auto looked_at = static_cast<std::int64_t>(std::max<std::size_t>(1, kind_of_.size()));
  return std::max<std::int64_t>(1, survey_.executed / looked_at);
}

GroupFinder::Behaviour GroupFinder::execute(const Dimensions& group) {
  const auto before = survey_.executed;
  const auto runs = control_.by_thread ? warps_ : 1;
  const bool is_first = kind_of_.empty() && !input_.launch.recorded;
  const auto most = is_first ? before + kEffort.first_group : INT64_MAX;
  auto records = run_warps(prepared_, survey_, questions_, group, runs, {.most = most});
  if (auto* stop = std::get_if<Stop>(&records)) {
    stop_ = std::move(*stop);
    return {};
  }
  auto made = std::get<Behaviour>(std::move(records));
  made.resize(static_cast<std::size_t>(warps_), made.front());
  spent_ += static_cast<double>(survey_.executed - before) *
                (1 + kEffort.further_lane * static_cast<double>(control_input_.lanes)) +
            kEffort.start_of_warp * static_cast<double>(runs);
  return made;
}

/// For which a budget is enough, by what those so far cost.
double GroupFinder::places_to_look_at(double budget) {
  kind_of(middle());
  return budget / (spent_ / static_cast<double>(kind_of_.size()));
}

/// Fewer where groups take so long that what may be spent would not be enough.
std::size_t GroupFinder::fewest_places() const {
  const auto enough = left_to_spend(input_, survey_) / (kEffort.looks * cost());
  return std::clamp(static_cast<std::size_t>(enough), kEffort.costly_places, kEffort.fewest_places);
}

std::size_t GroupFinder::places_within(double budget, std::size_t most) {
  const auto places = static_cast<std::size_t>(places_to_look_at(budget));
  return std::clamp(places, fewest_places(), most);
}

bool GroupFinder::every_group(double budget) {
  use_axes(true);
  survey_.groups = {};
  const auto before = spent_;
  for (auto& axis : axes_) {
    if (!axis.decides) continue;
    if (static_cast<double>(axis.size) > places_to_look_at(budget)) return false;
    Places places(axes_.size(), 0);
    const auto at = static_cast<std::size_t>(&axis - axes_.data());
    for (places[at] = 0; places[at] < axis.size; ++places[at]) {
      kind_of(places);
      if (stop_) return true;
      if (spent_ - before > 2 * budget) return false;  // some work much more than the first ones
    }
    axis.profile = every_place(axis.size);
  }
  return true;
}

/// Executes groups that were recorded, as many as that may cost, in such an order that those which were executed tell
/// how work is spread. Each other group is like the one of them whose work is nearest to its own, and of several the
/// one nearest in the grid.
void GroupFinder::recorded_groups() {
  const auto& recorded = *input_.launch.recorded;
  const auto work_of = [&](std::int64_t number) { return recorded.instructions[static_cast<std::size_t>(number)]; };
  const auto axis = std::ranges::find(axes_, true, &Axis::decides);
  Places places(axes_.size(), 0), by_work;
  auto& place = places[static_cast<std::size_t>(axis - axes_.begin())];
  for (const auto& group : recorded.groups) by_work.push_back(group.number);
  std::ranges::stable_sort(by_work, {}, work_of);
  const bool alike = static_cast<double>(work_of(by_work.back())) <=
                     kEffort.alike_work * static_cast<double>(work_of(by_work.front()));
  const auto fewest = alike ? std::size_t{1} : kEffort.costly_places;
  std::map<std::uint64_t, Places> executed;  // by their work
  std::size_t count = 0;
  for (const auto next : in_halves(by_work.size())) {
    place = by_work[next];
    kind_of(places);
    if (stop_) return;
    executed[work_of(place)].push_back(place);
    if (++count >= fewest && spent_ > kEffort.order_of_groups) break;
  }
  for (auto& [work, alike_groups] : executed) std::ranges::sort(alike_groups);
  std::vector<AxisProfile::Run> runs;
  for (std::int64_t group = 0; group < axis->size; ++group) {
    const auto like = nearest(nearest(executed, work_of(group))->second, group);
    if (!runs.empty() && runs.back().place == like)
      ++runs.back().places;
    else
      runs.push_back({like, 1});
  }
  axis->profile = {{{std::move(runs), 1}}, count == recorded.instructions.size()};
}

/// Where what happens along an axis does not depend on the place along the others.
bool GroupFinder::along_each_axis() {
  use_axes(false);
  double groups = 1;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (!axes_[i].decides) continue;
    auto places = middle();
    const auto at = [&](std::int64_t place) {
      places[i] = place;
      return kind_of(places);
    };
    const auto most = places_within(kEffort.order_of_groups / 8, kEffort.most_places);
    axes_[i].profile = profile_axis(axes_[i].size, at, most);
    if (stop_) return true;
    groups *= static_cast<double>(axes_[i].profile.weights().size());
    if (!axes_[i].profile.exact) return false;
  }
  return groups <= places_to_look_at(kEffort.order_of_groups / 2) && check() == 0;
}

void GroupFinder::as_one_axis() {
  use_axes(true);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (!axes_[i].decides) continue;
    Places places(axes_.size(), 0);
    const auto at = [&](std::int64_t place) {
      places[i] = place;
      return kind_of(places);
    };
    const auto most = places_within(kEffort.order_of_groups, kEffort.most_places);
    axes_[i].profile = profile_axis(axes_[i].size, at, most);
    if (stop_) return;
    survey_.groups.sampled = !axes_[i].profile.exact;
    if (check() == 0 || survey_.groups.sampled) continue;
    axes_[i].profile = some_places(axes_[i].size, most);
    survey_.groups.sampled = true;
    check();
  }
}

/// Executes groups that were not looked at, and compares them with what stands for them.
/// @return how many are of another kind
std::size_t GroupFinder::check() {
  const auto deciding = static_cast<std::size_t>(std::ranges::count_if(axes_, &Axis::decides));
  const auto count = places_within(kEffort.order_of_groups / 8, kEffort.checked);
  double taken_for = 0, worked = 0, squares = 0;
  std::size_t differ = 0;
  for (std::size_t number = 0; number < count; ++number) {
    Places places(axes_.size(), 0), nearest(axes_.size(), 0);
    std::size_t nth = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (!axes_[i].decides) continue;
      const double at = 0.5 + kSpread[deciding - 1][nth++] * static_cast<double>(number + kEffort.most_places);
      places[i] = static_cast<std::int64_t>((at - std::floor(at)) * static_cast<double>(axes_[i].size));
      nearest[i] = axes_[i].profile.representative_of(places[i]);
    }
    const auto is = kind_of(places), as = kind_of(nearest);
    differ += is != as ? 1U : 0U;
    taken_for += work(as);
    worked += work(is);
    squares += (work(is) - work(as)) * (work(is) - work(as));
  }
  auto& survey = survey_.groups;
  survey.checked = count;
  survey.off = worked > 0 ? (worked - taken_for) / worked : 0;
  const auto mean = worked / static_cast<double>(count);
  survey.uncertain = worked > 0 ? std::sqrt(squares / static_cast<double>(count)) / mean /
                                      std::sqrt(static_cast<double>(kind_of_.size()))
                                : 0;
  return differ;
}

double GroupFinder::work(std::uint32_t kind) {
  double sum = 0;
  for (const auto record : *behaviours_[kind]) sum += work_of_record(record);
  return sum;
}

double GroupFinder::work_of_record(std::uint32_t record) {
  const auto found = work_.find(record);
  if (found != work_.end()) return found->second;
  const auto header = survey_.pool.record(record).header;
  const auto& regions = header == kRoot ? input_.flow.regions : prepared_.loops.find(header)->second.loop->body;
  return work_[record] = work_of(regions, record);
}

double GroupFinder::work_of(const std::vector<Region>& regions, std::uint32_t record) {
  const auto items = survey_.pool.record(record).items;
  double sum = 0;
  for (std::size_t place = 0; place < regions.size(); ++place) {
    if (const auto* block = std::get_if<std::uint32_t>(&regions[place].node)) {
      if (items[place] != 0) sum += static_cast<double>(input_.issued[*block]);
    } else if (items[place] >= 0) {
      for (const auto& [iteration, times] : survey_.pool.trace(items[place]))
        sum += work_of_record(iteration) * static_cast<double>(times);
    }
  }
  return sum;
}

std::size_t GroupFinder::representatives() const {
  std::size_t groups = 1;
  for (const auto& axis : axes_) groups *= axis.profile.weights().size();
  return groups;
}

std::vector<std::pair<Dimensions, double>> GroupFinder::sample(std::size_t most) const {
  std::vector<std::pair<Places, double>> all{{{}, 1}};
  double all_groups = 1;
  for (const auto& axis : axes_) {
    auto weights = axis.profile.weights();
    const bool too_many = all.size() * weights.size() > most && !axis.decides;
    if (too_many) weights = {{axis.size / 2, static_cast<double>(axis.size)}};
    std::vector<std::pair<Places, double>> wider;
    for (const auto& [place, weight] : weights)
      for (const auto& [places, before] : all) {
        wider.emplace_back(places, weight * before);
        wider.back().first.push_back(place);
      }
    all = std::move(wider);
    all_groups *= static_cast<double>(axis.size);
  }
  std::vector<std::pair<Dimensions, double>> chosen;
  double chosen_weight = 0;
  for (const auto i : spread_places(static_cast<std::int64_t>(all.size()), all.size() <= most ? 0 : most))
    chosen.emplace_back(group_at(all[static_cast<std::size_t>(i)].first), all[static_cast<std::size_t>(i)].second);
  if (chosen.empty())
    for (const auto& [places, weight] : all) chosen.emplace_back(group_at(places), weight);
  for (const auto& [group, weight] : chosen) chosen_weight += weight;
  for (auto& [group, weight] : chosen) weight *= all_groups / chosen_weight;
  return chosen;
}

/// The kinds by the groups they have, and in which order groups of them come.
void GroupFinder::name_kinds() {
  Places places(axes_.size(), 0);
  const auto found = runs(axes_.size(), places);
  std::vector<GroupKind> kinds(behaviours_.size());
  for (const auto& run : found) kinds[static_cast<std::size_t>(run.kind)].groups += static_cast<double>(run.groups);
  const auto index_of = [&](const Dimensions& group) {
    return (group[2] * input_.launch.grid[1] + group[1]) * input_.launch.grid[0] + group[0];
  };
  for (const auto& [looked_at, kind] : kind_of_) {
    auto group = looked_at;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!control_.axes[axis]) group[axis] = 0;
    if (kinds[kind].warps.empty() || index_of(group) < index_of(kinds[kind].group)) kinds[kind].group = group;
    kinds[kind].warps = *behaviours_[kind];
    kinds[kind].work = work(kind);
  }
  std::vector<std::size_t> by_groups;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    if (kinds[kind].groups > 0) by_groups.push_back(kind);
  std::ranges::stable_sort(by_groups, [&](auto a, auto b) { return kinds[a].groups > kinds[b].groups; });
  std::vector<std::int64_t> number_of(kinds.size(), 0);
  for (const auto kind : by_groups) {
    number_of[kind] = static_cast<std::int64_t>(survey_.kinds.size());
    survey_.groups.groups += kinds[kind].groups;
    survey_.kinds.push_back(std::move(kinds[kind]));
  }
  for (auto run : found) {
    run.kind = number_of[static_cast<std::size_t>(run.kind)];
    survey_.order.push_back(run);
  }
  survey_.order = shorten_runs(survey_.order);
  survey_.groups.looked_at = kind_of_.size();
}

/// The kinds of the groups along the axes below one, at the given places of those above.
std::vector<GroupKinds::Run> GroupFinder::runs(std::size_t axis, Places& places) {
  if (axis == 0) return {{kind_of(places), 1}};
  std::vector<GroupKinds::Run> all;
  const auto& here = axes_[axis - 1];
  if (!here.decides) {
    places[axis - 1] = here.size / 2;
    append_repeated(all, runs(axis - 1, places), here.size);
    return all;
  }
  for (const auto& stretch : here.profile.stretches) {
    std::vector<GroupKinds::Run> once;
    for (const auto& run : stretch.runs) {
      places[axis - 1] = run.place;
      append_repeated(once, runs(axis - 1, places), run.places);
    }
    append_repeated(all, once, stretch.repeats);
  }
  return all;
}

}  // namespace warpipe::isa
