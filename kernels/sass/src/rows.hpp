#pragma once

#include <cstdint>
#include <span>

namespace warpipe::sass {

class LaneMaker;

/// The layout of an instruction's operands.
enum class Layout {
  Alu,      ///< slots A, B and C
  Uniform,  ///< likewise, of the uniform registers
  Load,     ///< a place in memory, a result
  Store,    ///< a place, a number
  Atomic,
  Compare,  ///< an atomic that compares
  Copy,     ///< from global to shared memory
  Matrix,   ///< registers A, B and C
  Texture,  ///< results by channels; registers A and B
  Shuffle,
  Special,   ///< the number of a special register
  Constant,  ///< a constant at an index
  Barrier,   ///< the place of an mbarrier; B: its phase or bytes
  Engine,    ///< uniform registers, A and B in a row, that describe a copy of an engine
  Branch,
  Return,  ///< a branch to an address in a register
  Fields   ///< nothing but fields
};

/// A kind of instruction: the layout of its bits, its operation in a lane, and its op in the vocabulary of graphs.
struct Row {
  std::uint16_t opcode;  ///< bits 0 to 8
  std::uint16_t forms;   ///< allowed values of bits 9 to 11, as a mask
  int first, last;       ///< architectures
  const char* name;
  Layout layout;
  /// Slots to read: "ABC"; "+" is B of a register, else C; W a number of 64 bits (from bit 24).
  const char* slots;
  /// Words of 32 bits of the result ('-': none, 'm': by bits 73 to 75, 'u': a uniform register), then of each slot.
  const char* words;
  /// Slots whose sign may be turned; "|": their absolute value may be taken, too.
  const char* signs;
  /// Predicates, in order: p and q are results (bits 81, 84), u a uniform result (81), P, Q and R are read (87, 77,
  /// 68); behind X only where bit 74 is set, behind E only where bit 72 is, behind B only for a barrier that reduces.
  /// g: the guard is uniform.
  const char* predicates;
  void (*lanes)(LaneMaker&);  ///< null: its computation is not followed
  const char* op;             ///< empty: by its bits; "?": none
  int flops;
};

std::span<const Row> rows();
/// @return null without a matching row
const Row* find_row(unsigned opcode, unsigned form, int architecture);

}  // namespace warpipe::sass
