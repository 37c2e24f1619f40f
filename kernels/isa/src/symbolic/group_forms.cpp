#include "symbolic/group_forms.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kMostWays = 2000;  // limit of ways compared thread by thread

constexpr Variable group(std::size_t axis) { return {Place::Group, static_cast<std::uint32_t>(axis)}; }

/// Groups number steps[axis] x i + rests[axis] along each axis.
struct Box {
  std::array<Range, 3> ranges;  ///< of i
  std::array<std::int64_t, 3> rests{0, 0, 0};
};

/// Joins consecutive boxes of a kind along an axis, where they are alike along the further axes.
void join_along(std::size_t axis, std::vector<GroupBox>& boxes) {
  const auto others = [&](const GroupBox& box) {
    const auto& [first, second] = std::tie(box.sides[(axis + 1) % 3], box.sides[(axis + 2) % 3]);
    return std::tuple(box.kind, box.sides[axis].first % box.sides[axis].step, first.first, first.places, second.first,
                      second.places);
  };
  std::ranges::sort(boxes, {}, [&](const GroupBox& box) { return std::pair(others(box), box.sides[axis].first); });
  std::vector<GroupBox> joined;
  for (const auto& box : boxes) {
    const auto& side = box.sides[axis];
    if (!joined.empty() && others(joined.back()) == others(box) &&
        joined.back().sides[axis].place(joined.back().sides[axis].places) == side.first)
      joined.back().sides[axis].places += side.places;
    else
      joined.push_back(box);
  }
  boxes = std::move(joined);
}

class KindFinder {
 public:
  KindFinder(Forms& forms, const Dimensions& block, const Dimensions& grid)
      : forms_(forms), block_(block), grid_(grid) {}

