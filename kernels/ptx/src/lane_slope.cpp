#include "lane_slope.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace warpipe::ptx {
namespace {

__extension__ using I128 = __int128;
using Kind = Type::Kind;

constexpr I128 kMost = INT64_MAX;
constexpr std::size_t kMostInputs = 8;

/// A whole number and its step, in the range of its type.
struct Moving {
  I128 start = 0, step = 0;
};

Moving moving(std::uint64_t value, std::uint64_t slope, Type type) {
  const bool has_sign = type.kind == Kind::Signed;
  return {has_sign ? I128{sign_extended(value, type.bits)} : I128{truncated(value, type.bits)},
          I128{sign_extended(slope, type.bits)}};
}

std::int64_t passes(I128 count) { return static_cast<std::int64_t>(std::clamp(count, I128{1}, kMost)); }

/// While start + k x step stays within the type.
void stay_in_range(const Moving& number, Type type, Horizon& horizon) {
  const bool has_sign = type.kind == Kind::Signed;
  const I128 high = (I128{1} << (type.bits - (has_sign ? 1 : 0))) - 1;
  const I128 low = has_sign ? -high - 1 : 0;
  if (number.step > 0) horizon.limit(passes((high - number.start) / number.step + 1));
  if (number.step < 0) horizon.limit(passes((number.start - low) / -number.step + 1));
}

/// While start + k x step < 0 keeps its truth.
void keep_sign(const Moving& number, Horizon& horizon) {
  if (number.start < 0 && number.step > 0) horizon.limit(passes((-number.start + number.step - 1) / number.step));
  if (number.start >= 0 && number.step < 0) horizon.limit(passes(number.start / -number.step + 1));
}

std::optional<std::uint64_t> compare(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                     std::span<const std::uint64_t> slopes, Horizon& horizon) {
  if (operation.type.kind == Kind::Float || (slopes.size() > 2 && slopes[2] != 0)) return std::nullopt;
  const auto left = moving(inputs[0], slopes[0], operation.type), right = moving(inputs[1], slopes[1], operation.type);
  stay_in_range(left, operation.type, horizon);
  stay_in_range(right, operation.type, horizon);
  const Moving difference{left.start - right.start, left.step - right.step};
  keep_sign(difference, horizon);
  // Equality and order tell 0 and 1 apart.
  keep_sign({difference.start - 1, difference.step}, horizon);
  return 0;
}

std::optional<std::uint64_t> widening(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                      std::span<const std::uint64_t> slopes, Horizon& holds) {
  if (operation.type.kind == Kind::Float || operation.result.kind == Kind::Float) return std::nullopt;
  const auto number = moving(inputs[0], slopes[0], operation.type);
  if (operation.result.bits > operation.type.bits) stay_in_range(number, operation.type, holds);
  return static_cast<std::uint64_t>(number.step);
}

std::optional<std::uint64_t> product(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                     std::span<const std::uint64_t> slopes, Horizon& holds) {
  if (slopes[0] != 0 && slopes[1] != 0) return std::nullopt;
  const bool wide = operation.op == LaneOp::MultiplyWide || operation.op == LaneOp::MultiplyAddWide;
  const std::size_t moves = slopes[0] != 0 ? 0 : 1;
  const auto number = moving(inputs[moves], slopes[moves], operation.type);
  const auto factor = moving(inputs[1 - moves], 0, operation.type);
  if (wide) stay_in_range(number, operation.type, holds);
  auto slope = static_cast<std::uint64_t>(number.step) * static_cast<std::uint64_t>(factor.start);
  if (inputs.size() > 2) slope += slopes[2];
  return slope;
}

/// All bits up to the highest one of a number.
std::uint64_t low_bits(std::uint64_t number) {
  return truncated(~std::uint64_t{0}, static_cast<int>(std::bit_width(number)));
}

/// Bits that one side has and the other never gets are a sum: what `or` of a multiple and a small offset is.
std::optional<std::uint64_t> disjoint_or(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> slopes) {
  const std::size_t moves = slopes[0] != 0 ? 0 : 1;
  if (slopes[1 - moves] != 0) return std::nullopt;
  const auto mask = low_bits(inputs[1 - moves]);
  if (((inputs[moves] | slopes[moves]) & mask) != 0) return std::nullopt;
  return slopes[moves];
}

/// Only the low bits are kept, and the number moves by multiples of them.
std::optional<std::uint64_t> masked(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> slopes) {
  const std::size_t moves = slopes[0] != 0 ? 0 : 1;
  if (slopes[1 - moves] != 0) return std::nullopt;
  const auto mask = low_bits(inputs[1 - moves]);
  if ((slopes[moves] & mask) != 0) return std::nullopt;
  return 0;
}

std::optional<std::uint64_t> shifted(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                     std::span<const std::uint64_t> slopes) {
  if (slopes[1] != 0) return std::nullopt;
  const auto distance = truncated(inputs[1], 32);
  return distance >= static_cast<std::uint64_t>(operation.type.bits) ? 0 : slopes[0] << distance;
}

/// Whether a result is off by multiples of 256 where an input is.
bool keeps_what_is_off(const LaneOperation& operation) {
  switch (operation.op) {
    case LaneOp::Move:
    case LaneOp::ToGeneric:
    case LaneOp::FromGeneric:
    case LaneOp::Add:
    case LaneOp::Subtract:
    case LaneOp::Negate:
    case LaneOp::Multiply:
    case LaneOp::MultiplyAdd:
    case LaneOp::ShiftLeft:
      return true;
    default:
      return false;
  }
}

std::optional<std::uint64_t> slope_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                      std::span<const std::uint64_t> slopes, Horizon& horizon, Horizon& holds) {
  const bool whole = operation.type.kind != Kind::Float;
  switch (operation.op) {
    case LaneOp::Move:
    case LaneOp::ToGeneric:
    case LaneOp::FromGeneric:
      return slopes[0];
    case LaneOp::Add:
      return whole ? std::optional(slopes[0] + slopes[1]) : std::nullopt;
    case LaneOp::Subtract:
      return whole ? std::optional(slopes[0] - slopes[1]) : std::nullopt;
    case LaneOp::Negate:
      return whole ? std::optional(0 - slopes[0]) : std::nullopt;
    case LaneOp::Multiply:
    case LaneOp::MultiplyWide:
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddWide:
      return whole ? product(operation, inputs, slopes, holds) : std::nullopt;
    case LaneOp::ShiftLeft:
      return shifted(operation, inputs, slopes);
    case LaneOp::Compare:
      return compare(operation, inputs, slopes, horizon);
    case LaneOp::Convert:
      return widening(operation, inputs, slopes, holds);
    case LaneOp::Or:
      return disjoint_or(inputs, slopes);
    case LaneOp::And:
      return masked(inputs, slopes);
    case LaneOp::Select:
      if (slopes[2] != 0) return std::nullopt;
      return inputs[2] != 0 ? slopes[0] : slopes[1];
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Motion> motion_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                std::span<const Motion> motions, Horizon& horizon) {
  if (std::ranges::all_of(motions, &Motion::rests)) return Motion{};
  std::array<std::uint64_t, kMostInputs> slopes{};
  if (motions.size() > slopes.size()) return std::nullopt;
  std::ranges::transform(motions, slopes.begin(), &Motion::slope);
  Horizon holds;
  for (const auto& motion : motions) holds.limit(motion.holds.passes);
  if (!keeps_what_is_off(operation)) {
    horizon.limit(holds.passes);
    holds = {};
  }
  const auto slope = slope_of(operation, inputs, {slopes.data(), motions.size()}, horizon, holds);
  if (!slope) return std::nullopt;
  return Motion{*slope, holds};
}

}  // namespace warpipe::ptx
