// A warp's way with sizes on trial, with its comparisons and addresses.
#include <algorithm>

#include "lanes/companions.hpp"
#include "lanes/interpreter.hpp"

namespace warpipe::isa {

void ComparedValues::add(std::int64_t one, std::int64_t other) {
  const auto difference = one - other;
  sides = {one, other};
  least = any ? std::min(least, difference) : difference;
  most = any ? std::max(most, difference) : difference;
  if (!any) first = difference;
  latest = difference;
  any = true;
}

std::int64_t Interpreter::compared_value(const LaneOperation& operation, const Input& input, std::size_t lane) const {
  const auto number = value(input, lane);
  const auto bits = operation.type.bits;
  const auto whole = operation.type.kind == Type::Kind::Signed ? sign_extended(number, bits)
                                                               : static_cast<std::int64_t>(truncated(number, bits));
  constexpr auto kMost = std::int64_t{1} << 61;  // keeps differences within 64 bits
  return std::clamp(whole, -kMost, kMost);
}

void Interpreter::note_comparison(const Step& next, const Assignment& assignment, LaneMask mask) {
  const auto& operation = assignment.operation;
  if (operation.op != LaneOp::Compare && operation.op != LaneOp::Minimum) return;
  const auto found = companions_.trial->comparisons.find(next.index);
  if (found == companions_.trial->comparisons.end() || goes_round_again()) return;
  for_each_lane(mask, [&](std::size_t lane) {
    found->second.add(compared_value(operation, assignment.inputs[0], lane),
                      compared_value(operation, assignment.inputs[1], lane));
  });
}

/// Whether an enclosing loop is on its second round only to be left.
bool Interpreter::goes_round_again() const {
  return std::ranges::any_of(frames_, [](const LoopFrame& frame) { return frame.iterations > 1 && !frame.ends; });
}

void Interpreter::note_addresses(const Step& next, LaneMask mask) {
  const auto found = companions_.trial->accesses.find(next.index);
  if (found == companions_.trial->accesses.end()) return;
  mask = known_address(*next.instruction->access, mask);
  LaneNumbers addresses;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  find_addresses(*next.instruction->access, mask, addresses);
  for_each_lane(mask, [&](std::size_t lane) { found->second.push_back(addresses[lane]); });
}

/// Lanes with a known way take it, all further lanes go both ways. A loop without a known end goes round once.
void Interpreter::go_both_ways(std::uint32_t instruction, std::uint32_t block, LaneMask mask) {
  const auto& jump = kernel_.at(instruction);
  const auto certain = jump.guard ? known(*jump.guard, mask) : mask;
  auto jumps = jump.guard ? true_lanes(*jump.guard, certain) : mask;
  auto stays = certain & ~jumps;
  const auto open = mask & ~certain;
  const auto* left = jump.flow == Instruction::Flow::Jump ? frame_left_by(instruction) : nullptr;
  auto* frame = left == nullptr ? nullptr : &frames_[static_cast<std::size_t>(left - frames_.data())];
  if (frame != nullptr) frame->ends = frame->ends || open == 0;
  const auto& next = kernel_.input.flow.blocks[block].successors;
  const bool is_latch = frame != nullptr && std::ranges::count(next, frame->info->loop->header) > 0;
  const bool both = frame == nullptr || (!is_latch && (frame->ends || frame->iterations == 1));
  const bool by_jump = !both && jump_in_trip(*frame, instruction, block, 1).jumps;
  if (both || by_jump) jumps |= open;
  if (both || !by_jump) stays |= open;
  if (jump.flow == Instruction::Flow::Jump) arrive(jump.targets.front(), jumps);
  arrive(kernel_.input.flow.blocks[block].last, stays);
}

}  // namespace warpipe::isa
