#include "decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "argument_uses.hpp"
#include "emitter.hpp"
#include "known_scalars.hpp"
#include "lane_patterns.hpp"
#include "lines.hpp"
#include "opcodes.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/isa/address_parameters.hpp"

namespace warpipe::amdgcn {
namespace {

using isa::Access;
using isa::Input;
using isa::Instruction;
using isa::LaneOp;
using isa::Space;
using isa::Special;
using isa::Type;
using Flow = Instruction::Flow;
using Unit = MemoryForm::Unit;

constexpr Type kWord{Type::Kind::Unsigned, 32}, kPointer{Type::Kind::Unsigned, 64};
constexpr std::int64_t kMostGroupBytes = 1 << 16;  // of memory that the targets give a group
constexpr std::int64_t kUnknownRegion = 1 << 20;   // bytes of data of which only the address is known

/// What is wrong with an instruction.
struct Problem {
  std::string rule, found, advice;
};

Instruction launch_instruction(const std::string& text, bool per_lane) {
  Instruction made;
  made.per_lane = per_lane;
  made.name = "(launch)";
  made.text = text;
  return made;
}

Input special(Special::Name name, std::size_t axis) {
  Input made;
  made.kind = Input::Kind::Special;
  made.special = {name, static_cast<std::uint8_t>(axis)};
  return made;
}

Input number_input(std::uint64_t bits) {
  Input made;
  made.bits = bits;
  return made;
}

void move(Instruction& made, Type type, std::vector<Input> inputs, std::vector<isa::RegisterRange> to,
          LaneOp op = LaneOp::Move) {
  isa::Assignment one;
  one.operation.op = op;
  one.operation.type = one.operation.result = type;
  one.inputs = std::move(inputs);
  for (const auto& range : to) {
    one.outputs.push_back({range, false});
    if (range.count > 0) made.writes.push_back(range);
  }
  made.assignments.push_back(std::move(one));
}

class Decoder {
 public:
  Decoder(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering)
      : module_(module),
        kernel_(kernel),
        lowering_(lowering),
        target_(*find_target(module.target)),
        lanes_(static_cast<int>(kernel.metadata.lanes.value_or(wave_of_directives(kernel, target_)))),
        launch_(launch_registers(kernel, target_)),
        registers_(0, 0) {}

  Decoded run() {
    if (lanes_ != 32 && lanes_ != 64)
      throw InputError(Diagnostic{isa::at_line(module_.file, kernel_.line), "a wave has 32 or 64 lanes",
                                  fmt::format("found {}", lanes_), ""});
    count_registers();
    auto& program = made_.program;
    program.name = kernel_.symbol;
    program.file = module_.file;
    program.registers = registers_.all();
    program.sources = module_.sources;
    program.lanes = lanes_;
    program.mask = isa::RegisterRange{kExec, lanes_ > 32 ? 2U : 1U};
    add_regions();
    begin();
    for (std::uint32_t i = 0; i < kernel_.instructions.size(); ++i) add(i);
    place_labels();
    resolve_arguments();
    for (const auto& guess : launch_.guesses) made_.notes.push_back("no metadata: " + guess);
    if (module_.target_is_guessed)
      made_.notes.push_back(
          fmt::format("the file does not say its target: taken for {} by its instructions", module_.target));
    return std::move(made_);
  }

  /// Decodes one instruction by itself.
  std::string problem_of(const TextInstruction& one) {
    count_registers();
    made_.program.registers = registers_.all();
    try {
      decode(one);
    } catch (const Problem& problem) {
      return problem.rule + ": " + problem.found;
    }
    return {};
  }

 private:
  static std::int64_t wave_of_directives(const KernelText& kernel, const Target& target) {
    const auto& all = kernel.metadata.directives;
    if (const auto found = all.find("wavefront_size32"); found != all.end()) return found->second != 0 ? 32 : 64;
    for (const auto& one : kernel.instructions)
      if (target.lanes == 32 && (one.name.ends_with("saveexec_b64") || one.text.find("vcc,") != std::string::npos))
        return 64;
    return target.lanes;
  }

  void count_registers() {
    std::uint32_t vectors = 3, accumulation = 0;
    for (const auto& one : kernel_.instructions)
      for (const auto& text : one.operands)
        if (const auto operand = parse_operand(text, target_)) {
          if (operand->kind == Operand::Kind::Vector) vectors = std::max(vectors, operand->first + operand->count);
          if (operand->kind == Operand::Kind::Accumulation)
            accumulation = std::max(accumulation, operand->first + operand->count);
        }
    registers_ = RegisterFile(vectors, accumulation);
  }

  // ---- memory and arguments

