// The way through a program: blocks, parting and meeting ways, effects of instructions.
#include "symbolic/form_walk.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace warpipe::isa {
namespace {

constexpr std::uint32_t kMostOutputs = 16;  // of an instruction, with unknown numbers of their own

}  // namespace

FormWalk::FormWalk(const Program& program, const ControlFlow& flow, const Slice& slice, const LaunchNumbers& numbers,
                   ProgramForms& result)
    : program_(program),
      flow_(flow),
      slice_(slice),
      numbers_(numbers),
      result_(result),
      forms_(result.forms),
      place_of_(program.registers.size(), kEnd),
      loop_of_block_(flow.blocks.size(), kEnd),
      when_(flow.blocks.size()),
      context_(forms_.constant(1)) {
  number_loops(flow.regions, kEnd);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!slice.needed[i]) continue;
    auto registers = written_registers(program.instructions[i]);
    // Intermediate results of an instruction stand in registers of its own.
    for (const auto& assignment : program.instructions[i].assignments)
      for (const auto& output : assignment.outputs)
        for (std::uint32_t k = 0; k < output.registers.count; ++k) registers.push_back(output.registers.first + k);
    for (const auto reg : registers) {
      const auto place = place_of(reg);
      for (auto loop = loop_of_block_[flow.block_of[i]]; loop != kEnd; loop = loops_[loop].outer) {
        auto& written = loops_[loop].written;
        if (written.empty() || written.back() != place) written.push_back(place);
      }
    }
  }
  for (auto& loop : loops_) {
    std::ranges::sort(loop.written);
    loop.written.erase(std::unique(loop.written.begin(), loop.written.end()), loop.written.end());
  }
  const auto thread = [&](std::uint32_t axis) {
    return forms_.variable({Place::Thread, axis}, {0, numbers.block[axis] - 1});
  };
  thread_index_ = forms_.linear(
      0, Terms{{thread(0), 1}, {thread(1), numbers.block[0]}, {thread(2), numbers.block[0] * numbers.block[1]}});
}

std::uint32_t FormWalk::place_of(std::uint32_t reg) {
  if (place_of_[reg] == kEnd) {
    place_of_[reg] = static_cast<std::uint32_t>(register_.size());
    register_.push_back(reg);
  }
  return place_of_[reg];
}

void FormWalk::number_loops(const std::vector<Region>& regions, std::uint32_t outer) {
  for (const auto& region : regions) {
    if (const auto* block = std::get_if<std::uint32_t>(&region.node)) {
      loop_of_block_[*block] = outer;
      continue;
    }
    const auto& loop = std::get<NaturalLoop>(region.node);
    const auto number = static_cast<std::uint32_t>(loops_.size());
    loops_.push_back({loop.header, outer, {}});
    loop_at_[loop.header] = number;
    number_loops(loop.body, number);
  }
}

bool FormWalk::is_inside(std::uint32_t block, std::uint32_t loop) const {
  auto inner = loop_of_block_[block];
  while (inner != kEnd && inner != loop) inner = loops_[inner].outer;
  return inner == loop;
}

void FormWalk::run() {
  result_.loops.resize(loops_.size());
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    result_.loops[i].header = loops_[i].header;
    for (auto outer = loops_[i].outer; outer != kEnd; outer = loops_[outer].outer)
      result_.loops[i].around.insert(result_.loops[i].around.begin(), outer);
  }
  State state;
  for (const auto reg : register_)
    state.push_back(
        {forms_.unknown(kNotWritten, reg, {0, (std::int64_t{1} << std::min(program_.registers[reg].bits, 61)) - 1})});
  if (program_.mask)
    for (std::uint32_t i = 0; i < program_.mask->count; ++i)
      if (const auto place = place_of_[program_.mask->first + i]; place != kEnd)
        state[place] = {forms_.constant(1), true};
  go(flow_.block_of.empty() ? kEnd : flow_.block_of[0], forms_.constant(1), std::move(state));
  list(flow_.regions);
  for (auto& [index, access] : accesses_) result_.accesses.push_back(std::move(access));
  for (auto& [index, branch] : branches_) result_.branches.push_back(std::move(branch));
}

void FormWalk::list(const std::vector<Region>& regions) {
  for (const auto& region : regions) {
    if (const auto* block = std::get_if<std::uint32_t>(&region.node))
      this->block(*block);
    else
      loop(std::get<NaturalLoop>(region.node));
  }
}

