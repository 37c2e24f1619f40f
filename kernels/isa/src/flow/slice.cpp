#include "flow/slice.hpp"

#include <algorithm>

#include "flow/memory_flow.hpp"

namespace warpipe::isa {
namespace {

using Axes = std::array<bool, 3>;

void add(const std::optional<Input>& input, std::vector<RegisterRange>& ranges) {
  if (input && input->kind == Input::Kind::Register) ranges.push_back(input->registers);
}

/// The registers behind the choice of the next instruction.
std::vector<RegisterRange> control_seeds(const Instruction& instruction) {
  std::vector<RegisterRange> ranges;
  if (is_jump(instruction) || may_idle(instruction)) add(instruction.guard, ranges);
  add(instruction.index, ranges);
  return ranges;
}

/// The registers behind the next instruction, the address and the active lanes.
std::vector<RegisterRange> seeds(const Program& program, const Instruction& instruction) {
  auto ranges = control_seeds(instruction);
  if (instruction.access || instruction.barrier) add(instruction.guard, ranges);
  if (instruction.barrier) {
    add(instruction.barrier->place, ranges);
    add(instruction.barrier->parity, ranges);
  }
  for (const auto& range : address_registers(instruction)) ranges.push_back(range);
  if (program.mask && instruction.per_lane) ranges.push_back(*program.mask);
  return ranges;
}

/// All instructions behind the seeds of all instructions, through registers and memory.
template <class Seeds>
Slice slice_from(const Program& program, const ReachingDefinitions& definitions, const Seeds& seeds_of) {
  Slice slice;
  const auto count = static_cast<std::uint32_t>(program.instructions.size());
  slice.needed.assign(count, false);
  const MemoryFlow memory(program);
  std::vector<std::uint32_t> waiting;
  const auto want = [&](const std::vector<std::uint32_t>& writers) {
    for (const auto writer : writers) {
      if (slice.needed[writer]) continue;
      slice.needed[writer] = true;
      waiting.push_back(writer);
    }
  };
  for (std::uint32_t i = 0; i < count; ++i)
    for (const auto& range : seeds_of(program.instructions[i]))
      for (std::uint32_t k = 0; k < range.count; ++k) want(definitions.writers(i, range.first + k));
  while (!waiting.empty()) {
    const auto next = waiting.back();
    waiting.pop_back();
    want(definitions.sources(next));
    want(memory.writers(program.instructions[next]));
  }
  slice.size = static_cast<std::size_t>(std::ranges::count(slice.needed, true));
  return slice;
}

bool is_of_group(Special::Name name) {
  using Name = Special::Name;
  return name == Name::GroupIndex || name == Name::GroupSize || name == Name::GridSize ||
         name == Name::DynamicSharedBytes;
}

template <class Visit>
void for_each_special(const Instruction& instruction, const Visit& visit) {
  for (const auto& assignment : instruction.assignments)
    for (const auto& input : assignment.inputs)
      if (input.kind == Input::Kind::Special) visit(input.special);
}

/// Notes the axes along which an instruction's inputs from the hardware differ.
void note_axes(const Instruction& instruction, Axes& axes) {
  for_each_special(instruction, [&](const Special& special) {
    if (special.name == Special::Name::GroupIndex) axes.at(special.axis) = true;
  });
}

/// Whether an instruction's result may differ between the threads of a group, for equal inputs.
bool differs_by_thread(const Program& program, const Instruction& instruction) {
  bool differs = false;
  for_each_special(instruction, [&](const Special& special) { differs |= !is_of_group(special.name); });
  for (const auto& assignment : instruction.assignments) differs |= is_across_lanes(assignment.operation.op);
  if (!program.mask) return differs;
  const auto reads = read_registers(program, instruction);
  return differs || std::ranges::find(reads, program.mask->first) != reads.end();
}

/// The origin of an instruction's result beyond the origins of its inputs.
AddressOrigin own_origin(const Program& program, const Instruction& instruction) {
  AddressOrigin origin;
  note_axes(instruction, origin.axes);
  origin.by_thread = differs_by_thread(program, instruction);
  if (const auto& access = instruction.access) {
    const bool atomic = access->kind == Access::Kind::Atomic;
    origin.by_thread = origin.by_thread || atomic;
    origin.loaded = atomic || access->space == Space::Global || access->space == Space::Generic;
  }
  return origin;
}

bool merge(AddressOrigin& into, const AddressOrigin& from) {
  const auto before = into;
  for (std::size_t axis = 0; axis < 3; ++axis) into.axes[axis] = into.axes[axis] || from.axes[axis];
  into.by_thread = into.by_thread || from.by_thread;
  into.loaded = into.loaded || from.loaded;
  return into != before;
}

}  // namespace

std::vector<RegisterRange> address_registers(const Instruction& instruction) {
  std::vector<RegisterRange> ranges;
  if (!instruction.access) return ranges;
  add(instruction.access->base, ranges);
  add(instruction.access->uniform_base, ranges);
  for (const auto& term : instruction.access->terms) add(term.coordinate, ranges);
  if (const auto& tile = instruction.access->tile) add(tile->pitch, ranges);
  return ranges;
}

Slice find_slice(const Program& program, const ReachingDefinitions& definitions) {
  return slice_from(program, definitions, [&](const Instruction& instruction) { return seeds(program, instruction); });
}

ControlSlice find_control_slice(const Program& program, const ReachingDefinitions& definitions) {
  ControlSlice control{slice_from(program, definitions, control_seeds)};
  control.slice.accesses = false;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    if (!control.slice.needed[i]) continue;
    note_axes(program.instructions[i], control.axes);
    control.by_thread = control.by_thread || differs_by_thread(program, program.instructions[i]);
  }
  return control;
}

std::uint64_t place_along(const std::array<bool, 3>& axes, const Dimensions& grid, const Dimensions& group) {
  std::uint64_t place = 0;
  for (std::size_t axis = 3; axis-- > 0;)
    if (axes[axis]) place = place * static_cast<std::uint64_t>(grid[axis]) + static_cast<std::uint64_t>(group[axis]);
  return place;
}

std::vector<AddressOrigin> origins_of_addresses(const Program& program, const ReachingDefinitions& definitions) {
  const auto count = static_cast<std::uint32_t>(program.instructions.size());
  const MemoryFlow memory(program);
  std::vector<AddressOrigin> of_result(count), of_address(count);
  std::vector<std::vector<std::uint32_t>> sources(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& instruction = program.instructions[i];
    of_result[i] = own_origin(program, instruction);
    if (!instruction.writes.empty() || writes_near_memory(instruction)) sources[i] = definitions.sources(i);
    const auto stores = memory.writers(instruction);
    sources[i].insert(sources[i].end(), stores.begin(), stores.end());
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t i = 0; i < count; ++i)
      for (const auto source : sources[i]) changes |= merge(of_result[i], of_result[source]);
  }
  for (std::uint32_t i = 0; i < count; ++i)
    for (const auto& range : address_registers(program.instructions[i]))
      for (std::uint32_t k = 0; k < range.count; ++k)
        for (const auto writer : definitions.writers(i, range.first + k)) merge(of_address[i], of_result[writer]);
  return of_address;
}

}  // namespace warpipe::isa
