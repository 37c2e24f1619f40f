#include "unknown/defaults.hpp"

#include <algorithm>
#include <bit>

#include "flow/parameter_flow.hpp"
#include "unknown/size_finder.hpp"

namespace warpipe::isa {
namespace {

/// Whether a parameter is a mask to cut numbers, as for places in a hash table. A parameter cut by a constant is no
/// mask: kernels find the rest of a row this way.
bool is_mask(const ExecutionInput& input, std::size_t parameter) {
  const auto& instructions = input.program.instructions;
  const auto reads = [&](std::uint32_t i, const Input& from) {
    if (from.kind == Input::Kind::Parameter) return from.index == parameter;
    if (from.kind != Input::Kind::Register) return false;
    const auto writes = [&](const Output& output) {
      return from.registers.first - output.registers.first < output.registers.count;
    };
    const auto is_it = [&](const Input& one) { return one.kind == Input::Kind::Parameter && one.index == parameter; };
    return std::ranges::any_of(input.definitions.writers(i, from.registers.first), [&](std::uint32_t writer) {
      return std::ranges::any_of(instructions[writer].assignments, [&](const Assignment& made) {
        return std::ranges::any_of(made.outputs, writes) && std::ranges::any_of(made.inputs, is_it);
      });
    });
  };
  const auto is_constant = [](const Input& from) { return from.kind == Input::Kind::Constant; };
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    for (const auto& assignment : instructions[i].assignments)
      if (assignment.operation.op == LaneOp::And && std::ranges::none_of(assignment.inputs, is_constant) &&
          std::ranges::any_of(assignment.inputs, [&](const Input& from) { return reads(i, from); }))
        return true;
  return false;
}

Default mask_default(const Launch& launch, const Type& type) {
  const auto most = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(threads_of(launch)))) - 1;
  const auto value = std::min<std::int64_t>(most, type.bits == 16 ? INT16_MAX : INT32_MAX);
  return {std::to_string(value), "a mask as wide as the number of the threads", {std::to_string(value / 2)}};
}

const char* why(FoundSize::By by) {
  switch (by) {
    case FoundSize::By::Radius:
      return "a radius: it bounds a window on both sides";
    case FoundSize::By::Pitch:
      return "the least with which no rows overlap";
    case FoundSize::By::Comparison:
      return "just large enough for every thread of the launch";
    default:
      return kAnySize;
  }
}

Default size_default(const FoundSize& found, const Type& type) {
  Default result{std::to_string(found.value), why(found.by), {}};
  if (found.value > 1) result.others.push_back(std::to_string(found.value / 2));
  if (type.bits > 16 || found.value <= INT16_MAX / 2) result.others.push_back(std::to_string(2 * found.value));
  return result;
}

}  // namespace

std::vector<Default> default_arguments(const ExecutionInput& input, const std::vector<std::size_t>& missing) {
  std::vector<Default> all;
  std::vector<std::size_t> sizes, places;
  for (const auto parameter : missing) {
    const auto& type = input.program.parameters[parameter].type;
    const bool is_size = type.kind != Type::Kind::Float && type.bits >= 16;
    const bool masks = is_size && is_mask(input, parameter);
    all.push_back(masks ? mask_default(input.launch, type) : default_number(type));
    if (!is_size || masks || sizes.size() == NumberSourceFinder::kMost) continue;
    sizes.push_back(parameter);
    places.push_back(all.size() - 1);
  }
  if (sizes.empty()) return all;
  const auto found = SizeFinder(input, sizes, kGuesses.size).find();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    all[places[i]] = size_default(found[i], input.program.parameters[sizes[i]].type);
  return all;
}

}  // namespace warpipe::isa