/// Threads go on at a block.
void FormWalk::go(std::uint32_t block, Form when, State state) {
  if (when == forms_.constant(0)) return;
  Arrival arrival{when, std::move(state)};
  if (frames_.empty()) {
    if (block != kEnd) coming_[block].push_back(std::move(arrival));
    return;
  }
  auto& frame = frames_.back();
  if (block == kEnd || !is_inside(block, frame.loop))
    frame.left.push_back({block, branch_, std::move(arrival)});
  else if (block == loops_[frame.loop].header)
    frame.again.push_back(std::move(arrival));
  else
    coming_[block].push_back(std::move(arrival));
}

/// Ways meet: a register's content is a choice by the thread's way.
FormWalk::Arrival FormWalk::merged(Arrivals arrivals) {
  auto result = std::move(arrivals.back());
  arrivals.pop_back();
  if (arrivals.empty()) return result;
  // Truths common to all arrivals tell nothing.
  auto shared = forms_.factors(result.when);
  for (const auto& arrival : arrivals) {
    const auto factors = forms_.factors(arrival.when);
    std::erase_if(shared, [&](const Term& factor) { return std::ranges::find(factors, factor) == factors.end(); });
  }
  for (auto arrival = arrivals.rbegin(); arrival != arrivals.rend(); ++arrival) {
    auto way = forms_.constant(1);
    for (const auto& factor : forms_.factors(arrival->when))
      if (std::ranges::find(shared, factor) == shared.end()) way = forms_.all(way, factor.form);
    for (std::size_t i = 0; i < result.state.size(); ++i) {
      auto& held = result.state[i];
      const auto& other = arrival->state[i];
      if (held == other) continue;
      if (held.of_lanes != other.of_lanes)
        held = {forms_.unknown(kOfMask, register_[i], {0, Forms::kFar}), false};
      else
        held.form = forms_.choice(way, other.form, held.form);
    }
    result.when = forms_.any(result.when, arrival->when);
  }
  return result;
}

/// The block whose threads all come to this block, by any way: none leaves before, or goes round the loop.
std::uint32_t FormWalk::parting_of(std::uint32_t block, std::uint32_t loop) {
  const auto [known, is_new] = partings_.try_emplace(block, kEnd);
  if (!is_new) return known->second;
  auto from = flow_.blocks[block].dominator;
  while (from != kNoBlock && loop_of_block_[from] != loop) from = flow_.blocks[from].dominator;
  if (from == kNoBlock) return kEnd;
  std::set<std::uint32_t> seen{from, block};
  for (std::vector<std::uint32_t> waiting{from}; !waiting.empty();) {
    const auto& next = flow_.blocks[waiting.back()];
    waiting.pop_back();
    if (next.leaves) return kEnd;
    for (const auto to : next.successors) {
      if (loop != kEnd && (to == loops_[loop].header || !is_inside(to, loop))) return kEnd;
      if (seen.insert(to).second) waiting.push_back(to);
    }
  }
  return known->second = from;
}

/// Threads at a block, or at a loop's header from outside; nothing where none come.
std::optional<FormWalk::Arrival> FormWalk::coming_to(std::uint32_t block, std::uint32_t loop) {
  const auto found = coming_.find(block);
  if (found == coming_.end()) return std::nullopt;
  auto arrivals = std::move(found->second);
  coming_.erase(found);
  const bool meet = arrivals.size() > 1;
  auto at = merged(std::move(arrivals));
  if (const auto from = meet ? parting_of(block, loop) : kEnd; from != kEnd) at.when = when_[from];
  return at;
}

void FormWalk::block(std::uint32_t index) {
  auto coming = coming_to(index, loop_of_block_[index]);
  if (!coming) return;
  auto& at = *coming;
  when_[index] = at.when;
  const auto& block = flow_.blocks[index];
  for (auto i = block.first; i < block.last; ++i) execute(i, at);
  const auto& last = program_.instructions[block.last - 1];
  if (is_jump(last)) {
    branch_ = block.last - 1;
    branch(branch_, at);
    branch_ = kEnd;
    return;
  }
  go(block.last < flow_.block_of.size() ? flow_.block_of[block.last] : kEnd, at.when, std::move(at.state));
}

