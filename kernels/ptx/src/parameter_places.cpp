#include "parameter_places.hpp"

#include <algorithm>

namespace warpipe::ptx {

ParameterPlaces::ParameterPlaces(const Routine& routine) : writer_(routine.registers.size()) {
  for (std::uint32_t i = 0; i < routine.parameters.size(); ++i) parameter_of_.emplace(routine.parameters[i].name, i);
  std::vector<bool> several(routine.registers.size(), false);
  for (const auto& read : routine.instructions)
    for (const auto reg : written_registers(read)) {
      several[reg] = several[reg] || writer_[reg] != nullptr;
      writer_[reg] = several[reg] ? nullptr : &read;
    }
}

ParameterPlace ParameterPlaces::of(const Operand& operand) const {
  constexpr int kMostCopies = 16;
  const Operand* address = &operand;
  ParameterPlace place;
  for (int copies = 0; copies < kMostCopies; ++copies) {
    place.offset += address->offset;
    if (const auto found = parameter_of_.find(address->name); found != parameter_of_.end()) {
      place.parameter = found->second;
      return place;
    }
    const bool in_register = address->has_register || address->kind == Operand::Kind::Register;
    const Instruction* writer = in_register ? writer_[address->reg] : nullptr;
    if (writer == nullptr || writer->operands.size() < 2) break;
    const auto& opcode = writer->opcode();
    const bool adds =
        opcode == "add" && writer->operands.size() == 3 && writer->operands[2].kind == Operand::Kind::Immediate;
    if (adds) place.offset += static_cast<std::int64_t>(writer->operands[2].bits);
    place.exact = place.exact && (adds || opcode == "mov" || opcode == "cvta");
    address = &writer->operands[1];
  }
  return place;
}

bool is_parameter_load(const Instruction& instruction) {
  return instruction.opcode() == "ld" && instruction.space() == StateSpace::Parameter;
}

void read_indexed_parameters(Routine& routine) {
  const ParameterPlaces places(routine);
  const auto is_indexed = [&](const Instruction& read) {
    if (!is_parameter_load(read) || !read.operands.back().has_register) return false;
    const auto place = places.of(read.operands.back());
    return place.parameter == isa::kNoParameter || !place.exact;
  };
  bool any = false;
  for (auto& read : routine.instructions) {
    any = any || (read.opcode() == "cvta" && read.has("param"));  // it may be read as generic memory
    if (!is_indexed(read)) continue;
    std::ranges::replace(read.words, std::string("param"), std::string("const"));
    any = true;
  }
  for (const auto& parameter : routine.parameters) {
    if (!any || parameter.elements == 1) continue;
    routine.variables.push_back(parameter);
    routine.variables.back().space = StateSpace::Constant;
  }
}

}  // namespace warpipe::ptx
