#include "prepared.hpp"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <utility>

#include "lexer.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::ptx {
namespace {

LaneInput input_of(const Prepared& kernel, const Operand& operand, Type type) {
  LaneInput input;
  switch (operand.kind) {
    case Operand::Kind::Register:
      input.kind = LaneInput::Kind::Register;
      input.reg = operand.reg;
      input.negated = operand.negated;
      break;
    case Operand::Kind::Immediate:
      input.bits = operand.bits;
      // A double in the place of a float.
      if (operand.float_bits == 64 && type.kind == Type::Kind::Float && type.bits == 32)
        input.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
      if (type.bits > 0) input.bits = truncated(input.bits, type.bits);
      break;
    case Operand::Kind::Special:
      input.kind = LaneInput::Kind::Special;
      input.name = operand.name;
      input.by_lane = input.name.starts_with("%tid.") || input.name.starts_with("%lane");
      break;
    case Operand::Kind::Symbol:
    case Operand::Kind::Address: {
      const auto address = kernel.memory.address_of(operand.name);
      if (!address) {
        input.kind = LaneInput::Kind::Missing;
      } else {
        input.bits = *address + static_cast<std::uint64_t>(operand.offset);
      }
      break;
    }
    default:
      input.kind = LaneInput::Kind::Missing;
  }
  return input;
}

void prepare_access(const Prepared& kernel, const Instruction& instruction, LaneStep& step) {
  step.access = true;
  step.space = instruction.space();
  step.width = instruction.type().bits / 8 * instruction.vector_length();
  step.atomic = instruction.opcode() == "atom" || instruction.opcode() == "red";
  const Operand* address = nullptr;
  for (const auto& operand : instruction.operands)
    if (operand.kind == Operand::Kind::Address && address == nullptr) address = &operand;
  if (address == nullptr || step.width < 1 || step.width > 64)
    kernel.fail(step.instruction, "an access has an address in brackets and a type of 1 to 64 bytes",
                "found \"" + instruction.name + "\"", "");
  step.offset = address->offset;
  if (address->has_register) {
    step.base.kind = LaneInput::Kind::Register;
    step.base.reg = address->reg;
  } else if (!address->name.empty()) {
    Operand symbol = *address;
    symbol.offset = 0;
    step.base = input_of(kernel, symbol, {});
    if (step.base.kind == LaneInput::Kind::Missing)
      kernel.fail(step.instruction, "an address names a variable", fmt::format("found \"{}\"", address->name), "");
  }
}

std::vector<std::uint32_t> outputs_of(const Instruction& instruction) {
  std::vector<std::uint32_t> outputs;
  if (written_operands(instruction) == 0) return outputs;
  const auto& first = instruction.operands.front();
  const auto add = [&](const Operand& operand) {
    outputs.push_back(operand.kind == Operand::Kind::Register ? operand.reg : kNoOutput);
  };
  if (first.kind != Operand::Kind::Vector) add(first);
  for (const auto& part : first.parts) add(part);
  return outputs;
}

LaneStep prepare(const Prepared& kernel, std::uint32_t index, bool needed) {
  const auto& instruction = kernel.input.routine.instructions[index];
  LaneStep step;
  step.instruction = index;
  step.writes = needed;
  step.operation = decode(instruction);
  step.parameter = instruction.opcode() == "ld" && instruction.space() == StateSpace::Parameter;
  if (instruction.guard) step.guard = input_of(kernel, *instruction.guard, {});
  if (is_access(instruction)) prepare_access(kernel, instruction, step);
  if (needed) step.outputs = outputs_of(instruction);
  if (!needed || step.access || step.parameter) return step;
  for (std::size_t i = written_operands(instruction); i < instruction.operands.size(); ++i) {
    const auto& operand = instruction.operands[i];
    if (operand.kind == Operand::Kind::Vector)
      for (const auto& part : operand.parts) step.inputs.push_back(input_of(kernel, part, {}));
    else
      step.inputs.push_back(input_of(kernel, operand, instruction.type()));
  }
  if (step.operation.op == LaneOp::Unknown) return step;
  if (step.inputs.size() < inputs_of(step.operation.op))
    kernel.fail(index, fmt::format("\"{}\" has {} inputs", instruction.name, inputs_of(step.operation.op)),
                fmt::format("found {}", step.inputs.size()), "");
  return step;
}

void collect_members(const std::vector<Region>& regions, std::vector<bool>& members) {
  for (const auto& region : regions) {
    if (const auto* block = std::get_if<std::uint32_t>(&region.node)) members[*block] = true;
    if (const auto* loop = std::get_if<NaturalLoop>(&region.node)) collect_members(loop->body, members);
  }
}

void collect_loops(const std::vector<Region>& regions, std::size_t blocks, std::map<std::uint32_t, LoopInfo>& loops) {
  for (const auto& region : regions) {
    const auto* loop = std::get_if<NaturalLoop>(&region.node);
    if (loop == nullptr) continue;
    auto& info = loops[loop->header];
    info.loop = loop;
    info.members.assign(blocks, false);
    collect_members(loop->body, info.members);
    collect_loops(loop->body, blocks, loops);
  }
}

/// A label as a user may write it, where a shell eats the `$`.
bool same_label(std::string_view label, std::string_view given) {
  if (label == given) return true;
  return label.starts_with('$') && label.substr(1) == given;
}

void say_trips(Prepared& kernel) {
  std::vector<std::string> labels;
  for (const auto& [header, info] : kernel.loops) labels.push_back(info.loop->label);
  for (const auto& [label, trips] : kernel.input.launch.trips) {
    bool found = false;
    for (auto& [header, info] : kernel.loops) {
      if (!same_label(info.loop->label, label)) continue;
      info.trips = trips;
      found = true;
    }
    if (found) continue;
    std::string list;
    for (const auto& name : labels) list += (list.empty() ? "" : ", ") + name;
    throw UsageError(Diagnostic{"--trip " + label, "no loop begins at that label",
                                list.empty() ? "found no loops" : "loops begin at " + list, suggest(label, labels)});
  }
}

void say_taken(Prepared& kernel) {
  const auto& routine = kernel.input.routine;
  for (const auto& [label, share] : kernel.input.launch.taken) {
    bool found = false;
    for (std::uint32_t i = 0; i < routine.instructions.size(); ++i) {
      const auto& instruction = routine.instructions[i];
      if (instruction.opcode() != "bra" || !instruction.guard) continue;
      if (!same_label(place_name(routine, routine.targets[i][0]), label) && std::to_string(instruction.line) != label)
        continue;
      kernel.taken[i] = share;
      found = true;
    }
    if (!found)
      throw UsageError(
          Diagnostic{"--taken " + label, "no conditional branch goes to that label or stands on that line", "", ""});
  }
}

}  // namespace