void FormWalk::branch(std::uint32_t index, const Arrival& at) {
  const auto& instruction = program_.instructions[index];
  const auto block_at = [&](std::uint32_t to) { return to < flow_.block_of.size() ? flow_.block_of[to] : kEnd; };
  const auto taken = instruction.guard ? truth_of(*instruction.guard, at.state) : forms_.constant(1);
  if (records() && (instruction.guard || instruction.flow == Instruction::Flow::Table))
    branches_[index] = {index, forms_.all(context_, at.when), taken, around_};
  if (instruction.guard) go(block_at(index + 1), forms_.all(at.when, forms_.negation(taken)), at.state);
  const auto jumps = forms_.all(at.when, taken);
  if (instruction.flow == Instruction::Flow::Exit) return go(kEnd, jumps, {});
  if (instruction.flow == Instruction::Flow::Jump) return go(block_at(instruction.targets.at(0)), jumps, at.state);
  const auto operand = read(*instruction.index, at.state);
  LaneForms lanes(forms_, index * kMostOutputs);
  const auto number = lanes.within(operand.form, std::min(operand.bits, 32));
  for (std::size_t i = 0; i < instruction.targets.size(); ++i) {
    const auto at_target = forms_.zero(forms_.plus(number, -static_cast<std::int64_t>(instruction.first_index + i)));
    go(block_at(instruction.targets[i]), forms_.all(jumps, at_target), at.state);
  }
}

void FormWalk::execute(std::uint32_t index, Arrival& at) {
  const auto& instruction = program_.instructions[index];
  auto made = forms_.constant(1);
  if (program_.mask && instruction.per_lane) {
    const auto place = place_of_[program_.mask->first];
    if (place != kEnd)
      made = at.state[place].of_lanes ? at.state[place].form : forms_.unknown(kOfMask, index * kMostOutputs, {0, 1});
  }
  if (instruction.guard && !is_jump(instruction)) made = forms_.all(made, truth_of(*instruction.guard, at.state));
  if (instruction.access && records()) access(index, forms_.all(at.when, made), at.state);
  if (!slice_.needed[index]) return;
  const bool is_followed = !instruction.assignments.empty();
  if (!is_followed)
    for (const auto reg : written_registers(instruction))
      at.state[place_of_[reg]] = {forms_.unknown(kNotFollowed, index * kMostOutputs, {0, Forms::kFar})};
  const auto kept = context_;
  context_ = forms_.all(context_, forms_.all(at.when, made));  // lanes may be alike by it
  for (std::size_t i = 0; i < instruction.assignments.size(); ++i)
    assign(index, instruction.assignments[i], i, made, at.state);
  context_ = kept;
}

