#include "unknown/number_sources.hpp"

#include <algorithm>
#include <utility>

namespace warpipe::isa {
namespace {

NumberSources turned(NumberSources sources) {
  std::swap(sources.rising, sources.falling);
  return sources;
}

bool is_negative(const Input& input, int bits) {
  return input.kind == Input::Kind::Constant && sign_extended(input.bits, bits) < 0;
}

bool multiplies(LaneOp op) {
  return op == LaneOp::Multiply || op == LaneOp::MultiplyWide || op == LaneOp::MultiplyHigh ||
         op == LaneOp::MultiplyAdd || op == LaneOp::MultiplyAddWide || op == LaneOp::MultiplyAddHigh;
}

/// Sources of a special number: whether it tells groups or threads apart.
NumberSources sources_of(const Special& special) {
  using Name = Special::Name;
  NumberSources sources;
  sources.by_group = special.name == Name::GroupIndex;
  sources.by_thread = !sources.by_group && special.name != Name::GroupSize && special.name != Name::GridSize &&
                      special.name != Name::WarpCount && special.name != Name::LanesPerWarp &&
                      special.name != Name::DynamicSharedBytes && special.name != Name::GridWorkspace &&
                      special.name != Name::Other;
  return sources;
}

}  // namespace

void NumberSources::add(const NumberSources& other) {
  rising |= other.rising;
  falling |= other.falling;
  by_thread |= other.by_thread;
  by_group |= other.by_group;
  loaded |= other.loaded;
  by_counter |= other.by_counter;
}

NumberSourceFinder::NumberSourceFinder(const ExecutionInput& input, const std::vector<std::size_t>& parameters)
    : input_(input), bit_of_(input.program.parameters.size(), 0), of_(input.program.instructions.size()) {
  for (std::size_t i = 0; i < std::min(parameters.size(), kMost); ++i) bit_of_[parameters[i]] = std::uint64_t{1} << i;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < of_.size(); ++i) {
      if (!input_.slice.needed[i]) continue;
      auto sources = of_[i];
      const auto& instruction = input_.program.instructions[i];
      sources.loaded |= instruction.access.has_value();
      for (const auto& assignment : instruction.assignments)
        if (!instruction.access) sources.add(of_result(i, assignment));
      changed |= !(sources == of_[i]);
      of_[i] = sources;
    }
  }
}

NumberSources NumberSourceFinder::of(std::uint32_t instruction, const Input& input) const {
  NumberSources sources;
  if (input.kind == Input::Kind::Parameter && input.index != kNoParameter) sources.rising = bit_of_[input.index];
  if (input.kind == Input::Kind::Special) sources = sources_of(input.special);
  if (input.kind == Input::Kind::Register)
    for (std::uint32_t k = 0; k < input.registers.count; ++k)
      for (const auto writer : input_.definitions.writers(instruction, input.registers.first + k))
        sources.add(of_[writer]);
  return sources;
}

/// Whether an addition adds to its own result in the iteration before.
bool NumberSourceFinder::counts(std::uint32_t instruction, const Assignment& assignment) const {
  if (assignment.operation.op != LaneOp::Add) return false;
  bool has_itself = false;
  std::uint64_t parameters = 0;
  for (const auto& input : assignment.inputs) {
    if (input.kind == Input::Kind::Register)
      if (const auto writers = input_.definitions.writers(instruction, input.registers.first);
          std::ranges::find(writers, instruction) != writers.end()) {
        has_itself = true;
        continue;
      }
    parameters |= of(instruction, input).parameters();
  }
  return has_itself && parameters == 0;
}

NumberSources NumberSourceFinder::of_result(std::uint32_t instruction, const Assignment& assignment) const {
  const auto op = assignment.operation.op;
  std::vector<NumberSources> inputs;
  for (const auto& input : assignment.inputs) inputs.push_back(of(instruction, input));
  const auto turn = [&](std::size_t i) {
    if (i < inputs.size()) inputs[i] = turned(inputs[i]);
  };
  if (op == LaneOp::Negate || op == LaneOp::Not) turn(0);
  if (op == LaneOp::Subtract || op == LaneOp::Divide) turn(1);
  if (op == LaneOp::Select && inputs.size() > 2) inputs[2] = {};  // the condition is no part of the number
  if (multiplies(op) && inputs.size() > 1) {
    const auto bits = assignment.operation.type.bits;
    if (is_negative(assignment.inputs[1], bits)) turn(0);
    if (is_negative(assignment.inputs[0], bits)) turn(1);
    // A counter scaled by a parameter goes on in steps of the parameter.
    if (inputs[1].parameters() != 0) inputs[0].by_counter = false;
    if (inputs[0].parameters() != 0) inputs[1].by_counter = false;
  }
  NumberSources sources;
  for (const auto& one : inputs) sources.add(one);
  sources.by_counter |= counts(instruction, assignment);
  sources.by_thread |= is_across_lanes(op);
  return sources;
}

}  // namespace warpipe::isa
