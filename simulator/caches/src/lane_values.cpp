#include "lane_values.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace warpipe {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

bool is_whole(double value) { return value == std::floor(value); }

bool has_zero(const double* at, std::size_t lanes) { return std::find(at, at + lanes, 0.0) != at + lanes; }

/// Below it a quotient's floor is exact for whole numbers, and so is the remainder.
constexpr double kExact = 0x1p51;

bool are_whole(const double* at, std::size_t lanes) {
  return std::all_of(at, at + lanes, [](double value) { return is_whole(value) && std::abs(value) < kExact; });
}

bool is_unary(Operator op) {
  return op == Operator::Negate || op == Operator::Ceiling || op == Operator::Floor || op == Operator::Log2 ||
         op == Operator::Absolute;
}

/// The first number other than 0; 0 if there is none.
double factor_of(const double* at, std::size_t lanes) {
  const double* const first = std::find_if(at, at + lanes, [](double value) { return value != 0; });
  return first == at + lanes ? 0 : *first;
}

bool is_uniform(const double* at, std::size_t lanes) {
  return std::all_of(at, at + lanes, [first = at[0]](double value) { return value == first; });
}

}  // namespace

LaneValues::LaneValues(const std::vector<Operation>& operations, const LaneNames& names,
                       std::span<const std::string> coordinates, LaneRoom& room)
    : operations_(operations),
      numbers_(operations.size(), nullptr),
      coordinate_(operations.size(), kNone),
      uses_(coordinates.size(), false),
      lanes_(names.lanes),
      coordinates_(coordinates.size()),
      room_(room) {
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    if (operations_[i].op != Operator::Name) continue;
    const auto coordinate = std::ranges::find(coordinates, operations_[i].name);
    if (coordinate != coordinates.end()) {
      coordinate_[i] = static_cast<std::size_t>(coordinate - coordinates.begin());
      uses_[coordinate_[i]] = true;
    } else {
      const auto name = std::ranges::find(names.names, operations_[i].name, &LaneNames::Name::name);
      assert(name != names.names.end());
      numbers_[i] = &name->numbers;
    }
  }
  find_fixed();
}

void LaneValues::find_fixed() {
  std::vector<bool> moves(operations_.size(), false);
  kept_.assign(operations_.size(), kNone);
  const auto keep = [&](std::size_t operation) {
    if (!moves[operation] && kept_[operation] == kNone) kept_[operation] = kept_count_++;
  };
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const auto& [op, left, right, constant, name] = operations_[i];
    const bool has_operands = op != Operator::Name && op != Operator::Constant;
    moves[i] = has_operands ? moves[left] || (!is_unary(op) && moves[right]) : coordinate_[i] != kNone;
    (moves[i] ? moving_ : fixed_).push_back(i);
    if (!moves[i] || !has_operands) continue;
    keep(left);
    if (!is_unary(op)) keep(right);
  }
  keep(operations_.size() - 1);
}

void LaneValues::compute_fixed() {
  std::vector<double> kept(kept_count_ * lanes_);
  for (const std::size_t i : std::exchange(fixed_, {})) {
    Row result = row(i);
    has_value_ = evaluate(operations_[i], result);
    if (!has_value_) return;
    if (kept_[i] != kNone) std::copy_n(result.at, lanes_, kept.data() + kept_[i] * lanes_);
  }
  kept_values_ = std::move(kept);
  no_steps_.assign(coordinates_, 0);
}

const LaneForm* LaneValues::over(std::span<const Range> ranges) {
  ranges_ = ranges;
  room_.values.resize(operations_.size() * (lanes_ + coordinates_));
  room_.moves.resize(operations_.size());
  room_.stays.resize(operations_.size() * lanes_);
  room_.has_stays.resize(operations_.size());
  room_.cut.reset();
  room_.truths.resize(2 * lanes_);
  room_.obstacle.assign(coordinates_, 0);
  if (!fixed_.empty()) compute_fixed();
  if (!has_value_) return nullptr;
  for (const std::size_t i : moving_) {
    Row result = row(i);
    if (evaluate(operations_[i], result)) continue;
    for (std::size_t k = 0; k < coordinates_; ++k) room_.obstacle[k] = std::abs(result.steps[k]);
    return nullptr;
  }
  const Row last = row(operations_.size() - 1);
  if (!std::all_of(last.at, last.at + lanes_, [](double value) { return std::isfinite(value); })) return nullptr;
  room_.form.at.assign(last.at, last.at + lanes_);
  room_.form.steps.assign(last.steps, last.steps + coordinates_);
  room_.form.stays.assign(last.stays, last.stays + (last.some_stay() ? lanes_ : 0));
  return &room_.form;
}