void FormWalk::assign(std::uint32_t index, const Assignment& assignment, std::size_t number, Form made, State& state) {
  const auto& [operation, inputs, outputs] = assignment;
  const auto place = index * kMostOutputs + static_cast<std::uint32_t>(2 * number);
  if (program_.mask && assign_lanes(assignment, made, state)) return;
  const auto& access = program_.instructions[index].access;
  if (operation.op == LaneOp::Load || access) {
    const auto reason = access && access->kind == Access::Kind::Atomic ? kOfAtomic : kReadsMemory;
    LaneForms lanes(forms_, place);
    std::uint32_t output = 0;
    for (const auto& to : outputs) {
      LaneForms of_output(forms_, place + std::min(output++, kMostOutputs - 1));
      const auto type = access ? access->element : operation.result;
      write(to, {of_output.unknown(type, {}, reason)}, operation.result, type.kind == Type::Kind::Signed, made, state);
    }
    return;
  }
  std::vector<LaneForms::Operand> operands;
  for (const auto& input : inputs) {
    operands.push_back(read(input, state));
    // A constant of a narrow operation may as well be the negative number of its class: steps stay small.
    const auto bits = operation.type.bits;
    const bool is_wider = operation.op == LaneOp::MultiplyAddWide && operands.size() == 3;
    if (input.kind == Input::Kind::Constant && bits >= 8 && bits <= 32 && !is_wider)
      operands.back() = {forms_.constant(sign_extended(input.bits, bits)), bits};
  }
  LaneForms lanes(forms_, place);
  const bool is_across = is_across_lanes(operation.op);
  if (operation.op == LaneOp::Move && operands.size() > 1) {
    const auto part = operation.type.bits / static_cast<int>(operands.size());
    auto whole = forms_.constant(0);
    for (std::size_t i = 0; i < operands.size() && part <= 32; ++i) {
      // The upper part of a number has no bound within it.
      const auto piece = i + 1 < operands.size() ? lanes.within(operands[i].form, part) : operands[i].form;
      const auto at = part * static_cast<int>(i);
      whole = at < 62 ? forms_.sum(whole, piece, std::int64_t{1} << at)
                      : lanes.unknown(operation.type, operands, kTooLarge);
    }
    operands = {{whole, operation.type.bits}};
  }
  const auto first =
      is_across ? across_lanes(operation, operands, place, false).form : lanes.result(operation, operands);
  const bool splits = operation.op == LaneOp::Move && outputs.size() > 1;
  auto rest = first;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    auto value = first;
    auto type = operation.result;
    if (splits) {
      const auto part = operation.type.bits / static_cast<int>(outputs.size());
      type.bits = part;
      value = i + 1 < outputs.size() ? lanes.within(rest, part) : rest;
      if (part < 62) rest = forms_.quotient(rest, std::int64_t{1} << part);
    } else if (i == 1) {
      LaneForms second(forms_, place + 1);
      value = is_across ? across_lanes(operation, operands, place + 1, true).form
                        : second.second_result(operation, operands, first);
      if (operation.op == LaneOp::Logic3 || operation.op == LaneOp::Compare) type = {Type::Kind::Predicate, 1};
    }
    const bool is_converted = operation.op == LaneOp::Convert && type.kind == Type::Kind::Signed;
    write(outputs[i], {value}, type, is_converted, made, state);
  }
}

/// Numbers exchanged by lanes of a warp are known where all lanes hold the same.
FormWalk::Held FormWalk::across_lanes(const LaneOperation& operation, std::span<const LaneForms::Operand> inputs,
                                      std::uint32_t place, bool second) {
  LaneForms lanes(forms_, place);
  using enum LaneOp;
  const auto threads = numbers_.block[0] * numbers_.block[1] * numbers_.block[2];
  const bool together = is_uniform(context_);
  const bool alike = !inputs.empty() && is_uniform(inputs[0].form);
  switch (operation.op) {
    case AnyLane:
    case AllLanes:
      if (alike) return {inputs[0].form};
      break;
    case SameTruth:
      if (alike) return {forms_.constant(1)};
      break;
    case ShuffleUp:
    case ShuffleDown:
    case ShuffleAcross:
    case ShuffleIndex:
    case FromLane:
      if (second) break;
      if (alike) return {inputs[0].form};
      if (const auto lane = forms_.number(inputs[1].form);
          lane && *lane >= 0 && *lane < numbers_.lanes && together && forms_.is_known(inputs[0].form) &&
          (operation.op == FromLane || (operation.op == ShuffleIndex && numbers_.lanes == 32 && inputs.size() > 2 &&
                                        forms_.number(inputs[2].form) == 31)))
        if (const auto form = at_lane(inputs[0].form, *lane)) return {*form};
      break;
    case Elect:
      if (together) {
        const auto lane = forms_.remainder(thread_index_, numbers_.lanes);
        return {second ? forms_.zero(lane) : forms_.constant(0)};
      }
      break;
    case Ballot:
      if (alike && together && threads % numbers_.lanes == 0 && numbers_.lanes <= 32)
        return {forms_.scaled(inputs[0].form, (std::int64_t{1} << numbers_.lanes) - 1)};
      break;
    default:
      break;
  }
  auto type = operation.result;
  if (second) type = {Type::Kind::Predicate, 1};
  return {lanes.unknown(type, inputs, kOtherLanes)};
}

