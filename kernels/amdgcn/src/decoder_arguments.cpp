#include "decoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/isa/address_parameters.hpp"
#include "warpipe/isa/float_parameters.hpp"

namespace warpipe::amdgcn {

using isa::Input;
using isa::Instruction;
using isa::LaneOp;
using isa::Space;
using isa::Special;
using isa::Type;

namespace {

constexpr std::int64_t kMostGroupBytes = 1 << 16;  // of memory, the most per group on the targets
constexpr std::int64_t kUnknownRegion = 1 << 20;   // bytes of data with nothing but its address known

/// Bits where the file has no type.
Type::Kind kind_of(const KernelArgument& argument) {
  if (argument.type == "float" || argument.type == "double") return Type::Kind::Float;
  return argument.type.empty() && argument.kind != "global_buffer" ? Type::Kind::Bits : Type::Kind::Unsigned;
}

}  // namespace

void Decoder::add_regions() {
  auto& regions = made_.program.regions;
  const auto bytes = Type{Type::Kind::Bits, 8};
  if (kernel_.metadata.shared_bytes > 0 || directive("group_segment_fixed_size") > 0)
    regions.push_back({"group",
                       Space::Shared,
                       bytes,
                       16,
                       std::max(kernel_.metadata.shared_bytes, directive("group_segment_fixed_size")),
                       false,
                       {}});
  regions.push_back({"dynamic_group", Space::Shared, bytes, 16, 0, false, {}});
  if (!kernel_.metadata.present && !kernel_.metadata.directives.contains("group_segment_fixed_size"))
    made_.program.most_shared_bytes = kMostGroupBytes;
  if (const auto scratch = std::max(kernel_.metadata.scratch_bytes, directive("private_segment_fixed_size"));
      scratch > 0)
    regions.push_back({"scratch", Space::Local, bytes, 16, scratch, false, {}});
  for (const auto& data : module_.data) {
    if (data.shared || data.bytes <= 0) continue;
    isa::MemoryRegion region{data.name,  Space::Global, bytes, std::max<std::int64_t>(16, data.alignment),
                             data.bytes, data.constant, {}};
    region.values.assign(data.values.begin(), data.values.end());
    regions.push_back(std::move(region));
  }
}

std::int64_t Decoder::directive(const char* name) const {
  const auto found = kernel_.metadata.directives.find(name);
  return found == kernel_.metadata.directives.end() ? 0 : found->second;
}

std::uint32_t Decoder::region_of(const std::string& name) {
  auto& regions = made_.program.regions;
  for (std::uint32_t i = 0; i < regions.size(); ++i)
    if (regions[i].name == name) return i;
  regions.push_back({name, Space::Global, {Type::Kind::Bits, 8}, 256, kUnknownRegion, false, {}});
  return static_cast<std::uint32_t>(regions.size() - 1);
}

void Decoder::add_parameters() {
  for (const auto& argument : arguments_) {
    if (argument.kind.starts_with("hidden_")) continue;
    isa::Parameter made;
    made.name = argument.name.empty() ? fmt::format("arg{}", made_.program.parameters.size()) : argument.name;
    const bool pointer = argument.kind == "global_buffer" || argument.kind == "dynamic_shared_pointer";
    made.is_pointer = argument.kind == "global_buffer";
    const bool number = argument.bytes == 1 || argument.bytes == 2 || argument.bytes == 4 || argument.bytes == 8;
    made.type = number ? Type{kind_of(argument), static_cast<int>(argument.bytes * 8)} : Type{Type::Kind::Bits, 8};
    made.elements = number ? 1 : std::max<std::int64_t>(1, argument.bytes);
    made.declaration = fmt::format("{}{} at +{}",
                                   pointer  ? "pointer"
                                   : number ? fmt::format(".b{}", argument.bytes * 8)
                                            : fmt::format(".b8[{}]", argument.bytes),
                                   argument.type.empty() ? "" : " " + argument.type, argument.offset);
    made.offset = argument.offset;
    place_of_parameter_[argument.offset] = static_cast<std::uint32_t>(made_.program.parameters.size());
    made_.program.parameters.push_back(std::move(made));
  }
}

/// The argument or the hidden number at a byte; null for a gap.
const KernelArgument* Decoder::argument_at(std::int64_t offset) const {
  for (const auto& argument : arguments_)
    if (argument.offset <= offset && offset < argument.offset + argument.bytes) return &argument;
  return nullptr;
}

/// A field of a structure.
std::uint32_t Decoder::field_at(std::int64_t offset, int bits, const KernelArgument& structure) {
  const auto key = std::pair{offset, bits};
  if (const auto found = fields_.find(key); found != fields_.end()) return found->second;
  isa::Parameter made;
  const auto& parent = made_.program.parameters[place_of_parameter_.at(structure.offset)];
  made.name = fmt::format("{}+{}", parent.name, offset - structure.offset);
  made.field = true;
  made.type = {Type::Kind::Unsigned, bits};
  made.declaration = fmt::format(".b{} at +{}", bits, offset);
  made.offset = offset;
  const auto index = static_cast<std::uint32_t>(made_.program.parameters.size());
  made_.program.parameters.push_back(std::move(made));
  return fields_[key] = index;
}

Input Decoder::parameter(std::uint32_t index) {
  Input made;
  made.kind = Input::Kind::Parameter;
  made.index = index;
  return made;
}

/// A number of the runtime beside the arguments, with its own number of bits.
Input Decoder::hidden(const KernelArgument& argument) {
  const auto& kind = argument.kind;
  const auto axis = [&] { return static_cast<std::size_t>(std::max(0, kind.back() - 'x')); };
  const auto names = [&](const char* start) { return kind.starts_with(start); };
  if (names("hidden_block_count_")) return look(Special::Name::GridSize, axis());
  if (names("hidden_group_size_")) return look(Special::Name::GroupSize, axis());
  if (names("hidden_remainder_") || names("hidden_global_offset_") || names("hidden_none")) return number_input(0);
  if (names("hidden_dynamic_lds_size")) return special_input(Special::Name::DynamicSharedBytes, 0);
  Input made;
  made.kind = Input::Kind::Missing;
  return made;
}

Input Decoder::look(Special::Name name, std::size_t axis) {
  axis = std::min<std::size_t>(axis, 2);
  const bool grid = name == Special::Name::GroupIndex;
  const bool block = name == Special::Name::ThreadIndex;
  if (grid) made_.grid_axes = std::max(made_.grid_axes, static_cast<int>(axis) + 1);
  if (block) made_.block_axes = std::max(made_.block_axes, static_cast<int>(axis) + 1);
  return special_input(name, axis);
}

/// 16 bits of the arguments.
Input Decoder::half_at(std::int64_t offset) {
  const auto* const argument = argument_at(offset);
  if (argument == nullptr) return number_input(0);
  if (argument->offset == offset && argument->bytes == 2)
    return argument->kind.starts_with("hidden_") ? hidden(*argument) : parameter(place_of_parameter_.at(offset));
  if (argument->offset == offset && argument->bytes == 1 && argument_at(offset + 1) == nullptr)
    return argument->kind.starts_with("hidden_") ? hidden(*argument) : parameter(place_of_parameter_.at(offset));
  Input made;
  made.kind = Input::Kind::Missing;
  return made;
}

/// Moves words of the arguments into registers.
void Decoder::load_arguments(Instruction& made, std::int64_t offset, isa::RegisterRange to) {
  for (std::uint32_t i = 0; i < to.count;) {
    const auto at = offset + 4 * static_cast<std::int64_t>(i);
    const isa::RegisterRange one{to.first + i, 1};
    const auto* const argument = argument_at(at);
    const bool is_hidden = argument != nullptr && argument->kind.starts_with("hidden_");
    const bool number = argument != nullptr && (argument->bytes == 4 || argument->bytes == 8);
    if (argument != nullptr && !is_hidden && argument->bytes > 4 && argument->bytes != 8) {
      const auto& structure = *argument;
      if (i + 1 < to.count && is_wide(at)) {
        move(made, kPointer, {parameter(field_at(at, 64, structure))}, {{one.first, 2}});
        i += 2;
        continue;
      }
      if (is_wide(at) || is_wide(at - 4)) {
        const bool low = is_wide(at);
        const auto whole = parameter(field_at(low ? at : at - 4, 64, structure));
        move(made, kPointer, {whole},
             low ? std::vector<isa::RegisterRange>{one, {0, 0}} : std::vector<isa::RegisterRange>{{0, 0}, one});
      } else {
        move(made, kWord, {parameter(field_at(at, 32, structure))}, {one});
      }
    } else if (!number) {
      move(made, kWord, {half_at(at), half_at(at + 2)}, {one});
    } else {
      const auto input = is_hidden ? hidden(*argument) : parameter(place_of_parameter_.at(argument->offset));
      if (argument->bytes == 4) {
        move(made, kWord, {input}, {one});
      } else if (argument->offset == at && i + 1 < to.count) {
        move(made, kPointer, {input}, {{one.first, 2}});
        i += 2;
        continue;
      } else if (argument->offset == at) {
        move(made, kPointer, {input}, {one, {0, 0}});
      } else {
        move(made, kPointer, {input}, {{0, 0}, one});
      }
    }
    ++i;
  }
}

bool Decoder::is_wide(std::int64_t offset) const { return uses_.wide.contains(offset); }

/// Words of the dispatch packet.
/// @source HSA Platform System Architecture Specification: kernel dispatch packet
void Decoder::load_dispatch(Instruction& made, std::int64_t offset, isa::RegisterRange to) {
  for (std::uint32_t i = 0; i < to.count; ++i) {
    const auto at = offset + 4 * static_cast<std::int64_t>(i);
    const isa::RegisterRange one{to.first + i, 1};
    Input missing;
    missing.kind = Input::Kind::Missing;
    if (at == 4)
      move(made, kWord, {look(Special::Name::GroupSize, 0), look(Special::Name::GroupSize, 1)}, {one});
    else if (at == 8)
      move(made, kWord, {look(Special::Name::GroupSize, 2), number_input(0)}, {one});
    else if (at == 12 || at == 16 || at == 20)
      move(made, kWord,
           {look(Special::Name::GridSize, static_cast<std::size_t>(at - 12) / 4),
            look(Special::Name::GroupSize, static_cast<std::size_t>(at - 12) / 4)},
           {one}, LaneOp::Multiply);
    else
      move(made, kWord, {missing}, {one});
  }
}

/// Replaces loads through known pointers by the loaded values.
void Decoder::resolve_arguments() {
  auto& program = made_.program;
  const auto flow = isa::analyse_control_flow(program);
  KnownScalars begin;
  const auto know = [&](const std::optional<std::uint32_t>& at, KnownPointer::To to) {
    for (std::uint32_t i = 0; at && i < 2; ++i) begin[*at + i] = {to, 0, 0, i == 1};
  };
  know(launch_.arguments, KnownPointer::To::Arguments);
  know(launch_.dispatch, KnownPointer::To::Dispatch);
  const auto known = known_scalars(program, flow, effects_, begin);
  std::vector<std::pair<std::uint32_t, KnownPointer>> loads;
  for (std::uint32_t i = first_; i < program.instructions.size(); ++i) {
    auto& one = program.instructions[i];
    if (one.per_lane || !one.access || one.access->uniform_base || one.access->base.kind != Input::Kind::Register)
      continue;
    const auto base = one.access->base.registers.first;
    const auto low = known[i].find(base), high = known[i].find(base + 1);
    if (low == known[i].end() || high == known[i].end() || low->second.high || !high->second.high ||
        low->second.to != high->second.to)
      continue;
    loads.emplace_back(i, low->second);
    loads.back().second.offset += one.access->offset;
  }
  find_arguments(flow, loads);
  for (const auto& [i, pointer] : loads) resolve(program.instructions[i], pointer);
  preload();
  part_arguments();
  const auto has_no_type = [](const isa::Parameter& one) {
    return one.type.kind == Type::Kind::Bits && one.elements == 1;
  };
  if (std::ranges::any_of(made_.program.parameters, has_no_type)) find_types();
}

/// Finds the types of arguments without one in the file.
void Decoder::find_types() {
  auto& program = made_.program;
  const auto flow = isa::analyse_control_flow(program);
  const isa::ReachingDefinitions definitions(program, flow);
  isa::mark_float_parameters(program, definitions);
  if (!kernel_.metadata.arguments.empty()) return;
  const auto pointers = isa::parameters_in_addresses(program, definitions);
  for (std::size_t i = 0; i < pointers.size(); ++i)
    if (auto& one = program.parameters[i]; pointers[i] && one.type.bits == 64)
      one.declaration = fmt::format("pointer at +{}", *one.offset);
}

/// Gives each argument loaded by an instruction an instruction of its own, so that analyses tell them apart; the first
/// of them issues.
void Decoder::part_arguments() {
  auto& program = made_.program;
  std::vector<Instruction> parted;
  std::vector<std::uint32_t> texts, place_of;
  const auto reads_parameter = [](const isa::Assignment& one) {
    return std::ranges::any_of(one.inputs, [](const Input& input) { return input.kind == Input::Kind::Parameter; });
  };
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    auto& one = program.instructions[i];
    place_of.push_back(static_cast<std::uint32_t>(parted.size()));
    std::vector<Instruction> parts;
    if (std::ranges::count_if(one.assignments, reads_parameter) > 1) parts = parts_of(one);
    for (auto& part : parts) parted.push_back(std::move(part));
    if (parts.empty()) parted.push_back(std::move(one));
    texts.resize(parted.size(), made_.text_of[i]);
  }
  place_of.push_back(static_cast<std::uint32_t>(parted.size()));
  for (auto& one : parted)
    for (auto& target : one.targets) target = place_of[target];
  std::map<std::uint32_t, std::string> labels;
  for (const auto& [at, name] : program.labels) labels[place_of[at]] = name;
  program.labels = std::move(labels);
  program.instructions = std::move(parted);
  made_.text_of = std::move(texts);
}

