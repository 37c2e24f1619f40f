#include "program/lane_floats.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace warpipe::isa {
namespace {

constexpr std::uint64_t kLowerHalf = 0xffffffff;

#ifdef FE_UPWARD
/// Sets the processor's rounding while the object lives. Calculations meanwhile go through volatile objects, as a
/// compiler takes no notice of the rounding.
class ProcessorRounding {
 public:
  explicit ProcessorRounding(Rounding rounding) {
    if (rounding == Rounding::Nearest) return;
    before_ = std::fegetround();
    std::fesetround(mode_of(rounding));
  }
  ~ProcessorRounding() {
    if (before_) std::fesetround(*before_);
  }
  ProcessorRounding(const ProcessorRounding&) = delete;
  ProcessorRounding& operator=(const ProcessorRounding&) = delete;

 private:
  static int mode_of(Rounding rounding) {
    switch (rounding) {
      case Rounding::Zero:
        return FE_TOWARDZERO;
      case Rounding::Down:
        return FE_DOWNWARD;
      case Rounding::Up:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }
  std::optional<int> before_;  ///< where it was changed
};
constexpr bool rounds_as_told(Rounding /*rounding*/) { return true; }
#else
/// The processor rounds to the nearest alone, as WebAssembly does: results with another rounding are unknown.
struct ProcessorRounding {
  explicit ProcessorRounding(Rounding /*rounding*/) {}
};
constexpr bool rounds_as_told(Rounding rounding) { return rounding == Rounding::Nearest; }
#endif

using FloatInputs = std::array<volatile double, 3>;

double saturated(double value) { return value > 0 ? std::min(value, 1.0) : 0; }

/// A number as a float of the result's type. Two roundings in the same direction are a single rounding; to the nearest,
/// doubles have bits enough for a sum, product, quotient or root of floats of 32 bits.
std::uint64_t from_double(double value, const LaneOperation& operation) {
  const volatile double exact = operation.saturate ? saturated(value) : value;
  if (operation.result.bits != 32) return std::bit_cast<std::uint64_t>(static_cast<double>(exact));
  if (std::isnan(exact)) return kNoNumber;
  const volatile float single = static_cast<float>(exact);
  return std::bit_cast<std::uint32_t>(static_cast<float>(single));
}

double rounded(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::Zero:
      return std::trunc(value);
    case Rounding::Nearest:
      return std::nearbyint(value);
    case Rounding::Down:
      return std::floor(value);
    case Rounding::Up:
      return std::ceil(value);
    default:
      return value;
  }
}

/// Of two zeros the negative one is less.
double lesser(double a, double b) {
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// The least of some numbers, or the greatest; inputs without a number are skipped where allowed.
double extreme(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  std::optional<double> found;
  for (const auto bits : inputs) {
    const double next = to_double(bits, operation.type);
    if (std::isnan(next) && operation.keep_no_number) return next;
    if (std::isnan(next)) continue;
    if (!found)
      found = next;
    else
      found = operation.op == LaneOp::Minimum ? lesser(*found, next) : -lesser(-*found, -next);
  }
  return found.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// A product of floats with an addition is rounded once.
double multiplied_and_added(const FloatInputs& x, Type type) {
  if (type.bits != 32) return std::fma(x[0], x[1], x[2]);
  return static_cast<double>(std::fma(static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])));
}

std::optional<double> calculated(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                                 const FloatInputs& x) {
  switch (operation.op) {
    case LaneOp::Add:
      return x[0] + x[1];
    case LaneOp::Subtract:
      return x[0] - x[1];
    case LaneOp::Multiply:
      return x[0] * x[1];
    case LaneOp::MultiplyAdd:
      return multiplied_and_added(x, operation.type);
    case LaneOp::Divide:
      return x[0] / x[1];
    case LaneOp::Minimum:
    case LaneOp::Maximum:
      return extreme(operation, inputs);
    case LaneOp::Reciprocal:
      return 1 / x[0];
    case LaneOp::SquareRoot:
      return std::sqrt(x[0]);
    case LaneOp::ReciprocalRoot:
      return 1 / std::sqrt(x[0]);
    case LaneOp::Sine:
      return std::sin(x[0]);
    case LaneOp::Cosine:
      return std::cos(x[0]);
    case LaneOp::BinaryLogarithm:
      return std::log2(x[0]);
    case LaneOp::PowerOfTwo:
      return std::exp2(x[0]);
    case LaneOp::HyperbolicTangent:
      return std::tanh(x[0]);
    default:
      return std::nullopt;
  }
}

}  // namespace

