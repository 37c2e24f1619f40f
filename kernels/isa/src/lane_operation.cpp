#include "warpipe/isa/lane_operation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace warpipe::isa {
namespace {

using Kind = Type::Kind;
__extension__ using U128 = unsigned __int128;
__extension__ using I128 = __int128;

bool is_float(Type type) { return type.kind == Kind::Float; }
bool is_signed(Type type) { return type.kind == Kind::Signed; }

/// A number in the form in which it is calculated with.
double to_double(std::uint64_t bits, Type type) {
  if (type.bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return std::bit_cast<double>(bits);
}
std::uint64_t from_double(double value, Type type) {
  if (type.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}
I128 widened(std::uint64_t value, Type type) {
  return is_signed(type) ? I128{sign_extended(value, type.bits)} : I128{truncated(value, type.bits)};
}

std::uint64_t compare(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto order = [&](auto left, auto right) {
    switch (operation.comparison) {
      case Comparison::Equal:
        return left == right;
      case Comparison::NotEqual:
        return left != right;
      case Comparison::Less:
        return left < right;
      case Comparison::LessEqual:
        return left <= right;
      case Comparison::Greater:
        return left > right;
      default:
        return left >= right;
    }
  };
  bool truth = false;
  if (is_float(operation.type)) {
    const double left = to_double(inputs[0], operation.type), right = to_double(inputs[1], operation.type);
    const bool no_number = std::isnan(left) || std::isnan(right);
    truth = no_number ? operation.unordered : order(left, right);
  } else {
    truth = order(widened(inputs[0], operation.type), widened(inputs[1], operation.type));
  }
  if (inputs.size() > 2 && operation.join != Join::None) {
    const bool other = inputs[2] != 0;
    truth = operation.join == Join::And ? truth && other : operation.join == Join::Or ? truth || other : truth != other;
  }
  if (!truth || operation.result.kind == Kind::Predicate) return truth ? 1 : 0;
  return is_float(operation.result) ? from_double(1, operation.result)
                                    : truncated(~std::uint64_t{0}, operation.result.bits);
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

std::uint64_t to_whole(double value, const LaneOperation& operation) {
  // The number that no double is, where one of 64 bits is read or written.
  if (std::isnan(value)) {
    const bool wide = operation.type.bits == 64 || operation.result.bits == 64;
    return wide ? std::uint64_t{1} << (operation.result.bits - 1) : 0;
  }
  value = rounded(value, operation.rounding);
  const bool has_sign = is_signed(operation.result);
  const double low = has_sign ? -std::ldexp(1, operation.result.bits - 1) : 0;
  const double high = std::ldexp(1, operation.result.bits - (has_sign ? 1 : 0));
  if (value <= low) return truncated(static_cast<std::uint64_t>(static_cast<std::int64_t>(low)), operation.result.bits);
  if (value >= high)
    return truncated(~std::uint64_t{0} >> (has_sign ? 65 - operation.result.bits : 64 - operation.result.bits), 64);
  return has_sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
}

std::uint64_t convert(const LaneOperation& operation, std::uint64_t value) {
  if (is_float(operation.type)) {
    const double number = to_double(value, operation.type);
    if (!is_float(operation.result)) return to_whole(number, operation);
    return from_double(rounded(number, operation.rounding), operation.result);
  }
  const I128 whole = widened(value, operation.type);
  if (is_float(operation.result) && operation.result.bits == 32)
    return std::bit_cast<std::uint32_t>(static_cast<float>(whole));
  if (is_float(operation.result)) return from_double(static_cast<double>(whole), operation.result);
  return static_cast<std::uint64_t>(whole);
}

std::uint64_t shift(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto bits = static_cast<std::uint64_t>(operation.type.bits);
  const auto distance = std::min<std::uint64_t>(truncated(inputs[1], 32), bits);
  if (operation.op == LaneOp::ShiftLeft) return distance >= 64 ? 0 : inputs[0] << distance;
  if (is_signed(operation.type))
    return static_cast<std::uint64_t>(sign_extended(inputs[0], operation.type.bits) >>
                                      std::min<std::uint64_t>(distance, 63));
  return distance >= 64 ? 0 : truncated(inputs[0], operation.type.bits) >> distance;
}

std::uint64_t funnel_shift(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto joined = (inputs[1] << 32) | truncated(inputs[0], 32);
  const auto distance = operation.wrap ? inputs[2] & 31 : std::min<std::uint64_t>(truncated(inputs[2], 32), 32);
  if (operation.op == LaneOp::FunnelLeft) return (joined << distance) >> 32;
  return joined >> distance;
}

std::uint64_t extract_bits(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const int bits = operation.type.bits;
  const int position = static_cast<int>(inputs[1] & 255), length = static_cast<int>(inputs[2] & 255);
  if (length == 0) return 0;
  const bool has_sign = is_signed(operation.type);
  const auto value = has_sign ? static_cast<std::uint64_t>(sign_extended(inputs[0], bits)) : truncated(inputs[0], bits);
  const auto moved = has_sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(position, 63))
                              : (position >= 64 ? 0 : value >> position);
  if (length >= bits) return moved;
  return has_sign ? static_cast<std::uint64_t>(sign_extended(moved, length)) : truncated(moved, length);
}

std::uint64_t insert_bits(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const int position = static_cast<int>(inputs[2] & 255), length = static_cast<int>(inputs[3] & 255);
  if (position >= operation.type.bits || length == 0) return inputs[1];
  const auto mask = truncated(~std::uint64_t{0}, std::min(length, operation.type.bits)) << position;
  return (inputs[1] & ~mask) | ((inputs[0] << position) & mask);
}

std::uint64_t permute(std::span<const std::uint64_t> inputs) {
  const auto bytes = (inputs[1] << 32) | truncated(inputs[0], 32);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto selector = (inputs[2] >> (4 * i)) & 15;
    auto byte = (bytes >> (8 * (selector & 7))) & 255;
    if ((selector & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

std::uint64_t logic3(std::span<const std::uint64_t> inputs) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const auto index = (((inputs[0] >> bit) & 1) << 2) | (((inputs[1] >> bit) & 1) << 1) | ((inputs[2] >> bit) & 1);
    result |= ((inputs[3] >> index) & 1) << bit;
  }
  return result;
}

std::uint64_t carry(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  U128 sum = 0;
  for (const auto input : inputs) sum += truncated(input, operation.type.bits);
  return static_cast<std::uint64_t>(sum >> operation.type.bits);
}

std::uint64_t borrow(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  U128 less = truncated(inputs[1], operation.type.bits);
  if (inputs.size() > 2) less += inputs[2];
  return truncated(inputs[0], operation.type.bits) < less ? 1 : 0;
}

std::uint64_t highest_bit(const LaneOperation& operation, std::uint64_t value) {
  const int bits = operation.type.bits;
  if (is_signed(operation.type) && sign_extended(value, bits) < 0) value = ~value;
  const auto place = static_cast<int>(std::bit_width(truncated(value, bits))) - 1;
  if (place < 0) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(operation.op == LaneOp::HighestBit ? place : bits - 1 - place);
}

std::uint64_t reversed(std::uint64_t value, int bits) {
  std::uint64_t result = 0;
  for (int i = 0; i < bits; ++i) result |= ((value >> i) & 1) << (bits - 1 - i);
  return result;
}

/// Of two zeros the negative one is less.
double lesser(double a, double b) {
  if (a == b) return std::signbit(a) ? a : b;
  return std::fmin(a, b);
}
double greater(double a, double b) {
  if (a == b) return std::signbit(a) ? b : a;
  return std::fmax(a, b);
}

/// A product of floats that is added is rounded once.
double multiplied_and_added(const std::array<double, 3>& x, Type type) {
  if (type.bits != 32) return std::fma(x[0], x[1], x[2]);
  return static_cast<double>(std::fma(static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])));
}

std::optional<std::uint64_t> arithmetic_of_floats(const LaneOperation& operation,
                                                  std::span<const std::uint64_t> inputs) {
  std::array<double, 3> x{};
  for (std::size_t i = 0; i < std::min(inputs.size(), x.size()); ++i) x[i] = to_double(inputs[i], operation.type);
  const auto result = [&]() -> std::optional<double> {
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
        return lesser(x[0], x[1]);
      case LaneOp::Maximum:
        return greater(x[0], x[1]);
      case LaneOp::Absolute:
        return std::abs(x[0]);
      case LaneOp::Negate:
        return -x[0];
      case LaneOp::Reciprocal:
        return 1 / x[0];
      case LaneOp::SquareRoot:
        return std::sqrt(x[0]);
      case LaneOp::ReciprocalRoot:
        return 1 / std::sqrt(x[0]);
      default:
        return std::nullopt;
    }
  }();
  if (!result) return std::nullopt;
  return from_double(*result, operation.type);
}

std::optional<std::uint64_t> arithmetic(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto a = widened(inputs[0], operation.type);
  const auto b = inputs.size() > 1 ? widened(inputs[1], operation.type) : 0;
  const auto product = static_cast<I128>(static_cast<U128>(a) * static_cast<U128>(b));
  switch (operation.op) {
    case LaneOp::Add:
      return inputs[0] + inputs[1] + (inputs.size() > 2 ? inputs[2] : 0);
    case LaneOp::Subtract:
      return inputs[0] - inputs[1] - (inputs.size() > 2 ? inputs[2] : 0);
    case LaneOp::Multiply:
    case LaneOp::MultiplyWide:
      return static_cast<std::uint64_t>(product);
    case LaneOp::MultiplyHigh:
      return static_cast<std::uint64_t>(product >> operation.type.bits);
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddWide:
      return static_cast<std::uint64_t>(product) + inputs[2];
    case LaneOp::MultiplyAddHigh:
      return static_cast<std::uint64_t>(product >> operation.type.bits) + inputs[2];
    case LaneOp::Divide:
      if (b == 0) return std::nullopt;
      return static_cast<std::uint64_t>(a / b);
    case LaneOp::Remainder:
      if (b == 0) return std::nullopt;
      return static_cast<std::uint64_t>(a % b);
    case LaneOp::Minimum:
      return a < b ? inputs[0] : inputs[1];
    case LaneOp::Maximum:
      return a < b ? inputs[1] : inputs[0];
    case LaneOp::Absolute:
      return static_cast<std::uint64_t>(a < 0 ? -a : a);
    default:
      return 0 - inputs[0];
  }
}

std::optional<std::uint64_t> result_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  switch (operation.op) {
    case LaneOp::Move:
    case LaneOp::Load:
    case LaneOp::Unknown:
      return inputs[0];
    case LaneOp::And:
      return inputs[0] & inputs[1];
    case LaneOp::AndNot:
      return inputs[0] & ~inputs[1];
    case LaneOp::Or:
      return inputs[0] | inputs[1];
    case LaneOp::Xor:
      return inputs[0] ^ inputs[1];
    case LaneOp::Not:
      return operation.type.kind == Kind::Predicate ? inputs[0] ^ 1 : ~inputs[0];
    case LaneOp::ShiftLeft:
    case LaneOp::ShiftRight:
      return shift(operation, inputs);
    case LaneOp::FunnelLeft:
    case LaneOp::FunnelRight:
      return funnel_shift(operation, inputs);
    case LaneOp::Compare:
      return compare(operation, inputs);
    case LaneOp::Select:
      return inputs[2] != 0 ? inputs[0] : inputs[1];
    case LaneOp::Convert:
      return convert(operation, inputs[0]);
    case LaneOp::PopulationCount:
      return static_cast<std::uint64_t>(std::popcount(truncated(inputs[0], operation.type.bits)));
    case LaneOp::LeadingZeros:
      return static_cast<std::uint64_t>(std::countl_zero(truncated(inputs[0], operation.type.bits)) -
                                        (64 - operation.type.bits));
    case LaneOp::HighestBit:
    case LaneOp::HighestBitShift:
      return highest_bit(operation, inputs[0]);
    case LaneOp::ReverseBits:
      return reversed(inputs[0], operation.type.bits);
    case LaneOp::ExtractBits:
      return extract_bits(operation, inputs);
    case LaneOp::InsertBits:
      return insert_bits(operation, inputs);
    case LaneOp::Permute:
      return permute(inputs);
    case LaneOp::Logic3:
      return logic3(inputs);
    case LaneOp::ToGeneric:
      return inputs[0] | operation.window;
    case LaneOp::FromGeneric:
      return inputs[0] & ~kWindowMask;
    case LaneOp::Carry:
      return carry(operation, inputs);
    case LaneOp::Borrow:
      return borrow(operation, inputs);
    default:
      return is_float(operation.type) ? arithmetic_of_floats(operation, inputs) : arithmetic(operation, inputs);
  }
}

