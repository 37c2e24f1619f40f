#include "lanes/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "flow/memory_flow.hpp"
#include "flow/parameter_flow.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostSharedBytes = 227 * 1024;  // of a group, on the largest device

/// Checks a step of the slice for completeness before execution.
void require_complete(const Prepared& kernel, const Step& step) {
  const auto& instruction = *step.instruction;
  if (const auto& access = instruction.access; access && (access->bytes < 1 || (access->bytes > 64 && !access->bulk)))
    kernel.fail(step.index, "an access has an address and a type of 1 to 64 bytes",
                "found \"" + instruction.name + "\"", "");
  if (!step.needed || instruction.access) return;
  for (const auto& [operation, inputs, outputs] : instruction.assignments)
    if (inputs.size() < inputs_of(operation.op))
      kernel.fail(step.index, fmt::format("\"{}\" has {} inputs", instruction.name, inputs_of(operation.op)),
                  fmt::format("found {}", inputs.size()), "");
}

void collect_members(const std::vector<Region>& regions, std::vector<bool>& members) {
  for (const auto& region : regions) {
    if (const auto* block = std::get_if<std::uint32_t>(&region.node)) members[*block] = true;
    if (const auto* loop = std::get_if<NaturalLoop>(&region.node)) collect_members(loop->body, members);
  }
}

std::vector<std::uint32_t> exits_of(const LoopInfo& info, const ControlFlow& flow) {
  std::vector<std::uint32_t> exits;
  for (std::size_t i = 0; i < info.members.size(); ++i) {
    const auto& block = flow.blocks[i];
    const auto is_outside = [&](std::uint32_t next) { return !info.members[next]; };
    if (info.members[i] && (block.leaves || std::ranges::any_of(block.successors, is_outside)))
      exits.push_back(block.last - 1);
  }
  return exits;
}

void collect_loops(const std::vector<Region>& regions, const ControlFlow& flow,
                   std::map<std::uint32_t, LoopInfo>& loops) {
  for (const auto& region : regions) {
    const auto* loop = std::get_if<NaturalLoop>(&region.node);
    if (loop == nullptr) continue;
    auto& info = loops[loop->header];
    info.loop = loop;
    info.members.assign(flow.blocks.size(), false);
    collect_members(loop->body, info.members);
    info.exits = exits_of(info, flow);
    collect_loops(loop->body, flow, loops);
  }
}

/// Calls `visit` with each assignment of the slice in a loop.
template <class Visit>
void for_each_assignment(const Prepared& kernel, const LoopInfo& info, const Visit& visit) {
  for (std::size_t block = 0; block < info.members.size(); ++block) {
    if (!info.members[block]) continue;
    for (const auto& step : kernel.steps[block])
      for (const auto& assignment : step.instruction->assignments)
        if (step.needed) visit(assignment);
  }
}

/// Registers written by the steps of a loop.
std::vector<std::uint32_t> written_in(const Prepared& kernel, const LoopInfo& info) {
  std::set<std::uint32_t> written;
  for_each_assignment(kernel, info, [&](const Assignment& assignment) {
    for (const auto& output : assignment.outputs)
      for (std::uint32_t i = 0; i < output.registers.count; ++i) written.insert(output.registers.first + i);
  });
  return {written.begin(), written.end()};
}

/// By register written in a loop: whether a choice makes it there, or a copy of a chosen register.
std::vector<bool> chosen_in(const Prepared& kernel, const LoopInfo& info) {
  std::set<std::uint32_t> chosen;
  const auto is_chosen = [&](const Input& from) {
    return from.kind == Input::Kind::Register && chosen.contains(from.registers.first);
  };
  for (bool changed = true; changed;) {
    const auto before = chosen.size();
    for_each_assignment(kernel, info, [&](const Assignment& assignment) {
      const auto op = assignment.operation.op;
      const bool copies = op == LaneOp::Move && std::ranges::any_of(assignment.inputs, is_chosen);
      if (op != LaneOp::Select && !copies) return;
      for (const auto& output : assignment.outputs) chosen.insert(output.registers.first);
    });
    changed = chosen.size() > before;
  }
  std::vector<bool> result;
  for (const auto reg : info.written) result.push_back(chosen.contains(reg));
  return result;
}

