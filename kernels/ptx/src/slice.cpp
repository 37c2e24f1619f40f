#include "warpipe/ptx/slice.hpp"

#include <algorithm>

namespace warpipe::ptx {
namespace {

void bases(const Operand& operand, std::vector<std::uint32_t>& registers) {
  if (operand.kind == Operand::Kind::Address && operand.has_register) registers.push_back(operand.reg);
}

/// The registers that decide where an instruction goes or what it reaches.
std::vector<std::uint32_t> seeds(const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  const auto& opcode = instruction.opcode();
  const bool jumps = opcode == "bra" || opcode == "brx" || opcode == "ret" || opcode == "exit" || opcode == "trap";
  if (instruction.guard && (jumps || is_access(instruction))) registers.push_back(instruction.guard->reg);
  if (opcode == "brx" && instruction.operands[0].kind == Operand::Kind::Register)
    registers.push_back(instruction.operands[0].reg);
  if (is_access(instruction))
    for (const auto& operand : instruction.operands) bases(operand, registers);
  return registers;
}

}  // namespace

bool is_access(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  if (opcode != "ld" && opcode != "st" && opcode != "atom" && opcode != "red" && opcode != "ldu") return false;
  return instruction.space() != StateSpace::Parameter;
}

Slice find_slice(const Routine& routine) {
  std::vector<std::vector<std::uint32_t>> writers(routine.registers.size());
  for (std::uint32_t i = 0; i < routine.instructions.size(); ++i)
    for (const auto reg : written_registers(routine.instructions[i])) writers[reg].push_back(i);

  Slice slice;
  slice.needed.assign(routine.instructions.size(), false);
  std::vector<bool> known(routine.registers.size(), false);
  std::vector<std::uint32_t> waiting;
  const auto want = [&](std::uint32_t reg) {
    if (known[reg]) return;
    known[reg] = true;
    waiting.push_back(reg);
  };
  for (const auto& instruction : routine.instructions)
    for (const auto reg : seeds(instruction)) want(reg);
  while (!waiting.empty()) {
    const auto reg = waiting.back();
    waiting.pop_back();
    for (const auto writer : writers[reg]) {
      slice.needed[writer] = true;
      for (const auto read : read_registers(routine.instructions[writer])) want(read);
    }
  }
  slice.size = static_cast<std::size_t>(std::ranges::count(slice.needed, true));
  return slice;
}

}  // namespace warpipe::ptx