LaneValues::Row LaneValues::row(std::size_t operation) {
  if (!kept_values_.empty() && kept_[operation] != kNone)
    return {.at = kept_values_.data() + kept_[operation] * lanes_, .steps = no_steps_.data()};
  double* const at = room_.values.data() + operation * (lanes_ + coordinates_);
  return {at, at + lanes_, room_.stays.data() + operation * lanes_, room_.moves[operation], room_.has_stays[operation]};
}

LaneValues::Reach LaneValues::reach(const double* steps) const {
  Reach reach;
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const double one = steps[i] * ranges_[i].least, other = steps[i] * ranges_[i].most;
    reach.least += std::min(one, other);
    reach.most += std::max(one, other);
  }
  return reach;
}

bool LaneValues::evaluate(const Operation& operation, Row& result) {
  const Row left = row(operation.left), right = row(operation.right);
  std::fill_n(result.steps, coordinates_, 0);
  result.has_stays = false;
  const auto done = [&] {
    switch (operation.op) {
      case Operator::Name:
        set_name(operation, result);
        return true;
      case Operator::Constant:
        std::fill_n(result.at, lanes_, operation.constant);
        return true;
      case Operator::Add:
      case Operator::Subtract:
      case Operator::Negate:
        return add(operation.op, left, right, result);
      case Operator::Multiply:
      case Operator::Divide:
        return scale(operation.op, left, right, result);
      case Operator::Modulo:
        return modulo(left, right, result);
      case Operator::Minimum:
      case Operator::Maximum:
        return choose(operation.op, left, right, result);
      case Operator::Less:
      case Operator::LessEqual:
      case Operator::Equal:
      case Operator::NotEqual:
        return compare(operation.op, left, right, result);
      case Operator::And:
      case Operator::Or:
        return combine(operation.op, left, right, result);
      case Operator::Ceiling:
      case Operator::Floor:
        return round(operation.op, left, result);
      case Operator::Absolute:
        return absolute(left, result);
      case Operator::Log2:
        apply_to_lanes(operation.op, left, left, result);
        return !left.moves && std::all_of(left.at, left.at + lanes_, [](double value) { return value > 0; });
    }
    return false;
  }();
  room_.moves[index_of(operation)] =
      std::any_of(result.steps, result.steps + coordinates_, [](double step) { return step != 0; });
  room_.has_stays[index_of(operation)] = result.has_stays;
  return done;
}

void LaneValues::set_name(const Operation& operation, Row& result) {
  const std::size_t index = index_of(operation);
  if (coordinate_[index] == kNone) {
    const std::vector<double>& numbers = *numbers_[index];
    if (numbers.size() == 1)
      std::fill_n(result.at, lanes_, numbers.front());
    else
      std::ranges::copy(numbers, result.at);
    return;
  }
  const Range& range = ranges_[coordinate_[index]];
  std::fill_n(result.at, lanes_, range.is_point() ? range.least : 0);
  if (!range.is_point()) result.steps[coordinate_[index]] = 1;
}

void LaneValues::apply_to_lanes(Operator op, Row left, Row right, Row& result) const {
  const auto each = [&](const auto& function) {
    for (std::size_t i = 0; i < lanes_; ++i) result.at[i] = function(left.at[i], right.at[i]);
  };
  switch (op) {  // the frequent operators apart, each as a loop without a branch
    case Operator::Multiply:
      return each([](double a, double b) { return a * b; });
    case Operator::Divide:
      return each([](double a, double b) { return a / b; });
    case Operator::Modulo:
      if (!are_whole(left.at, lanes_) || !are_whole(right.at, lanes_)) break;
      return each([](double a, double b) { return a - b * std::floor(a / b); });
    case Operator::Minimum:
      return each([](double a, double b) { return std::min(a, b); });
    case Operator::Maximum:
      return each([](double a, double b) { return std::max(a, b); });
    case Operator::Floor:
      return each([](double a, double) { return std::floor(a); });
    default:
      break;
  }
  each([op](double a, double b) { return apply(op, a, b); });
}

/// Lanes move by the sum of the steps, or stay in both.
bool LaneValues::add(Operator op, Row left, Row right, Row& result) {
  const double of_left = op == Operator::Negate ? -1 : 1;
  const double of_right = op == Operator::Add ? 1 : op == Operator::Subtract ? -1 : 0;
  for (std::size_t i = 0; i < lanes_; ++i) result.at[i] = of_left * left.at[i] + of_right * right.at[i];
  for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = of_left * left.steps[i] + of_right * right.steps[i];
  if (of_right == 0) right.moves = false;
  if (!left.some_stay() && !right.some_stay()) return true;
  result.has_stays = true;
  for (std::size_t i = 0; i < lanes_; ++i) {
    const bool moves = left.moves_in(i) || right.moves_in(i);
    if (moves && (left.moves_in(i) != left.moves || right.moves_in(i) != right.moves)) return false;
    result.stays[i] = !moves;
  }
  return true;
}

