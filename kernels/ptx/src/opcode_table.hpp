#pragma once

#include <string_view>

#include "warpipe/isa/program.hpp"
#include "warpipe/ptx/module.hpp"

/// The table of opcodes, with every property that follows from an opcode alone: a new opcode is a row. Further words of
/// an instruction are read where they change its computation (lane_decoder.cpp) or its ops (opcodes.cpp, matrix.cpp,
/// group_barriers.cpp).

namespace warpipe::ptx {

/// The ops that an instruction issues as, separated by spaces, by the type of its operands: whole numbers of at most 32
/// bits, of 64, halves, single and double floats. Empty: no instruction has this type; "-": it issues nothing.
struct IssuedOps {
  std::string_view whole{}, wide{}, half{}, single{}, twice{};
};

/// Properties of an opcode for the passes over a routine.
enum Trait : unsigned {
  kFolds = 1 << 0,          ///< a number, where all operands are numbers
  kRises = 1 << 1,          ///< may be moved up with a load whose address it makes
  kUniform = 1 << 2,        ///< the uniform datapath has it
  kRemade = 1 << 3,         ///< cheap enough to be computed again instead of keeping a register
  kStays = 1 << 4,          ///< is not put under a predicate in place of a branch
  kOrders = 1 << 5,         ///< no access to memory is moved across it
  kWritesNothing = 1 << 6,  ///< its first operand is read
  kLong = 1 << 7,           ///< its result takes longer than that of an addition
  kMemory = 1 << 8,         ///< a load, a store or an atomic operation
  kTexture = 1 << 9,        ///< reaches a texture or a surface
  kAlone = 1 << 10,         ///< shows a warp no write of other warps; likewise every operation of lanes except accesses
  kMeets = 1 << 11          ///< further words say whose writes a warp may find behind it
};

struct OpcodeRow {
  std::string_view name{};
  isa::LaneOp lanes = isa::LaneOp::Unknown;  ///< its computation, unless further words change it
  std::string_view words{};  ///< besides types, the words that `lanes` allows; any further word makes it unknown
  IssuedOps issues{};
  unsigned traits = 0;
  int flops = 0;  ///< of floats, one lane
  isa::Instruction::Flow flow = isa::Instruction::Flow::Next;
  std::string_view left_out{};  ///< why it is left out without a question; empty: it is not

  bool has(Trait trait) const { return (traits & trait) != 0; }
};

/// The row of an instruction's opcode; a row without a name for an unknown opcode.
const OpcodeRow& row_of(const Instruction& instruction);

/// The reason for leaving out prefetches and the like.
inline constexpr std::string_view kNoCaches = "caches are as if it were not there";

/// Whether a list of words, separated by spaces, has a word.
bool has_word(std::string_view words, std::string_view word);

}  // namespace warpipe::ptx
