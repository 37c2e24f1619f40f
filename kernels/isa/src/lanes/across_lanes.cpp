#include "lanes/across_lanes.hpp"

#include <bit>

namespace warpipe::isa {
namespace {

/// The lanes of a mask whose first input is some value.
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

/// The lane that a lane reads, within its segment of the warp; itself where that one lies beyond.
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

}  // namespace warpipe::isa
