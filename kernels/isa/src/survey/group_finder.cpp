#include "survey/group_finder.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "program/effort.hpp"
#include "survey/group_order.hpp"
#include "survey/sampler.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kFewerAlone = 4;  // all places looked at / places that stand for themselves alone, at least

constexpr double kDeviations = 2;  // of the range of the work: 19 of 20 normal errors lie within
constexpr int kDigits = 3;

/// A pseudorandom number from 0 to 1, the same on every platform.
double fraction(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 32)) >> 11) * 0x1p-53;
}

/// The slice of control. Drawn lanes and recorded loads may differ for each thread, and are followed thread by thread,
/// recorded loads also load by load.
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

/// The numbers from 0 on, coarse to fine: the middle, the last and the first, then numbers that halve the gaps.
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

/// The number nearest to another, in an ascending list.
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

std::vector<std::int64_t> spread_places(std::int64_t size, std::size_t count) {
  // Multiples of a single number, as of the golden ratio, are only three distances apart, and a period may share them.
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = (static_cast<double>(i) + fraction(i)) / static_cast<double>(count);
    places.push_back(std::min(size - 1, static_cast<std::int64_t>(at * static_cast<double>(size))));
  }
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

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
  use_axes(true);
  if (std::ranges::none_of(control_.axes, std::identity())) return std::nullopt;
  if (input_.launch.recorded) {
    recorded_groups();
  } else {
    kind_of_group(group_at(whole().middle));
    if (stop_ && stop_->why == Stop::Why::Costly) {
      // The costly group is not kept: the group of the statistics stands for all.
      stop_.reset();
      use_axes(false);
      takes_neighbours_ = survey_.groups.sampled = true;
      return std::nullopt;
    }
    const bool are_known =
        by_arithmetic() || every_group(kEffort.every_group) || are_alike() || every_group(kEffort.order_of_groups);
    if (!are_known) some_groups();
    survey_.groups.sampled |= takes_neighbours_;
  }
  if (stop_) return std::move(stop_);
  name_kinds();
  return std::nullopt;
}

void GroupFinder::take_as_all(std::vector<std::uint32_t> records) {
  kind_of_.emplace(known_of({0, 0, 0}), 0);
  behaviours_.push_back(&kinds_.emplace(std::move(records), 0).first->first);
  name_kinds();
}

/// Merges the axes from the first to the last deciding axis, or keeps each axis apart.
void GroupFinder::use_axes(bool as_one) {
  const auto& grid = input_.launch.grid;
  axes_.clear();
  for (std::size_t low = 0; low < 3; ++low) {
    Axis axis{low, low, grid[low], control_.axes[low]};
    for (auto high = low + 1; as_one && axis.decides && high < 3; ++high)
      if (std::any_of(control_.axes.begin() + static_cast<std::ptrdiff_t>(high), control_.axes.end(),
                      std::identity())) {
        axis.size *= grid[high];
        axis.high = high;
      }
    low = axis.high;
    axes_.push_back(axis);
  }
  parts_ = {whole()};
}

GroupFinder::Part GroupFinder::whole() const {
  Part all;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    all.sides[i].places = axes_[i].size;
    all.middle[i] = axes_[i].size / 2;
  }
  return all;
}

std::size_t GroupFinder::deciding_axis() const {
  return static_cast<std::size_t>(std::ranges::find(axes_, true, &Axis::decides) - axes_.begin());
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

/// Bounds of a box. A box along merged axes may run from a row of the grid into the next: its bounds span whole rows.
GroupBounds GroupFinder::bounds_of(const GroupBox& box) const {
  Places first{0, 0, 0}, last{0, 0, 0};
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    first[i] = box.sides[i].first;
    last[i] = box.sides[i].place(box.sides[i].places - 1);
  }
  GroupBounds bounds{group_at(first), group_at(last)};
  for (const auto& axis : axes_)
    for (auto upper = axis.high; upper > axis.low; --upper)
      if (bounds.first[upper] != bounds.last[upper])
        for (auto lower = axis.low; lower < upper; ++lower) {
          bounds.first[lower] = 0;
          bounds.last[lower] = input_.launch.grid[lower] - 1;
        }
  return bounds;
}

