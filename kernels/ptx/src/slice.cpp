#include "warpipe/ptx/slice.hpp"

#include <algorithm>

namespace warpipe::ptx {
namespace {

void bases(const Operand& operand, std::vector<std::uint32_t>& registers) {
  if (operand.kind == Operand::Kind::Address && operand.has_register) registers.push_back(operand.reg);
}

bool jumps(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  return opcode == "bra" || opcode == "brx" || opcode == "ret" || opcode == "exit" || opcode == "trap";
}

/// The registers that decide where an instruction goes.
std::vector<std::uint32_t> control_seeds(const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  if (instruction.guard && jumps(instruction)) registers.push_back(instruction.guard->reg);
  if (instruction.opcode() == "brx" && instruction.operands[0].kind == Operand::Kind::Register)
    registers.push_back(instruction.operands[0].reg);
  return registers;
}

/// The registers that decide where an instruction goes or what it reaches.
std::vector<std::uint32_t> seeds(const Instruction& instruction) {
  auto registers = control_seeds(instruction);
  if (!is_access(instruction)) return registers;
  if (instruction.guard) registers.push_back(instruction.guard->reg);
  for (const auto& operand : instruction.operands) bases(operand, registers);
  return registers;
}

/// Everything that the seeds of all instructions are made of.
template <class Seeds>
Slice slice_from(const Routine& routine, const Seeds& seeds_of) {
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
    for (const auto reg : seeds_of(instruction)) want(reg);
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

/// Takes note of the thread's and the group's names that an operand reads.
void note_names(const Operand& operand, ControlSlice& control) {
  for (const auto& part : operand.parts) note_names(part, control);
  if (operand.kind != Operand::Kind::Special) return;
  const std::string_view name = operand.name;
  if (name.starts_with("%ctaid.")) control.axes.at(static_cast<std::size_t>(name.back() - 'x')) = true;
  const bool is_shared = name.starts_with("%ctaid.") || name.starts_with("%ntid.") || name.starts_with("%nctaid.") ||
                         name == "%dynamic_smem_size";
  if (!is_shared) control.by_thread = true;
}

}  // namespace

bool is_access(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  if (opcode != "ld" && opcode != "st" && opcode != "atom" && opcode != "red" && opcode != "ldu") return false;
  return instruction.space() != StateSpace::Parameter;
}

Slice find_slice(const Routine& routine) { return slice_from(routine, seeds); }

ControlSlice find_control_slice(const Routine& routine) {
  ControlSlice control{slice_from(routine, control_seeds)};
  control.slice.accesses = false;
  for (std::size_t i = 0; i < routine.instructions.size(); ++i)
    if (control.slice.needed[i])
      for (const auto& operand : routine.instructions[i].operands) note_names(operand, control);
  return control;
}

std::vector<std::array<bool, 3>> axes_of_addresses(const Routine& routine) {
  using Axes = std::array<bool, 3>;
  std::vector<Axes> of_register(routine.registers.size());
  const auto merge = [](Axes& into, const Axes& from) {
    const auto before = into;
    for (std::size_t axis = 0; axis < 3; ++axis) into[axis] = into[axis] || from[axis];
    return into != before;
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto& instruction : routine.instructions) {
      ControlSlice named;
      for (const auto& operand : instruction.operands) note_names(operand, named);
      for (const auto read : read_registers(instruction)) merge(named.axes, of_register[read]);
      for (const auto reg : written_registers(instruction)) changes |= merge(of_register[reg], named.axes);
    }
  }
  std::vector<Axes> result;
  for (const auto& instruction : routine.instructions) {
    auto& axes = result.emplace_back();
    std::vector<std::uint32_t> registers;
    for (const auto& operand : instruction.operands) bases(operand, registers);
    for (const auto reg : registers) merge(axes, of_register[reg]);
  }
  return result;
}

}  // namespace warpipe::ptx
