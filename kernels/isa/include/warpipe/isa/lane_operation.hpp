#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "warpipe/isa/type.hpp"

/// What an instruction does in one lane, on bit patterns.

namespace warpipe::isa {

enum class LaneOp {
  Move,
  Add,    ///< of two or three: a carry
  Carry,  ///< out of the sum of two or three
  Subtract,
  Multiply,
  MultiplyHigh,
  MultiplyWide,
  MultiplyAdd,
  MultiplyAddHigh,
  MultiplyAddWide,
  Divide,
  Remainder,
  Minimum,
  Maximum,
  Absolute,
  Negate,
  And,
  AndNot,  ///< the first, but for the bits of the second
  Or,
  Xor,
  Not,
  ShiftLeft,
  ShiftRight,
  FunnelLeft,
  FunnelRight,
  Compare,
  Select,
  Convert,
  PopulationCount,
  LeadingZeros,
  ReverseBits,
  ExtractBits,
  InsertBits,
  Permute,
  Logic3,
  ToGeneric,
  FromGeneric,
  Load,
  Unknown  ///< not followed
};

enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
/// How the truth of a comparison is joined with a third input.
enum class Join { None, And, Or, Xor };
/// To a whole number: towards zero, to the nearest one, down or up.
enum class Rounding { None, Zero, Nearest, Down, Up };

struct LaneOperation {
  LaneOp op = LaneOp::Unknown;
  Type type;    ///< of the operands
  Type result;  ///< of what is written
  Comparison comparison = Comparison::Equal;
  bool unordered = false;  ///< of a comparison of floats: also true where one is no number
  Join join = Join::None;
  bool wrap = false;                   ///< of a funnel shift: by the distance modulo 32
  std::uint64_t window = 0;            ///< of a conversion of addresses
  Rounding rounding = Rounding::None;  ///< of a conversion of floats
};

/// How many inputs it takes at least.
std::size_t inputs_of(LaneOp op);

/// @param inputs  at least inputs_of the operation; each within the width of its type
/// @return        the result; nothing for a division by zero
std::optional<std::uint64_t> evaluate(const LaneOperation& operation, std::span<const std::uint64_t> inputs);

/// Keeps the lowest bits.
std::uint64_t truncated(std::uint64_t value, int bits);
std::int64_t sign_extended(std::uint64_t value, int bits);

}  // namespace warpipe::isa
