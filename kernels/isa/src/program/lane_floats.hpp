#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {

/// Any function of three bits, bit by bit: bit 4a + 2b + c of the table is the result.
inline std::uint64_t logic3(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t result = 0;
  for (unsigned index = 0; index < 8; ++index) {
    const auto wanted = std::uint64_t{0} - ((table >> index) & 1);
    result |= wanted & ((index & 4) != 0 ? a : ~a) & ((index & 2) != 0 ? b : ~b) & ((index & 1) != 0 ? c : ~c);
  }
  return result;
}

/// 32 of the 64 bits in two registers: the topmost first for a shift to the left, the lowest first to the right.
inline std::uint64_t funnel_shift(const LaneOperation& operation, std::uint64_t low, std::uint64_t high,
                                  std::uint64_t by) {
  const auto joined = (high << 32) | truncated(low, 32);
  const auto distance = operation.wrap ? by & 31 : std::min<std::uint64_t>(truncated(by, 32), 32);
  return operation.op == LaneOp::FunnelLeft ? (joined << distance) >> 32 : joined >> distance;
}

__extension__ using I128 = __int128;

inline constexpr std::uint64_t kNoNumber = 0x7fffffff;  ///< the result in place of any 32-bit float that is no number

inline bool is_float(Type type) { return type.kind == Type::Kind::Float; }

/// The value of a float of 32 or 64 bits, for calculation.
double to_double(std::uint64_t bits, Type type);

/// The result of an operation on floats, rounded once in the operation's direction; nothing for an operation floats
/// lack.
std::optional<std::uint64_t> arithmetic_of_floats(const LaneOperation& operation,
                                                  std::span<const std::uint64_t> inputs);

/// Converts a float to a float.
std::uint64_t float_from_float(const LaneOperation& operation, std::uint64_t bits);
/// Converts a whole number of at most 64 bits to a float.
std::uint64_t float_from_whole(const LaneOperation& operation, I128 whole);
/// Converts a float to a whole number: the nearest of its type. No number becomes 0, or, where 64 bits are read or
/// written, the type's topmost bit alone.
std::uint64_t whole_from_float(const LaneOperation& operation, std::uint64_t bits);

bool is_of_class(const LaneOperation& operation, std::uint64_t bits);

/// Replaces a subnormal float by a zero of its sign.
inline std::uint64_t flushed(std::uint64_t bits, Type type) {
  const auto sign = std::uint64_t{1} << (type.bits - 1);
  const auto exponent = type.bits == 32 ? std::uint64_t{0x7f800000} : std::uint64_t{0x7ff} << 52;
  return (bits & exponent) == 0 ? bits & sign : bits;
}

}  // namespace warpipe::isa
