#include "lanes/lane_stride.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>

namespace warpipe::isa {
namespace {

__extension__ using Wide = __int128;
using Kind = Type::Kind;

constexpr Wide kMost = INT64_MAX;
constexpr std::size_t kMostInputs = 8;

/// A whole number and its step, in the range of its type.
struct Moving {
  Wide start = 0, step = 0;
};

Moving moving(std::uint64_t value, std::uint64_t stride, Type type) {
  const bool has_sign = type.kind == Kind::Signed;
  return {has_sign ? Wide{sign_extended(value, type.bits)} : Wide{truncated(value, type.bits)},
          Wide{sign_extended(stride, type.bits)}};
}

std::int64_t iterations(Wide count) { return static_cast<std::int64_t>(std::clamp(count, Wide{1}, kMost)); }

/// While start + k x step stays within the type.
void stay_in_range(const Moving& number, Type type, Horizon& horizon) {
  const bool has_sign = type.kind == Kind::Signed;
  const Wide high = (Wide{1} << (type.bits - (has_sign ? 1 : 0))) - 1;
  const Wide low = has_sign ? -high - 1 : 0;
  if (number.step > 0) horizon.limit(iterations((high - number.start) / number.step + 1));
  if (number.step < 0) horizon.limit(iterations((number.start - low) / -number.step + 1));
}

/// While start + k x step < 0 keeps its truth.
void keep_sign(const Moving& number, Horizon& horizon) {
  if (number.start < 0 && number.step > 0) horizon.limit(iterations((-number.start + number.step - 1) / number.step));
  if (number.start >= 0 && number.step < 0) horizon.limit(iterations(number.start / -number.step + 1));
}

std::optional<std::uint64_t> compare(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                     std::span<const std::uint64_t> strides, Horizon& horizon) {
  if (operation.type.kind == Kind::Float || (strides.size() > 2 && strides[2] != 0)) return std::nullopt;
  const auto left = moving(inputs[0], strides[0], operation.type),
             right = moving(inputs[1], strides[1], operation.type);
  stay_in_range(left, operation.type, horizon);
  stay_in_range(right, operation.type, horizon);
  const Moving difference{left.start - right.start, left.step - right.step};
  keep_sign(difference, horizon);
  // Equality and order tell 0 and 1 apart.
  keep_sign({difference.start - 1, difference.step}, horizon);
  return 0;
}

/// While the sum is carried as in the first iteration.
std::optional<std::uint64_t> carry(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                   std::span<const std::uint64_t> strides, Horizon& horizon) {
  const Type type{Kind::Unsigned, operation.type.bits};
  Moving beyond{-(Wide{1} << type.bits), 0};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto number = moving(inputs[i], strides[i], type);
    stay_in_range(number, type, horizon);
    beyond.start += number.start;
    beyond.step += number.step;
  }
  keep_sign(beyond, horizon);
  return 0;
}

std::optional<std::uint64_t> widening(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                      std::span<const std::uint64_t> strides, Horizon& holds) {
  if (operation.type.kind == Kind::Float || operation.result.kind == Kind::Float) return std::nullopt;
  const auto number = moving(inputs[0], strides[0], operation.type);
  if (operation.result.bits > operation.type.bits) stay_in_range(number, operation.type, holds);
  // The register may be wider than the result.
  if (operation.result.bits < 32)
    stay_in_range({moving(inputs[0], 0, operation.result).start, number.step}, operation.result, holds);
  return static_cast<std::uint64_t>(number.step);
}

std::optional<std::uint64_t> product(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                     std::span<const std::uint64_t> strides, Horizon& holds) {
  if (strides[0] != 0 && strides[1] != 0) return std::nullopt;
  const bool wide = operation.result.bits > operation.type.bits;
  const std::size_t moves = strides[0] != 0 ? 0 : 1;
  const auto number = moving(inputs[moves], strides[moves], operation.type);
  const auto factor = moving(inputs[1 - moves], 0, operation.type);
  if (wide) stay_in_range(number, operation.type, holds);
  auto stride = static_cast<std::uint64_t>(number.step) * static_cast<std::uint64_t>(factor.start);
  if (inputs.size() > 2) stride += strides[2];
  return stride;
}

/// All bits up to the highest set bit of a number.
std::uint64_t low_bits(std::uint64_t number) {
  return truncated(~std::uint64_t{0}, static_cast<int>(std::bit_width(number)));
}

/// Bits of one side that the other side never gets are a sum: an `or` of a multiple and a small offset.
std::optional<std::uint64_t> disjoint_or(std::span<const std::uint64_t> inputs,
                                         std::span<const std::uint64_t> strides) {
  const std::size_t moves = strides[0] != 0 ? 0 : 1;
  if (strides[1 - moves] != 0) return std::nullopt;
  const auto mask = low_bits(inputs[1 - moves]);
  if (((inputs[moves] | strides[moves]) & mask) != 0) return std::nullopt;
  return strides[moves];
}

/// Only the low bits are kept, and the number moves by multiples of them.
std::optional<std::uint64_t> masked(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> strides) {
  const std::size_t moves = strides[0] != 0 ? 0 : 1;
  if (strides[1 - moves] != 0) return std::nullopt;
  const auto mask = low_bits(inputs[1 - moves]);
  if ((strides[moves] & mask) != 0) return std::nullopt;
  return 0;
}

std::optional<std::uint64_t> shifted(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                     std::span<const std::uint64_t> strides) {
  if (strides[1] != 0) return std::nullopt;
  const auto distance = truncated(inputs[1], 32);
  return distance >= static_cast<std::uint64_t>(operation.type.bits) ? 0 : strides[0] << distance;
}

/// The bits of a number from a place on. Where it moves by a multiple of the place's unit, they move, too; else they
/// rest until it gets to the next multiple.
std::uint64_t upper_bits(const Moving& number, int place, Type type, Horizon& horizon) {
  stay_in_range(number, type, horizon);
  const Wide unit = Wide{1} << place;
  if (number.step % unit == 0) return static_cast<std::uint64_t>(number.step / unit);
  const Wide low = ((number.start % unit) + unit) % unit;
  if (number.step > 0) horizon.limit(iterations((unit - 1 - low) / number.step + 1));
  if (number.step < 0) horizon.limit(iterations(low / -number.step + 1));
  return 0;
}

std::optional<std::uint64_t> shifted_right(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                           std::span<const std::uint64_t> strides, Horizon& horizon) {
  if (strides[1] != 0) return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(operation.type.bits);
  const auto distance = static_cast<int>(std::min(truncated(inputs[1], 32), bits));
  return upper_bits(moving(inputs[0], strides[0], operation.type), distance, operation.type, horizon);
}

/// The upper of two words after a shift to the left: the upper word moves, the lower word's upper bits follow.
std::optional<std::uint64_t> funnel_left(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                         std::span<const std::uint64_t> strides, Horizon& horizon) {
  if (strides[2] != 0 || operation.type.bits != 32) return std::nullopt;
  const auto distance = operation.wrap ? inputs[2] & 31 : std::min<std::uint64_t>(truncated(inputs[2], 32), 32);
  const Type word{Kind::Unsigned, 32};
  const auto lower = upper_bits(moving(inputs[0], strides[0], word), 32 - static_cast<int>(distance), word, horizon);
  return (strides[1] << distance) + lower;
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

std::optional<std::uint64_t> stride_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                       std::span<const std::uint64_t> strides, Horizon& horizon, Horizon& holds) {
  const bool whole = operation.type.kind != Kind::Float;
  switch (operation.op) {
    case LaneOp::Move:
    case LaneOp::ToGeneric:
    case LaneOp::FromGeneric:
      return strides[0];
    case LaneOp::Add:
      return whole ? std::optional(std::accumulate(strides.begin(), strides.end(), std::uint64_t{0})) : std::nullopt;
    case LaneOp::Subtract:
      return whole ? std::optional(std::accumulate(strides.begin() + 1, strides.end(), strides[0], std::minus<>()))
                   : std::nullopt;
    case LaneOp::Negate:
      return whole ? std::optional(0 - strides[0]) : std::nullopt;
    case LaneOp::Multiply:
    case LaneOp::MultiplyWide:
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddWide:
      return whole ? product(operation, inputs, strides, holds) : std::nullopt;
    case LaneOp::ShiftLeft:
      return shifted(operation, inputs, strides);
    case LaneOp::ShiftRight:
      return shifted_right(operation, inputs, strides, horizon);
    case LaneOp::FunnelLeft:
      return funnel_left(operation, inputs, strides, horizon);
    case LaneOp::Compare:
      return compare(operation, inputs, strides, horizon);
    case LaneOp::Carry:
      return carry(operation, inputs, strides, horizon);
    case LaneOp::Convert:
      return widening(operation, inputs, strides, holds);
    case LaneOp::Or:
      return disjoint_or(inputs, strides);
    case LaneOp::And:
      return masked(inputs, strides);
    case LaneOp::Select:
      if (strides[2] != 0) return std::nullopt;
      return inputs[2] != 0 ? strides[0] : strides[1];
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Motion> motion_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                std::span<const Motion> motions, Horizon& horizon) {
  if (std::ranges::all_of(motions, &Motion::rests)) return Motion{};
  std::array<std::uint64_t, kMostInputs> strides{};
  if (motions.size() > strides.size() || operation.saturate) return std::nullopt;
  std::ranges::transform(motions, strides.begin(), &Motion::stride);
  Horizon holds;
  for (const auto& motion : motions) holds.limit(motion.holds.iterations);
  if (!keeps_what_is_off(operation)) {
    horizon.limit(holds.iterations);
    holds = {};
  }
  const auto stride = stride_of(operation, inputs, {strides.data(), motions.size()}, horizon, holds);
  if (!stride) return std::nullopt;
  return Motion{*stride, holds};
}

std::int64_t while_in_range(std::uint64_t value, std::uint64_t stride, int bits) {
  Horizon horizon;
  const Type type{Kind::Unsigned, bits};
  stay_in_range(moving(value, stride, type), type, horizon);
  return horizon.iterations;
}

}  // namespace warpipe::isa