/// Registers without a writing step share a place that is never written.
void place_registers(Prepared& kernel) {
  const auto& registers = kernel.input.program.registers;
  const auto lanes = static_cast<std::size_t>(kernel.input.lanes);
  std::vector<bool> is_written(registers.size(), false);
  const auto note = [&](const RegisterRange& range) {
    for (std::uint32_t i = 0; i < range.count; ++i) is_written[range.first + i] = true;
  };
  if (kernel.input.program.mask) note(*kernel.input.program.mask);
  for (const auto& block : kernel.steps)
    for (const auto& step : block)
      for (const auto& assignment : step.instruction->assignments)
        for (const auto& output : assignment.outputs) note(output.registers);
  kernel.values = lanes;
  for (std::size_t reg = 0; reg < registers.size(); ++reg) {
    kernel.per_lane.push_back(is_per_lane(registers[reg].file) ? 1 : 0);
    kernel.first_value.push_back(is_written[reg] ? kernel.values : 0);
    if (is_written[reg]) kernel.values += kernel.per_lane[reg] != 0 ? lanes : 1;
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
    throw UsageError(Diagnostic{fmt::format("`trips {}`", label), "no loop begins at that label",
                                list.empty() ? "found no loops" : "loops begin at " + list, suggest(label, labels)});
  }
}

/// Branches by the label of their target or their line; writes to the execution mask by their line.
std::multimap<std::string, std::uint32_t> named_branches(const Program& program) {
  std::multimap<std::string, std::uint32_t> named;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const auto& instruction = program.instructions[i];
    const bool jump = instruction.flow == Instruction::Flow::Jump;
    const bool branch = instruction.guard && (jump || instruction.flow == Instruction::Flow::Exit);
    if (branch || writes_mask(program, instruction)) named.emplace(std::to_string(instruction.line), i);
    if (branch && jump) named.emplace(place_name(program, instruction.targets.front()), i);
  }
  return named;
}

void say_taken(Prepared& kernel) {
  const auto named = named_branches(kernel.input.program);
  for (const auto& [label, share] : kernel.input.launch.taken) {
    auto& said = kernel.said_branches[label];
    for (const auto& name : {label, "$" + label}) {  // a shell eats the `$`
      const auto [first, last] = named.equal_range(name);
      for (auto branch = first; branch != last; ++branch) said.push_back(branch->second);
    }
    for (const auto branch : said) kernel.taken[branch] = share;
    if (said.empty())
      throw UsageError(Diagnostic{fmt::format("`taken {}`", label),
                                  "no conditional branch goes to that label or stands on that line", "", ""});
  }
}

/// Accesses by any name of their array, or their line; lines take precedence.
void say_addresses(Prepared& kernel) {
  const auto& [program, names] = std::tie(kernel.input.program, kernel.input.names);
  const auto& launch = kernel.input.launch;
  if (launch.addresses.empty() && !launch.assume) return;
  kernel.patterns.resize(program.instructions.size());
  kernel.array_bases = bases_of_arrays(kernel.input, kernel.memory);
  std::set<std::string> lines;
  for (const auto& instruction : program.instructions)
    if (instruction.access) lines.insert(std::to_string(instruction.line));
  // A number of a line is no position.
  std::map<std::string, std::string> given_as;  // by the launch's name for an array
  for (const auto& [given, pattern] : launch.addresses) {
    const auto index = lines.contains(given) ? std::nullopt : parameter_named(program, names, given);
    given_as[index ? parameter_label(program, *index, names) : given] = given;
  }
  std::set<std::string> found;
  for (const bool by_line : {false, true})
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      if (!program.instructions[i].access) continue;
      const auto said =
          given_as.find(by_line ? std::to_string(program.instructions[i].line) : kernel.array_bases[i].name);
      if (said == given_as.end()) continue;
      kernel.patterns[i] = launch.addresses.at(said->second);
      found.insert(said->second);
    }
  for (const auto& [name, pattern] : launch.addresses)
    if (!found.contains(name))
      throw UsageError(Diagnostic{fmt::format("`addresses {}`", name),
                                  "no access reaches an array of that name or stands on that line", "", ""});
}

/// Whether lanes with an infinite number jump, where a jump is decided by whether a number is infinite.
std::optional<bool> jump_of_infinite(const ExecutionInput& input, std::uint32_t jump) {
  const auto found = comparison_of(input, jump);
  if (!found) return std::nullopt;
  const auto& made = found->assignment->operation;
  const bool equals = made.comparison == Comparison::Equal;
  if (made.type.kind != Type::Kind::Float || made.type.bits < 32 ||
      (!equals && made.comparison != Comparison::NotEqual))
    return std::nullopt;
  const auto infinite = made.type.bits == 64 ? std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())
                                             : std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  const bool is_asked = std::ranges::any_of(found->assignment->inputs, [&](const Input& one) {
    return one.kind == Input::Kind::Constant && one.bits == infinite;
  });
  return is_asked ? std::optional(equals != found->turned) : std::nullopt;
}

