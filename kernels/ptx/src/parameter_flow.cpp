#include "parameter_flow.hpp"

#include <algorithm>

namespace warpipe::ptx {
namespace {

constexpr int kMostPasses = 16;  // over the text: a chain of copies against its order is longer in no compiler's output

std::optional<std::size_t> parameter_named(const Routine& routine, const std::string& name) {
  const auto found = std::ranges::find(routine.parameters, name, &Variable::name);
  if (found == routine.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - routine.parameters.begin());
}

/// The one instruction that writes a register; null where several do.
const Instruction* only_writer(const Routine& routine, std::uint32_t reg) {
  const Instruction* writer = nullptr;
  for (const auto& instruction : routine.instructions) {
    if (std::ranges::count(written_registers(instruction), reg) == 0) continue;
    if (writer != nullptr) return nullptr;
    writer = &instruction;
  }
  return writer;
}

}  // namespace

std::vector<std::set<std::size_t>> parameters_in_registers(const Routine& routine) {
  std::vector<std::set<std::size_t>> holds(routine.registers.size());
  bool changed = true;
  for (int pass = 0; changed && pass < kMostPasses; ++pass) {
    changed = false;
    for (const auto& instruction : routine.instructions) {
      static const std::set<std::string, std::less<>> kPass{"mov", "add", "cvta", "sub", "selp", "mad", "ld"};
      if (!kPass.contains(instruction.opcode())) continue;
      std::set<std::size_t> origins;
      if (instruction.opcode() == "ld") {
        if (instruction.space() != StateSpace::Parameter || instruction.type().bits != 64) continue;
        if (instruction.operands.size() < 2) continue;
        if (const auto index = parameter_named(routine, instruction.operands[1].name)) origins.insert(*index);
      } else {
        for (const auto reg : read_registers(instruction)) origins.insert(holds[reg].begin(), holds[reg].end());
      }
      for (const auto reg : written_registers(instruction)) {
        const auto before = holds[reg].size();
        holds[reg].insert(origins.begin(), origins.end());
        changed |= holds[reg].size() != before;
      }
    }
  }
  return holds;
}

bool is_parameter_load(const Instruction& instruction) {
  return instruction.opcode() == "ld" && instruction.space() == StateSpace::Parameter;
}

std::optional<std::size_t> loaded_parameter(const Routine& routine, const Instruction& load) {
  const Operand* address = &load.operands.back();
  for (int step = 0; step < kMostPasses; ++step) {
    if (const auto index = parameter_named(routine, address->name)) return index;
    const bool in_register = address->has_register || address->kind == Operand::Kind::Register;
    const Instruction* writer = in_register ? only_writer(routine, address->reg) : nullptr;
    if (writer == nullptr || writer->operands.size() < 2) return std::nullopt;
    address = &writer->operands[1];
  }
  return std::nullopt;
}

}  // namespace warpipe::ptx