/// The group with its place in the middle of each axis without influence on control.
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
    // Groups take far longer than the first few suggested: a near group stands for this group.
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

/// Places within a budget, by the mean cost of the groups so far.
double GroupFinder::places_to_look_at(double budget) {
  kind_of_group(group_at(whole().middle));
  return budget / (spent_ / static_cast<double>(kind_of_.size()));
}

/// The fewest places to look at: fewer where groups take too long for the instructions left.
std::size_t GroupFinder::fewest_places() const {
  const auto enough = left_to_spend(input_, survey_) / (kEffort.looks * cost());
  return std::clamp(static_cast<std::size_t>(enough), kEffort.costly_places, kEffort.fewest_places);
}

std::size_t GroupFinder::places_within(double budget, std::size_t most) {
  const auto places = static_cast<std::size_t>(places_to_look_at(budget));
  return std::clamp(places, fewest_places(), most);
}

/// Adds a part of `places` places along the deciding axis, with the place `like` to stand for them.
void GroupFinder::add_part(std::int64_t first, std::int64_t places, std::int64_t like) {
  auto part = whole();
  const auto axis = deciding_axis();
  part.sides[axis] = {first, places};
  part.middle[axis] = like;
  part.kind = kind_of_group(group_at(part.middle));
  parts_.push_back(part);
}

/// Executes recorded groups, as many as the budget allows, in an order that shows the spread of work early. Each
/// further group is like the executed group with the nearest work, and of several like the nearest in the grid.
void GroupFinder::recorded_groups() {
  const auto& recorded = *input_.launch.recorded;
  const auto work_of = [&](std::int64_t number) { return recorded.instructions[static_cast<std::size_t>(number)]; };
  const auto axis = deciding_axis();
  std::vector<std::int64_t> by_work;
  for (const auto& group : recorded.groups) by_work.push_back(group.number);
  std::ranges::stable_sort(by_work, {}, work_of);
  const bool alike = static_cast<double>(work_of(by_work.back())) <=
                     kEffort.alike_work * static_cast<double>(work_of(by_work.front()));
  const auto fewest = alike ? std::size_t{1} : kEffort.costly_places;
  std::map<std::uint64_t, std::vector<std::int64_t>> executed;  // by their work
  auto places = whole().middle;
  std::size_t count = 0;
  for (const auto next : in_halves(by_work.size())) {
    places[axis] = by_work[next];
    kind_of_group(group_at(places));
    if (stop_) return;
    executed[work_of(places[axis])].push_back(places[axis]);
    if (++count >= fewest && spent_ > kEffort.order_of_groups) break;
  }
  for (auto& [work, alike_groups] : executed) std::ranges::sort(alike_groups);
  parts_.clear();
  for (std::int64_t group = 0; group < axes_[axis].size; ++group) {
    const auto like = nearest(nearest(executed, work_of(group))->second, group);
    if (!parts_.empty() && parts_.back().middle[axis] == like)
      ++parts_.back().sides[axis].places;
    else
      add_part(group, 1, like);
  }
}

/// Executes one group of each kind.
/// @return whether control is by arithmetic, with few enough kinds to execute
bool GroupFinder::by_arithmetic() {
  if (draws_lanes(input_.launch)) return false;
  const auto boxes = alike_groups(input_.program, survey_.forms, input_.launch.block, input_.launch.grid);
  if (!boxes) return false;
  const auto index_of = [&](const Dimensions& group) { return index_of_group(input_.launch.grid, group); };
  std::map<std::uint32_t, Dimensions> first;  // of a kind
  for (const auto& box : *boxes) {
    const Dimensions group{box.sides[0].first, box.sides[1].first, box.sides[2].first};
    const auto [known, is_new] = first.emplace(box.kind, group);
    if (index_of(group) < index_of(known->second)) known->second = group;
  }
  if (static_cast<double>(first.size()) > places_to_look_at(kEffort.order_of_groups)) return false;
  use_axes(false);
  parts_.clear();
  for (const auto& box : *boxes) {
    Part part{box};
    for (std::size_t axis = 0; axis < 3; ++axis) part.middle[axis] = box.sides[axis].place(box.sides[axis].places / 2);
    part.kind = kind_of_group(first.at(box.kind));
    parts_.push_back(part);
  }
  survey_.groups.by_arithmetic = true;
  return true;
}

