#include "warpipe/isa/lane_operation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "program/lane_floats.hpp"

namespace warpipe::isa {
namespace {

using Kind = Type::Kind;
__extension__ using U128 = unsigned __int128;

bool is_signed(Type type) { return type.kind == Kind::Signed; }

I128 widened(std::uint64_t value, Type type) {
  return is_signed(type) ? I128{sign_extended(value, type.bits)} : I128{truncated(value, type.bits)};
}

/// A whole number of a type, the nearest where a result saturates.
std::uint64_t fitted(const LaneOperation& operation, I128 whole) {
  if (!operation.saturate) return static_cast<std::uint64_t>(whole);
  const auto most = I128{1} << (operation.result.bits - (is_signed(operation.result) ? 1 : 0));
  const auto least = is_signed(operation.result) ? -most : I128{0};
  return static_cast<std::uint64_t>(std::clamp(whole, least, most - 1));
}

bool joined(Join join, bool truth, bool other) {
  switch (join) {
    case Join::And:
      return truth && other;
    case Join::Or:
      return truth || other;
    case Join::Xor:
      return truth != other;
    default:
      return truth;
  }
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
      case Comparison::GreaterEqual:
        return left >= right;
      default:
        return operation.comparison == Comparison::BothNumbers;
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
  truth = truth != operation.opposite;
  if (inputs.size() > 2) truth = joined(operation.join, truth, inputs[2] != 0);
  if (!truth || operation.result.kind == Kind::Predicate) return truth ? 1 : 0;
  if (!is_float(operation.result)) return truncated(~std::uint64_t{0}, operation.result.bits);
  return operation.result.bits == 32 ? std::bit_cast<std::uint32_t>(1.0F) : std::bit_cast<std::uint64_t>(1.0);
}

std::uint64_t convert(const LaneOperation& operation, std::uint64_t value) {
  const bool to_float = is_float(operation.result);
  if (is_float(operation.type))
    return to_float ? float_from_float(operation, value) : whole_from_float(operation, value);
  const auto whole = widened(value, operation.type);
  return to_float ? float_from_whole(operation, whole) : fitted(operation, whole);
}

std::uint64_t select_by_sign(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const bool first =
      is_float(operation.type) ? to_double(inputs[2], operation.type) >= 0 : widened(inputs[2], operation.type) >= 0;
  return first ? inputs[0] : inputs[1];
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

/// Ones in `length` places from a position. Places and lengths beyond 31 lead out of the word, or around.
std::uint64_t mask_bits(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto position = truncated(inputs[0], operation.wrap ? 5 : 32);
  const auto length = truncated(inputs[1], operation.wrap ? 5 : 32);
  return position >= 32 ? 0 : truncated(~std::uint64_t{0}, length >= 32 ? 32 : static_cast<int>(length)) << position;
}

std::uint64_t extend_bits(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto length = truncated(inputs[1], operation.wrap ? 5 : 32);
  if (length == 0 || length >= 32) return length == 0 ? 0 : inputs[0];
  const auto bits = static_cast<int>(length);
  return is_signed(operation.type) ? static_cast<std::uint64_t>(sign_extended(inputs[0], bits))
                                   : truncated(inputs[0], bits);
}

std::uint64_t find_bit(std::span<const std::uint64_t> inputs) {
  const auto is_set = [&](std::int64_t place) { return ((inputs[0] >> place) & 1) != 0; };
  auto place = sign_extended(inputs[1], 32);
  auto left = sign_extended(inputs[2], 32);
  const int step = left < 0 ? -1 : 1;
  if (left == 0) left = place >= 0 && place < 32 && is_set(place) ? 1 : 0;
  for (; left != 0 && place >= 0 && place < 32; place += step)
    if (is_set(place) && (left -= step) == 0) return static_cast<std::uint64_t>(place);
  return ~std::uint64_t{0};
}

/// The selector of a result's byte, from the given selector for all bytes.
std::uint64_t selector_of(Bytes bytes, std::uint64_t place, std::uint64_t given) {
  switch (bytes) {
    case Bytes::Forwards:
      return given + place;
    case Bytes::Backwards:
      return (given - place) & 7;
    case Bytes::Repeated:
      return given;
    case Bytes::ClampedBelow:
      return std::max(place, given);
    case Bytes::ClampedAbove:
      return std::min(place, given);
    default:
      return (given & 1) * 2 + (place & 1);
  }
}

std::uint64_t permute(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto bytes = (inputs[1] << 32) | truncated(inputs[0], 32);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto selector = operation.bytes == Bytes::Selected ? (inputs[2] >> (4 * i)) & 15
                                                             : selector_of(operation.bytes, i, inputs[2] & 3);
    auto byte = (bytes >> (8 * (selector & 7))) & 255;
    if ((selector & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/// Sums of products of parts: four bytes each, or two halves and two bytes.
std::uint64_t dot_product(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const bool bytes = operation.op == LaneOp::DotProduct4;
  const Type first{operation.type.kind, bytes ? 8 : 16}, second{operation.other, 8};
  const auto others = operation.upper ? inputs[1] >> 16 : inputs[1];
  auto sum = inputs[2];
  for (int i = 0; i < (bytes ? 4 : 2); ++i)
    sum +=
        static_cast<std::uint64_t>(widened(inputs[0] >> (i * first.bits), first) * widened(others >> (i * 8), second));
  return sum;
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

/// The least of some numbers, or the greatest.
std::uint64_t extreme_whole(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto is_less = [&](std::uint64_t a, std::uint64_t b) {
    return widened(a, operation.type) < widened(b, operation.type);
  };
  return operation.op == LaneOp::Minimum ? std::ranges::min(inputs, is_less) : std::ranges::max(inputs, is_less);
}

std::optional<std::uint64_t> arithmetic(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto a = widened(inputs[0], operation.type);
  const auto b = inputs.size() > 1 ? widened(inputs[1], operation.type) : 0;
  const auto c = inputs.size() > 2 ? widened(inputs[2], operation.result) : 0;
  const auto product = static_cast<I128>(static_cast<U128>(a) * static_cast<U128>(b));
  // The upper half of a product of 24 bits each has 32, too.
  const int half = 2 * operation.type.bits - operation.result.bits;
  switch (operation.op) {
    case LaneOp::Add:
      return fitted(operation, a + b + c);
    case LaneOp::Subtract:
      return fitted(operation, a - b - c);
    case LaneOp::Multiply:
    case LaneOp::MultiplyWide:
      return static_cast<std::uint64_t>(product);
    case LaneOp::MultiplyHigh:
      return static_cast<std::uint64_t>(product >> half);
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddWide:
      return static_cast<std::uint64_t>(product) + inputs[2];
    case LaneOp::MultiplyAddHigh:
      return fitted(operation, (product >> half) + c);
    case LaneOp::Divide:
      if (b == 0) return std::nullopt;
      return static_cast<std::uint64_t>(a / b);
    case LaneOp::Remainder:
      if (b == 0) return std::nullopt;
      return static_cast<std::uint64_t>(a % b);
    case LaneOp::Minimum:
    case LaneOp::Maximum:
      return extreme_whole(operation, inputs);
    case LaneOp::Absolute:
      return static_cast<std::uint64_t>(a < 0 ? -a : a);
    case LaneOp::AbsoluteDifference:
      return static_cast<std::uint64_t>(a < b ? b - a : a - b) + inputs[2];
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
    case LaneOp::IsZero:
      return truncated(inputs[0], operation.type.bits) == 0 ? 1 : 0;
    case LaneOp::ShiftLeft:
    case LaneOp::ShiftRight:
      return shift(operation, inputs);
    case LaneOp::FunnelLeft:
    case LaneOp::FunnelRight:
      return funnel_shift(operation, inputs[0], inputs[1], inputs[2]);
    case LaneOp::Compare:
      return compare(operation, inputs);
    case LaneOp::Select:
      return inputs[2] != 0 ? inputs[0] : inputs[1];
    case LaneOp::SelectBySign:
      return select_by_sign(operation, inputs);
    case LaneOp::IsOfClass:
      return is_of_class(operation, inputs[0]) ? 1 : 0;
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
    case LaneOp::MaskBits:
      return mask_bits(operation, inputs);
    case LaneOp::ExtendBits:
      return extend_bits(operation, inputs);
    case LaneOp::FindBit:
      return find_bit(inputs);
    case LaneOp::Permute:
      return permute(operation, inputs);
    case LaneOp::DotProduct4:
    case LaneOp::DotProduct2:
      return dot_product(operation, inputs);
    case LaneOp::Logic3:
      return logic3(inputs[0], inputs[1], inputs[2], inputs[3]);
    case LaneOp::ToGeneric:
      return inputs[0] | operation.window;
    case LaneOp::FromGeneric:
      return inputs[0] & ~kWindowMask;
    case LaneOp::IsInWindow:
      return (inputs[0] & kWindowMask) == operation.window ? 1 : 0;
    case LaneOp::Carry:
      return carry(operation, inputs);
    case LaneOp::Borrow:
      return borrow(operation, inputs);
    default:
      return is_float(operation.type) ? arithmetic_of_floats(operation, inputs) : arithmetic(operation, inputs);
  }
}

/// Whether an input is a float of the operation's type, and not a truth or a number chosen unchanged.
bool is_float_input(const LaneOperation& operation, std::size_t input) {
  if (operation.op == LaneOp::Compare) return input < 2;
  return operation.op != LaneOp::SelectBySign || input == 2;
}

std::optional<std::uint64_t> flushing_result_of(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  std::array<std::uint64_t, 3> floats{};
  const auto count = std::min(inputs.size(), floats.size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool flushes = is_float(operation.type) && is_float_input(operation, i);
    floats[i] = flushes ? flushed(inputs[i], operation.type) : inputs[i];
  }
  const auto result = result_of(operation, {floats.data(), count});
  if (!result || !is_float(operation.result) || operation.op == LaneOp::SelectBySign) return result;
  return flushed(*result, operation.result);
}

}  // namespace

std::size_t inputs_of(LaneOp op) {
  switch (op) {
    case LaneOp::Move:
    case LaneOp::Absolute:
    case LaneOp::Negate:
    case LaneOp::Not:
    case LaneOp::IsZero:
    case LaneOp::IsOfClass:
    case LaneOp::IsInWindow:
    case LaneOp::Sine:
    case LaneOp::Cosine:
    case LaneOp::BinaryLogarithm:
    case LaneOp::PowerOfTwo:
    case LaneOp::HyperbolicTangent:
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
    case LaneOp::SelectBySign:
    case LaneOp::AbsoluteDifference:
    case LaneOp::FindBit:
    case LaneOp::DotProduct4:
    case LaneOp::DotProduct2:
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

std::optional<std::uint64_t> evaluate(const LaneOperation& operation, std::span<const std::uint64_t> inputs) {
  const auto result = operation.flush ? flushing_result_of(operation, inputs) : result_of(operation, inputs);
  if (!result) return std::nullopt;
  // A register may be wider than its result.
  if (operation.op == LaneOp::Convert && is_signed(operation.result))
    return static_cast<std::uint64_t>(sign_extended(*result, operation.result.bits));
  return truncated(*result, operation.result.bits);
}

std::uint64_t second_result(const LaneOperation& operation, std::span<const std::uint64_t> inputs,
                            std::uint64_t first) {
  if (operation.op == LaneOp::Logic3) return joined(operation.join, first != 0, inputs.size() > 4 && inputs[4] != 0);
  if (operation.op != LaneOp::Compare) return first;
  auto opposite = operation;
  opposite.opposite = !operation.opposite;
  return *evaluate(opposite, inputs);
}

}  // namespace warpipe::isa
