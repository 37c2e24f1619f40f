#include "warpipe/isa/float_parameters.hpp"

#include <algorithm>

namespace warpipe::isa {
namespace {

void mark(Program& program, const Input& input, int bits) {
  if (input.kind != Input::Kind::Parameter || input.index == kNoParameter) return;
  auto& type = program.parameters[input.index].type;
  if (type.kind == Type::Kind::Bits && type.bits == bits) type.kind = Type::Kind::Float;
}

}  // namespace

void mark_float_parameters(Program& program, const ReachingDefinitions& definitions) {
  const auto is_float = [](const Assignment& one) { return one.operation.type.kind == Type::Kind::Float; };
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const auto& assignments = program.instructions[i].assignments;
    const auto found = std::ranges::find_if(assignments, is_float);
    if (found == assignments.end()) continue;
    const auto bits = found->operation.type.bits;
    for (const auto& assignment : assignments)
      for (const auto& input : assignment.inputs) {
        mark(program, input, bits);
        if (input.kind != Input::Kind::Register) continue;
        for (const auto writer : definitions.writers(i, input.registers.first))
          for (const auto& from : program.instructions[writer].assignments)
            if (from.operation.op == LaneOp::Move && from.inputs.size() == 1) mark(program, from.inputs.front(), bits);
      }
  }
}

}  // namespace warpipe::isa
