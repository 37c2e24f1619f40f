#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decode.hpp"
#include "kernel_memory.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::sass {

using isa::Type;

inline constexpr Type kU32{Type::Kind::Unsigned, 32}, kS32{Type::Kind::Signed, 32}, kU64{Type::Kind::Unsigned, 64},
    kS64{Type::Kind::Signed, 64}, kF32{Type::Kind::Float, 32}, kF64{Type::Kind::Float, 64},
    kTruth{Type::Kind::Predicate, 1};

/// The registers of a program, including temporaries.
std::vector<isa::Register> registers_of_programs();
/// Whether a register is a temporary.
bool is_temporary(std::uint32_t reg);
/// The registers of an operand; none where it has none.
isa::RegisterRange registers_of(const Operand& operand);

/// Writes down the computation of an instruction, in the neutral form.
class LaneMaker {
 public:
  LaneMaker(const Decoded& decoded, int of_architecture, KernelMemory& of_kernel, isa::Instruction& instruction)
      : read(decoded), word(decoded.word), architecture(of_architecture), memory(of_kernel), made(instruction) {}

  const Decoded& read;
  const Word& word;
  int architecture;
  KernelMemory& memory;
  isa::Instruction& made;

  bool is_uniform() const { return !made.per_lane; }
  const Operand& source(std::size_t index) const { return read.sources[index]; }
  /// A source as it stands, with all its words; signs are not looked at.
  isa::Input raw(const Operand& operand);
  isa::Input raw(std::size_t index) { return raw(source(index)); }
  /// With its sign, as a whole number or a float.
  isa::Input whole(std::size_t index);
  isa::Input real(std::size_t index, Type type);
  /// Of a predicate.
  isa::Input truth(const Operand& predicate);
  isa::Input truth(std::size_t index) { return truth(source(index)); }
  isa::Output result(std::size_t index) const { return {registers_of(read.results[index])}; }
  bool has_result(std::size_t index) const { return index < read.results.size() && !is_nothing(read.results[index]); }

  static isa::Input number(std::uint64_t bits);
  /// A temporary of 1, 32 or 64 bits.
  isa::Input temporary(int bits);
  static isa::Output to(const isa::Input& temporary) { return {temporary.registers}; }

  isa::Assignment& assign(isa::LaneOp op, Type type, Type result, std::vector<isa::Input> inputs, isa::Output output);
  /// Into a place of its own.
  isa::Input make(isa::LaneOp op, Type type, Type result, std::vector<isa::Input> inputs);
  void move(const isa::Input& from, isa::Output output, Type type = kU32) {
    assign(isa::LaneOp::Move, type, type, {from}, output);
  }
  /// The upper or lower word of a number of 64 bits.
  isa::Input high_word(const isa::Input& wide) { return make(isa::LaneOp::ShiftRight, kU64, kU32, {wide, number(32)}); }
  isa::Input wide_of(const isa::Input& low, const isa::Input& high);

  void not_followed() { made.assignments.clear(); }

 private:
  int used_narrow_ = 0, used_wide_ = 0, used_truths_ = 0;
};

}  // namespace warpipe::sass
