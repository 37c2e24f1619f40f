#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "warpipe/ptx/module.hpp"

/// What one instruction of the slice does in one lane, on bit patterns. PTX ISA, "Instruction set".

namespace warpipe::ptx {

enum class LaneOp {
  Move,
  Add,
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
  Unknown
};

enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Other };

/// An instruction, decoded.
struct LaneOperation {
  LaneOp op = LaneOp::Unknown;
  Type type;    ///< of the operands
  Type result;  ///< of what is written
  Comparison comparison = Comparison::Equal;
  bool unordered = false;    ///< of a comparison of floats: also true where one is no number
  std::string combine;       ///< of a setp with a third operand: "and", "or", "xor"; else empty
  bool wrap = false;         ///< of a funnel shift
  std::uint64_t window = 0;  ///< of a conversion of addresses
  std::string rounding;      ///< of a conversion between floats and whole numbers: "rzi", ...
};

/// What the words of an instruction mean; LaneOp::Unknown for what the slice cannot follow.
LaneOperation decode(const Instruction& instruction);

/// How many inputs it takes at least.
std::size_t inputs_of(LaneOp op);

/// @param inputs  at least inputs_of the operation; each within the width of its type
/// @return        the result; nothing for a division by zero
std::optional<std::uint64_t> evaluate(const LaneOperation& operation, std::span<const std::uint64_t> inputs);

/// Keeps the lowest bits.
std::uint64_t truncated(std::uint64_t value, int bits);
std::int64_t sign_extended(std::uint64_t value, int bits);

/// Generic addresses of the spaces other than global lie in windows of their own.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << 60;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{2} << 60;
inline constexpr std::uint64_t kConstantWindow = std::uint64_t{3} << 60;
inline constexpr std::uint64_t kWindowMask = std::uint64_t{15} << 60;

}  // namespace warpipe::ptx