/// Executes some groups, evenly spread.
/// @return whether all are of the same kind, as the rest is then taken to be
bool GroupFinder::are_alike() {
  const auto axis = deciding_axis();
  const auto count = places_within(kEffort.order_of_groups / 8, kEffort.checked);
  auto places = whole().middle;
  const auto kind = kind_of_group(group_at(places));
  for (const auto place : spread_places(axes_[axis].size, count)) {
    places[axis] = place;
    if (kind_of_group(group_at(places)) != kind || stop_) return false;
  }
  for (const auto end : {std::int64_t{0}, axes_[axis].size - 1}) {
    places[axis] = end;
    if (kind_of_group(group_at(places)) != kind || stop_) return false;
  }
  parts_ = {whole()};
  parts_.front().kind = kind;
  return true;
}

bool GroupFinder::every_group(double budget) {
  const auto size = axes_[deciding_axis()].size;
  const auto before = spent_;
  if (static_cast<double>(size) > places_to_look_at(budget)) return false;
  parts_.clear();
  for (std::int64_t place = 0; place < size; ++place) {
    add_part(place, 1, place);
    if (stop_) return true;
    if (spent_ - before > 2 * budget) return false;  // some groups work far more than the first few
  }
  return true;
}

/// Executes as many groups as the budget allows.
void GroupFinder::some_groups() {
  survey_.groups.sampled = true;
  if (std::ranges::count(control_.axes, true) == 1)
    nearest_groups(static_cast<std::int64_t>(places_within(kEffort.order_of_groups, kEffort.most_places)));
  else
    tiles_of_groups();
}

/// Evenly spread places stand for the places nearest to them. Places before and at multiples of large powers of two
/// stand for themselves alone, since trees have few and large nodes there; so do the ends.
void GroupFinder::nearest_groups(std::int64_t most) {
  const auto size = axes_[deciding_axis()].size;
  std::set<std::int64_t> alone{0, size - 1};
  std::int64_t step = 1;
  while (kFewerAlone * (size / step) > most) step *= 2;
  for (auto place = step; place < size; place += step) alone.insert({place - 1, place});
  auto places = spread_places(size, static_cast<std::size_t>(std::max<std::int64_t>(1, most - std::ssize(alone))));
  std::erase_if(places, [&](std::int64_t place) { return alone.contains(place); });
  if (places.empty()) places.push_back(size / 2);
  parts_.clear();
  std::vector<Cell> cells;
  auto next_alone = alone.begin();
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < places.size() && !stop_; ++i) {
    const auto end = i + 1 < places.size() ? (places[i] + places[i + 1]) / 2 + 1 : size;
    auto& cell = cells.emplace_back();
    const auto add = [&](std::int64_t until) {
      if (until > begin) add_part(begin, until - begin, places[i]);
      cell.groups += static_cast<double>(std::max<std::int64_t>(0, until - begin));
    };
    for (; next_alone != alone.end() && *next_alone < end; ++next_alone) {
      add(*next_alone);
      add_part(*next_alone, 1, *next_alone);
      begin = *next_alone + 1;
    }
    add(end);
    begin = std::max(begin, end);
    auto middle = whole().middle;
    middle[deciding_axis()] = places[i];
    const auto kind = kind_of_group(group_at(middle));
    if (!stop_) cell.work = work(kind);
  }
  if (!stop_) note_error(cells, {std::ssize(cells), 1, 1});
}

