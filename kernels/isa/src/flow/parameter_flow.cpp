#include "flow/parameter_flow.hpp"

#include <algorithm>

namespace warpipe::isa {

bool passes_on_address(const Assignment& assignment) {
  switch (assignment.operation.op) {
    case LaneOp::Move:
    case LaneOp::Add:
    case LaneOp::Subtract:
    case LaneOp::Select:
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddWide:
    case LaneOp::ToGeneric:
    case LaneOp::FromGeneric:
      return true;
    default:
      return false;
  }
}

std::vector<const Input*> parameters_of(const Instruction& instruction) {
  std::vector<const Input*> all;
  for (const auto& assignment : instruction.assignments)
    for (const auto& input : assignment.inputs)
      if (input.kind == Input::Kind::Parameter) all.push_back(&input);
  return all;
}

std::vector<std::set<std::size_t>> parameters_in_results(const Program& program,
                                                         const ReachingDefinitions& definitions) {
  const auto count = static_cast<std::uint32_t>(program.instructions.size());
  std::vector<std::set<std::size_t>> holds(count);
  std::vector<std::vector<std::uint32_t>> sources(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& instruction = program.instructions[i];
    for (const auto& assignment : instruction.assignments)
      for (const auto& input : assignment.inputs) {
        if (input.kind == Input::Kind::Region) holds[i].insert(program.parameters.size() + input.index);
        if (input.kind == Input::Kind::Parameter && input.index != kNoParameter &&
            program.parameters[input.index].type.bits == 64)
          holds[i].insert(input.index);
      }
    if (std::ranges::any_of(instruction.assignments, passes_on_address)) sources[i] = definitions.sources(i);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto before = holds[i].size();
      for (const auto source : sources[i]) holds[i].insert(holds[source].begin(), holds[source].end());
      changed |= holds[i].size() != before;
    }
  }
  return holds;
}

std::set<std::size_t> parameters_in(const Program& program, const Input& input, std::uint32_t instruction,
                                    const ReachingDefinitions& definitions,
                                    const std::vector<std::set<std::size_t>>& holds) {
  std::set<std::size_t> result;
  if (input.kind == Input::Kind::Region) result.insert(program.parameters.size() + input.index);
  if (input.kind != Input::Kind::Register) return result;
  for (std::uint32_t k = 0; k < input.registers.count; ++k)
    for (const auto writer : definitions.writers(instruction, input.registers.first + k))
      result.insert(holds[writer].begin(), holds[writer].end());
  return result;
}

}  // namespace warpipe::isa
