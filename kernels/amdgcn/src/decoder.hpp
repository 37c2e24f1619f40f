#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "argument_uses.hpp"
#include "decode.hpp"
#include "emitter.hpp"
#include "known_scalars.hpp"
#include "opcodes.hpp"

namespace warpipe::amdgcn {

inline constexpr isa::Type kWord{isa::Type::Kind::Unsigned, 32}, kPointer{isa::Type::Kind::Unsigned, 64};

isa::Input number_input(std::uint64_t bits);
isa::Input special_input(isa::Special::Name name, std::size_t axis);
/// An instruction without a counterpart in the text.
isa::Instruction launch_instruction(const std::string& text, bool per_lane);
/// Adds an assignment: of no registers, a part goes nowhere.
void move(isa::Instruction& made, isa::Type type, std::vector<isa::Input> inputs, std::vector<isa::RegisterRange> to,
          isa::LaneOp op = isa::LaneOp::Move);

/// Makes a program of a kernel's text.
class Decoder {
 public:
  Decoder(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering);
  Decoded run();
  /// Decodes each instruction by itself.
  std::vector<std::string> problems();

 private:
  // The whole.
  static std::int64_t wave_of_directives(const KernelText& kernel, const Target& target);
  void count_registers();
  void put(isa::Instruction made, std::uint32_t text);
  [[noreturn]] void fail(const TextInstruction& one, const Problem& problem) const;
  void add(std::uint32_t index);
  /// Refuses an instruction with more registers than the kernel has: a row may take more than an operand names.
  void require_registers(const isa::Instruction& made) const;
  std::vector<isa::Instruction> decode(const TextInstruction& one);
  /// Takes the first operand for a result, which is not followed; a store has none.
  isa::Instruction unknown_opcode(const TextInstruction& one, isa::Instruction made);
  /// The op given by the user for an opcode; null for an unmapped opcode.
  const std::string* op_of_unknown(const std::string& name) const;
  void ask_about_unknown(const TextInstruction& one);
  isa::Instruction branch(const TextInstruction& one, const Opcode& opcode, isa::Instruction made);
  /// "vmcnt(2)", "lgkmcnt(0) & vmcnt(1)", or the bits of all of them.
  isa::Instruction wait(const TextInstruction& one, isa::Instruction made) const;
  /// "vmcnt(2)", or the bits of all counters.
  void add_wait(const std::string& word, std::vector<isa::Wait>& waits) const;
  static void add_wait(Counter counter, std::uint32_t pending, std::vector<isa::Wait>& waits);
  void place_labels();

  // Instructions before the text.
  void begin();

  // Operands.
  Operand operand_of(const std::string& text) const;
  /// Parses an operand and refuses too few registers.
  Operand sized(const std::string& text, std::uint32_t words) const;
  /// Binds the operands of the text to the names in the table.
  std::map<std::string, BoundOperand> bind(const TextInstruction& one, std::string_view shape) const;
  static std::map<std::string, BoundOperand> sections(const TextInstruction& one,
                                                      std::map<std::string, BoundOperand> bound);
  isa::Input register_input(const Operand& operand, std::uint32_t words, isa::Instruction& made) const;

  // Arithmetic.
  static bool is_product(const Opcode& opcode);
  isa::Instruction compute(const TextInstruction& one, const Opcode& opcode, isa::Instruction made);
  static void name_permutation(const TextInstruction& one, Emitter& emitter);
  static bool is_unfollowed(const std::vector<Statement>& statements);
  /// Adds the reads of an instruction that is not followed.
  void read_all(const std::map<std::string, BoundOperand>& bound, isa::Instruction& made, const Emitter& emitter) const;
  /// Modifiers whose effect on whole numbers is not followed.
  static bool is_not_followed(const TextInstruction& one, const Opcode& opcode);
  static void apply_pattern(const TextInstruction& one, std::vector<Statement>& statements, Emitter& emitter);
  isa::Instruction read_lane(const std::map<std::string, BoundOperand>& bound, isa::Instruction made);
  /// `s_add_u32 s0, s0, weights@rel32@lo+4` and its upper half, behind s_getpc_b64.
  std::optional<isa::Instruction> symbol_address(const TextInstruction& one,
                                                 const std::map<std::string, BoundOperand>& bound,
                                                 isa::Instruction made);
  /// Copies of pointers, and sums with numbers.
  void note_effect(const TextInstruction& one, const std::map<std::string, BoundOperand>& bound);

