#pragma once

#include <string_view>

#include "warpipe/isa/program.hpp"
#include "warpipe/ptx/module.hpp"

/// All that an opcode alone says of an instruction, in one table: a new opcode is a row. Other words of an instruction
/// are read where they change what it computes (lane_decoder.cpp) or in which ops it issues (opcodes.cpp, matrix.cpp,
/// group_barriers.cpp).

namespace warpipe::ptx {

/// The ops that an instruction issues as, separated by spaces, by the type of its operands: whole numbers of at most 32
/// bits, of 64, halves, single and double floats. Empty: there is no such instruction; "-": it issues nothing.
struct IssuedOps {
  std::string_view whole{}, wide{}, half{}, single{}, twice{};
};

/// What the passes over a routine ask of an opcode.
enum Trait : unsigned {
  kFolds = 1 << 0,          ///< a number, where all operands are numbers
  kRises = 1 << 1,          ///< may be moved up with a load whose address it makes
  kUniform = 1 << 2,        ///< the uniform datapath has it
  kRemade = 1 << 3,         ///< cheap enough to be computed again in place of a register that is kept
  kStays = 1 << 4,          ///< is not put under a predicate in place of a branch
  kOrders = 1 << 5,         ///< no access to memory is moved across it
  kWritesNothing = 1 << 6,  ///< its first operand is read
  kLong = 1 << 7,           ///< its result takes longer than that of an addition
  kMemory = 1 << 8,         ///< a load, a store or an atomic operation
  kTexture = 1 << 9,        ///< reaches a texture or a surface
  kAlone = 1 << 10,  ///< shows a warp nothing that others wrote; so do all with an operation of lanes but accesses
  kMeets = 1 << 11   ///< other words say whose writes a warp may find behind it
};

struct OpcodeRow {
  std::string_view name{};
  isa::LaneOp lanes = isa::LaneOp::Unknown;  ///< what it computes, but for words that say more
  std::string_view words{};  ///< besides types, those that `lanes` comes with; with another one nothing is known of it
  IssuedOps issues{};
  unsigned traits = 0;
  int flops = 0;  ///< of floats, one lane
  isa::Instruction::Flow flow = isa::Instruction::Flow::Next;
  std::string_view left_out{};  ///< why it is left out without a question; empty: it is not

  bool has(Trait trait) const { return (traits & trait) != 0; }
};

/// The row of an instruction's opcode; one without a name where the opcode is not known.
const OpcodeRow& row_of(const Instruction& instruction);

/// Why prefetches and the like are left out.
inline constexpr std::string_view kNoCaches = "caches are as if it were not there";

/// Whether a list of words, separated by spaces, has a word.
bool has_word(std::string_view words, std::string_view word);

}  // namespace warpipe::ptx