/// A form with another lane of the warp in place of each thread's own; nothing where warps lie across rows.
std::optional<Form> FormWalk::at_lane(Form form, std::int64_t lane) {
  const auto& block = numbers_.block;
  const auto lanes = numbers_.lanes, rows = std::max<std::int64_t>(1, lanes / block[0]);
  const bool along_x = block[0] % lanes == 0;
  const bool in_rows = lanes % block[0] == 0 && block[1] % rows == 0;
  const bool is_one = block[0] * block[1] * block[2] <= lanes;
  if (!along_x && !in_rows && !is_one) return std::nullopt;
  return forms_.substitute(form, [&](Variable variable) -> std::optional<Form> {
    if (variable.place != Place::Thread) return std::nullopt;
    const auto axis = variable.number;
    const auto own = forms_.variable(variable, {0, block[axis] - 1});
    const auto in_step = [&](std::int64_t step, std::int64_t first) {
      return forms_.plus(forms_.scaled(forms_.quotient(own, step), step), first);
    };
    if (along_x) return axis == 0 ? in_step(lanes, lane) : own;
    if (in_rows) return axis == 0 ? forms_.constant(lane % block[0]) : axis == 1 ? in_step(rows, lane / block[0]) : own;
    return forms_.constant(lane / (axis == 0 ? 1 : axis == 1 ? block[0] : block[0] * block[1]) % block[axis]);
  });
}

bool FormWalk::is_uniform(Form form) {
  if (!forms_.is_known(form)) return false;
  const auto is_thread = [](Variable one) { return one.place == Place::Thread; };
  return std::ranges::none_of(forms_.variables(form), is_thread) || at_lane(form, 0) == form;
}

void FormWalk::write(const Output& output, Held value, Type type, bool is_converted, Form made, State& state) {
  const auto& range = output.registers;
  int bits = 0;
  for (std::uint32_t i = 0; i < range.count; ++i) bits += program_.registers[range.first + i].bits;
  LaneForms lanes(forms_, 0);
  if (output.bit_of_lane) {
    value = {forms_.all(made, lanes.within(value.form, 1)), true};
    made = forms_.constant(1);
  } else if (bits > type.bits && type.bits > 0 && !is_converted) {
    value.form = lanes.within(value.form, Type{Type::Kind::Unsigned, type.bits});
  }
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto reg = range.first + i;
    const auto size = program_.registers[reg].bits;
    auto part = value;
    if (!value.of_lanes && i + 1 < range.count) {
      part.form = lanes.lowest(value.form, size);
      // A guess: the lower part never leaves its register.
      const auto upper = forms_.is_guessing ? forms_.sum(value.form, part.form, -1) : value.form;
      value.form = size < 62 ? forms_.quotient(upper, std::int64_t{1} << size) : forms_.constant(0);
    }
    const auto place = place_of_[reg];
    if (place == kEnd) continue;
    auto& held = state[place];
    if (made == forms_.constant(1) || held == part || program_.registers[reg].is_temporary)
      held = part;
    else if (held.of_lanes != part.of_lanes)
      held = {forms_.unknown(kOfMask, reg, {0, Forms::kFar})};
    else
      held.form = forms_.choice(made, part.form, held.form);
  }
}

std::optional<Form> FormWalk::lanes_of(const Input& input, const State& state) const {
  if (input.kind == Input::Kind::Constant) {
    if (input.bits == 0) return forms_.constant(0);
    const bool all = truncated(~input.bits, static_cast<int>(numbers_.lanes)) == 0;
    return all ? std::optional(forms_.constant(1)) : std::nullopt;
  }
  if (input.kind != Input::Kind::Register || input.bit_of_lane) return std::nullopt;
  const auto place = place_of_[input.registers.first];
  if (place == kEnd || !state[place].of_lanes) return std::nullopt;
  return input.negated ? forms_.negation(state[place].form) : state[place].form;
}