Prepared::Prepared(const ExecutionInput& given) : input(given), memory(given.routine, given.launch, given.arguments) {
  const auto& instructions = input.routine.instructions;
  steps.resize(input.flow.blocks.size());
  guards.resize(instructions.size());
  taken.resize(instructions.size());
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const auto& opcode = instructions[i].opcode();
    const bool jumps = opcode == "bra" || opcode == "brx" || opcode == "ret" || opcode == "exit" || opcode == "trap";
    if (jumps && instructions[i].guard) guards[i] = input_of(*this, *instructions[i].guard, {});
    if (!jumps && (input.slice.needed[i] || (input.slice.accesses && is_access(instructions[i]))))
      steps[input.flow.block_of[i]].push_back(prepare(*this, i, input.slice.needed[i]));
  }
  collect_loops(input.flow.regions, input.flow.blocks.size(), loops);
  say_trips(*this);
  say_taken(*this);
}

std::string Prepared::where(std::uint32_t instruction) const {
  return at_line(input.routine.file, input.routine.instructions[instruction].line);
}

std::string Prepared::source(std::uint32_t instruction) const {
  const auto& place = input.routine.instructions[instruction].source;
  const auto file = input.routine.sources.find(place.file);
  if (place.line == 0 || file == input.routine.sources.end()) return "";
  return fmt::format("{}:{}", std::filesystem::path(file->second).filename().string(), place.line);
}

void Prepared::fail(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const {
  const auto place = source(instruction);
  throw InputError(Diagnostic{where(instruction) + (place.empty() ? "" : ", from " + place), std::move(rule),
                              std::move(found), std::move(advice)});
}

}  // namespace warpipe::ptx