  bool run(const std::vector<Form>& control) {
    Box all;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      all.ranges[axis] = {0, grid_[axis] - 1};
      const auto steps = period(control, axis);
      if (steps <= std::min(kEffort.rests_of_groups, grid_[axis] / 2)) steps_[axis] = steps;
    }
    return by_rests(0, control, all);
  }

  std::vector<GroupBox> take() {
    for (std::size_t axis = 0; axis < 3; ++axis) join_along(axis, boxes_);
    return std::move(boxes_);
  }

 private:
  /// The number of groups along an axis until the quotients and remainders repeat.
  std::int64_t period(const std::vector<Form>& control, std::size_t axis) const {
    constexpr auto kTooLong = std::numeric_limits<std::int64_t>::max();
    std::int64_t result = 1;
    std::unordered_set<std::uint32_t> seen;
    auto waiting = control;
    while (!waiting.empty()) {
      const auto form = waiting.back();
      waiting.pop_back();
      if (!seen.insert(form.id).second || !forms_.depends_on(form, group(axis))) continue;
      const auto view = forms_[form];
      for (const auto& term : view.terms) waiting.push_back(term.form);
      if (view.kind != FormKind::Remainder && view.kind != FormKind::Quotient) continue;
      const auto divisor = forms_.number(view.argument(1));
      if (!divisor) continue;
      const auto own = *divisor / std::gcd(*divisor, factor_of_group(view.argument(0), axis));
      if (own > kEffort.rests_of_groups) return kTooLong;
      result = std::lcm(result, own);
      if (result > kEffort.rests_of_groups) return kTooLong;
    }
    return result;
  }

  std::int64_t factor_of_group(Form form, std::size_t axis) const {
    const auto view = forms_[form];
    if (view.kind == FormKind::Sum)
      for (const auto& term : view.terms)
        if (forms_[term.form].kind == FormKind::Variable && forms_.variable_of(term.form) == group(axis))
          return term.factor;
    return 1;
  }

  bool by_rests(std::size_t axis, const std::vector<Form>& control, Box box) {
    if (axis == 3) return halve(control, box);
    const auto steps = steps_[axis];
    if (steps == 1) return by_rests(axis + 1, control, box);
    for (std::int64_t rest = 0; rest < steps; ++rest) {
      box.rests[axis] = rest;
      box.ranges[axis] = {0, (grid_[axis] - 1 - rest) / steps};
      const auto number = forms_.variable(group(axis), box.ranges[axis]);
      if (!by_rests(axis + 1, replaced(control, axis, forms_.plus(forms_.scaled(number, steps), rest)), box))
        return false;
    }
    return true;
  }

  std::vector<Form> replaced(std::vector<Form> control, std::size_t axis, Form by) {
    for (auto& form : control) form = forms_.substitute(form, group(axis), by);
    return control;
  }

  bool halve(const std::vector<Form>& control, const Box& box) {
    std::optional<std::size_t> longest;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto decides = [&](Form form) { return forms_.depends_on(form, group(axis)); };
      const auto length = [&](std::size_t along) { return box.ranges[along].most - box.ranges[along].least; };
      if (std::ranges::any_of(control, decides) && (!longest || length(axis) > length(*longest))) longest = axis;
    }
    if (!longest) return add(control, box);
    const auto [least, most] = box.ranges[*longest];
    const auto middle = least + (most - least) / 2;
    for (const auto& half : {Range{least, middle}, Range{middle + 1, most}}) {
      auto part = box;
      part.ranges[*longest] = half;
      if (!halve(replaced(control, *longest, forms_.variable(group(*longest), half)), part)) return false;
    }
    return true;
  }

  bool add(const std::vector<Form>& control, const Box& box) {
    GroupBox made;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [least, most] = box.ranges[axis];
      made.sides[axis] = {least * steps_[axis] + box.rests[axis], most - least + 1, steps_[axis]};
    }
    std::vector<std::uint32_t> ways;
    for (const auto form : control) ways.push_back(way_of(form));
    made.kind = kinds_.emplace(std::move(ways), kinds_.size()).first->second;
    boxes_.push_back(made);
    return boxes_.size() <= kEffort.boxes_of_groups;
  }

  /// Forms with equal values in every thread of a group get the same number, even if written in two ways.
  std::uint32_t way_of(Form form) {
    const auto [known, is_new] = way_of_.emplace(form, way_of_.size());
    if (!is_new || way_of_.size() > kMostWays) return known->second;
    const auto is_thread = [](Variable one) { return one.place == Place::Thread; };
    if (!std::ranges::all_of(forms_.variables(form), is_thread)) return known->second;
    std::vector<std::int64_t> values;
    for (std::int64_t z = 0; z < block_[2]; ++z)
      for (std::int64_t y = 0; y < block_[1]; ++y)
        for (std::int64_t x = 0; x < block_[0]; ++x) {
          const Dimensions thread{x, y, z};
          values.push_back(forms_.evaluate(form, [&](Variable one) { return thread[one.number]; }));
        }
    return known->second = by_values_.emplace(std::move(values), known->second).first->second;
  }

  Forms& forms_;
  const Dimensions block_, grid_;
  std::array<std::int64_t, 3> steps_{1, 1, 1};
  std::map<std::vector<std::uint32_t>, std::uint32_t> kinds_;  ///< by the number of each form of control
  std::vector<GroupBox> boxes_;
  std::map<Form, std::uint32_t> way_of_;
  std::map<std::vector<std::int64_t>, std::uint32_t> by_values_;
};

}  // namespace

std::optional<std::vector<GroupBox>> alike_groups(const Program& program, ProgramForms& all, const Dimensions& block,
                                                  const Dimensions& grid) {
  auto& forms = all.forms;
  std::vector<Form> control;
  for (const auto& loop : all.loops) control.push_back(forms.choice(loop.entered, loop.trips, forms.constant(0)));
  for (const auto& branch : all.branches)
    if (!branch.is_end) control.push_back(forms.all(branch.reached, branch.taken));
  for (const auto& access : all.accesses)
    if (may_idle(program.instructions[access.instruction])) control.push_back(access.made);
  if (!std::ranges::all_of(control, [&](Form form) { return forms.is_known(form); })) return std::nullopt;
  std::ranges::sort(control);
  control.erase(std::unique(control.begin(), control.end()), control.end());
  std::erase_if(control, [&](Form form) {
    return !forms.depends_on(form, group(0)) && !forms.depends_on(form, group(1)) && !forms.depends_on(form, group(2));
  });
  KindFinder finder(forms, block, grid);
  if (!finder.run(control)) return std::nullopt;
  return finder.take();
}

}  // namespace warpipe::isa