/// A product or a quotient. If one side moves, the other must be the same number in all lanes; in a product it may be 0
/// in some: they stay.
bool LaneValues::scale(Operator op, Row left, Row right, Row& result) {
  if (op == Operator::Multiply && right.moves) std::swap(left, right);
  const double factor = op == Operator::Multiply ? factor_of(right.at, lanes_) : right.at[0];
  const auto is_factor = [&](double value) { return value == factor || (value == 0 && op == Operator::Multiply); };
  if (right.moves || (left.moves && !std::all_of(right.at, right.at + lanes_, is_factor))) {
    for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = std::abs(left.steps[i]) + std::abs(right.steps[i]);
    return false;
  }
  if (op == Operator::Divide && has_zero(right.at, lanes_)) return false;
  apply_to_lanes(op, left, right, result);
  if (!left.moves) return true;
  for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = apply(op, left.steps[i], factor);
  result.has_stays = left.has_stays || has_zero(right.at, lanes_);
  if (result.has_stays)
    for (std::size_t i = 0; i < lanes_; ++i) result.stays[i] = !left.moves_in(i) || right.at[i] == 0;
  return true;
}

/// Whole steps remain as they are.
bool LaneValues::round(Operator op, Row left, Row& result) {
  const auto part = [](double step) { return is_whole(step) ? 0 : step; };
  std::transform(left.steps, left.steps + coordinates_, result.steps, part);
  const Reach by = reach(result.steps);
  const auto rounded = [op](double value) { return op == Operator::Floor ? std::floor(value) : std::ceil(value); };
  for (std::size_t i = 0; i < lanes_; ++i) {
    const Reach change = by.in_lane(left, i);
    result.at[i] = rounded(left.at[i] + change.least);
    if (result.at[i] != rounded(left.at[i] + change.most)) return false;
  }
  for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = left.steps[i] - result.steps[i];
  keep_stays(left, result);
  return true;
}

/// Steps that are multiples of the divisor do not count.
bool LaneValues::modulo(Row left, Row right, Row& result) {
  if (!left.moves && !right.moves && !has_zero(right.at, lanes_)) {
    apply_to_lanes(Operator::Modulo, left, right, result);
    return true;
  }
  if (right.moves || !is_uniform(right.at, lanes_) || right.at[0] == 0) {
    for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = std::abs(left.steps[i]) + std::abs(right.steps[i]);
    return false;
  }
  const double divisor = right.at[0];
  const auto part = [&](double step) { return is_whole(step / divisor) ? 0 : step; };
  std::transform(left.steps, left.steps + coordinates_, result.steps, part);
  const Reach by = reach(result.steps);
  for (std::size_t i = 0; i < lanes_; ++i) {
    const Reach change = by.in_lane(left, i);
    const double times = std::floor((left.at[i] + change.least) / divisor);
    if (times != std::floor((left.at[i] + change.most) / divisor)) return false;
    result.at[i] = left.at[i] - divisor * times;
  }
  keep_stays(left, result);
  return true;
}

void LaneValues::keep_stays(Row from, Row& result) const {
  result.has_stays = from.some_stay();
  if (result.has_stays) std::copy_n(from.stays, lanes_, result.stays);
}

/// The smaller or the larger of two: the same side for all coordinates in the ranges.
bool LaneValues::choose(Operator op, Row left, Row right, Row& result) {
  if (!left.moves && !right.moves) {
    apply_to_lanes(op, left, right, result);
    return true;
  }
  if (fails_with_stays(left, right, result)) return false;
  for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = left.steps[i] - right.steps[i];
  const Reach by = reach(result.steps);
  const bool is_same_step = std::equal(left.steps, left.steps + coordinates_, right.steps);
  bool some_left = false, some_right = false;
  for (std::size_t i = 0; i < lanes_; ++i) {
    const double difference = left.at[i] - right.at[i];
    const bool less = difference + by.most <= 0, greater = difference + by.least >= 0;
    if (!less && !greater) return false;
    const bool is_left = less == (op == Operator::Minimum);
    result.at[i] = is_left ? left.at[i] : right.at[i];
    (is_left ? some_left : some_right) = true;
  }
  if (some_left && some_right && !is_same_step) return false;  // between the two
  std::copy_n((some_left ? left : right).steps, coordinates_, result.steps);
  return true;
}

/// Two values with other movements in some lanes have no common difference.
bool LaneValues::fails_with_stays(Row left, Row right, Row& result) const {
  if (!left.some_stay() && !right.some_stay()) return false;
  for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = std::abs(left.steps[i]) + std::abs(right.steps[i]);
  return true;
}

