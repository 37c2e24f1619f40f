#pragma once

#include <cstdint>
#include <span>

namespace warpipe::sass {

class LaneMaker;

/// Where an instruction's operands stand.
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
  Engine,    ///< uniform registers, A and B in a row, that say what a copy engine moves
  Branch,
  Return,  ///< a branch to where a register says
  Fields   ///< nothing but fields
};

/// One kind of instruction: how its bits are read, what it does in a lane, and what it is in the vocabulary of graphs.
struct Row {
  std::uint16_t opcode;  ///< bits 0 to 8
  std::uint16_t forms;   ///< allowed values of bits 9 to 11, as a mask
  int first, last;       ///< architectures
  const char* name;
  Layout layout;
  /// Slots that are read: "ABC"; "+" is B of a register, else C; W a number of 64 bits (from bit 24).
  const char* slots;
  /// Words of 32 bits of the result ('-': none, 'm': as bits 73 to 75 say, 'u': a uniform register), then of each slot.
  const char* words;
  /// Slots whose sign may be turned; "|": their absolute value may be taken, too.
  const char* signs;
  /// Predicates, in order: p and q are results (bits 81, 84), u a uniform one (81), P, Q and R are read (87, 77, 68);
  /// behind X only where bit 74 is set, behind E only where bit 72 is, behind B only of a barrier that
  /// reduces. g: the guard is uniform.
  const char* predicates;
  void (*lanes)(LaneMaker&);  ///< none: what it computes is not followed
  const char* op;             ///< empty: its bits say it; "?": none
  int flops;
};

std::span<const Row> rows();
/// @return none where there is none
const Row* find_row(unsigned opcode, unsigned form, int architecture);

}  // namespace warpipe::sass