/// Whether an access reads a table of extraordinary numbers.
bool reads_rare_table(const Prepared& kernel, std::uint32_t index) {
  const auto& program = kernel.input.program;
  const auto& definitions = kernel.input.definitions;
  const auto& access = program.instructions[index].access;
  if (!access) return false;
  auto read = parameters_in(program, access->base, index, definitions, kernel.parameters());
  if (access->uniform_base)
    read.merge(parameters_in(program, *access->uniform_base, index, definitions, kernel.parameters()));
  return std::ranges::any_of(read, [&, count = program.parameters.size()](std::size_t of) {
    return of >= count && serves_rare_numbers(program.regions[of - count].name);
  });
}

/// Blocks with only avoided ways from them.
/// @param is_end  whether all ways from an instruction are avoided
template <class IsEnd>
std::vector<bool> only_avoided_from(const Prepared& kernel, const IsEnd& is_end) {
  const auto& program = kernel.input.program;
  const auto& flow = kernel.input.flow;
  std::vector<bool> avoided(flow.blocks.size(), false);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    if (!program.instructions[i].guard && is_end(i)) avoided[flow.block_of[i]] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < flow.blocks.size(); ++i) {
      const auto& block = flow.blocks[i];
      if (avoided[i] || block.leaves || block.successors.empty()) continue;
      const auto of_infinite = kernel.jumps_of_infinite.find(block.last - 1);
      const auto rare = of_infinite == kernel.jumps_of_infinite.end() ? std::nullopt
                        : of_infinite->second ? std::optional(kernel.at(block.last - 1).targets[0])
                                              : std::optional(block.last);
      const bool leads = std::ranges::all_of(
          block.successors, [&](std::uint32_t next) { return avoided[next] || flow.blocks[next].first == rare; });
      if (leads) avoided[i] = changed = true;
    }
  }
  return avoided;
}

/// Finds the blocks to which lanes do not go where their way is unknown.
void find_avoided(Prepared& kernel) {
  const auto& program = kernel.input.program;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    if (program.instructions[i].flow == Instruction::Flow::Jump && program.instructions[i].targets.size() == 1)
      if (const auto jumps = jump_of_infinite(kernel.input, i)) kernel.jumps_of_infinite.emplace(i, *jumps);
  const bool has_tables =
      std::ranges::any_of(program.regions, [](const MemoryRegion& one) { return serves_rare_numbers(one.name); });
  const auto fails = [&](std::uint32_t i) { return program.instructions[i].fails; };
  const auto errors = only_avoided_from(kernel, fails);
  const auto all = only_avoided_from(kernel, [&](std::uint32_t i) {
    return fails(i) || program.instructions[i].rare || (has_tables && reads_rare_table(kernel, i));
  });
  for (std::size_t block = 0; block < all.size(); ++block)
    kernel.avoided.push_back(errors[block] ? Avoided::Error : all[block] ? Avoided::Rare : Avoided::No);
}

/// Whether an array in shared memory lacks a size that the launch has to give.
bool lacks_a_size(const ExecutionInput& input) {
  return input.launch.dynamic_shared_memory == 0 &&
         std::ranges::any_of(input.program.regions, [](const MemoryRegion& region) {
           return region.space == Space::Shared && region.elements == 0;
         });
}

/// The limit up to which shared memory grows with accesses.
std::int64_t find_most_unsaid_shared(const ExecutionInput& input, const MemoryLayout& memory) {
  const auto& [program, launch] = std::tie(input.program, input.launch);
  if (launch.dynamic_shared_memory > 0) return 0;
  if (program.most_shared_bytes) return memory.shared_bytes() == 0 ? *program.most_shared_bytes : 0;
  return launch.assume && lacks_a_size(input) ? kMostSharedBytes : 0;
}

}  // namespace

std::vector<ArrayBase> bases_of_arrays(const ExecutionInput& input, const MemoryLayout& memory) {
  const auto& program = input.program;
  const auto holds = parameters_in_results(program, input.definitions);
  std::vector<ArrayBase> bases(program.instructions.size());
  for (std::uint32_t i = 0; i < bases.size(); ++i) {
    const auto& access = program.instructions[i].access;
    if (!access) continue;
    auto found = parameters_in(program, access->base, i, input.definitions, holds);
    if (access->uniform_base) found.merge(parameters_in(program, *access->uniform_base, i, input.definitions, holds));
    // An array of its own, behind the parameters' arrays.
    const bool windowed =
        access->space == Space::Shared || access->space == Space::Local || access->space == Space::Constant;
    auto& base = bases[i];
    base.name = std::to_string(program.instructions[i].line);
    if (windowed)
      base.bytes = access->space == Space::Shared ? memory.shared_bytes() : 0;
    else
      base.address = static_cast<std::uint64_t>(program.parameters.size() + 1 + i % kNamelessArrays) << kArrayShift;
    for (const auto index : found) {
      if (index < program.parameters.size()) {
        if (windowed || !input.arguments[index].pointer) continue;
        base = {*input.arguments[index].bits, 0, parameter_label(program, index, input.names)};
        break;
      }
      const auto region = index - program.parameters.size();
      if (program.regions[region].elements == 0) continue;
      base = {memory.address_of(region), program.regions[region].bytes(), region_label(program.regions[region])};
      if (access->space == Space::Generic && program.regions[region].space == Space::Shared)
        base.address |= kSharedWindow;
      if (access->space == Space::Generic && program.regions[region].space == Space::Local)
        base.address |= kLocalWindow;
      break;
    }
  }
  return bases;
}

