#include "decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::amdgcn {

using isa::Input;
using isa::Instruction;
using isa::LaneOp;
using isa::Special;
using isa::Type;
using Flow = isa::Instruction::Flow;

isa::Instruction launch_instruction(const std::string& text, bool per_lane) {
  isa::Instruction made;
  made.per_lane = per_lane;
  made.name = "(launch)";
  made.text = text;
  return made;
}

isa::Input special_input(Special::Name name, std::size_t axis) {
  isa::Input made;
  made.kind = isa::Input::Kind::Special;
  made.special = {name, static_cast<std::uint8_t>(axis)};
  return made;
}

isa::Input number_input(std::uint64_t bits) {
  isa::Input made;
  made.bits = bits;
  return made;
}

void move(isa::Instruction& made, isa::Type type, std::vector<isa::Input> inputs, std::vector<isa::RegisterRange> to,
          LaneOp op) {
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

Decoder::Decoder(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering)
    : module_(module),
      kernel_(kernel),
      lowering_(lowering),
      target_(*find_target(module.target)),
      lanes_(static_cast<int>(kernel.metadata.lanes.value_or(wave_of_directives(kernel, target_)))),
      launch_(launch_registers(kernel, target_)),
      registers_(0, 0) {}

Decoded Decoder::run() {
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

std::vector<std::string> Decoder::problems() {
  count_registers();
  made_.program.registers = registers_.all();
  std::vector<std::string> found;
  for (const auto& one : kernel_.instructions) {
    auto& problem = found.emplace_back();
    try {
      decode(one);
    } catch (const Problem& caught) {
      problem = caught.rule + ": " + caught.found;
    }
  }
  return found;
}

std::int64_t Decoder::wave_of_directives(const KernelText& kernel, const Target& target) {
  const auto& all = kernel.metadata.directives;
  if (const auto found = all.find("wavefront_size32"); found != all.end()) return found->second != 0 ? 32 : 64;
  for (const auto& one : kernel.instructions)
    if (target.lanes == 32 && (one.name.ends_with("saveexec_b64") || one.text.find("vcc,") != std::string::npos))
      return 64;
  return target.lanes;
}

void Decoder::count_registers() {
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

void Decoder::put(Instruction made, std::uint32_t text) {
  made_.program.instructions.push_back(std::move(made));
  made_.text_of.push_back(text);
  effects_.push_back(effect_);
  effect_ = {};
}

void Decoder::fail(const TextInstruction& one, const Problem& problem) const {
  const auto source = module_.sources.find(one.source.file);
  throw InputError(Diagnostic{
      isa::at_line(module_.file, one.line) + (one.source.line != 0 && source != module_.sources.end()
                                                  ? fmt::format(", from {}:{}", source->second, one.source.line)
                                                  : ""),
      problem.rule, problem.found, problem.advice});
}

void Decoder::add(std::uint32_t index) {
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

/// Refuses an instruction with more registers than the kernel has: a row may take more than an operand names.
void Decoder::require_registers(const Instruction& made) const {
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

std::vector<Instruction> Decoder::decode(const TextInstruction& one) {
  if (lacks(module_.target, one.name))
    throw Problem{fmt::format("{} has no such instruction", module_.target), fmt::format("found \"{}\"", one.name),
                  "give the target that the code is for"};
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

/// The op given by the user for an opcode, by the longest start of its name; null for an unmapped opcode.
const std::string* Decoder::op_of_unknown(const std::string& name) const {
  const std::string* op = nullptr;
  std::size_t longest = 0;
  for (const auto& [start, given] : lowering_.unknown)
    if (name.starts_with(start) && start.size() >= longest) {
      op = &given;
      longest = start.size();
    }
  if (op == nullptr)
    if (const auto found = lowering_.unknown.find(isa::kEveryClass); found != lowering_.unknown.end())
      op = &found->second;
  return op;
}

/// Notes that an opcode is left out, where this may be assumed.
void Decoder::ask_about_unknown(const TextInstruction& one) {
  Diagnostic question{isa::at_line(module_.file, one.line), fmt::format("the opcode \"{}\" is not known", one.name),
                      fmt::format("found \"{}\"", one.text),
                      fmt::format("map it with `unknown {0}:OP`, or leave it out with `unknown {0}:skip`", one.name)};
  if (!lowering_.assume) {
    std::vector<std::string> names;
    for (const auto& known : opcodes()) names.push_back(known.name);
    const auto near = nearest_name(one.name, names);
    throw Problem{question.problem, question.found,
                  question.advice + (near.empty() ? "" : fmt::format("; the nearest known one is {}", near))};
  }
  if (std::ranges::find(made_.assumed, one.name, &isa::Assumption::name) == made_.assumed.end())
    made_.assumed.push_back({isa::Assumption::Kind::Opcode,
                             one.name,
                             std::string(isa::kSkip),
                             "it is not known",
                             {},
                             one.line,
                             "",
                             question});
}

/// Takes the first operand for a result, which is not followed; a store has none.
Instruction Decoder::unknown_opcode(const TextInstruction& one, Instruction made) {
  const auto* const op = op_of_unknown(one.name);
  if (op == nullptr)
    ask_about_unknown(one);
  else if (*op != isa::kSkip)
    made.ops = {*op};
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

Instruction Decoder::branch(const TextInstruction& one, const Opcode& opcode, Instruction made) {
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

void Decoder::place_labels() {
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

}  // namespace warpipe::amdgcn
