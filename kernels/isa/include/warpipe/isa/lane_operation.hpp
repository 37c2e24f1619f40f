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
  Add,       ///< of two or three: a carry
  Carry,     ///< out of the sum of two or three
  Subtract,  ///< of three: a borrow
  Borrow,    ///< out of the difference of two or three
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
  Reciprocal,
  SquareRoot,
  ReciprocalRoot,
  PopulationCount,
  LeadingZeros,
  HighestBit,       ///< the place of the highest bit that is not as the sign; all ones where there is none
  HighestBitShift,  ///< how far it is below the topmost place
  ReverseBits,
  ExtractBits,
  InsertBits,
  Permute,
  Logic3,
  ToGeneric,
  FromGeneric,
  Load,
  // What follows reads other lanes of the warp; its last input is a mask of the lanes that take part, unless it is left
  // out: the active ones.
  AnyLane,   ///< of a truth
  AllLanes,  ///< of a truth
  SameTruth,
  Ballot,
  MatchAny,  ///< the lanes that hold the same
  MatchAll,  ///< all lanes where they hold the same, else none; its second output: whether they do
  Reduce,    ///< by `each`
  ActiveLanes,
  Elect,  ///< the lowest lane; its second output: whether a lane is that one
  ShuffleUp,
  ShuffleDown,
  ShuffleAcross,  ///< by exclusive or
  ShuffleIndex,
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
  bool flush = false;                  ///< floats below the normal ones count as zero
  bool gross = false;                  ///< of a double's function: the lower half of the result is zero
  LaneOp each = LaneOp::Unknown;       ///< of a Reduce
};

/// Whether a lane's result depends on other lanes of its warp.
constexpr bool is_across_lanes(LaneOp op) { return op >= LaneOp::AnyLane && op <= LaneOp::ShuffleIndex; }

/// How many inputs it takes at least.
std::size_t inputs_of(LaneOp op);

/// Of an operation within a lane.
/// @param inputs  at least inputs_of the operation; each within the width of its type
/// @return        the result; nothing for a division by zero
std::optional<std::uint64_t> evaluate(const LaneOperation& operation, std::span<const std::uint64_t> inputs);

/// Keeps the lowest bits.
std::uint64_t truncated(std::uint64_t value, int bits);
std::int64_t sign_extended(std::uint64_t value, int bits);

}  // namespace warpipe::isa
