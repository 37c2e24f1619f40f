#include "lanes/interpreter.hpp"

#include <algorithm>
#include <bit>

namespace warpipe::isa {
namespace {

/// Whether each bit of a result depends on the same bits of the inputs alone.
bool is_bitwise(LaneOp op) {
  return op == LaneOp::Move || op == LaneOp::And || op == LaneOp::AndNot || op == LaneOp::Or || op == LaneOp::Xor ||
         op == LaneOp::Not;
}

/// Whether the lowest bits of a result depend on as many bits of the inputs alone.
bool is_upward(LaneOp op) {
  return is_bitwise(op) || op == LaneOp::Add || op == LaneOp::Subtract || op == LaneOp::Negate ||
         op == LaneOp::Multiply || op == LaneOp::MultiplyAdd || op == LaneOp::MultiplyAddWide ||
         op == LaneOp::ShiftLeft;
}

}  // namespace

Interpreter::Interpreter(const Prepared& kernel, Execution& execution, const Dimensions& group, std::int64_t warp,
                         const Companions& companions)
    : kernel_(kernel),
      execution_(execution),
      companions_(companions),
      group_(group),
      warp_(warp),
      lanes_(static_cast<std::size_t>(kernel.input.lanes)),
      all_lanes_(truncated(~LaneMask{0}, static_cast<int>(lanes_))),
      registers_(kernel),
      memory_(lanes_),
      executed_before_(execution.executed),
      most_(companions.sampling.most),
      most_of_warp_(companions.sampling.most_of_warp),
      arrivals_(kernel.input.flow.blocks.size()),
      makes_up_(companions.trial != nullptr || (!kernel.patterns.empty() && kernel.input.slice.accesses)) {
  if (!kernel.recorded) return;
  const auto* of_group = kernel.input.launch.recorded->find(index_of_group(kernel.input.launch.grid, group));
  if (of_group != nullptr && static_cast<std::size_t>(warp) < of_group->warps.size())
    recorded_.emplace(of_group->warps[static_cast<std::size_t>(warp)], *kernel.recorded);
}

OrStop<std::uint32_t> Interpreter::run() {
  ++execution_.warps;
  const auto& block = kernel_.input.launch.block;
  const auto threads = block[0] * block[1] * block[2];
  const auto size = static_cast<std::int64_t>(lanes_);
  const auto active = std::min(size, threads - warp_ * size);
  arrivals_[0] = active == 64 ? ~LaneMask{0} : (LaneMask{1} << active) - 1;
  if (const auto& mask = kernel_.input.program.mask) write(*mask, 1, arrivals_[0]);
  Iteration all;
  list(kernel_.input.flow.regions, all);
  const auto record = stop_ ? 0 : keep(all, 1);
  if (stop_) return std::move(*stop_);
  return record;
}

void Interpreter::list(const std::vector<Region>& regions, Iteration& iteration) {
  for (const auto& region : regions) {
    if (const auto* index = std::get_if<std::uint32_t>(&region.node)) {
      const auto mask = std::exchange(arrivals_[*index], 0);
      iteration.record.items.push_back(block_issues(*index, iteration, mask) ? 1 : 0);
      if (mask != 0) block(*index, mask, iteration);
    } else {
      const auto& inner = std::get<NaturalLoop>(region.node);
      iteration.record.items.push_back(arrivals_[inner.header] == 0 ? -1 : loop(inner));
    }
    if (stop_) return;
  }
}

/// A side under a predicate issues whenever its branch would have issued.
bool Interpreter::block_issues(std::uint32_t index, const Iteration& iteration, LaneMask mask) const {
  const auto branch = kernel_.input.branch_of[index];
  if (mask != 0 || branch == kNoBlock) return mask != 0;
  return std::ranges::find(iteration.blocks, branch, &std::pair<std::uint32_t, LaneMask>::first) !=
         iteration.blocks.end();
}

/// @return whether the warp may go on
bool Interpreter::charge(std::uint32_t instruction) {
  if (++execution_.executed > most_) stop_ = companions_.sampling.beyond(*this, instruction);
  return !stop_;
}

void Interpreter::block(std::uint32_t index, LaneMask mask, Iteration& iteration) {
  if (!charge(kernel_.input.flow.blocks[index].first)) return;
  const auto active = active_lanes(mask);
  iteration.blocks.emplace_back(index, active);
  for (const auto& next : kernel_.steps[index]) {
    if (!charge(next.index)) return;
    // An instruction executed once for the warp stands in its first lane.
    step(next, next.instruction->per_lane ? active : active == 0 ? 1 : active & -active, iteration);
    if (stop_) return;
  }
  leave(index, mask);
}

void Interpreter::step(const Step& next, LaneMask mask, Iteration& iteration) {
  const auto& instruction = *next.instruction;
  meet_others(instruction);
  if (!next.counts) return;
  auto sure = mask;
  if (const auto& guard = instruction.guard) {
    touch(*guard, mask);
    const auto certain = known(*guard, mask);
    if (instruction.access && certain != mask && kernel_.input.slice.accesses && companions_.trial == nullptr) {
      stop_ = companions_.questions.predicate(*this, next.index, *guard);
      if (stop_) return;
    }
    // Where the guard is unknown, an access counts as made, and a value is lost.
    if (next.needed && certain != mask && companions_.trial == nullptr)
      for (const auto& assignment : instruction.assignments)
        for (const auto& output : assignment.outputs) forget(output.registers, mask & ~certain, origin_of(*guard));
    sure = true_lanes(*guard, certain);
    mask = sure | (instruction.access || companions_.trial != nullptr ? mask & ~certain : 0);
    if (mask == 0 && may_idle(instruction)) iteration.record.idle.push_back(next.index);
    if (mask == 0) return;
  }
  if (instruction.barrier && mask != 0) note_barrier(next, mask);
  const bool decides = next.needed || kernel_.input.slice.accesses;
  if (instruction.access && mask != 0 && decides) access(next, mask, iteration);
  if (!next.needed || stop_) return;
  if (instruction.access) store(next, mask, sure);
  for (const auto& assignment : instruction.assignments) {
    if (instruction.access)
      load(next, assignment, sure);
    else if (is_across_lanes(assignment.operation.op))
      compute_across(next, assignment, mask);
    else
      compute(next, assignment, mask);
    if (kernel_.input.program.mask) settle_mask(next.index);
    if (stop_) return;
  }
}

void Interpreter::compute(const Step& next, const Assignment& assignment, LaneMask mask) {
  auto origin = next.index;
  auto certain = mask;
  if (companions_.trial != nullptr) note_comparison(next, assignment, mask);
  for (const auto& input : assignment.inputs) {
    touch(input, mask);
    const auto before = certain;
    certain &= known(input, mask);
    if (before != certain && input.kind == Input::Kind::Register) origin = origin_of(input);
  }
  const auto op = assignment.operation.op;
  if (op == LaneOp::Unknown) certain = 0;
  if (certain != mask && compute_bits(next, assignment)) return;
  if (certain != mask) certain |= decided(assignment, mask & ~certain);
  const auto low = known_lowest(assignment, mask & ~certain);
  const bool makes_bits = std::ranges::any_of(assignment.outputs, &Output::bit_of_lane);
  if (makes_bits) lane_bits_.assign(assignment.outputs.size(), {0, mask & ~certain, origin});
  for (const auto& output : assignment.outputs)
    if (!output.bit_of_lane) {
      // An instruction executed once for the warp may write any lane of a lane register.
      const bool any = !next.instruction->per_lane && output.registers.count > 0 && !is_uniform(output.registers.first);
      forget(output.registers, any ? all_lanes_ : mask & ~certain, origin);
    }
  const bool alike =
      std::ranges::all_of(assignment.inputs, [&](const Input& input) { return is_same(input, certain); });
  if (alike && certain != 0)
    compute_lanes(next, assignment, static_cast<std::size_t>(std::countr_zero(certain)), certain);
  else if (!compute_at_once(assignment, certain))
    for_each_lane(certain, [&](std::size_t lane) { compute_lanes(next, assignment, lane, LaneMask{1} << lane); });
  if (makes_bits) write_lane_bits(assignment);
  if (low != 0) compute_lowest(next, assignment, low, origin);
  if (makes_up_ && certain != mask) compute_made_up(next, assignment, mask & ~certain & ~low, origin);
}

/// Filters a mask for lanes where the lowest register of a result is known, though upper registers are not: compilers
/// leave the upper half of a sum or a product undefined where they use the lower half alone.
LaneMask Interpreter::known_lowest(const Assignment& assignment, LaneMask mask) const {
  if (mask == 0 || !is_upward(assignment.operation.op) || assignment.outputs.size() != 1) return 0;
  const auto& output = assignment.outputs.front();
  if (output.bit_of_lane || output.registers.count < 2) return 0;
  for (auto input : assignment.inputs) {
    auto& range = input.registers;
    if (input.kind == Input::Kind::Register && bits_of(range.first) == bits_of(output.registers.first)) range.count = 1;
    mask &= known(input, mask);
  }
  return mask;
}

void Interpreter::compute_lowest(const Step& next, const Assignment& assignment, LaneMask mask, std::uint32_t origin) {
  for_each_lane(mask, [&](std::size_t lane) { compute_lanes(next, assignment, lane, LaneMask{1} << lane); });
  const auto& to = assignment.outputs.front().registers;
  forget({to.first + 1, to.count - 1}, mask, origin);
}

/// Finds the motion of lanes' results from the motion of the inputs.
void Interpreter::move_lanes(const Assignment& assignment, LaneMask mask, std::span<const std::uint64_t* const> vectors,
                             std::array<Motion, kMostLanes>& moved) {
  std::array<std::uint64_t, kMostVectors> own{};
  std::array<Motion, kMostVectors> motions;
  for_each_lane(mask, [&](std::size_t lane) {
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      own[i] = vectors[i][lane];
      motions[i] = motion(assignment.inputs[i], lane);
    }
    const auto found =
        motion_of(assignment.operation, {own.data(), vectors.size()}, {motions.data(), vectors.size()}, horizon_);
    if (!found) closable_ = false;
    moved[lane] = found.value_or(Motion{});
  });
}

