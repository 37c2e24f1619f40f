#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semantics.hpp"
#include "target.hpp"
#include "warpipe/isa/program.hpp"

/// The table of opcodes.

namespace warpipe::amdgcn {

enum class Form {
  Scalar,  ///< once for the wave
  Vector,  ///< in each active lane
  Memory,  ///< `access` says what
  Branch,  ///< to its target, where `semantics` names what is not zero (or, behind a `!`, zero)
  End,
  Barrier,
  Wait,     ///< for counters
  Ignored,  ///< issues, and does nothing that matters
  Refused   ///< `semantics` says why
};

/// What an instruction does in memory.
struct MemoryForm {
  enum class Unit { Shared, Global, Flat, Scratch, Buffer, Scalar, ScalarBuffer };
  Unit unit = Unit::Global;
  isa::Access::Kind kind = isa::Access::Kind::Load;
  isa::Type element;
  int elements = 1;  ///< neighbours in memory
  int places = 1;    ///< two: with offsets of their own, in `scale` bytes
  int scale = 1;
  bool half = false;    ///< of a load: writes one half of a register
  bool to_lds = false;  ///< of a load: into the memory of the group
};

struct Opcode {
  std::string name;
  Form form = Form::Vector;
  std::string operands;  ///< "d2 m a b n": results d, x, m (a mask), sources a, b, c, e, n (a mask), by registers
  std::string op;        ///< of the vocabulary of graphs; empty: issues nothing that takes time
  std::string semantics;
  std::vector<Statement> statements;  ///< of Scalar and Vector
  MemoryForm memory;
  int flops = 0;          ///< of a lane
  int multiply_adds = 0;  ///< of a product of matrices: of the wave
  int blocks = 1;         ///< of it: products that it computes side by side
};

/// How often the shape of a product of matrices takes the time that the best one of its type needs for as many
/// multiply-adds.
/// @source AMD matrix instruction calculator, ROCm/amd_matrix_instruction_calculator 2ef9189: cycles by instruction
int slowness_of_shape(const Opcode& opcode, const Target& target);

/// @return null for one that is not known
const Opcode* find_opcode(std::string_view name);
const std::vector<Opcode>& opcodes();

}  // namespace warpipe::amdgcn
