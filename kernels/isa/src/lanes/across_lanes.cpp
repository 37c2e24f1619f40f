#include "lanes/across_lanes.hpp"

#include <algorithm>
#include <bit>

#include "lanes/interpreter.hpp"

namespace warpipe::isa {
namespace {

/// The lanes of a mask with some value as first input.
std::uint64_t lanes_with(std::uint64_t value, const LaneInputs& inputs, std::uint64_t lanes) {
  std::uint64_t found = 0;
  for (auto rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    if (inputs[0][lane] == value) found |= std::uint64_t{1} << lane;
  }
  return found;
}

std::uint64_t reduced(const LaneOperation& operation, const LaneInputs& inputs, std::uint64_t lanes) {
  auto each = operation;
  each.op = operation.each;
  auto result = inputs[0][static_cast<std::size_t>(std::countr_zero(lanes))];
  for (auto rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
    const std::array pair{result, inputs[0][static_cast<std::size_t>(std::countr_zero(rest))]};
    result = evaluate(each, pair).value_or(0);
  }
  return result;
}

/// The number read by a lane from another lane of its warp segment; its own number where the other lane is beyond.
AcrossLanes shuffled(const LaneOperation& operation, const LaneInputs& inputs, std::uint64_t lanes, std::size_t lane) {
  constexpr std::uint64_t kLanes = 31;
  const auto distance = inputs[1][lane] & kLanes, bounds = inputs[2][lane];
  const auto clamp = bounds & kLanes, segment = (bounds >> 8) & kLanes;
  const auto first = lane & segment, last = first | (clamp & ~segment & kLanes);
  std::uint64_t from = lane;
  bool within = false;
  switch (operation.op) {
    case LaneOp::ShuffleUp:
      within = lane >= last + distance;
      from = lane - distance;
      break;
    case LaneOp::ShuffleDown:
      from = lane + distance;
      within = from <= last;
      break;
    case LaneOp::ShuffleAcross:
      from = lane ^ distance;
      within = from <= last;
      break;
    default:
      from = first | (distance & ~segment & kLanes);
      within = from <= last;
  }
  const bool read = within && ((lanes >> from) & 1) != 0;
  return {inputs[0][read ? static_cast<std::size_t>(from) : lane], within};
}

}  // namespace

AcrossLanes evaluate_across(const LaneOperation& operation, const LaneInputs& inputs, std::uint64_t lanes,
                            std::size_t lane) {
  const auto set = lanes & ~lanes_with(0, inputs, lanes);
  const auto same = lanes_with(inputs[0][lane], inputs, lanes);
  switch (operation.op) {
    case LaneOp::AnyLane:
      return {set != 0 ? 1U : 0U};
    case LaneOp::AllLanes:
      return {set == lanes ? 1U : 0U};
    case LaneOp::SameTruth:
      return {set == 0 || set == lanes ? 1U : 0U};
    case LaneOp::Ballot:
      return {set};
    case LaneOp::MatchAny:
      return {same};
    case LaneOp::MatchAll:
      return {same == lanes ? lanes : 0, same == lanes};
    case LaneOp::Reduce:
      return {reduced(operation, inputs, lanes)};
    case LaneOp::ActiveLanes:
      return {lanes};
    case LaneOp::Elect: {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(lanes));
      return {lowest, lane == lowest};
    }
    case LaneOp::FromLane: {
      const auto from = inputs[1][lane];
      return {from < 64 && ((lanes >> from) & 1) != 0 ? inputs[0][from] : 0};
    }
    default:
      return shuffled(operation, inputs, lanes, lane);
  }
}

namespace {

/// Whether participating lanes get the same result.
bool is_alike(LaneOp op) { return op != LaneOp::MatchAny && op != LaneOp::Elect && op < LaneOp::ShuffleUp; }

}  // namespace

/// The active lanes count, within the mask among the inputs, which may differ between lanes.
void Interpreter::compute_across(const Step& next, const Assignment& assignment, LaneMask mask) {
  const auto& inputs = assignment.inputs;
  const auto values = inputs_of(assignment.operation.op);
  auto certain = mask, placed = mask;  // lanes with known numbers, and with known masks
  auto origin = next.index;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    touch(inputs[i], mask);
    const auto given = known(inputs[i], mask);
    (i < values ? certain : placed) &= given;
    if (given != mask && inputs[i].kind == Input::Kind::Register) origin = origin_of(inputs[i]);
  }
  LaneInputs read{};
  for_each_lane(certain & placed, [&](std::size_t lane) {
    for (std::size_t i = 0; i < values && i < read.size(); ++i) read[i][lane] = value(inputs[i], lane);
    for (const auto& input : inputs)
      if (closing_ && !motion(input, lane).rests()) closable_ = false;
  });
  // Masks have 32 bits: in wider warps all lanes take part.
  const bool masked = inputs.size() > values && lanes_ <= 32;
  const auto members = [&](std::size_t lane) {
    return mask & (masked ? value(inputs[values], lane) | (LaneMask{1} << lane) : ~LaneMask{0});
  };
  for (const auto& output : assignment.outputs) forget(output.registers, mask & ~placed, origin);
  for (auto rest = placed; rest != 0;) {
    const auto lanes = members(static_cast<std::size_t>(std::countr_zero(rest)));
    LaneMask together = 0;
    for_each_lane(rest, [&](std::size_t lane) { together |= LaneMask{members(lane) == lanes} << lane; });
    rest &= ~together;
    write_across(assignment, read, lanes, together, certain & placed, origin);
  }
}

/// With an unknown participating lane, results are unknown, except for an AnyLane already true in a known lane.
void Interpreter::write_across(const Assignment& assignment, const LaneInputs& read, LaneMask lanes, LaneMask together,
                               LaneMask certain, std::uint32_t origin) {
  const auto& operation = assignment.operation;
  const auto& outputs = assignment.outputs;
  const auto get = [&](std::size_t lane) { return evaluate_across(operation, read, lanes & certain, lane); };
  const auto first = static_cast<std::size_t>(std::countr_zero(together));
  const bool settled = operation.op == LaneOp::AnyLane && get(first).value != 0;
  if ((lanes & ~certain) != 0 && !settled) {
    for (const auto& output : outputs) forget(output.registers, together, origin);
    return;
  }
  const auto put = [&](LaneMask to, const AcrossLanes& result) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      write(outputs[i].registers, to, i == 0 ? result.value : result.truth ? 1 : 0);
  };
  if (is_alike(operation.op)) return put(together, get(first));
  for_each_lane(together, [&](std::size_t lane) { put(LaneMask{1} << lane, get(lane)); });
}

}  // namespace warpipe::isa