std::uint64_t flushed(std::uint64_t bits, Type type) {
  const auto sign = std::uint64_t{1} << (type.bits - 1);
  const auto exponent = type.bits == 32 ? std::uint64_t{0x7f800000} : std::uint64_t{0x7ff} << 52;
  return (bits & exponent) == 0 ? bits & sign : bits;
}

std::optional<std::uint64_t> flushing_result_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  std::array<std::uint64_t, 3> floats{};
  const auto count = std::min(inputs.size(), floats.size());
  // The third input of a comparison is a truth.
  const std::size_t of_type = operation.op == LaneOp::Compare ? 2 : floats.size();
  for (std::size_t i = 0; i < count; ++i)
    floats[i] = is_float(operation.type) && i < of_type ? flushed(inputs[i], operation.type) : inputs[i];
  const auto result = result_of(operation, {floats.data(), count});
  return result && is_float(operation.result) ? flushed(*result, operation.result) : result;
}

}  // namespace

std::size_t inputs_of(LaneOp op) {
  switch (op) {
    case LaneOp::Move:
    case LaneOp::Absolute:
    case LaneOp::Negate:
    case LaneOp::Not:
    case LaneOp::Convert:
    case LaneOp::PopulationCount:
    case LaneOp::LeadingZeros:
    case LaneOp::ReverseBits:
    case LaneOp::ToGeneric:
    case LaneOp::FromGeneric:
    case LaneOp::Load:
    case LaneOp::Reciprocal:
    case LaneOp::SquareRoot:
    case LaneOp::ReciprocalRoot:
    case LaneOp::HighestBit:
    case LaneOp::HighestBitShift:
    case LaneOp::AnyLane:
    case LaneOp::AllLanes:
    case LaneOp::SameTruth:
    case LaneOp::Ballot:
    case LaneOp::MatchAny:
    case LaneOp::MatchAll:
    case LaneOp::Reduce:
      return 1;
    case LaneOp::Unknown:
    case LaneOp::ActiveLanes:
    case LaneOp::Elect:
      return 0;
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddHigh:
    case LaneOp::MultiplyAddWide:
    case LaneOp::FunnelLeft:
    case LaneOp::FunnelRight:
    case LaneOp::Select:
    case LaneOp::ExtractBits:
    case LaneOp::Permute:
    case LaneOp::ShuffleUp:
    case LaneOp::ShuffleDown:
    case LaneOp::ShuffleAcross:
    case LaneOp::ShuffleIndex:
      return 3;
    case LaneOp::InsertBits:
    case LaneOp::Logic3:
      return 4;
    default:
      return 2;
  }
}

std::uint64_t truncated(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t sign_extended(std::uint64_t value, int bits) {
  if (bits >= 64 || bits <= 0) return static_cast<std::int64_t>(value);
  const auto free = 64 - bits;
  return static_cast<std::int64_t>(value << free) >> free;
}

std::optional<std::uint64_t> evaluate(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  auto result = operation.flush ? flushing_result_of(operation, inputs) : result_of(operation, inputs);
  if (!result) return std::nullopt;
  if (operation.gross) *result &= ~std::uint64_t{0xffffffff};
  return truncated(*result, operation.result.bits);
}

}  // namespace warpipe::isa