/// Logic of masks of lanes, each lane by itself. Each lane answers the test of a mask for zero by its own bit: inactive
/// lanes go either way alike.
bool FormWalk::assign_lanes(const Assignment& assignment, Form made, State& state) {
  const auto& [operation, inputs, outputs] = assignment;
  std::vector<Form> truths;
  bool any = false;
  for (const auto& input : inputs) {
    const auto truth = lanes_of(input, state);
    if (!truth) return false;
    any = any || input.kind == Input::Kind::Register;
    truths.push_back(*truth);
  }
  if (!any) return false;
  Held value{truths[0], true};
  LaneForms lanes(forms_, 0);
  const auto logic = [&](std::uint64_t table) {
    const auto other = truths.size() > 1 ? truths[1] : forms_.constant(0);
    return lanes.logic(table, truths[0], other, forms_.constant(0), Type{Type::Kind::Predicate, 1});
  };
  switch (operation.op) {
    case LaneOp::Move:
      if (inputs.size() > 1) return false;
      break;
    case LaneOp::And:
      value.form = logic(0xc0);
      break;
    case LaneOp::AndNot:
      value.form = logic(0x30);
      break;
    case LaneOp::Or:
      value.form = logic(0xfc);
      break;
    case LaneOp::Xor:
      value.form = logic(0x3c);
      break;
    case LaneOp::Not:
      value.form = forms_.negation(truths[0]);
      break;
    case LaneOp::IsZero:
      value = {forms_.negation(truths[0])};
      break;
    case LaneOp::Compare:
      if (inputs[1].kind != Input::Kind::Constant || inputs[1].bits != 0) return false;
      if (operation.comparison == Comparison::Equal)
        value = {forms_.negation(truths[0])};
      else if (operation.comparison == Comparison::NotEqual)
        value = {truths[0]};
      else
        return false;
      break;
    default:
      return false;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    write(outputs[i], i == 0 ? value : Held{value.form}, operation.result, false, made, state);
  return true;
}

Form FormWalk::truth_of(const Input& input, const State& state) {
  auto positive = input;
  positive.negated = false;
  if (const auto lanes = lanes_of(positive, state); lanes && input.kind == Input::Kind::Register)
    return input.negated ? forms_.negation(*lanes) : *lanes;
  const auto operand = read(input, state);
  LaneForms lanes(forms_, 0);
  return operand.bits == 1 ? lanes.within(operand.form, 1) : forms_.truth(lanes.within(operand.form, operand.bits));
}

LaneForms::Operand FormWalk::read(const Input& input, const State& state) {
  LaneForms lanes(forms_, 0);
  const auto missing = [&](Reasons reason, int bits) {
    return LaneForms::Operand{forms_.unknown(reason, kMostOutputs * input.index, {0, Forms::kFar}), bits};
  };
  switch (input.kind) {
    case Input::Kind::Constant:
      return {forms_.constant(static_cast<std::int64_t>(input.bits)), 64};
    case Input::Kind::Special:
      return {special(input.special), 32};
    case Input::Kind::Region:
      return {forms_.constant(static_cast<std::int64_t>(numbers_.regions[input.index] + input.bits)), 64};
    case Input::Kind::Parameter: {
      if (input.index == kNoParameter || input.part) return missing(kNotSaid, 64);
      const auto bits = std::min(program_.parameters[input.index].type.bits, 64);
      const auto& given = numbers_.parameters[input.index];
      return given ? LaneForms::Operand{forms_.constant(static_cast<std::int64_t>(*given)), bits}
                   : missing(kNotSaid, bits);
    }
    case Input::Kind::Missing:
      return missing(kNotSaid, 64);
    default:
      break;
  }
  const auto& range = input.registers;
  auto whole = forms_.constant(0);
  int bits = 0;
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const auto reg = range.first + i;
    const auto size = program_.registers[reg].bits;
    const auto place = place_of_[reg];
    if (place == kEnd) return {forms_.unknown(kNotWritten, reg, {0, size == 1 ? 1 : Forms::kFar}), size};
    const auto& held = state[place];
    if (input.bit_of_lane) {
      const auto number = forms_.number(held.form);
      if (held.of_lanes || number == 0) return {held.form, 1};
      if (number && static_cast<std::uint32_t>(*number) == UINT32_MAX) return {forms_.constant(1), 1};
      return {forms_.unknown(static_cast<Reasons>(forms_.reasons(held.form) | kOfMask), reg, {0, 1}), 1};
    }
    if (held.of_lanes) return {forms_.unknown(kOfMask, reg, {0, Forms::kFar}), size};
    const auto part = i + 1 < range.count ? lanes.within(held.form, size) : held.form;
    whole = bits < 62 ? forms_.sum(whole, part, std::int64_t{1} << bits) : whole;
    bits += size;
  }
  if (input.lane && !is_uniform(whole)) {
    const auto at = is_uniform(context_) && forms_.is_known(whole) ? at_lane(whole, *input.lane) : std::nullopt;
    whole = at.value_or(
        forms_.unknown(static_cast<Reasons>(forms_.reasons(whole) | kOtherLanes), range.first, {0, Forms::kFar}));
  }
  if (!input.negated) return {whole, bits};
  return {forms_.negation(bits == 1 ? lanes.within(whole, 1) : forms_.truth(lanes.within(whole, bits))), 1};
}