/// Adds the changes of the work from a group to its neighbour along each axis, as shares of their work: few pairs are
/// looked at, and a single pair must not decide.
void GroupFinder::add_changes(const Dimensions& group, std::array<double, 3>& changes) {
  const auto kind = kind_of_group(group);
  for (std::size_t axis = 0; axis < 3 && !stop_; ++axis) {
    if (!control_.axes[axis]) continue;
    auto next = group;
    next[axis] += next[axis] + 1 < input_.launch.grid[axis] ? 1 : -1;
    const auto kind_of_next = kind_of_group(next);
    if (stop_) return;
    const auto one = work(kind), other = work(kind_of_next);
    if (one + other > 0) changes[axis] += std::abs(one - other) / (one + other);
  }
}

/// Cuts the grid into tiles, as long in threads along each axis, or longer where neighbours hardly differ. A random
/// group of each stands for all of them: neighbours in all directions are more alike than neighbours in a row, and no
/// group is preferred. Pairs of neighbours all over the grid show the cost of a group, and the changes along each axis.
void GroupFinder::tiles_of_groups() {
  survey_.soon_enough = kEffort.kinds_in_tiles;
  std::array<double, 3> changes{0, 0, 0};
  auto looked_at = whole().middle;
  for (const auto place : spread_places(axes_[deciding_axis()].size, fewest_places())) {
    looked_at[deciding_axis()] = place;
    add_changes(group_at(looked_at), changes);
    if (stop_) return;
  }
  // A part of the rest: groups that cost more than the first few suggest must not end the look at the grid halfway.
  const auto left = static_cast<std::size_t>(left_to_spend(input_, survey_) / (kEffort.looks * cost()));
  const auto most =
      std::min(places_within(kEffort.tiles_of_groups, kEffort.most_tiles), std::max(fewest_places(), left));
  use_axes(false);
  const auto counts = tiles_along(static_cast<double>(most), weights_of_axes(changes));
  std::vector<Part> tiles = tiles_with(counts);
  // Far apart one after the other: where the budget ends early, the rest is anywhere in the grid.
  for (const auto number : in_halves(tiles.size())) tiles[number].kind = kind_of_group(group_at(tiles[number].middle));
  if (stop_) return;
  std::vector<Cell> cells;
  for (const auto& tile : tiles) cells.push_back({work(tile.kind), groups_of(tile)});
  parts_ = std::move(tiles);
  note_error(cells, counts);
}

/// The changes along each axis that decide how long tiles are: the threads of a group, unless neighbours along some
/// axis hardly differ.
std::array<double, 3> GroupFinder::weights_of_axes(const std::array<double, 3>& changes) const {
  const auto shares = [](const std::array<double, 3>& of) {
    const auto sum = of[0] + of[1] + of[2];
    return sum > 0 ? std::array{of[0] / sum, of[1] / sum, of[2] / sum} : of;
  };
  std::array<double, 3> threads{0, 0, 0};
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads[axis] = control_.axes[axis] ? static_cast<double>(input_.launch.block[axis]) : 0;
  threads = shares(threads);
  std::array<double, 3> weights = shares(changes);
  bool is_even = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    is_even = is_even && weights[axis] >= kEffort.little_change * threads[axis];
    weights[axis] += kEffort.least_change * threads[axis];
  }
  return is_even ? threads : weights;
}

/// Tiles of the whole grid, with a random group in the middle of each.
std::vector<GroupFinder::Part> GroupFinder::tiles_with(const Dimensions& counts) const {
  std::vector<Part> tiles;
  for (std::int64_t number = 0; number < counts[0] * counts[1] * counts[2]; ++number) {
    const Dimensions at{number % counts[0], number / counts[0] % counts[1], number / counts[0] / counts[1]};
    auto& tile = tiles.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto size = axes_[axis].size, first = size * at[axis] / counts[axis];
      const auto places = size * (at[axis] + 1) / counts[axis] - first;
      const auto drawn = fraction(static_cast<std::uint64_t>(3 * number) + axis) * static_cast<double>(places);
      tile.sides[axis] = {first, places};
      tile.middle[axis] = std::min(first + places - 1, first + static_cast<std::int64_t>(drawn));
    }
  }
  return tiles;
}

