#include "lanes/structures.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "flow/parameter_flow.hpp"
#include "lanes/memory_layout.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kPointerBytes = 8;

std::uint64_t first_array(const Program& program) { return program.parameters.size() + 1 + kNamelessArrays; }

/// Bytes between the arrays of neighbouring pointers of a structure. All of them fill half of the room of an array.
std::int64_t apart(const Parameter& structure) {
  const auto pointers = std::max<std::int64_t>(1, bytes_of(structure) / kPointerBytes);
  return static_cast<std::int64_t>(
      std::bit_floor((std::uint64_t{1} << (kArrayShift - 1)) / static_cast<std::uint64_t>(pointers)));
}

bool is_computed(const Program& program, std::size_t parameter) {
  return std::ranges::any_of(program.regions,
                             [&](const MemoryRegion& region) { return region.parameter == parameter; });
}

}  // namespace

std::int64_t bytes_of(const Parameter& structure) { return structure.elements * (structure.type.bits / 8); }

std::optional<StructurePlace> find_field(const Program& program, const std::vector<std::string>& names,
                                         const std::string& given) {
  const auto cut = given.rfind('+');
  if (cut == std::string::npos || cut == 0) return std::nullopt;
  const auto structure = given.substr(0, cut);
  StructurePlace place;
  const auto [end, error] = std::from_chars(given.data() + cut + 1, given.data() + given.size(), place.offset);
  if (error != std::errc{} || end != given.data() + given.size() || place.offset < 0) return std::nullopt;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const auto& parameter = program.parameters[i];
    const bool named = parameter.name == structure || parameter_label(program, i, names) == structure ||
                       std::to_string(i) == structure;
    place.parameter = i;
    if (named && is_structure(parameter) && place.offset < bytes_of(parameter)) return place;
  }
  return std::nullopt;
}

std::optional<StructurePlace> find_place(const Program& program, const std::vector<std::string>& names,
                                         const std::string& given) {
  const auto place = find_field(program, names, given);
  return place && is_computed(program, place->parameter) ? place : std::nullopt;
}

std::string place_label(const Program& program, const std::vector<std::string>& names, const StructurePlace& place) {
  return parameter_label(program, place.parameter, names) + "+" + std::to_string(place.offset);
}

std::uint64_t array_of_pointer(const Program& program, const StructurePlace& place) {
  const auto start = (first_array(program) + place.parameter) << kArrayShift;
  return start + static_cast<std::uint64_t>(place.offset / kPointerBytes * apart(program.parameters[place.parameter]));
}

std::optional<PointedPlace> find_pointer(const Program& program, std::uint64_t address) {
  const auto half = std::uint64_t{1} << (kArrayShift - 1);
  const auto number = (address + half) >> kArrayShift;
  const auto first = first_array(program);
  if (number < first || number - first >= program.parameters.size()) return std::nullopt;
  PointedPlace found;
  found.pointer.parameter = static_cast<std::size_t>(number - first);
  if (!is_computed(program, found.pointer.parameter)) return std::nullopt;
  found.offset = static_cast<std::int64_t>(address - (number << kArrayShift));
  const auto distance = apart(program.parameters[found.pointer.parameter]);
  if (found.offset < 0) return found;
  found.pointer.offset = found.offset / distance * kPointerBytes;
  found.offset %= distance;
  return found;
}

bool loads_from_structure(const Program& program, const Instruction& instruction) {
  const auto& access = instruction.access;
  if (!access || access->kind != Access::Kind::Load) return false;
  if (access->space != Space::Constant && access->space != Space::Generic) return false;
  return std::ranges::any_of(program.regions, [](const MemoryRegion& one) { return one.parameter != kNoParameter; });
}

std::vector<bool> loads_of_pointers(const Program& program, const ReachingDefinitions& definitions) {
  const auto count = static_cast<std::uint32_t>(program.instructions.size());
  std::vector<bool> pointers(count, false), reached(count, false);
  std::vector<std::uint32_t> waiting;
  const auto follow = [&](std::uint32_t i, const Input& input) {
    if (input.kind != Input::Kind::Register) return;
    for (std::uint32_t k = 0; k < input.registers.count; ++k)
      for (const auto writer : definitions.writers(i, input.registers.first + k))
        if (!reached[writer]) {
          reached[writer] = true;
          waiting.push_back(writer);
        }
  };
  for (std::uint32_t i = 0; i < count; ++i)
    if (const auto& access = program.instructions[i].access; access && access->space != Space::Constant) {
      follow(i, access->base);
      if (access->uniform_base) follow(i, *access->uniform_base);
    }
  while (!waiting.empty()) {
    const auto i = waiting.back();
    waiting.pop_back();
    const auto& instruction = program.instructions[i];
    pointers[i] = loads_from_structure(program, instruction) && instruction.access->element.bits == 64;
    for (const auto& assignment : instruction.assignments)
      if (!instruction.access && passes_on_address(assignment))
        for (const auto& input : assignment.inputs) follow(i, input);
  }
  return pointers;
}

}  // namespace warpipe::isa