std::vector<Instruction> Decoder::parts_of(const Instruction& whole) {
  std::vector<Instruction> parts;
  for (const auto& assignment : whole.assignments) {
    auto part = whole;
    part.assignments = {assignment};
    part.writes.clear();
    for (const auto& output : assignment.outputs)
      if (output.registers.count > 0) part.writes.push_back(output.registers);
    if (!parts.empty()) {
      part.reads.clear();
      part.ops.clear();
      part.timing.joins = std::exchange(part.timing.raises, {});
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Takes the arguments from the file, or else from their uses.
void Decoder::find_arguments(const isa::ControlFlow& flow,
                             const std::vector<std::pair<std::uint32_t, KnownPointer>>& loads) {
  std::map<std::uint32_t, std::int64_t> offsets;
  for (const auto& [i, pointer] : loads)
    if (pointer.to == KnownPointer::To::Arguments) offsets[i] = pointer.offset;
  uses_ = find_argument_uses(made_.program, flow, offsets);
  arguments_ = kernel_.metadata.arguments.empty() ? guess_arguments(uses_) : kernel_.metadata.arguments;
  add_parameters();
  if (!kernel_.metadata.arguments.empty()) return;
  for (const auto& one : arguments_)
    if (one.kind == "hidden_group_size_x")
      launch_.guesses.push_back(fmt::format("the block's size is read at +{} of the arguments", one.offset));
}

void Decoder::resolve(Instruction& one, const KnownPointer& pointer) {
  const auto to = one.writes.front();
  one.assignments.clear();
  one.writes.clear();
  one.access.reset();
  if (pointer.to == KnownPointer::To::AddressOf) {
    Input address;
    address.kind = Input::Kind::Region;
    address.index = pointer.region;
    move(one, kPointer, {address}, {{to.first, 2}});
  } else if (pointer.to == KnownPointer::To::Dispatch) {
    load_dispatch(one, pointer.offset, to);
  } else {
    load_arguments(one, pointer.offset, to);
  }
}

void Decoder::preload() {
  if (launch_.preloaded == 0) return;
  auto& first = made_.program.instructions[first_ - 1];
  load_arguments(first, 4 * static_cast<std::int64_t>(launch_.preload_offset),
                 {launch_.first_preloaded, launch_.preloaded});
}

}  // namespace warpipe::amdgcn
