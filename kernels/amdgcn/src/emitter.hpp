#pragma once

#include <map>
#include <string>
#include <vector>

#include "opcodes.hpp"
#include "operands.hpp"
#include "warpipe/amdgcn/module.hpp"

namespace warpipe::amdgcn {

/// The fault of an instruction.
struct Problem {
  std::string rule, found, advice;
};

/// An operand with its description in the table.
struct BoundOperand {
  Operand operand;
  std::uint32_t words = 1;
  bool mask = false;    ///< each lane has its own bit of it
  std::string section;  ///< of SDWA: "BYTE_0", "WORD_1"; else empty
};

/// Turns the semantics of a row into assignments.
class Emitter {
 public:
  /// @param lanes  of a wave
  Emitter(isa::Instruction& made, const RegisterFile& registers, int lanes,
          std::map<std::string, BoundOperand> operands)
      : made_(made), registers_(registers), lanes_(lanes), operands_(std::move(operands)) {}

  void run(const std::vector<Statement>& statements);
  /// Sums and products of two numbers at once: "mad.f32".
  void run_packed(const std::string& operation, const TextInstruction& text);

  std::map<std::string, Expression> names;  ///< stand for expressions
  bool saturate = false;                    ///< floats, within 0 and 1
  double factor = 1;                        ///< of a float result
  std::string result_section, unused;       ///< of SDWA

  /// The registers of an operand, noted as read.
  isa::Input read(const BoundOperand& operand, isa::Type type);
  isa::Output write(const std::string& name, isa::Type type);
  isa::RegisterRange range_of(const BoundOperand& operand, std::uint32_t words) const;

 private:
  void assign(const Statement& statement);
  isa::Input value_of(const Expression& expression, isa::Type type);
  isa::Input leaf(const std::string& name, isa::Type type);
  isa::Input operation(const Expression& expression, const isa::Output* to);
  isa::Input changed(isa::Input input, const BoundOperand& operand, isa::Type type);
  isa::Input apply(const isa::LaneOperation& operation, std::vector<isa::Input> inputs,
                   const isa::Output* to = nullptr);
  isa::Input constant(std::uint64_t bits) const;
  isa::RegisterRange own(isa::Type type);
  isa::RegisterRange wave_mask(std::uint32_t first) const { return {first, lanes_ > 32 ? 2U : 1U}; }
  void unknown(const isa::Output& to);

  isa::Instruction& made_;
  const RegisterFile& registers_;
  int lanes_;
  std::map<std::string, BoundOperand> operands_;
  std::map<std::string, isa::RegisterRange> own_names_;
  std::array<std::uint32_t, 3> owned_{};
};

}  // namespace warpipe::amdgcn
