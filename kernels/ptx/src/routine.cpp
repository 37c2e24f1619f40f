#include "routine.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "opcode_table.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::ptx {
namespace {

void collect(const Operand& operand, std::vector<std::uint32_t>& registers) {
  if (operand.kind == Operand::Kind::Register || (operand.kind == Operand::Kind::Address && operand.has_register))
    registers.push_back(operand.reg);
  for (const auto& part : operand.parts) collect(part, registers);
}

}  // namespace

int capability(std::string_view target) {
  int number = 0;
  if (target.starts_with("sm_")) std::from_chars(target.data() + 3, target.data() + target.size(), number);
  return number;
}

const Variable* Routine::find_variable(std::string_view variable) const {
  const auto found = std::ranges::find(variables, variable, &Variable::name);
  return found == variables.end() ? nullptr : &*found;
}

std::size_t written_operands(const Instruction& instruction) {
  const bool bar = instruction.opcode() == "bar" || instruction.opcode() == "barrier";
  if (bar && instruction.has("red")) return 1;
  if (instruction.operands.empty() || instruction.operands.front().kind == Operand::Kind::Address) return 0;
  return row_of(instruction).has(kWritesNothing) ? 0 : 1;
}

std::string source_name(const std::string& variable) {
  const auto plain = isa::demangled(variable);
  const auto last = plain.rfind("::");
  return last == std::string::npos ? plain : plain.substr(last + 2);
}

std::vector<std::uint32_t> written_registers(const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  if (written_operands(instruction) == 1) collect(instruction.operands.front(), registers);
  if (instruction.carry_out) registers.push_back(*instruction.carry_out);
  return registers;
}

std::vector<std::uint32_t> read_registers(const Instruction& instruction) {
  std::vector<std::uint32_t> registers;
  if (instruction.guard) collect(*instruction.guard, registers);
  for (std::size_t i = written_operands(instruction); i < instruction.operands.size(); ++i)
    collect(instruction.operands[i], registers);
  if (instruction.carry_in) registers.push_back(*instruction.carry_in);
  return registers;
}

bool writes_carry(const Instruction& instruction) { return instruction.has("cc"); }

bool reads_carry(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  return opcode == "addc" || opcode == "subc" || opcode == "madc";
}

bool is_assertion(const Instruction& instruction) {
  return instruction.name == "call __assertfail" || instruction.name == "call __assert_fail";
}

bool ends_in_error(const Instruction& instruction) {
  return instruction.opcode() == "trap" || is_assertion(instruction);
}

bool leaves(const Instruction& instruction) {
  const auto& opcode = instruction.opcode();
  return opcode == "ret" || opcode == "exit" || ends_in_error(instruction);
}

bool is_plain_jump(const Instruction& instruction) { return instruction.opcode() == "bra" && !instruction.guard; }

bool reaches_texture(const Instruction& instruction) { return row_of(instruction).has(kTexture); }

bool touches_memory(const Instruction& instruction) { return row_of(instruction).has(kMemory); }

bool is_access(const Instruction& instruction) {
  return touches_memory(instruction) && instruction.space() != StateSpace::Parameter;
}

bool orders_memory(const Instruction& instruction) {
  return row_of(instruction).has(kOrders) || instruction.has("volatile") || instruction.has("sync");
}

bool may_meet(const Instruction& one, const Instruction& other) {
  const auto first = one.space(), second = other.space();
  return first == second || first == StateSpace::Generic || second == StateSpace::Generic;
}

void renumber(Routine& routine, const std::vector<std::uint32_t>& moved_to) {
  for (auto& places : routine.targets)
    for (auto& place : places) place = moved_to[place];
  std::map<std::uint32_t, std::string> labels;
  for (const auto& [place, label] : routine.labels) labels[moved_to[place]] = label;
  routine.labels = std::move(labels);
}

void remove_instructions(Routine& routine, const std::vector<bool>& gone) {
  std::vector<std::uint32_t> moved_to;
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    moved_to.push_back(kept);
    if (gone[i]) continue;
    if (kept != i) {
      routine.instructions[kept] = std::move(routine.instructions[i]);
      routine.targets[kept] = std::move(routine.targets[i]);
    }
    ++kept;
  }
  moved_to.push_back(kept);
  routine.instructions.resize(kept);
  routine.targets.resize(kept);
  renumber(routine, moved_to);
}

}  // namespace warpipe::ptx
