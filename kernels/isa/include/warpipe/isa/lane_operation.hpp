#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "warpipe/isa/type.hpp"

/// LaneOperation: the operation of an instruction in one lane, on bit patterns.

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
  AbsoluteDifference,  ///< of the first two, plus the third
  Negate,
  And,
  AndNot,  ///< the first, without the bits of the second
  Or,
  Xor,
  Not,
  IsZero,  ///< 1 or 0
  ShiftLeft,
  ShiftRight,
  FunnelLeft,
  FunnelRight,
  Compare,
  Select,
  SelectBySign,  ///< the first where the third, of `type`, is not negative; else the second
  Convert,
  Reciprocal,
  SquareRoot,
  ReciprocalRoot,
  Sine,
  Cosine,
  BinaryLogarithm,
  PowerOfTwo,
  HyperbolicTangent,
  CopySign,  ///< of the first to the second
  IsOfClass,
  PopulationCount,
  LeadingZeros,
  HighestBit,       ///< the place of the highest bit unlike the sign; all ones without such a bit
  HighestBitShift,  ///< how far it is below the topmost place
  ReverseBits,
  ExtractBits,
  InsertBits,
  MaskBits,    ///< ones from a place, so many
  ExtendBits,  ///< the number in so many of the lowest bits
  FindBit,     ///< the place of the n-th one of a mask from a place, upwards or downwards; all ones where there is none
  Permute,
  Logic3,       ///< its second output: whether any bit is set, joined with the fifth input
  DotProduct4,  ///< of four bytes each, plus the third
  DotProduct2,  ///< of two halves and two bytes, plus the third
  ToGeneric,
  FromGeneric,
  IsInWindow,  ///< of a generic address
  Load,
  // AnyLane to FromLane read other lanes of the warp; the last input is a mask of the participating lanes, or is left
  // out: the active lanes.
  AnyLane,   ///< of a truth
  AllLanes,  ///< of a truth
  SameTruth,
  Ballot,
  MatchAny,  ///< the lanes with the same number
  MatchAll,  ///< all lanes where they hold the same, else none; its second output: whether they do
  Reduce,    ///< by `each`
  ActiveLanes,
  Elect,  ///< the lowest lane; its second output: whether a lane is the elected one
  ShuffleUp,
  ShuffleDown,
  ShuffleAcross,  ///< by exclusive or
  ShuffleIndex,
  FromLane,  ///< the number of another lane of the warp, by lane index; 0 where the other lane is inactive
  // The operations from Exchange on are executed by machines only; imports of kernels do not follow them.
  Exchange,         ///< of an atomic: the number replaces the old number
  CompareExchange,  ///< of an atomic: the second number, where the old number is the first
  Increment,        ///< of an atomic: the old number plus 1, or 0 where the old is not below the number
  Decrement,        ///< of an atomic: the old number less 1, or the number where the old is 0 or above the number
  MatrixProduct,    ///< of fragments held by the lanes together: inputs are the registers of a, b and c
  MatrixLoad,       ///< rows of 16 bytes at addresses of lanes; each lane gets its part of each matrix
  MatrixStore,      ///< the opposite of a MatrixLoad
  MatrixTranspose,  ///< of 8 x 8 halves held by the lanes together
  FragmentLoad,  ///< of m x n numbers of `type` into registers of the lanes, rows a number of elements apart: the input
  FragmentStore,    ///< the opposite; its last input is the distance of rows
  FragmentProduct,  ///< as a MatrixProduct, of fragments from FragmentLoad
  TextureLoad,      ///< inputs are the object, the layer where there are some, and coordinates of `type`
  SurfaceLoad,      ///< likewise, by coordinates of whole numbers, the first in bytes; `type` is the type of an element
  SurfaceStore,     ///< likewise, followed by the stored numbers
  AnyOfGroup,       ///< of a truth, at a barrier
  AllOfGroup,       ///< of a truth, at a barrier
  CountOfGroup,     ///< in how many threads a truth holds, at a barrier
  // Of an mbarrier in memory, as of an atomic.
  InitialiseBarrier,  ///< for so many arrivals
  ArriveAtBarrier,    ///< so many times, expecting so many bytes more: the second number; gives the state before
  LeaveBarrier,       ///< as an arrival, and so many fewer are expected from then on
  TestBarrier,        ///< whether the phase of a state is over
  TestParity,         ///< whether the phase with a parity is over
  CopyBulk,           ///< by a copy engine: inputs are places, each a base and an offset, and between them the bytes
  Unknown             ///< not followed
};

enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, BothNumbers, NotBothNumbers };
/// How the truth of a comparison is joined with a third input.
enum class Join { None, And, Or, Xor };
/// Towards zero, to the nearest, down or up.
enum class Rounding { None, Zero, Nearest, Down, Up };
enum class FloatClass { Finite, Infinite, Number, NoNumber, Normal, Subnormal };
/// The bytes of eight a Permute takes: each by its own selector; four from the selected byte upwards or downwards; the
/// selected byte four times; the first four, with the lower or the upper bytes of them replaced by the selected byte;
/// the selected half twice.
enum class Bytes { Selected, Forwards, Backwards, Repeated, ClampedBelow, ClampedAbove, HalfRepeated };

/// The layout of a float, beside IEEE's formats.
enum class Format { Standard, Brain, Tensor, E4M3, E5M2 };

/// Sizes and layout of a product of matrices: d (m x n) = a (m x k) b (k x n) + c.
struct MatrixShape {
  int m = 0, n = 0, k = 0;
  Type a, b, c, d;
  Format a_format{}, b_format{};
  int matrices = 1;         ///< of a MatrixLoad or MatrixStore
  bool transposed = false;  ///< likewise; of a FragmentLoad or FragmentStore: columns are neighbours in memory
};

/// The texels of a texture or a surface reached by an instruction.
struct TexelAccess {
  /// The effect of coordinates outside of a surface.
  enum class Outside { Fault, Nearest, Zero };
  int dimensions = 1;
  bool layered = false;
  int gathered = -1;  ///< the channel read of four texels around; -1: all channels of one texel
  Outside outside = Outside::Fault;
};

struct LaneOperation {
  LaneOp op = LaneOp::Unknown;
  Type type;    ///< of the operands
  Type result;  ///< of the output
  Comparison comparison = Comparison::Equal;
  bool unordered = false;  ///< of a comparison of floats: also true where an operand is no number
  Join join = Join::None;
  bool opposite = false;                  ///< of a comparison: its truth is inverted, before it is joined
  bool wrap = false;                      ///< of a funnel shift or a place of bits: modulo 32
  std::uint64_t window = 0;               ///< of generic addresses
  Rounding rounding = Rounding::None;     ///< of a conversion of floats: to a whole number
  Rounding to_float = Rounding::Nearest;  ///< the choice among the floats around a result
  bool saturate = false;                  ///< a whole number stays within its type, a float within 0 and 1
  bool flush = false;                     ///< floats below the normal ones count as zero
  bool gross = false;                     ///< of a double's function: the lower halves count as zero
  bool keep_no_number = false;            ///< of a Minimum or Maximum: the result is no number where an input is none
  LaneOp each = LaneOp::Unknown;          ///< of a Reduce
  FloatClass float_class{};               ///< of an IsOfClass
  Bytes bytes = Bytes::Selected;          ///< of a Permute
  Type::Kind other{};                     ///< of a dot product: of the second input's parts
  bool upper = false;                     ///< of a DotProduct2: of the upper two bytes
  // Of operations executed by machines only:
  Format format{}, result_format{};  ///< of floats of 16 bits or less
  int parts = 1;                     ///< numbers in one register, each of `type`
  MatrixShape matrix{};
  TexelAccess texels{};
};

/// Whether a lane's result depends on other lanes of its warp.
constexpr bool is_across_lanes(LaneOp op) { return op >= LaneOp::AnyLane && op <= LaneOp::FromLane; }

/// The least number of inputs of an operation.
std::size_t inputs_of(LaneOp op);

/// Computes an operation within a lane.
/// @param inputs  at least inputs_of the operation; each within the width of its type
/// @return        the result within the width of its type, of a conversion to a signed number widened by its sign;
///                nothing for a division of whole numbers by zero
std::optional<std::uint64_t> evaluate(const LaneOperation& operation, std::span<const std::uint64_t> inputs);

/// The second output of an operation within a lane.
/// @param first  the operation's result
std::uint64_t second_result(const LaneOperation& operation, std::span<const std::uint64_t> inputs, std::uint64_t first);

/// Keeps the lowest bits.
constexpr std::uint64_t truncated(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

constexpr std::int64_t sign_extended(std::uint64_t value, int bits) {
  if (bits >= 64 || bits <= 0) return static_cast<std::int64_t>(value);
  const auto free = 64 - bits;
  return static_cast<std::int64_t>(value << free) >> free;
}

}  // namespace warpipe::isa