  void add_regions() {
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

  std::int64_t directive(const char* name) const {
    const auto found = kernel_.metadata.directives.find(name);
    return found == kernel_.metadata.directives.end() ? 0 : found->second;
  }

  std::uint32_t region_of(const std::string& name) {
    auto& regions = made_.program.regions;
    for (std::uint32_t i = 0; i < regions.size(); ++i)
      if (regions[i].name == name) return i;
    regions.push_back({name, Space::Global, {Type::Kind::Bits, 8}, 256, kUnknownRegion, false, {}});
    return static_cast<std::uint32_t>(regions.size() - 1);
  }

  void add_parameters() {
    for (const auto& argument : arguments_) {
      if (argument.kind.starts_with("hidden_")) continue;
      isa::Parameter made;
      made.name = argument.name.empty() ? fmt::format("arg{}", made_.program.parameters.size()) : argument.name;
      const bool pointer = argument.kind == "global_buffer" || argument.kind == "dynamic_shared_pointer";
      made.is_pointer = argument.kind == "global_buffer";
      const bool number = argument.bytes == 1 || argument.bytes == 2 || argument.bytes == 4 || argument.bytes == 8;
      const bool real = argument.type == "float" || argument.type == "double";
      made.type = number ? Type{real ? Type::Kind::Float : Type::Kind::Unsigned, static_cast<int>(argument.bytes * 8)}
                         : Type{Type::Kind::Bits, 8};
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

  /// The argument or the hidden number that holds a byte; null where nothing does.
  const KernelArgument* argument_at(std::int64_t offset) const {
    for (const auto& argument : arguments_)
      if (argument.offset <= offset && offset < argument.offset + argument.bytes) return &argument;
    return nullptr;
  }

  /// A field of a structure.
  std::uint32_t field_at(std::int64_t offset, int bits, const KernelArgument& structure) {
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

  static Input parameter(std::uint32_t index) {
    Input made;
    made.kind = Input::Kind::Parameter;
    made.index = index;
    return made;
  }

  /// What the runtime puts beside the arguments, of as many bits as it has.
  Input hidden(const KernelArgument& argument) {
    const auto& kind = argument.kind;
    const auto axis = [&] { return static_cast<std::size_t>(std::max(0, kind.back() - 'x')); };
    const auto names = [&](const char* start) { return kind.starts_with(start); };
    if (names("hidden_block_count_")) return look(Special::Name::GridSize, axis());
    if (names("hidden_group_size_")) return look(Special::Name::GroupSize, axis());
    if (names("hidden_remainder_") || names("hidden_global_offset_") || names("hidden_none")) return number_input(0);
    if (names("hidden_dynamic_lds_size")) return special(Special::Name::DynamicSharedBytes, 0);
    Input made;
    made.kind = Input::Kind::Missing;
    return made;
  }

  Input look(Special::Name name, std::size_t axis) {
    axis = std::min<std::size_t>(axis, 2);
    const bool grid = name == Special::Name::GroupIndex;
    const bool block = name == Special::Name::ThreadIndex;
    if (grid) made_.grid_axes = std::max(made_.grid_axes, static_cast<int>(axis) + 1);
    if (block) made_.block_axes = std::max(made_.block_axes, static_cast<int>(axis) + 1);
    return special(name, axis);
  }

  /// 16 bits of the arguments.
  Input half_at(std::int64_t offset) {
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
  void load_arguments(Instruction& made, std::int64_t offset, isa::RegisterRange to) {
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

  bool is_wide(std::int64_t offset) const { return uses_.wide.contains(offset); }

  /// Words of the dispatch packet.
  /// @source HSA Platform System Architecture Specification: kernel dispatch packet
  void load_dispatch(Instruction& made, std::int64_t offset, isa::RegisterRange to) {
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

  // ---- what stands before the text

  void put(Instruction made, std::uint32_t text) {
    made_.program.instructions.push_back(std::move(made));
    made_.text_of.push_back(text);
    effects_.push_back(effect_);
    effect_ = {};
  }

  void begin() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!launch_.group[axis]) continue;
      auto made = launch_instruction(fmt::format("s{} = the index of the group", *launch_.group[axis]), false);
      move(made, kWord, {special(Special::Name::GroupIndex, axis)}, {{*launch_.group[axis], 1}});
      put(std::move(made), kOfLaunch);
    }
    auto index = launch_instruction("v0 = the index of the thread", true);
    if (launch_.packed_index && launch_.thread_axes > 1) {
      isa::RegisterRange sum{kOwn + kOwnOfAWidth, 1}, moved{kOwn + kOwnOfAWidth + 1, 1};
      move(index, kWord, {special(Special::Name::ThreadIndex, 0)}, {{kVectors, 1}});
      for (std::size_t axis = 1; axis < static_cast<std::size_t>(launch_.thread_axes); ++axis) {
        isa::Assignment shift;
        shift.operation.op = LaneOp::ShiftLeft;
        shift.operation.type = shift.operation.result = kWord;
        shift.inputs = {special(Special::Name::ThreadIndex, axis), number_input(10 * axis)};
        shift.outputs = {{moved, false}};
        index.assignments.push_back(shift);
        Input v0, part;
        v0.kind = part.kind = Input::Kind::Register;
        v0.registers = {kVectors, 1};
        part.registers = moved;
        move(index, kWord, {v0, part}, {{kVectors, 1}}, LaneOp::Or);
      }
      (void)sum;
    } else {
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(launch_.packed_index ? 1 : launch_.thread_axes);
           ++axis)
        move(index, kWord, {special(Special::Name::ThreadIndex, axis)},
             {{kVectors + static_cast<std::uint32_t>(axis), 1}});
    }
    put(std::move(index), kOfLaunch);
    auto zero = launch_instruction("m0, scratch and trap registers", false);
    move(zero, kWord, {number_input(0)}, {{kM0, 1}});
    if (launch_.wave_offset) move(zero, kWord, {number_input(0)}, {{*launch_.wave_offset, 1}});
    if (launch_.private_buffer)
      for (std::uint32_t i = 0; i < 4; ++i) move(zero, kWord, {number_input(0)}, {{*launch_.private_buffer + i, 1}});
    put(std::move(zero), kOfLaunch);
    first_ = static_cast<std::uint32_t>(made_.program.instructions.size());
  }

  // ---- instructions

  [[noreturn]] void fail(const TextInstruction& one, const Problem& problem) const {
    const auto source = module_.sources.find(one.source.file);
    throw InputError(Diagnostic{
        isa::at_line(module_.file, one.line) + (one.source.line != 0 && source != module_.sources.end()
                                                    ? fmt::format(", from {}:{}", source->second, one.source.line)
                                                    : ""),
        problem.rule, problem.found, problem.advice});
  }

  void add(std::uint32_t index) {
    const auto& one = kernel_.instructions[index];
    starts_.push_back(static_cast<std::uint32_t>(made_.program.instructions.size()));
    try {
      for (auto& made : decode(one)) {
        require_registers(made);
        put(std::move(made), index);
      }
    } catch (const Problem& problem) {
      fail(one, problem);
    }
  }

  /// What a row takes may be more than an operand names.
  void require_registers(const Instruction& made) const {
    const auto count = made_.program.registers.size();
    const auto check = [&](const isa::RegisterRange& range) {
      if (std::size_t{range.first} + range.count > count)
        throw Problem{"registers are those that the kernel has", fmt::format("found \"{}\"", made.text), ""};
    };
    for (const auto& range : made.reads) check(range);
    for (const auto& range : made.writes) check(range);
    for (const auto& assignment : made.assignments)
      for (const auto& output : assignment.outputs) check(output.registers);
  }

  Operand operand_of(const std::string& text) const {
    auto operand = parse_operand(text, target_);
    if (!operand)
      throw Problem{"an operand is a register, a number or a symbol", fmt::format("found \"{}\"", text), ""};
    if (target_.null_is_124 && operand->kind == Operand::Kind::Scalar && operand->first == kM0 && text == "null")
      operand->kind = Operand::Kind::Off;
    return *operand;
  }

  /// Parses an operand and refuses one with fewer registers than are taken.
  Operand sized(const std::string& text, std::uint32_t words) const {
    const auto operand = operand_of(text);
    const bool truth = operand.kind == Operand::Kind::Scalar && operand.first == kScc;
    if (operand.is_register() && !truth && operand.count < words)
      throw Problem{fmt::format("the operand has {} registers", words), fmt::format("found \"{}\"", text), ""};
    return operand;
  }

  std::vector<Instruction> decode(const TextInstruction& one) {
    const auto* const opcode = find_opcode(one.name);
    Instruction made;
    made.line = one.line;
    made.source = one.source;
    made.name = one.name;
    made.text = one.text;
    if (opcode == nullptr) return {unknown_opcode(one, std::move(made))};
    if (!opcode->op.empty() && !one.joins) made.ops = {opcode->op};
    made.flops = opcode->flops;
    switch (opcode->form) {
      case Form::Refused:
        throw Problem{opcode->semantics, fmt::format("found \"{}\"", one.name), ""};
      case Form::Ignored:
        made.per_lane = false;
        made.ops = {"wait"};
        return {made};
      case Form::End:
        made.per_lane = false;
        made.flow = Flow::Exit;
        made.ops = {"branch"};
        return {made};
      case Form::Barrier:
        made.per_lane = false;
        made.flow = Flow::Barrier;
        made.others = Instruction::Others::OfGroup;
        return {made};
      case Form::Branch:
        return {branch(one, *opcode, std::move(made))};
      case Form::Wait:
        return {wait(one, std::move(made))};
      case Form::Memory:
        return memory(one, *opcode, made);
      default:
        return {compute(one, *opcode, std::move(made))};
    }
  }

  /// Its first operand is taken for a result, which is not followed; a store's is not one.
  Instruction unknown_opcode(const TextInstruction& one, Instruction made) {
    const std::string* op = nullptr;
    std::size_t longest = 0;
    for (const auto& [start, given] : lowering_.unknown)
      if (one.name.starts_with(start) && start.size() >= longest) {
        op = &given;
        longest = start.size();
      }
    if (op == nullptr) {
      if (const auto found = lowering_.unknown.find(isa::kEveryClass); found != lowering_.unknown.end())
        op = &found->second;
    }
    Diagnostic question{isa::at_line(module_.file, one.line), fmt::format("the opcode \"{}\" is not known", one.name),
                        fmt::format("found \"{}\"", one.text),
                        fmt::format("map it with `unknown {0}:OP`, or leave it out with `unknown {0}:skip`", one.name)};
    if (op == nullptr && !lowering_.assume) {
      std::vector<std::string> names;
      for (const auto& known : opcodes()) names.push_back(known.name);
      const auto near = nearest_name(one.name, names);
      throw Problem{question.problem, question.found,
                    question.advice + (near.empty() ? "" : fmt::format("; the nearest known one is {}", near))};
    }
    if (op == nullptr) {
      if (std::ranges::find(made_.assumed, one.name, &isa::Assumption::name) == made_.assumed.end())
        made_.assumed.push_back({isa::Assumption::Kind::Opcode,
                                 one.name,
                                 std::string(isa::kSkip),
                                 "it is not known",
                                 {},
                                 one.line,
                                 "",
                                 question});
    } else if (*op != isa::kSkip) {
      made.ops = {*op};
    }
    if (made.ops.empty()) made_.skipped.push_back(fmt::format("{} (line {})", one.name, one.line));
    made.per_lane = !one.name.starts_with("s_");
    const bool store = one.name.find("store") != std::string::npos || one.name.starts_with("exp");
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      const auto operand = parse_operand(one.operands[i], target_);
      if (!operand || !operand->is_register()) continue;
      const auto range = registers_.range_of(*operand, operand->count);
      if (i > 0 || store) {
        made.reads.push_back(range);
        continue;
      }
      for (std::uint32_t k = 0; k < range.count; ++k) {
        isa::Assignment lost;
        lost.outputs = {{{range.first + k, 1}, false}};
        made.assignments.push_back(lost);
      }
      made.writes.push_back(range);
    }
    return made;
  }

  Instruction branch(const TextInstruction& one, const Opcode& opcode, Instruction made) {
    made.per_lane = false;
    made.flow = Flow::Jump;
    if (!opcode.semantics.empty()) {
      const bool negated = opcode.semantics[0] == '!';
      const auto name = opcode.semantics.substr(negated ? 1 : 0);
      Input guard;
      guard.kind = Input::Kind::Register;
      guard.registers = name == "scc" ? isa::RegisterRange{kScc, 1}
                                      : isa::RegisterRange{name == "vcc" ? kVcc : kExec, lanes_ > 32 ? 2U : 1U};
      guard.negated = negated;
      made.reads.push_back(guard.registers);
      made.guard = guard;
    }
    const auto found = kernel_.labels.find(one.target);
    if (found == kernel_.labels.end())
      throw Problem{"a branch goes to a label, or to an instruction of its kernel",
                    fmt::format("found \"{}\"", one.target), ""};
    made.targets = {found->second};  // of the text, for now
    return made;
  }

  /// "vmcnt(2)", "lgkmcnt(0) & vmcnt(1)", or the bits of all of them.
  Instruction wait(const TextInstruction& one, Instruction made) const {
    made.per_lane = false;
    made.flow = Flow::Wait;
    made.ops = {"wait"};
    auto& waits = made.timing.waits;
    const auto lgkm = [&](std::uint32_t n) {
      waits.push_back({kSharedMemory, n});
      if (n == 0) waits.push_back({kScalarMemory, 0});
    };
    if (one.name != "s_waitcnt") {
      const auto n = one.modifiers.empty() ? std::nullopt : whole_number(one.modifiers.back());
      if (!n) throw Problem{"a wait says how many may be under way", fmt::format("found \"{}\"", one.text), ""};
      const auto count = static_cast<std::uint32_t>(*n & 63);
      if (one.name.ends_with("lgkmcnt"))
        lgkm(count);
      else
        waits.push_back({one.name.ends_with("vscnt")   ? kStores
                         : one.name.ends_with("vmcnt") ? kVectorMemory
                                                       : kExports,
                         count});
      return made;
    }
    for (const auto& word : one.modifiers) {
      if (word == "&") continue;
      if (const auto bits = whole_number(word)) {
        const auto b = static_cast<std::uint32_t>(*bits);
        const bool late = target_.null_is_124;  // gfx11 has the fields elsewhere
        waits.push_back({kVectorMemory, late ? (b >> 10) & 63 : (b & 15) | ((b >> 14) & 3) << 4});
        waits.push_back({kExports, late ? b & 7 : (b >> 4) & 7});
        lgkm(late ? (b >> 4) & 63 : (b >> 8) & (target_.store_counter ? 63 : 15));
        continue;
      }
      const auto open = word.find('('), close = word.find(')');
      const auto n = open == std::string::npos || close == std::string::npos
                         ? std::nullopt
                         : whole_number(word.substr(open + 1, close - open - 1));
      const auto name = word.substr(0, open);
      if (!n || *n < 0 || (name != "vmcnt" && name != "lgkmcnt" && name != "expcnt"))
        throw Problem{"a wait names vmcnt, lgkmcnt or expcnt and how many may be under way",
                      fmt::format("found \"{}\"", word), ""};
      const auto count = static_cast<std::uint32_t>(std::min<std::int64_t>(*n, 63));
      if (name == "lgkmcnt")
        lgkm(count);
      else
        waits.push_back({name == "vmcnt" ? kVectorMemory : kExports, count});
    }
    return made;
  }

  // ---- arithmetic

  struct Bound {
    std::map<std::string, BoundOperand> operands;
  };

  /// Gives the operands of the text the names that the table has.
  std::map<std::string, BoundOperand> bind(const TextInstruction& one, std::string_view shape) const {
    std::map<std::string, BoundOperand> bound;
    std::size_t next = 0;
    while (!shape.empty()) {
      const auto end = shape.find(' ');
      const auto word = shape.substr(0, end);
      shape.remove_prefix(end == std::string_view::npos ? shape.size() : end + 1);
      if (next == one.operands.size()) {
        // The short form of gfx9 leaves out where a mask goes.
        throw Problem{fmt::format("\"{}\" has more operands", one.name), fmt::format("found \"{}\"", one.text), ""};
      }
      BoundOperand made;
      made.mask = word[0] == 'm' || word[0] == 'n';
      made.words = word.size() > 1 ? static_cast<std::uint32_t>(*whole_number(word.substr(1))) : 1;
      const auto& text = one.operands[next++];
      if (word[0] == 'k' || word[0] == 'h') {
        const auto number = whole_number(text);
        if (!number && !text.starts_with("hwreg"))
          throw Problem{"the operand is a number", fmt::format("found \"{}\"", text), ""};
        made.operand.kind = Operand::Kind::Number;
        const auto bits = static_cast<std::uint64_t>(number.value_or(0));
        made.operand.bits =
            word[0] == 'k' ? static_cast<std::uint64_t>(isa::sign_extended(bits & 0xffff, 16)) : bits & 0xffff;
      } else {
        made.operand = sized(text, made.mask ? (lanes_ > 32 ? 2U : 1U) : made.words);
        const bool result = word[0] == 'd' || word[0] == 'x' || word[0] == 'm';
        if (result && !made.operand.is_register() && made.operand.kind != Operand::Kind::Off)
          throw Problem{"a result is a register", fmt::format("found \"{}\"", text), ""};
        if (made.mask && made.operand.kind == Operand::Kind::Number && word[0] == 'n') made.mask = false;
      }
      bound[std::string(1, word[0])] = made;
    }
    if (next < one.operands.size())
      throw Problem{fmt::format("\"{}\" has {} operands", one.name, next), fmt::format("found \"{}\"", one.text), ""};
    return bound;
  }

  static bool is_product(const Opcode& opcode) { return opcode.multiply_adds > 0; }

  Instruction compute(const TextInstruction& one, const Opcode& opcode, Instruction made) {
    made.per_lane = opcode.form == Form::Vector;
    auto shape = std::string_view(opcode.operands);
    auto given = one;
    auto operands_shape = std::string(shape);
    if (one.name.starts_with("v_cmpx") && one.operands.size() == 3) operands_shape = "m " + operands_shape;
    auto bound = bind(given, operands_shape);
    auto statements = opcode.statements;
    if (is_product(opcode)) {
      made.transactions = slowness_of_shape(opcode, target_) * std::max(1, opcode.multiply_adds / 256);
      made.flops = 0;
    }
    if (one.name.starts_with("v_cmpx") && bound.contains("m"))
      statements.insert(statements.begin(), Statement{"m", statements.front().value});
    if (one.name == "s_add_u32" || one.name == "s_addc_u32" || one.name == "s_getpc_b64")
      if (auto address = symbol_address(one, bound, made)) return *address;
    note_effect(one, bound);
    if (opcode.semantics == "readlane") return read_lane(bound, std::move(made));
    Emitter emitter(made, registers_, lanes_, sections(one, bound));
    if (one.name.starts_with("v_div_fmas")) made.reads.push_back({kVcc, lanes_ > 32 ? 2U : 1U});
    emitter.saturate = one.has("clamp");
    emitter.factor = one.has("mul:2") ? 2 : one.has("mul:4") ? 4 : one.has("div:2") ? 0.5 : 1;
    emitter.result_section = one.modifier("dst_sel").value_or("");
    emitter.unused = one.modifier("dst_unused").value_or("UNUSED_PAD");
    if (one.name.starts_with("ds_")) {
      made.timing.raises = {kSharedMemory};
      const auto offset = one.modifier("offset");
      if (one.name == "ds_swizzle_b32") {
        const auto pattern = swizzle_pattern(one);
        if (!pattern) throw Problem{"the pattern of a swizzle is known", fmt::format("found \"{}\"", one.text), ""};
        emitter.names["swizzle"] = parse_semantics("t=" + *pattern).front().value;
      } else {
        Expression number;
        number.operation.op = LaneOp::Move;
        number.number = static_cast<std::uint64_t>(offset ? whole_number(*offset).value_or(0) : 0);
        emitter.names["offset"] = number;
      }
    }
    if (opcode.semantics.starts_with("pk")) {
      emitter.run_packed(opcode.semantics.size() > 3 ? opcode.semantics.substr(3) : "", one);
      return made;
    }
    if (one.encoding == "dpp" || one.modifier("quad_perm") || one.modifier("row_shr") || one.modifier("dpp8"))
      apply_pattern(one, statements, emitter);
    if (is_not_followed(one, opcode)) {
      for (auto& statement : statements) statement.value = parse_semantics("d=?").front().value;
    }
    if (is_unfollowed(statements)) read_all(bound, made, emitter);
    emitter.run(statements);
    return made;
  }

  static bool is_unfollowed(const std::vector<Statement>& statements) {
    return std::ranges::any_of(statements, [](const Statement& one) { return one.value.is_unknown; });
  }

  /// What is not followed reads all the same.
  void read_all(const std::map<std::string, BoundOperand>& bound, Instruction& made, const Emitter& emitter) const {
    for (const auto& [name, one] : bound) {
      if (name == "d" || name == "m" || name == "x" || !one.operand.is_register()) continue;
      const bool truth = one.operand.kind == Operand::Kind::Scalar && one.operand.first == kScc;
      made.reads.push_back(emitter.range_of(one, truth ? 1 : std::min(one.words, one.operand.count)));
    }
    if (made.name.find("mac") != std::string::npos || made.name.find("dot") != std::string::npos ||
        made.name == "v_writelane_b32")
      if (const auto to = bound.find("d"); to != bound.end() && to->second.operand.is_register())
        made.reads.push_back(emitter.range_of(to->second, to->second.words));
  }

  /// Modifiers whose effect on whole numbers is not followed.
  static bool is_not_followed(const TextInstruction& one, const Opcode& opcode) {
    const auto op_sel = one.modifier("op_sel");
    const bool selects = op_sel && op_sel->find('1') != std::string::npos;
    const bool whole = opcode.name.find("_f") == std::string::npos;
    return selects || (whole && one.has("clamp")) || one.modifier("dst_unused") == "UNUSED_SEXT";
  }

  static std::map<std::string, BoundOperand> sections(const TextInstruction& one,
                                                      std::map<std::string, BoundOperand> bound) {
    for (const auto& [name, modifier] : {std::pair{"a", "src0_sel"}, std::pair{"b", "src1_sel"}}) {
      const auto section = one.modifier(modifier);
      const auto operand = bound.find(name);
      if (!section || operand == bound.end()) continue;
      static const std::set<std::string, std::less<>> kSections{"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                                "WORD_0", "WORD_1", "DWORD"};
      if (!kSections.contains(*section))
        throw Problem{"a section is BYTE_0 to BYTE_3, WORD_0, WORD_1 or DWORD", fmt::format("found \"{}\"", *section),
                      ""};
      operand->second.section = *section;
    }
    if (const auto section = one.modifier("dst_sel");
        section && !section->starts_with("BYTE_") && !section->starts_with("WORD_") && *section != "DWORD")
      throw Problem{"a section is BYTE_0 to BYTE_3, WORD_0, WORD_1 or DWORD", fmt::format("found \"{}\"", *section),
                    ""};
    return bound;
  }

  static void apply_pattern(const TextInstruction& one, std::vector<Statement>& statements, Emitter& emitter) {
    const auto pattern = dpp_pattern(one);
    if (!pattern) {
      for (auto& statement : statements) statement.value = parse_semantics("d=?").front().value;
      return;
    }
    emitter.names["a"] = parse_semantics("t=from.b32(a," + pattern->from + ")").front().value;
    const auto reaches = fmt::format("ne.u32(0,from.u32(1,{}))", pattern->from);
    auto takes_part = pattern->zero_where_none ? pattern->takes_part : reaches;
    if (!pattern->takes_part.empty() && !pattern->zero_where_none)
      takes_part = fmt::format("and.p({},{})", pattern->takes_part, reaches);
    if (takes_part.empty()) return;
    for (auto& statement : statements) {
      if (statement.to != "d" || statement.value.is_unknown) continue;
      auto chosen = parse_semantics("d=sel.b32(d,d," + takes_part + ")").front().value;
      chosen.inputs[0] = statement.value;
      statement.value = std::move(chosen);
    }
  }

  Instruction read_lane(const std::map<std::string, BoundOperand>& bound, Instruction made) {
    const auto& lane = bound.at("b").operand;
    Emitter emitter(made, registers_, lanes_, bound);
    auto value = emitter.read(bound.at("a"), kWord);
    const auto to = emitter.write("d", kWord);
    isa::Assignment one;
    if (lane.kind == Operand::Kind::Number) {
      value.lane = static_cast<std::uint8_t>(lane.bits & static_cast<std::uint64_t>(lanes_ - 1));
      one.operation.op = LaneOp::Move;
      one.operation.type = one.operation.result = kWord;
      one.inputs = {value};
    } else {
      emitter.read(bound.at("b"), kWord);
    }
    one.outputs = {to};
    made.assignments.push_back(one);
    return made;
  }

  // ---- addresses of symbols

  /// `s_add_u32 s0, s0, weights@rel32@lo+4` and its upper half, behind s_getpc_b64.
  std::optional<Instruction> symbol_address(const TextInstruction& one,
                                            const std::map<std::string, BoundOperand>& bound, Instruction made) {
    if (one.name == "s_getpc_b64") {
      Input place;
      place.kind = Input::Kind::Region;
      place.index = region_of("code");
      const auto first = kernel_.instructions.front().address;
      place.bits = one.address && first ? *one.address - *first + 4 : 0;
      const Emitter emitter(made, registers_, lanes_, bound);
      move(made, kPointer, {place}, {emitter.range_of(bound.at("d"), 2)});
      return made;
    }
    const auto& symbol = bound.at("b").operand;
    if (symbol.kind != Operand::Kind::Symbol) return std::nullopt;
    const bool low = one.name == "s_add_u32", table = symbol.part.starts_with("gotpcrel");
    const auto region = region_of(symbol.symbol);
    Emitter emitter(made, registers_, lanes_, bound);
    emitter.read(bound.at("a"), kWord);
    const auto to = emitter.range_of(bound.at("d"), 1);
    Input address;
    address.kind = Input::Kind::Region;
    address.index = region;
    address.bits = table ? 0 : static_cast<std::uint64_t>(symbol.addend - (low ? 4 : 12));
    move(made, kPointer, {address},
         low ? std::vector<isa::RegisterRange>{to, {0, 0}} : std::vector<isa::RegisterRange>{{0, 0}, to});
    move(made, {Type::Kind::Predicate, 1}, {number_input(0)}, {{kScc, 1}});
    if (table && !low) {
      // The pair holds where the address stands.
      effect_.to = to.first - 1;
      effect_.sets = KnownPointer{KnownPointer::To::AddressOf, region, 0, false};
    }
    return made;
  }

  /// Copies of pointers, and sums with numbers.
  void note_effect(const TextInstruction& one, const std::map<std::string, BoundOperand>& bound) {
    const auto scalar = [&](const char* name) {
      const auto found = bound.find(name);
      return found != bound.end() && found->second.operand.kind == Operand::Kind::Scalar ? &found->second.operand
                                                                                         : nullptr;
    };
    const auto* const to = scalar("d");
    const auto* const from = scalar("a");
    if (to == nullptr || from == nullptr) return;
    if (one.name == "s_mov_b32" || one.name == "s_mov_b64") {
      effect_ = {to->first, from->first, one.name.ends_with("64") ? 2U : 1U, 0, std::nullopt};
    } else if (one.name == "s_add_u32" || one.name == "s_addc_u32" || one.name == "s_add_i32") {
      const auto& number = bound.at("b").operand;
      if (number.kind == Operand::Kind::Number)
        effect_ = {to->first, from->first, 1, static_cast<std::int64_t>(static_cast<std::int32_t>(number.bits)),
                   std::nullopt};
    }
  }

  // ---- memory

  std::int64_t offset_of(const TextInstruction& one, const char* name = "offset") const {
    const auto text = one.modifier(name);
    if (!text) return 0;
    const auto number = whole_number(*text);
    if (!number) throw Problem{"an offset is a number", fmt::format("found \"{}\"", *text), ""};
    return *number;
  }

  Input register_input(const Operand& operand, std::uint32_t words, Instruction& made) const {
    Input input;
    if (!operand.is_register()) {
      input.bits = operand.kind == Operand::Kind::Number ? operand.bits : 0;
      return input;
    }
    input.kind = Input::Kind::Register;
    input.registers = registers_.range_of(operand, words);
    made.reads.push_back(input.registers);
    return input;
  }

  std::vector<Instruction> memory(const TextInstruction& one, const Opcode& opcode, const Instruction& begun) {
    const auto& form = opcode.memory;
    switch (form.unit) {
      case Unit::Scalar:
      case Unit::ScalarBuffer:
        return {scalar_load(one, opcode, begun)};
      case Unit::Shared:
        return shared(one, opcode, begun);
      case Unit::Buffer:
        return buffer(one, opcode, begun);
      default:
        return {vector_access(one, opcode, begun)};
    }
  }

  Instruction scalar_load(const TextInstruction& one, const Opcode& opcode, Instruction made) {
    made.per_lane = false;
    if (one.operands.size() < 2)
      throw Problem{"a scalar load has a result and an address", fmt::format("found \"{}\"", one.text), ""};
    const auto words = static_cast<std::uint32_t>(opcode.memory.elements);
    const auto to = sized(one.operands[0], words),
               base = sized(one.operands[1], opcode.memory.unit == Unit::ScalarBuffer ? 4 : 2);
    if (to.kind != Operand::Kind::Scalar || base.kind != Operand::Kind::Scalar)
      throw Problem{"a scalar load has scalar registers", fmt::format("found \"{}\"", one.text), ""};
    Access access;
    access.base = register_input(base, 2, made);
    access.offset = offset_of(one);
    if (one.operands.size() > 2) {
      const auto offset = operand_of(one.operands[2]);
      if (offset.is_register())
        access.uniform_base = register_input(offset, 1, made);
      else
        access.offset += static_cast<std::int64_t>(isa::sign_extended(offset.bits, 32));
    }
    access.bytes = static_cast<int>(4 * words);
    access.element = opcode.memory.element;
    access.lanes = 64;
    if (opcode.memory.unit == Unit::ScalarBuffer) {
      // Of a resource, 48 bits are the address.
      access.base.registers.count = 2;
    }
    isa::Assignment load;
    load.operation.op = LaneOp::Load;
    for (std::uint32_t i = 0; i < words; ++i) load.outputs.push_back({{to.first + i, 1}, false});
    made.assignments = {load};
    made.writes = {{to.first, words}};
    made.access = access;
    made.timing.raises = {kScalarMemory};
    return made;
  }

  void add_results(Instruction& made, const Operand& to, const MemoryForm& form, std::uint32_t skip = 0) const {
    if (!to.is_register()) throw Problem{"a result is a register", fmt::format("found \"{}\"", made.text), ""};
    isa::Assignment load;
    load.operation.op = form.half ? LaneOp::Unknown : LaneOp::Load;
    const auto words = form.element.bits == 64 ? 2U : 1U;
    const auto first = registers_.range_of(to, 1).first + skip;
    for (int i = 0; i < form.elements; ++i)
      load.outputs.push_back({{first + static_cast<std::uint32_t>(i) * words, words}, false});
    const isa::RegisterRange all{first, static_cast<std::uint32_t>(form.elements) * words};
    if (form.half) made.reads.push_back(all);
    if (form.kind == Access::Kind::Atomic) load.operation.op = LaneOp::Unknown;
    made.assignments.push_back(std::move(load));
    made.writes.push_back(all);
  }

  void add_stored(Instruction& made, Access& access, const Operand& data, const Opcode& opcode,
                  std::uint32_t skip = 0) const {
    if (!data.is_register()) throw Problem{"what is stored is a register", fmt::format("found \"{}\"", made.text), ""};
    const auto& form = opcode.memory;
    const std::uint32_t each = form.element.bits == 64 ? 2U : 1U;
    const auto first = registers_.range_of(data, 1).first + skip;
    const auto words = word_count(opcode.operands);
    // What compare-and-swap compares with stands behind what it stores.
    for (std::uint32_t i = 0; i < words; i += each) {
      Input part;
      part.kind = Input::Kind::Register;
      part.registers = {first + i, each};
      access.stored.push_back(part);
    }
    if (opcode.operands.starts_with("h")) access.stored.clear();
    made.reads.push_back({first, words});
  }

  /// Registers of the stored operand: 2 of "a2", "d1 a2 b2".
  static std::uint32_t word_count(std::string_view shape) {
    const auto at = shape.find_first_of("ah");
    return at == std::string_view::npos || at + 1 >= shape.size() ? 1 : static_cast<std::uint32_t>(shape[at + 1] - '0');
  }

  static bool returns(const TextInstruction& one) { return one.has("glc") || one.has("sc0"); }

  void count(Instruction& made, const MemoryForm& form, bool result) const {
    const bool writes = form.kind == Access::Kind::Store || (form.kind == Access::Kind::Atomic && !result);
    made.timing.raises = {target_.store_counter && writes ? kStores : kVectorMemory};
    if (form.unit == Unit::Flat) made.timing.raises.push_back(kSharedMemory);
  }

  Instruction vector_access(const TextInstruction& one, const Opcode& opcode, Instruction made) {
    const auto& form = opcode.memory;
    const bool atomic = form.kind == Access::Kind::Atomic, load = form.kind == Access::Kind::Load && !form.to_lds;
    std::vector<std::string> texts = one.operands;
    const bool has_result = load || (atomic && returns(one));
    std::optional<Operand> to;
    const auto take = [&] {
      if (texts.empty())
        throw Problem{fmt::format("\"{}\" has more operands", one.name), fmt::format("found \"{}\"", one.text), ""};
      const auto text = texts.front();
      texts.erase(texts.begin());
      return text;
    };
    const auto words = static_cast<std::uint32_t>(form.elements * std::max(1, form.element.bits / 32));
    if (has_result) to = sized(take(), words);
    Access access;
    const auto address = operand_of(take());
    std::optional<Operand> data;
    if (form.kind != Access::Kind::Load) data = sized(take(), word_count(opcode.operands));
    std::optional<Operand> scalar;
    if (!texts.empty()) scalar = operand_of(take());
    if (!texts.empty())
      throw Problem{fmt::format("\"{}\" has fewer operands", one.name), fmt::format("found \"{}\"", one.text), ""};
    const bool scratch = form.unit == Unit::Scratch;
    const bool by_scalar = scalar && scalar->is_register();
    if (address.is_register() && !by_scalar && !scratch && address.count < 2)
      throw Problem{"an address has two registers", fmt::format("found \"{}\"", one.text), ""};
    access.base = register_input(address, by_scalar || scratch ? 1 : 2, made);
    if (by_scalar) {
      const auto uniform = sized(texts_of_scalar(one, *scalar), scratch ? 1 : 2);
      access.uniform_base = register_input(uniform, scratch ? 1 : 2, made);
    }
    access.kind = form.kind;
    access.space = scratch ? Space::Local : form.unit == Unit::Flat ? Space::Generic : Space::Global;
    access.offset = offset_of(one);
    access.element = form.element;
    access.bytes = form.elements * form.element.bits / 8;
    if (to) add_results(made, *to, form);
    if (data) add_stored(made, access, *data, opcode);
    made.access = access;
    count(made, form, has_result);
    return made;
  }

  static std::string texts_of_scalar(const TextInstruction& one, const Operand&) { return one.operands.back(); }

  /// Through a resource in four scalar registers: its address, what all lanes add, and what each lane adds.
  std::vector<Instruction> buffer(const TextInstruction& one, const Opcode& opcode, Instruction made) {
    const auto& form = opcode.memory;
    const bool has_data = !form.to_lds;
    const std::size_t expected = has_data ? 4 : 3;
    if (one.operands.size() != expected)
      throw Problem{fmt::format("\"{}\" has {} operands", one.name, expected), fmt::format("found \"{}\"", one.text),
                    ""};
    std::size_t next = has_data ? 1 : 0;
    const auto address = operand_of(one.operands[next++]);
    const auto resource = sized(one.operands[next++], 4);
    const auto offset = operand_of(one.operands[next++]);
    const bool scratch =
        launch_.private_buffer && resource.kind == Operand::Kind::Scalar && resource.first == *launch_.private_buffer;
    const bool indexed = one.has("idxen");
    auto sum = launch_instruction(one.text, false);
    sum.line = one.line;
    sum.source = one.source;
    const isa::RegisterRange base{kOwn + 5 * kOwnOfAWidth + kOwnOfAWidth - 1,
                                  1};  // the last of the wave's own of 64 bits
    const auto whole = scratch ? number_input(0) : register_input(resource, 2, sum);
    isa::Assignment cut;
    cut.operation.op = LaneOp::And;
    cut.operation.type = cut.operation.result = kPointer;
    cut.inputs = {whole, number_input((std::uint64_t{1} << 48) - 1)};
    cut.outputs = {{base, false}};
    auto add = cut;
    add.operation.op = LaneOp::Add;
    Input so_far;
    so_far.kind = Input::Kind::Register;
    so_far.registers = base;
    add.inputs = {so_far, register_input(offset, 1, sum)};
    sum.assignments = {cut, add};
    sum.writes = {base};
    Access access;
    const bool laned = one.has("offen") && !indexed;
    if (indexed && !scratch) {
      // How far indices lie apart stands in the resource.
      access.base.kind = Input::Kind::Missing;
      register_input(address, address.count, made);
    } else if (laned || (address.is_register() && one.has("offen"))) {
      access.base = register_input(address, 1, made);
    }
    access.uniform_base = so_far;
    made.reads.push_back(base);
    access.kind = form.kind;
    access.space = scratch ? Space::Local : Space::Global;
    access.offset = offset_of(one);
    access.element = form.element;
    access.bytes = form.elements * form.element.bits / 8;
    const auto words = static_cast<std::uint32_t>(form.elements * std::max(1, form.element.bits / 32));
    bool has_result = false;
    if (has_data) {
      const auto data = sized(one.operands[0], words);
      if (form.kind != Access::Kind::Load) add_stored(made, access, data, opcode);
      has_result = form.kind == Access::Kind::Load || (form.kind == Access::Kind::Atomic && returns(one));
      if (has_result) add_results(made, data, form);
    }
    made.access = access;
    count(made, form, has_result);
    return {sum, made};
  }

  /// Two places become two accesses, of one op each, which the counter takes for one.
  std::vector<Instruction> shared(const TextInstruction& one, const Opcode& opcode, const Instruction& begun) {
    const auto& form = opcode.memory;
    const bool result = opcode.operands.starts_with("d");
    const bool second_data = opcode.operands.find('b') != std::string::npos;
    const std::size_t expected = (result ? 1U : 0U) + 1U +
                                 (form.kind == Access::Kind::Load ? 0U
                                  : second_data                   ? 2U
                                                                  : 1U);
    if (one.operands.size() != expected)
      throw Problem{fmt::format("\"{}\" has {} operands", one.name, expected), fmt::format("found \"{}\"", one.text),
                    ""};
    if (one.has("gds"))
      throw Problem{"the memory of all groups is not followed", fmt::format("found \"{}\"", one.text), ""};
    const auto words = static_cast<std::uint32_t>(form.elements * std::max(1, form.element.bits / 32));
    std::optional<Operand> to;
    if (result) to = sized(one.operands[0], words * static_cast<std::uint32_t>(form.places));
    const auto address = sized(one.operands[result ? 1 : 0], 1);
    std::vector<Instruction> all;
    for (int place = 0; place < form.places; ++place) {
      auto made = begun;
      Access access;
      access.space = Space::Shared;
      access.kind = form.kind;
      access.base = register_input(address, 1, made);
      access.offset =
          form.places == 1 ? offset_of(one) : offset_of(one, place == 0 ? "offset0" : "offset1") * form.scale;
      access.element = form.element;
      access.bytes = form.elements * form.element.bits / 8;
      if (to) add_results(made, *to, form, static_cast<std::uint32_t>(place) * words);
      if (form.kind != Access::Kind::Load) {
        const auto first = result ? 2 : 1;
        const auto data = sized(one.operands[static_cast<std::size_t>(first + (form.places == 2 ? place : 0))],
                                word_count(opcode.operands));
        add_stored(made, access, data, opcode);
        if (second_data && form.places == 1)
          made.reads.push_back(registers_.range_of(sized(one.operands.back(), word_count(opcode.operands)),
                                                   word_count(opcode.operands)));
        if (second_data && form.places == 1) access.stored.clear();
      }
      made.access = access;
      all.push_back(std::move(made));
    }
    // Where the first one's result is the address, it comes last.
    if (all.size() == 2 && to && to->kind == address.kind && to->first <= address.first &&
        address.first < to->first + words)
      std::swap(all[0], all[1]);
    all[0].timing.raises = {kSharedMemory};
    if (all.size() == 2) all[1].timing.joins = {kSharedMemory};
    return all;
  }

  // ---- afterwards

  void place_labels() {
    auto& program = made_.program;
    starts_.push_back(static_cast<std::uint32_t>(program.instructions.size()));
    std::map<std::uint32_t, std::string> by_place;
    for (const auto& [name, at] : kernel_.labels) {
      const bool counted = name.starts_with(".Ltmp") || name.starts_with(".Lfunc");
      auto& label = by_place[starts_[std::min<std::size_t>(at, starts_.size() - 1)]];
      if (label.empty() || (!counted && label.starts_with(".Ltmp"))) label = name;
    }
    std::set<std::uint32_t> targets;
    for (auto& one : program.instructions)
      if (one.flow == Flow::Jump)
        for (auto& target : one.targets) {
          target = starts_[target];
          targets.insert(target);
        }
    for (const auto& [at, name] : by_place)
      if (!name.starts_with(".Ltmp") || targets.contains(at)) program.labels[at] = name;
  }

  /// Loads through known pointers become what they load.
  void resolve_arguments() {
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
    if (kernel_.metadata.arguments.empty()) find_pointers();
  }

  void find_pointers() {
    auto& program = made_.program;
    const auto flow = isa::analyse_control_flow(program);
    const auto pointers = isa::parameters_in_addresses(program, isa::ReachingDefinitions(program, flow));
    for (std::size_t i = 0; i < pointers.size(); ++i)
      if (auto& one = program.parameters[i]; pointers[i] && one.type.bits == 64)
        one.declaration = fmt::format("pointer at +{}", *one.offset);
  }

  /// Gives each argument that one instruction loads an instruction of its own, so that analyses tell them apart; the
  /// first one issues.
  void part_arguments() {
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

  static std::vector<Instruction> parts_of(const Instruction& whole) {
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

  /// What the file says that the arguments are, or what their uses tell.
  void find_arguments(const isa::ControlFlow& flow, const std::vector<std::pair<std::uint32_t, KnownPointer>>& loads) {
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

  void resolve(Instruction& one, const KnownPointer& pointer) {
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

  void preload() {
    if (launch_.preloaded == 0) return;
    auto& first = made_.program.instructions[first_ - 1];
    load_arguments(first, 4 * static_cast<std::int64_t>(launch_.preload_offset),
                   {launch_.first_preloaded, launch_.preloaded});
  }

  const Module& module_;
  const KernelText& kernel_;
  const isa::LoweringOptions& lowering_;
  const Target& target_;
  int lanes_;
  LaunchRegisters launch_;
  RegisterFile registers_;
  Decoded made_;
  ScalarEffect effect_;                ///< of the instruction that is being decoded
  std::vector<ScalarEffect> effects_;  ///< by instruction
  std::vector<std::uint32_t> starts_;  ///< by instruction of the text: of the program
  std::uint32_t first_ = 0;            ///< of the text
  std::map<std::int64_t, std::uint32_t> place_of_parameter_;
  std::map<std::pair<std::int64_t, int>, std::uint32_t> fields_;
  ArgumentUses uses_;
  std::vector<KernelArgument> arguments_;  ///< in order
};

}  // namespace

Decoded decode_kernel(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering) {
  return Decoder(module, kernel, lowering).run();
}

std::string problem_of(const Module& module, const KernelText& kernel, const TextInstruction& instruction) {
  const isa::LoweringOptions none;
  return Decoder(module, kernel, none).problem_of(instruction);
}

isa::Program decode(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering) {
  return decode_kernel(module, kernel, lowering).program;
}

std::int64_t registers_of(const Module& module, const KernelText& kernel) {
  const auto& metadata = kernel.metadata;
  const auto& target = *find_target(module.target);
  if (metadata.vector_registers && *metadata.vector_registers > 0) return *metadata.vector_registers;
  if (const auto found = metadata.directives.find("next_free_vgpr");
      found != metadata.directives.end() && found->second > 0)
    return found->second;
  std::int64_t vectors = 1, accumulation = 0;
  for (const auto& one : kernel.instructions)
    for (const auto& text : one.operands)
      if (const auto operand = parse_operand(text, target)) {
        if (operand->kind == Operand::Kind::Vector)
          vectors = std::max<std::int64_t>(vectors, operand->first + operand->count);
        if (operand->kind == Operand::Kind::Accumulation)
          accumulation = std::max<std::int64_t>(accumulation, operand->first + operand->count);
      }
  // Since CDNA 2 both lie in one file, the second from a multiple of four on.
  if (accumulation > 0 && target.packed_index) return (vectors + 3) / 4 * 4 + accumulation;
  return std::max(vectors, accumulation);
}

}  // namespace warpipe::amdgcn