/// With the other coordinates anywhere in their ranges, the difference is below 0, or not, on one side of a place. Of
/// all coordinates and both signs, the longest such side counts, as a share of the range.
void LaneValues::note_cut(Operator op, Row left, Row right, const double* steps) {
  double least = left.at[0] - right.at[0], most = least;
  for (std::size_t i = 1; i < lanes_; ++i) {
    least = std::min(least, left.at[i] - right.at[i]);
    most = std::max(most, left.at[i] - right.at[i]);
  }
  const Reach by = reach(steps);
  double longest = 0;
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const Range& range = ranges_[i];
    if (steps[i] == 0 || range.is_point()) continue;
    const double one = steps[i] * range.least, other = steps[i] * range.most, length = range.most - range.least + 1;
    const double below = -(most + by.most - std::max(one, other)) / steps[i];    // reached by the last of all lanes
    const double above = -(least + by.least - std::min(one, other)) / steps[i];  // left by the first
    // A difference of 0 belongs to the side below 0 if the operator allows it.
    const bool grows = steps[i] > 0, is_up = (op == Operator::LessEqual) != grows;
    const auto next = [&](double at) { return is_up ? std::ceil(at) : std::floor(at) + 1; };
    const double first = next(grows ? below : above);   // behind the side at the beginning of the range
    const double second = next(grows ? above : below);  // the first of the side at its end
    const auto consider = [&](double at, double share) {
      if (at <= range.least || at > range.most || share <= longest) return;
      longest = share;
      room_.cut = Cut{i, at};
    };
    consider(first, (first - range.least) / length);
    consider(second, (range.most - second + 1) / length);
  }
}

bool LaneValues::compare(Operator op, Row left, Row right, Row& result) {
  if (!left.moves && !right.moves) {
    apply_to_lanes(op, left, right, result);
    return true;
  }
  if (fails_with_stays(left, right, result)) return false;
  for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = left.steps[i] - right.steps[i];
  const Reach by = reach(result.steps);
  const bool is_inequality = op == Operator::Less || op == Operator::LessEqual;
  for (std::size_t i = 0; i < lanes_; ++i) {
    const double difference = left.at[i] - right.at[i];
    const double least = difference + by.least, most = difference + by.most;
    const bool crosses = least <= 0 && most >= 0;  // may be 0, or of either sign
    result.at[i] = apply(op, most, 0);
    if (is_inequality ? result.at[i] != apply(op, least, 0) : crosses && least != most) {
      note_cut(op, left, right, result.steps);
      return false;
    }
  }
  std::fill_n(result.steps, coordinates_, 0);
  return true;
}

/// Whether a value is not 0, by lane.
/// @return whether the result is the same for all coordinates in the ranges
bool LaneValues::truth(Row row, double* result) const {
  const Reach by = reach(row.steps);
  for (std::size_t i = 0; i < lanes_; ++i) {
    const Reach change = by.in_lane(row, i);
    const double least = row.at[i] + change.least, most = row.at[i] + change.most;
    if (row.moves_in(i) && least <= 0 && most >= 0) return false;
    result[i] = least != 0 ? 1 : 0;
  }
  return true;
}

bool LaneValues::combine(Operator op, Row left, Row right, Row& result) {
  double* const one = room_.truths.data();
  double* const other = one + lanes_;
  for (const auto& [row, result_of] : {std::pair{left, one}, std::pair{right, other}}) {
    if (truth(row, result_of)) continue;
    std::copy_n(row.steps, coordinates_, result.steps);
    return false;
  }
  for (std::size_t i = 0; i < lanes_; ++i) result.at[i] = apply(op, one[i], other[i]);
  return true;
}

bool LaneValues::absolute(Row left, Row& result) {
  const Reach by = reach(left.steps);
  bool some_negative = false, some_positive = false;
  for (std::size_t i = 0; i < lanes_; ++i) {
    const Reach change = by.in_lane(left, i);
    const bool is_positive = left.at[i] + change.least >= 0, is_negative = left.at[i] + change.most <= 0;
    if (!is_positive && !is_negative) {
      std::copy_n(left.steps, coordinates_, result.steps);
      return false;
    }
    result.at[i] = is_positive ? left.at[i] : -left.at[i];
    (is_positive ? some_positive : some_negative) = true;
  }
  if (left.moves && some_negative && some_positive) return false;  // lanes move apart
  for (std::size_t i = 0; i < coordinates_; ++i) result.steps[i] = some_positive ? left.steps[i] : -left.steps[i];
  keep_stays(left, result);
  return true;
}

}  // namespace warpipe
