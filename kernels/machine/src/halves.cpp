// Floats of 16 bits, alone and in pairs. Each operation is rounded once: the result in doubles is exact, or has bits
// enough.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "cells.hpp"
#include "group.hpp"

namespace warpipe::machine {

float half_to_float(std::uint16_t bits) {
  const auto sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const auto exponent = (bits >> 10) & 31;
  const auto fraction = static_cast<std::uint32_t>(bits & 0x3ff);
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000U | (fraction << 13));
  if (exponent == 0) {
    const float tiny = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -tiny : tiny;
  }
  return std::bit_cast<float>(sign | (static_cast<std::uint32_t>(exponent + 112) << 23) | (fraction << 13));
}

namespace {

/// The bits of the nearest number in a float's format; of two equally near, the even number.
/// @param fraction  bits behind the point
/// @param most      the result for too large numbers: infinity, or the largest number
std::uint32_t nearest_bits(double value, int exponent_bits, int fraction, std::uint32_t most) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 63) << (exponent_bits + fraction);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023, lowest = 2 - (1 << (exponent_bits - 1));
  if (std::isnan(value)) return (std::uint32_t{1} << (exponent_bits + fraction)) - 1;
  const int below = std::max(0, lowest - exponent), shift = 52 - fraction + below;
  if (shift > 53) return sign;  // less than half of the least
  const auto digits = (bits & 0xfffffffffffff) | (std::uint64_t{1} << 52);
  auto kept = static_cast<std::uint32_t>(digits >> shift);
  const auto rest = digits << (64 - shift), half = std::uint64_t{1} << 63;
  kept += rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
  // The first digit counts into the exponent, and so does a carry.
  const int above = std::min(exponent - lowest, 1 << exponent_bits);
  if (below == 0) kept += static_cast<std::uint32_t>(above) << fraction;
  return sign | std::min(kept, most);
}

}  // namespace

std::uint16_t half_from(double value) { return static_cast<std::uint16_t>(nearest_bits(value, 5, 10, 0x7c00)); }

float brain_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t brain_from(double value) { return static_cast<std::uint16_t>(nearest_bits(value, 8, 7, 0x7f80)); }

namespace {

using isa::Comparison;
using isa::Format;
using isa::LaneOp;
using Kind = isa::Type::Kind;

double half_number(std::uint64_t bits, isa::Type type, Format format) {
  if (type.kind != Kind::Float)
    return type.kind == Kind::Signed ? static_cast<double>(isa::sign_extended(bits, type.bits))
                                     : static_cast<double>(isa::truncated(bits, type.bits));
  if (type.bits == 64) return std::bit_cast<double>(bits);
  if (type.bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type.bits == 8) return small_float(isa::truncated(bits, 8), format == Format::E4M3 ? 3 : 2);
  const auto half = static_cast<std::uint16_t>(bits);
  return static_cast<double>(format == Format::Brain ? brain_to_float(half) : half_to_float(half));
}

/// Rounded towards zero where an operation says so.
double to_format(double value, const isa::LaneOperation& operation) {
  if (operation.to_float == isa::Rounding::Nearest || !std::isfinite(value)) return value;
  const bool brain = operation.result_format == Format::Brain;
  const int bits = brain ? 7 : 10, lowest = brain ? -126 : -14;
  if (value == 0) return value;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(value), lowest) - bits);
  switch (operation.to_float) {
    case isa::Rounding::Zero:
      return std::trunc(value / unit) * unit;
    case isa::Rounding::Down:
      return std::floor(value / unit) * unit;
    case isa::Rounding::Up:
      return std::ceil(value / unit) * unit;
    default:
      return value;
  }
}

std::uint64_t half_bits(double value, const isa::LaneOperation& operation) {
  const auto& type = operation.result;
  if (operation.saturate && type.kind == Kind::Float) value = value > 0 ? std::min(value, 1.0) : 0;
  if (type.kind != Kind::Float) {
    isa::LaneOperation whole = operation;
    whole.type = {Kind::Float, 64};
    const std::array input{std::bit_cast<std::uint64_t>(value)};
    return isa::evaluate(whole, input).value_or(0);
  }
  if (type.bits == 64) return std::bit_cast<std::uint64_t>(value);
  if (type.bits == 32) {
    if (std::isnan(value)) return 0x7fffffff;
    auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    // Numbers for matrix products have 10 bits behind the point.
    if (operation.result_format == Format::Tensor && std::isfinite(value))
      bits = nearest_bits(value, 8, 10, 0xff << 10) << 13;
    return bits;
  }
  if (type.bits == 8)  // too large is the largest number; the layout E4M3 has no infinity
    return operation.result_format == Format::E4M3 ? nearest_bits(value, 4, 3, 0x7e) : nearest_bits(value, 5, 2, 0x7b);
  value = to_format(value, operation);
  return operation.result_format == Format::Brain ? brain_from(value) : half_from(value);
}

bool holds(const isa::LaneOperation& operation, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return operation.unordered;
  switch (operation.comparison) {
    case Comparison::Equal:
      return a == b;
    case Comparison::NotEqual:
      return a != b;
    case Comparison::Less:
      return a < b;
    case Comparison::LessEqual:
      return a <= b;
    case Comparison::Greater:
      return a > b;
    case Comparison::GreaterEqual:
      return a >= b;
    default:
      return operation.comparison == Comparison::BothNumbers;
  }
}

