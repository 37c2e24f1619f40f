#include "uniform_values.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "opcode_table.hpp"

namespace warpipe::ptx {
namespace {

bool is_uniform(const Operand& operand) {
  if (operand.kind == Operand::Kind::Vector) return false;
  if (operand.kind != Operand::Kind::Special) return true;
  const std::string_view name = operand.name;
  return name.starts_with("%ctaid") || name.starts_with("%nctaid") || name.starts_with("%ntid");
}

/// Whether the uniform datapath has the operation, whatever the registers it reads.
bool may_be_uniform(const Instruction& instruction) {
  if (instruction.opcode() == "ld") return instruction.space() == StateSpace::Parameter;
  const auto is_float = [](const Type& type) { return type.kind == Type::Kind::Float; };
  return row_of(instruction).has(kUniform) && !instruction.guard && !instruction.carry_in && !instruction.carry_out &&
         std::ranges::none_of(instruction.types, is_float) && std::ranges::all_of(instruction.operands, is_uniform);
}

}  // namespace

std::vector<bool> uniform_values(const Routine& routine) {
  std::vector<int> writers(routine.registers.size(), 0);
  for (const auto& instruction : routine.instructions)
    for (const auto reg : written_registers(instruction)) ++writers[reg];
  std::vector<bool> uniform;
  for (const auto count : writers) uniform.push_back(count == 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& instruction : routine.instructions) {
      const auto read = read_registers(instruction);
      if (may_be_uniform(instruction) && std::ranges::all_of(read, [&](auto reg) { return uniform[reg]; })) continue;
      for (const auto reg : written_registers(instruction)) {
        changed = changed || uniform[reg];
        uniform[reg] = false;
      }
    }
  }
  return uniform;
}

}  // namespace warpipe::ptx