double to_double(std::uint64_t bits, Type type) {
  if (type.bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return std::bit_cast<double>(bits);
}

std::optional<std::uint64_t> arithmetic_of_floats(const LaneOperation& operation,
                                                  std::span<const std::uint64_t> inputs) {
  const auto sign = std::uint64_t{1} << (operation.type.bits - 1);
  if (operation.op == LaneOp::Absolute) return inputs[0] & ~sign;
  if (operation.op == LaneOp::Negate) return inputs[0] ^ sign;
  if (operation.op == LaneOp::CopySign) return (inputs[0] & sign) | (inputs[1] & ~sign);
  FloatInputs x{};
  for (std::size_t i = 0; i < std::min(inputs.size(), x.size()); ++i)
    x[i] = to_double(operation.gross ? inputs[i] & ~kLowerHalf : inputs[i], operation.type);
  if (!rounds_as_told(operation.to_float)) return std::nullopt;
  const ProcessorRounding rounding(operation.to_float);
  const auto result = calculated(operation, inputs, x);
  if (!result) return std::nullopt;
  const auto bits = from_double(*result, operation);
  return operation.gross ? bits & ~kLowerHalf : bits;
}

std::uint64_t float_from_float(const LaneOperation& operation, std::uint64_t bits) {
  const double value = rounded(to_double(bits, operation.type), operation.rounding);
  const ProcessorRounding rounding(operation.to_float);
  return from_double(value, operation);
}

std::uint64_t float_from_whole(const LaneOperation& operation, I128 whole) {
  if (operation.saturate) whole = std::clamp(whole, I128{0}, I128{1});
  if (whole == 0) return 0;  // compiled conversions give a negative zero where the processor rounds down
  const ProcessorRounding rounding(operation.to_float);
  const volatile auto negative = static_cast<std::int64_t>(whole);
  const volatile auto positive = static_cast<std::uint64_t>(whole);
  if (operation.result.bits == 32) {
    const volatile float single = whole < 0 ? static_cast<float>(negative) : static_cast<float>(positive);
    return std::bit_cast<std::uint32_t>(static_cast<float>(single));
  }
  const volatile double twice = whole < 0 ? static_cast<double>(negative) : static_cast<double>(positive);
  return std::bit_cast<std::uint64_t>(static_cast<double>(twice));
}

std::uint64_t whole_from_float(const LaneOperation& operation, std::uint64_t bits) {
  double value = to_double(bits, operation.type);
  const auto& result = operation.result;
  if (std::isnan(value)) {
    const bool wide = operation.type.bits == 64 || result.bits == 64;
    return wide ? std::uint64_t{1} << (result.bits - 1) : 0;
  }
  value = rounded(value, operation.rounding);
  const bool has_sign = result.kind == Type::Kind::Signed;
  const double low = has_sign ? -std::ldexp(1, result.bits - 1) : 0;
  const double high = std::ldexp(1, result.bits - (has_sign ? 1 : 0));
  if (value <= low) return truncated(static_cast<std::uint64_t>(static_cast<std::int64_t>(low)), result.bits);
  if (value >= high) return truncated(~std::uint64_t{0}, result.bits - (has_sign ? 1 : 0));
  return has_sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
}

bool is_of_class(const LaneOperation& operation, std::uint64_t bits) {
  const double value = to_double(bits, operation.type);
  // As doubles, small floats of 32 bits are normal numbers.
  const bool is_small = value != 0 && flushed(bits, operation.type) != bits;
  switch (operation.float_class) {
    case FloatClass::Finite:
      return std::isfinite(value);
    case FloatClass::Infinite:
      return std::isinf(value);
    case FloatClass::Number:
      return !std::isnan(value);
    case FloatClass::NoNumber:
      return std::isnan(value);
    case FloatClass::Normal:
      return std::isfinite(value) && value != 0 && !is_small;
    default:
      return is_small;
  }
}

}  // namespace warpipe::isa