/// The number of tiles along each axis.
Dimensions GroupFinder::tiles_along(double most, const std::array<double, 3>& changes) const {
  std::vector<std::size_t> deciding;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (control_.axes[axis]) deciding.push_back(axis);
  std::ranges::sort(deciding, {}, [&](std::size_t axis) { return input_.launch.grid[axis]; });
  const auto change_over = [&](std::size_t axis) {
    return static_cast<double>(input_.launch.grid[axis]) * changes[axis];
  };
  double all = 1;
  for (const auto axis : deciding) all *= change_over(axis);
  Dimensions counts{1, 1, 1};
  for (std::size_t i = 0; i < deciding.size(); ++i) {
    const auto axis = deciding[i];
    const auto along = change_over(axis) * std::pow(most / all, 1 / static_cast<double>(deciding.size() - i));
    counts[axis] = std::clamp<std::int64_t>(std::llround(along), 1, input_.launch.grid[axis]);
    most /= static_cast<double>(counts[axis]);
    all /= change_over(axis);
  }
  const auto rows = input_.launch.grid[1] * input_.launch.grid[2];  // the order of the groups has runs in each
  counts[0] = std::clamp<std::int64_t>(kEffort.runs / rows, 1, counts[0]);
  return counts;
}

double GroupFinder::groups_of(const GroupBox& box) {
  double groups = 1;
  for (const auto& side : box.sides) groups *= static_cast<double>(side.places);
  return groups;
}

/// Notes two standard errors of the work of the launch, with each cell known by the work of one of its groups: from the
/// difference between a cell and the mean of its neighbours, which a trend over the grid hardly changes.
/// @param counts  cells along each axis
void GroupFinder::note_error(const std::vector<Cell>& cells, const Dimensions& counts) {
  double squares = 0, all = 0;
  for (std::int64_t number = 0; number < std::ssize(cells); ++number) {
    const auto& [is, groups] = cells[static_cast<std::size_t>(number)];
    double sum = 0, neighbours = 0;
    std::int64_t step = 1;
    for (const auto count : counts) {
      const auto at = number / step % count;
      if (count > 1)
        for (const auto next : {at == 0 ? 1 : at - 1, at == count - 1 ? count - 2 : at + 1}) {
          sum += cells[static_cast<std::size_t>(number + (next - at) * step)].work;
          ++neighbours;
        }
      step *= count;
    }
    if (neighbours == 0) continue;
    const auto off = is - sum / neighbours;
    squares += groups * std::max(0.0, groups - 1) * off * off / (1 + 1 / neighbours);
  }
  for (const auto& part : parts_) all += work(part.kind) * groups_of(part);
  survey_.groups.uncertain = all > 0 ? rounded(kDeviations * std::sqrt(squares) / all, kDigits) : 0;
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

/// Groups to stand for all, with weights. Groups at the rims of the grid reach other memory even where control is the
/// same: they stand for themselves.
/// @param few  only the middle of axes without influence on control
std::vector<GroupFinder::Representative> GroupFinder::representatives(bool few) const {
  std::vector<Representative> all;
  for (const auto& part : parts_) {
    std::vector<Representative> groups{{part.middle, 1, part.kind}};
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const auto& side = part.sides[i];
      auto inner = side.places;
      std::vector<std::int64_t> alone;
      const auto add = [&](std::int64_t place) {
        const bool is_wanted = axes_[i].decides ? !input_.launch.recorded : !few;  // the ends may not be recorded
        if (inner > 1 && is_wanted) alone.push_back(place), --inner;
      };
      if (side.first == 0) add(0);
      if (const auto last = side.place(side.places - 1); last == axes_[i].size - 1) add(last);
      const auto before = groups;
      for (auto& group : groups) group.groups *= static_cast<double>(inner);
      for (const auto place : alone)
        for (auto group : before) {
          group.places[i] = place;
          groups.push_back(group);
        }
    }
    all.insert(all.end(), groups.begin(), groups.end());
  }
  return all;
}