bool compares_alone(const Assignment& assignment) {
  const auto& [op, join] = std::tie(assignment.operation.op, assignment.operation.join);
  if (op != LaneOp::Compare) return false;
  if (join == Join::None) return true;
  const auto& other = assignment.inputs.back();
  return assignment.inputs.size() == 3 && other.kind == Input::Kind::Constant &&
         ((other.bits != 0) != other.negated) == (join == Join::And);
}

std::optional<FoundComparison> comparison_of(const ExecutionInput& input, std::uint32_t jump) {
  const auto& guard = input.program.instructions[jump].guard;
  if (!guard || guard->kind != Input::Kind::Register) return std::nullopt;
  const auto reg = guard->registers.first;
  const auto writers = input.definitions.writers(jump, reg);
  if (writers.size() != 1) return std::nullopt;
  for (const auto& assignment : input.program.instructions[writers.front()].assignments) {
    if (!compares_alone(assignment)) continue;
    for (std::size_t i = 0; i < assignment.outputs.size(); ++i)
      if (assignment.outputs[i].registers.first == reg)
        return FoundComparison{writers.front(), &assignment, guard->negated != (i == 1)};
  }
  return std::nullopt;
}

Prepared::Prepared(const ExecutionInput& given) : input(given), memory(given.program, given.launch, given.arguments) {
  const auto& instructions = input.program.instructions;
  if (input.launch.recorded) recorded.emplace(*input.launch.recorded, input.program, input.arguments, memory);
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    follows_memory = follows_memory || (input.slice.needed[i] && writes_near_memory(instructions[i]));
  steps.resize(input.flow.blocks.size());
  taken.resize(instructions.size());
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const bool needed = input.slice.needed[i];
    const bool reaches = instructions[i].access || instructions[i].barrier;
    const bool counts = needed || (input.slice.accesses && reaches) || may_idle(instructions[i]);
    const bool meets = (follows_memory && instructions[i].others != Instruction::Others::None) ||
                       (recorded && ends_phase(instructions[i]));
    if (is_jump(instructions[i]) || !(counts || meets)) continue;
    const auto& step = steps[input.flow.block_of[i]].emplace_back(Step{i, &instructions[i], needed, counts});
    if (counts) require_complete(*this, step);
  }
  for (const auto& instruction : instructions)
    if (instruction.flow == Instruction::Flow::Jump && instruction.guard && !instruction.targets.empty())
      ++jumps_to_[instruction.targets.front()];
  place_registers(*this);
  most_unsaid_shared = find_most_unsaid_shared(input, memory);
  lacks_shared_bytes = !input.program.most_shared_bytes && lacks_a_size(input);
  pointers = loads_of_pointers(input.program, input.definitions);
  find_avoided(*this);
  collect_loops(input.flow.regions, input.flow, loops);
  for (auto& [header, info] : loops) {
    info.written = written_in(*this, info);
    info.chosen = chosen_in(*this, info);
  }
  say_trips(*this);
  say_taken(*this);
  say_addresses(*this);
}

const std::vector<std::set<std::size_t>>& Prepared::parameters() const {
  if (parameters_.empty()) parameters_ = parameters_in_results(input.program, input.definitions);
  return parameters_;
}

bool Prepared::goes_alone(std::uint32_t jump) const {
  const auto found = jumps_to_.find(at(jump).targets.front());
  return found != jumps_to_.end() && found->second == 1;
}

Diagnostic Prepared::problem(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const {
  const auto place = source_of(input.program, instruction);
  return {at_line(input.program.file, at(instruction).line) + (place.empty() ? "" : ", from " + place), std::move(rule),
          std::move(found), std::move(advice)};
}

void Prepared::fail(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const {
  throw InputError(problem(instruction, std::move(rule), std::move(found), std::move(advice)));
}

std::int64_t warps_per_group(const ExecutionInput& input) {
  const auto& block = input.launch.block;
  return (block[0] * block[1] * block[2] + input.lanes - 1) / input.lanes;
}

bool draws_lanes(const Launch& launch) {
  return std::ranges::any_of(launch.taken, [](const auto& branch) { return branch.second > 0 && branch.second < 1; });
}

}  // namespace warpipe::isa