/// Computes the results of all lanes at once, for a single output.
/// @return false where lanes are to be computed separately
bool Interpreter::compute_at_once(const Assignment& assignment, LaneMask mask) {
  const auto& inputs = assignment.inputs;
  const auto& outputs = assignment.outputs;
  const bool packs = assignment.operation.op == LaneOp::Move && inputs.size() > 1;
  if (mask == 0 || packs || outputs.size() != 1 || inputs.size() > kMostVectors) return false;
  const auto& output = outputs.front();
  if (output.bit_of_lane || output.registers.count == 0 || is_uniform(output.registers.first)) return false;
  const bool moves = closing_ && !std::ranges::all_of(inputs, [&](const Input& input) { return rests(input, mask); });
  if (moves && output.registers.count > 1) return false;
  std::array<LaneNumbers, kMostVectors> room;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  std::array<const std::uint64_t*, kMostVectors> vectors{};
  for (std::size_t i = 0; i < inputs.size(); ++i) vectors[i] = by_lane(inputs[i], mask, room[i]);
  LaneNumbers results{};
  if (!evaluate_lanes(assignment.operation, {vectors.data(), inputs.size()}, mask, lanes_, results)) return false;
  if (!moves) {
    write_lanes(output.registers, mask, results);
    return true;
  }
  std::array<Motion, kMostLanes> moved;
  move_lanes(assignment, mask, {vectors.data(), inputs.size()}, moved);
  write_lanes(output.registers, mask, results);
  for_each_lane(mask, [&](std::size_t lane) { set_motion(output.registers.first, LaneMask{1} << lane, moved[lane]); });
  return true;
}

