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
  Memory,  ///< described by `access`
  Branch,  ///< to its target, where the register in `semantics` is not zero (behind a `!`: zero)
  End,
  Barrier,
  Wait,     ///< for counters
  Ignored,  ///< issues, without an effect that matters
  Refused   ///< `semantics` has the reason
};

/// The access of an instruction to memory.
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
  std::string op;        ///< of the vocabulary of graphs; empty: issues nothing with a time
  std::string semantics;
  std::vector<Statement> statements;  ///< of Scalar and Vector
  MemoryForm memory;
  int flops = 0;          ///< of a lane
  int multiply_adds = 0;  ///< of a product of matrices: of the wave
  int blocks = 1;         ///< of it: products computed side by side
};

/// The slowness of a product of matrices by its shape: a multiple of the time of the best shape of its type for as many
/// multiply-adds.
/// @source AMD matrix instruction calculator, ROCm/amd_matrix_instruction_calculator 2ef9189: cycles by instruction
int slowness_of_shape(const Opcode& opcode, const Target& target);

/// @return null for an unknown name
const Opcode* find_opcode(std::string_view name);
const std::vector<Opcode>& opcodes();

}  // namespace warpipe::amdgcn