double extreme_half(const isa::LaneOperation& operation, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    if (operation.keep_no_number) return std::numeric_limits<double>::quiet_NaN();
    return std::isnan(a) ? b : a;
  }
  const bool a_is_less = a < b || (a == b && std::signbit(a));
  return (operation.op == LaneOp::Minimum) == a_is_less ? a : b;
}

double calculated_half(const isa::LaneOperation& operation, const std::array<double, 3>& x) {
  switch (operation.op) {
    case LaneOp::Add:
      return x[0] + x[1];
    case LaneOp::Subtract:
      return x[0] - x[1];
    case LaneOp::Multiply:
      return x[0] * x[1];
    case LaneOp::MultiplyAdd:
      return std::fma(x[0], x[1], x[2]);
    case LaneOp::Divide:
      return x[0] / x[1];
    case LaneOp::Minimum:
    case LaneOp::Maximum:
      return extreme_half(operation, x[0], x[1]);
    case LaneOp::PowerOfTwo:
      return std::exp2(x[0]);
    case LaneOp::HyperbolicTangent:
      return std::tanh(x[0]);
    case LaneOp::Convert:
      switch (operation.rounding) {
        case isa::Rounding::Zero:
          return std::trunc(x[0]);
        case isa::Rounding::Nearest:
          return std::nearbyint(x[0]);
        case isa::Rounding::Down:
          return std::floor(x[0]);
        case isa::Rounding::Up:
          return std::ceil(x[0]);
        default:
          return x[0];
      }
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

/// The result for a part of a register.
std::uint64_t part_of(const isa::LaneOperation& operation, const std::array<std::uint64_t, 3>& bits) {
  if (operation.op != LaneOp::Convert && operation.type.kind != Kind::Float)  // two whole numbers
    return isa::truncated(isa::evaluate(operation, std::span(bits).first(isa::inputs_of(operation.op))).value_or(0),
                          operation.result.bits);
  const auto sign = std::uint64_t{1} << (operation.type.bits - 1);
  switch (operation.op) {
    case LaneOp::Absolute:
      return bits[0] & ~sign;
    case LaneOp::Negate:
      return bits[0] ^ sign;
    case LaneOp::Move:
      return bits[0];
    default:
      break;
  }
  std::array<double, 3> x{};
  for (std::size_t i = 0; i < 3; ++i) x[i] = half_number(bits[i], operation.type, operation.format);
  if (operation.op != LaneOp::Compare) return half_bits(calculated_half(operation, x), operation);
  const bool truth = holds(operation, x[0], x[1]);
  if (operation.result.kind == Kind::Predicate || !truth) return truth ? 1 : 0;
  if (operation.result.kind != Kind::Float) return isa::truncated(~std::uint64_t{0}, operation.result.bits);
  return half_bits(1, operation);
}

}  // namespace

void evaluate_halves(Lanes& lanes, const Step& step) {
  const auto& more = *static_cast<const OperationMore*>(step.more);
  const auto& operation = more.operation;
  const auto joined = [&](bool truth, std::size_t lane) {
    if (operation.join == isa::Join::None || more.inputs.size() < 3) return truth;
    const bool other = cell(lanes, more.inputs[2], lane) != 0;
    return operation.join == isa::Join::And  ? truth && other
           : operation.join == isa::Join::Or ? truth || other
                                             : truth != other;
  };
  const bool compares = operation.op == LaneOp::Compare && operation.result.kind == Kind::Predicate;
  const bool packs = operation.op == LaneOp::Convert && operation.parts == 2 && more.inputs.size() == 2;
  for (auto rest = active_lanes(lanes, step); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    std::array<std::uint64_t, 3> in{};
    for (std::size_t i = 0; i < std::min<std::size_t>(3, more.inputs.size()); ++i)
      in[i] = cell(lanes, more.inputs[i], lane);
    if (packs) {
      // cvt.rn.f16x2.f32 d, a, b: a goes into the upper half.
      set_cell(lanes, more.outputs[0], lane,
               (part_of(operation, {in[0], 0, 0}) << operation.result.bits) | part_of(operation, {in[1], 0, 0}));
      continue;
    }
    std::uint64_t result = 0;
    for (int part = 0; part < operation.parts; ++part) {
      std::array<std::uint64_t, 3> bits{};
      for (std::size_t i = 0; i < 3; ++i)
        bits[i] =
            operation.parts == 1 ? in[i] : isa::truncated(in[i] >> (operation.type.bits * part), operation.type.bits);
      const auto value = part_of(operation, bits);
      if (compares && operation.parts == 2) {
        if (more.outputs.size() > static_cast<std::size_t>(part))
          set_cell(lanes, more.outputs[static_cast<std::size_t>(part)], lane, joined(value != 0, lane) ? 1 : 0);
        continue;
      }
      result |= value << (operation.result.bits * part);
    }
    if (compares && operation.parts == 2) continue;
    if (!compares) {
      set_cell(lanes, more.outputs[0], lane, result);
      continue;
    }
    set_cell(lanes, more.outputs[0], lane, joined(result != 0, lane) ? 1 : 0);
    if (more.outputs.size() > 1) set_cell(lanes, more.outputs[1], lane, joined(result == 0, lane) ? 1 : 0);
  }
}

}  // namespace warpipe::machine