/// Continues with made-up numbers in place of unknown numbers.
void Interpreter::compute_made_up(const Step& next, const Assignment& assignment, LaneMask mask, std::uint32_t origin) {
  const bool keeps = std::ranges::none_of(assignment.outputs, &Output::bit_of_lane);
  if (assignment.operation.op == LaneOp::Unknown || !keeps) return;
  guesses_ = true;
  if (!compute_at_once(assignment, mask))
    for_each_lane(mask, [&](std::size_t lane) { compute_lanes(next, assignment, lane, LaneMask{1} << lane); });
  guesses_ = false;
  for (const auto& output : assignment.outputs) lose(output.registers, mask, origin);
}

/// Filters a mask for lanes with a decided result despite an unknown input: the input is on the other side of a choice,
/// or joined with a deciding truth.
LaneMask Interpreter::decided(const Assignment& assignment, LaneMask mask) const {
  const auto& inputs = assignment.inputs;
  const auto op = assignment.operation.op;
  LaneMask found = 0;
  if (op == LaneOp::Select)
    for_each_lane(known(inputs[2], mask), [&](std::size_t lane) {
      const auto chosen = value(inputs[2], lane) != 0 ? 0U : 1U;
      found |= known(inputs[chosen], LaneMask{1} << lane);
    });
  const bool is_truth = assignment.operation.type.kind == Type::Kind::Predicate;
  if (is_truth && (op == LaneOp::And || op == LaneOp::Or))
    for (const auto& input : inputs) {
      const auto certain = known(input, mask), trues = true_lanes(input, certain);
      found |= op == LaneOp::Or ? trues : certain & ~trues;
    }
  return found;
}