Form FormWalk::special(const Special& special) {
  using Name = Special::Name;
  const auto number = [&](std::int64_t whole) { return forms_.constant(whole); };
  const auto warps = [&] {
    const auto threads = numbers_.block[0] * numbers_.block[1] * numbers_.block[2];
    return (threads + numbers_.lanes - 1) / numbers_.lanes;
  };
  const auto lane = forms_.remainder(thread_index_, numbers_.lanes);
  switch (special.name) {
    case Name::ThreadIndex:
      return forms_.variable({Place::Thread, special.axis}, {0, numbers_.block[special.axis] - 1});
    case Name::GroupSize:
      return number(numbers_.block[special.axis]);
    case Name::GroupIndex:
      return forms_.variable({Place::Group, special.axis}, {0, numbers_.grid[special.axis] - 1});
    case Name::GridSize:
      return number(numbers_.grid[special.axis]);
    case Name::LaneIndex:
      return lane;
    case Name::WarpIndex:
      return forms_.quotient(thread_index_, numbers_.lanes);
    case Name::WarpCount:
      return number(warps());
    case Name::LanesPerWarp:
      return number(numbers_.lanes);
    case Name::DynamicSharedBytes:
      return number(numbers_.dynamic_shared_bytes);
    case Name::GridWorkspace:
      return number(static_cast<std::int64_t>(numbers_.grid_workspace >> (32 * special.axis) & UINT32_MAX));
    case Name::Other:
      return number(0);
    default:
      break;
  }
  const auto unknown = forms_.unknown(kOfHardware, static_cast<std::uint32_t>(special.name), {0, UINT32_MAX});
  if (numbers_.lanes > 32) return unknown;
  const auto bit = forms_.power(lane);
  const auto all = (std::int64_t{1} << numbers_.lanes) - 1;
  switch (special.name) {
    case Name::LaneBit:
      return bit;
    case Name::LanesBelow:
      return forms_.plus(bit, -1);
    case Name::LanesUpTo:
      return forms_.linear(-1, Terms{{bit, 2}});
    case Name::LanesAbove:
      return forms_.linear(all + 1, Terms{{bit, -2}});
    case Name::LanesFrom:
      return forms_.linear(all + 1, Terms{{bit, -1}});
    default:
      return unknown;
  }
}

void FormWalk::access(std::uint32_t index, Form made, const State& state) {
  const auto& access = *program_.instructions[index].access;
  LaneForms lanes(forms_, index * kMostOutputs + kMostOutputs - 1);
  made = forms_.all(context_, made);
  if (made == forms_.constant(0)) {
    accesses_.erase(index);
    return;
  }
  const auto base = read(access.base, state);
  auto address = base.form;
  if (access.scale != 1 || access.uniform_base) {
    if (base.bits < 64) address = lanes.within(address, base.bits);
    address = forms_.scaled(address, access.scale);
  }
  address = forms_.plus(address, access.offset);
  if (access.uniform_base) address = forms_.sum(address, read(*access.uniform_base, state).form);
  for (const auto& [coordinate, bytes] : access.terms) {
    const auto along = read(coordinate, state);
    address = forms_.sum(address, lanes.within(along.form, Type{Type::Kind::Signed, along.bits}), bytes);
  }
  const auto lane = forms_.remainder(thread_index_, numbers_.lanes);
  if (access.lanes < numbers_.lanes)
    made = forms_.all(made, forms_.not_negative(forms_.linear(access.lanes - 1, Terms{{lane, -1}})));
  if (const auto& tile = access.tile) {
    const auto pitch = read(tile->pitch, state);
    const auto row = forms_.quotient(lane, tile->lanes_per_row), column = forms_.remainder(lane, tile->lanes_per_row);
    const auto apart = forms_.product(row, lanes.within(pitch.form, Type{Type::Kind::Signed, pitch.bits}));
    address = forms_.sum(forms_.sum(address, apart, tile->element_bytes), column, access.bytes);
  }
  const bool narrow = access.base.kind == Input::Kind::Register && base.bits == 32 && !access.uniform_base;
  const bool windowed =
      access.space == Space::Shared || access.space == Space::Local || access.space == Space::Constant;
  if (narrow && windowed) address = lanes.within(address, 32);
  accesses_[index] = {index, forms_.assuming(address, made), made, around_};
}

}  // namespace warpipe::isa