  // Memory.
  std::int64_t offset_of(const TextInstruction& one, const char* name = "offset") const;
  std::vector<isa::Instruction> memory(const TextInstruction& one, const Opcode& opcode, const isa::Instruction& begun);
  isa::Instruction scalar_load(const TextInstruction& one, const Opcode& opcode, isa::Instruction made);
  void add_results(isa::Instruction& made, const Operand& to, const MemoryForm& form, std::uint32_t skip = 0) const;
  void add_stored(isa::Instruction& made, isa::Access& access, const Operand& data, const Opcode& opcode,
                  std::uint32_t skip = 0) const;
  /// Registers of the stored operand: 2 of "a2", "d1 a2 b2".
  static std::uint32_t word_count(std::string_view shape);
  static bool returns(const TextInstruction& one);
  void count(isa::Instruction& made, const MemoryForm& form, bool result) const;
  isa::Instruction vector_access(const TextInstruction& one, const Opcode& opcode, isa::Instruction made);
  static std::string texts_of_scalar(const TextInstruction& one, const Operand&);
  isa::Instruction buffer_base(const TextInstruction& one, const std::optional<Operand>& resource,
                               const Operand& offset, const isa::RegisterRange& base) const;
  /// An access through a resource in four scalar registers: its address, the offset of all lanes, and the offset of
  /// each lane.
  std::vector<isa::Instruction> buffer(const TextInstruction& one, const Opcode& opcode, isa::Instruction made);
  /// Makes two accesses of two places, each with a single op, but as a unit for its counter.
  std::vector<isa::Instruction> shared(const TextInstruction& one, const Opcode& opcode, const isa::Instruction& begun);

  // Arguments, and the numbers that the runtime passes beside them.
  void add_regions();
  std::int64_t directive(const char* name) const;
  std::uint32_t region_of(const std::string& name);
  void add_parameters();
  /// The argument or the hidden number at a byte; null for a gap.
  const KernelArgument* argument_at(std::int64_t offset) const;
  /// A field of a structure.
  std::uint32_t field_at(std::int64_t offset, int bits, const KernelArgument& structure);
  static isa::Input parameter(std::uint32_t index);
  /// A number of the runtime beside the arguments, with its own number of bits.
  isa::Input hidden(const KernelArgument& argument);
  isa::Input look(isa::Special::Name name, std::size_t axis);
  /// 16 bits of the arguments.
  isa::Input half_at(std::int64_t offset);
  /// Moves words of the arguments into registers.
  void load_arguments(isa::Instruction& made, std::int64_t offset, isa::RegisterRange to);
  bool is_wide(std::int64_t offset) const;
  /// Words of the dispatch packet.
  /// @source HSA Platform System Architecture Specification: kernel dispatch packet
  void load_dispatch(isa::Instruction& made, std::int64_t offset, isa::RegisterRange to);
  /// Replaces loads through known pointers by the loaded values.
  void resolve_arguments();
  void find_types();
  /// Gives each argument loaded by an instruction an instruction of its own, so that analyses tell them apart; the
  /// first of them issues.
  void part_arguments();
  static std::vector<isa::Instruction> parts_of(const isa::Instruction& whole);
  /// Takes the arguments from the file, or else from their uses.
  void find_arguments(const isa::ControlFlow& flow, const std::vector<std::pair<std::uint32_t, KnownPointer>>& loads);
  void resolve(isa::Instruction& one, const KnownPointer& pointer);
  void preload();

  const Module& module_;
  const KernelText& kernel_;
  const isa::LoweringOptions& lowering_;
  const Target& target_;
  int lanes_;
  LaunchRegisters launch_;
  RegisterFile registers_;
  Decoded made_;
  ScalarEffect effect_;                ///< of the instruction being decoded
  std::vector<ScalarEffect> effects_;  ///< by instruction
  std::vector<std::uint32_t> starts_;  ///< by instruction of the text: of the program
  std::uint32_t first_ = 0;            ///< of the text
  std::map<std::int64_t, std::uint32_t> place_of_parameter_;
  std::map<std::pair<std::int64_t, int>, std::uint32_t> fields_;
  ArgumentUses uses_;
  std::vector<KernelArgument> arguments_;  ///< in order
};

}  // namespace warpipe::amdgcn