/// Follows the known bits of uniform numbers, such as masks of lanes, where some bits are unknown: unknown bits keep
/// their made-up values.
/// @return false for an operation that mixes bits
bool Interpreter::compute_bits(const Step& next, const Assignment& assignment) {
  const auto& inputs = assignment.inputs;
  if (next.instruction->per_lane || !is_bitwise(assignment.operation.op) || inputs.size() > 2) return false;
  std::uint64_t values[2] = {0, 0}, unknown[2] = {0, 0};
  auto origin = next.index;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool uniform = is_uniform(inputs[i]) && !inputs[i].negated;
    if (!uniform && (inputs[i].kind == Input::Kind::Register || known(inputs[i], 1) == 0)) return false;
    unknown[i] = uniform ? unknown_bits(inputs[i].registers) : 0;
    values[i] = value(inputs[i], 0);
    if (unknown[i] != 0) origin = origin_of(inputs[i]);
  }
  const auto op = assignment.operation.op;
  const auto second = op == LaneOp::AndNot ? ~values[1] : values[1];
  auto lost = unknown[0] | unknown[1];
  if (op == LaneOp::And || op == LaneOp::AndNot) lost &= (values[0] | unknown[0]) & (second | unknown[1]);
  if (op == LaneOp::Or) lost &= ~((values[0] & ~unknown[0]) | (second & ~unknown[1]));
  const auto result = *evaluate(assignment.operation, {values, inputs.size()});
  for (const auto& output : assignment.outputs) set_bits(output.registers, result, lost, origin);
  return true;
}

void Interpreter::write_lane_bits(const Assignment& assignment) {
  for (std::size_t i = 0; i < assignment.outputs.size(); ++i)
    if (assignment.outputs[i].bit_of_lane)
      set_bits(assignment.outputs[i].registers, lane_bits_[i].value, lane_bits_[i].unknown, lane_bits_[i].origin);
}

/// Packs several inputs into one.
void Interpreter::pack(const Type& type) {
  const auto part = type.bits / static_cast<int>(inputs_.size());
  std::uint64_t whole = 0;
  for (std::size_t i = 0; i < inputs_.size() && part < 64; ++i)
    whole |= truncated(inputs_[i], part) << (static_cast<int>(i) * part);
  if (!std::ranges::all_of(motions_, &Motion::rests)) closable_ = false;
  inputs_ = {whole};
  motions_ = {Motion{}};
}

/// Computes the result of a lane, for all lanes with the same inputs.
void Interpreter::compute_lanes(const Step& next, const Assignment& assignment, std::size_t lane, LaneMask mask) {
  inputs_.clear();
  motions_.clear();
  for (const auto& input : assignment.inputs) {
    inputs_.push_back(value(input, lane));
    motions_.push_back(closing_ ? motion(input, lane) : Motion{});
  }
  const auto& operation = assignment.operation;
  const auto& outputs = assignment.outputs;
  const bool splits = operation.op == LaneOp::Move && outputs.size() > 1;
  if (operation.op == LaneOp::Move && inputs_.size() > 1) pack(operation.type);
  const bool moves = !std::ranges::all_of(motions_, &Motion::rests);
  auto result = evaluate(operation, inputs_);
  if (!result && guesses_) result = 0;
  if (!result) kernel_.fail(next.index, "a divisor is not zero", "found a division by zero", "check the arguments");
  std::optional<Motion> moved = Motion{};
  if (closing_ && moves) moved = motion_of(operation, inputs_, motions_, horizon_);
  if (!moved || (splits && !moved->rests())) {
    closable_ = false;
    moved = Motion{};
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    auto written = *result;
    const auto part = operation.type.bits / static_cast<int>(outputs.size());
    if (splits)
      written = truncated(*result >> (static_cast<int>(i) * part), part);
    else if (i == 1)
      written = second_result(operation, inputs_, *result);
    if (!outputs[i].bit_of_lane)
      write(outputs[i].registers, mask, written, *moved);
    else if (written != 0)
      lane_bits_[i].value |= mask;
    if (outputs[i].bit_of_lane && !moved->rests()) closable_ = false;
  }
}

}  // namespace warpipe::isa