std::vector<Dimensions> GroupFinder::corners() const {
  auto parts = parts_.size() <= kEffort.parts_with_corners ? parts_ : std::vector<Part>();
  parts.insert(parts.begin(), whole());
  std::vector<Dimensions> groups;
  for (const auto& part : parts)
    for (std::size_t corner = 0; corner < 8; ++corner) {
      Places places{0, 0, 0};
      for (std::size_t i = 0; i < axes_.size(); ++i)
        places[i] = part.sides[i].place((corner >> i) & 1 ? part.sides[i].places - 1 : 0);
      groups.push_back(group_at(places));
    }
  return groups;
}

/// Takes the kinds that a draw of so many groups would miss out of `all`, where they are few.
/// @return a group of each, which stands for all groups of the kind
std::vector<GroupFinder::Representative> GroupFinder::take_rare_kinds(std::size_t most,
                                                                      std::vector<Representative>& all) {
  std::map<std::uint32_t, double> groups_of;  // a kind
  double sum = 0;
  for (const auto& one : all) {
    groups_of[one.kind] += one.groups;
    sum += one.groups;
  }
  std::erase_if(groups_of, [&](const auto& kind) { return kind.second * static_cast<double>(most) >= sum; });
  if (2 * groups_of.size() > most) return {};
  std::vector<Representative> rare;
  for (const auto& [kind, groups] : groups_of) {
    rare.push_back(*std::ranges::find(all, kind, &Representative::kind));
    rare.back().groups = groups;
  }
  std::erase_if(all, [&](const auto& one) { return groups_of.contains(one.kind); });
  return rare;
}

std::vector<std::pair<Dimensions, double>> GroupFinder::sample(std::size_t most) const {
  auto all = representatives(false);
  if (all.size() > most) all = representatives(true);
  std::vector<Representative> chosen, rare;
  if (all.size() <= most) {
    chosen = std::move(all);
  } else {
    rare = take_rare_kinds(most, all);
    std::vector<double> sums;  // groups stood for, summed from the first on
    for (double sum = 0; const auto& one : all) sums.push_back(sum += one.groups);
    std::map<std::ptrdiff_t, double> drawn;
    const auto places = spread_places(static_cast<std::int64_t>(sums.back()), most - rare.size());
    for (const auto place : places) ++drawn[std::ranges::upper_bound(sums, static_cast<double>(place)) - sums.begin()];
    for (const auto& [number, times] : drawn) {
      chosen.push_back(all[static_cast<std::size_t>(number)]);
      chosen.back().groups = times * sums.back() / static_cast<double>(places.size());
    }
  }
  chosen.insert(chosen.end(), rare.begin(), rare.end());
  std::vector<std::pair<Dimensions, double>> groups;
  for (const auto& one : chosen) groups.emplace_back(group_at(one.places), one.groups);
  return groups;
}

/// Sorts the kinds by their number of groups, and finds the order of the groups by kind.
void GroupFinder::name_kinds() {
  const auto order = order_of({parts_.begin(), parts_.end()});
  std::vector<GroupKind> kinds(behaviours_.size());
  for (const auto& part : parts_) {
    auto& kind = kinds[part.kind];
    const auto [first, last] = bounds_of(part);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      kind.box.first[axis] = kind.groups > 0 ? std::min(kind.box.first[axis], first[axis]) : first[axis];
      kind.box.last[axis] = std::max(kind.box.last[axis], last[axis]);
    }
    kind.groups += groups_of(part);
  }
  const auto index_of = [&](const Dimensions& group) { return index_of_group(input_.launch.grid, group); };
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
  for (auto run : order) {
    run.kind = number_of[static_cast<std::size_t>(run.kind)];
    survey_.order.push_back(run);
  }
  survey_.groups.looked_at = kind_of_.size();
}

}  // namespace warpipe::isa
