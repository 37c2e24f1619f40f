// Operations that read other lanes of the warp, and operations evaluated lane by lane.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "cells.hpp"
#include "group.hpp"

namespace warpipe::machine {
namespace {

using isa::LaneOp;
using Numbers = std::array<std::uint64_t, kMostLanes>;

Mask lanes_with(std::uint64_t value, const Numbers& numbers, Mask lanes) {
  Mask found = 0;
  for_each_lane(lanes, [&](std::size_t lane) { found |= Mask{numbers[lane] == value} << lane; });
  return found;
}

std::uint64_t reduced(const isa::LaneOperation& operation, const Numbers& numbers, Mask lanes) {
  auto each = operation;
  each.op = operation.each;
  auto result = numbers[static_cast<std::size_t>(std::countr_zero(lanes))];
  for_each_lane(lanes & (lanes - 1), [&](std::size_t lane) {
    const std::array pair{result, numbers[lane]};
    result = isa::evaluate(each, pair).value_or(0);
  });
  return result;
}

/// The source lane of a lane, and whether it is within its segment of the warp.
/// @source PTX ISA, shfl.sync
std::pair<std::size_t, bool> source_lane(LaneOp op, std::size_t lane, std::uint64_t distance, std::uint64_t bounds) {
  constexpr std::uint64_t kAll = 31;
  const auto own = static_cast<std::uint64_t>(lane);
  const auto clamp = bounds & kAll, segment = (bounds >> 8) & kAll;
  const auto first = own & segment, last = first | (clamp & ~segment & kAll);
  distance &= kAll;
  std::uint64_t from = own;
  bool within = false;
  switch (op) {
    case LaneOp::ShuffleUp:
      within = own >= last + distance;
      from = own - distance;
      break;
    case LaneOp::ShuffleDown:
      from = own + distance;
      within = from <= last;
      break;
    case LaneOp::ShuffleAcross:
      from = own ^ distance;
      within = from <= last;
      break;
    default:
      from = first | (distance & ~segment & kAll);
      within = from <= last;
  }
  return {static_cast<std::size_t>(within ? from : own), within};
}

void shuffle(const Lanes& lanes, const OperationMore& more) {
  Numbers values{};
  const auto active = lanes.active;
  for (std::size_t lane = 0; lane < more.lanes; ++lane) values[lane] = cell(lanes, more.inputs[0], lane);
  for_each_lane(active, [&](std::size_t lane) {
    const auto [from, within] =
        source_lane(more.operation.op, lane, cell(lanes, more.inputs[1], lane), cell(lanes, more.inputs[2], lane));
    const bool read = ((active >> from) & 1) != 0;
    set_cell(lanes, more.outputs[0], lane, values[read ? from : lane]);
    if (more.outputs.size() > 1) set_cell(lanes, more.outputs[1], lane, within ? 1 : 0);
  });
}

/// A vote of all active lanes of 32, each with the same mask.
/// @return false for any other operation
bool vote_at_once(Lanes& lanes, const OperationMore& more) {
  const auto op = more.operation.op;
  if (more.lanes != 32 || more.inputs.size() != 2 || more.inputs[0].wide || more.inputs[1].wide) return false;
  if (op != LaneOp::AnyLane && op != LaneOp::AllLanes && op != LaneOp::SameTruth && op != LaneOp::Ballot) return false;
  const auto active = lanes.active;
  const auto* const masks = narrow_cells(lanes, more.inputs[1].place);
  const auto mask = masks[std::countr_zero(active)];
  std::uint32_t other = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) other |= ((active >> lane) & 1) != 0 ? masks[lane] ^ mask : 0;
  if (other != 0) return false;
  const auto part = active & mask;
  const auto& to_bits = warp_of(lanes).worker->execution.functions.to_bits;
  const auto set = to_bits(narrow_cells(lanes, more.inputs[0].place), 32) & part;
  const bool all = set == part, holds = op == LaneOp::AnyLane ? set != 0 : all || (op == LaneOp::SameTruth && set == 0);
  const auto value = op == LaneOp::Ballot ? set : Mask{holds};
  for_each_lane(active, [&](std::size_t lane) { set_cell(lanes, more.outputs[0], lane, value); });
  return true;
}

/// A lane's value of a vote among all lanes of a mask, and its second value.
std::pair<std::uint64_t, bool> vote(const isa::LaneOperation& operation, const Numbers& values, Mask lanes,
                                    std::size_t lane) {
  const auto none = lanes_with(0, values, lanes), set = lanes & ~none;
  switch (operation.op) {
    case LaneOp::AnyLane:
      return {set != 0 ? 1 : 0, false};
    case LaneOp::AllLanes:
      return {set == lanes ? 1 : 0, false};
    case LaneOp::SameTruth:
      return {set == 0 || set == lanes ? 1 : 0, false};
    case LaneOp::Ballot:
      return {set, false};
    case LaneOp::MatchAny:
      return {lanes_with(values[lane], values, lanes), false};
    case LaneOp::MatchAll: {
      const bool same = lanes_with(values[lane], values, lanes) == lanes;
      return {same ? lanes : 0, same};
    }
    case LaneOp::Reduce:
      return {lanes == 0 ? 0 : reduced(operation, values, lanes), false};
    case LaneOp::Elect: {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(lanes));
      return {lowest, lane == lowest};
    }
    default:
      return {lanes, false};
  }
}

}  // namespace

void evaluate_across(Lanes& lanes, const Step& step) {
  const auto& more = *static_cast<const OperationMore*>(step.more);
  const auto op = more.operation.op;
  const auto active = lanes.active;
  if (active == 0) return;
  if (op >= LaneOp::ShuffleUp && op <= LaneOp::ShuffleIndex) return shuffle(lanes, more);
  if (vote_at_once(lanes, more)) return;
  Numbers values{}, masks{};
  const bool has_value = isa::inputs_of(op) > 0;
  const bool has_mask = more.inputs.size() > isa::inputs_of(op);
  bool uniform = true;
  const auto first = static_cast<std::size_t>(std::countr_zero(active));
  for (std::size_t lane = 0; lane < more.lanes; ++lane) {
    if (has_value) values[lane] = cell(lanes, more.inputs[0], lane);
    masks[lane] = has_mask ? cell(lanes, more.inputs.back(), lane) : ~std::uint64_t{0};
  }
  for_each_lane(active, [&](std::size_t lane) { uniform = uniform && masks[lane] == masks[first]; });
  if (op == LaneOp::FromLane) {
    for_each_lane(active, [&](std::size_t lane) {
      const auto from = cell(lanes, more.inputs[1], lane);
      set_cell(lanes, more.outputs[0], lane, from < kMostLanes && ((active >> from) & 1) != 0 ? values[from] : 0);
    });
    return;
  }
  // Masks that differ by lane are not defined; each lane then counts the lanes of its own mask, as GPUs do.
  const bool same_for_all = uniform && op != LaneOp::MatchAny && op != LaneOp::Elect;
  auto all = vote(more.operation, values, active & masks[first], first);
  for_each_lane(active, [&](std::size_t lane) {
    const auto [value, truth] = same_for_all ? all : vote(more.operation, values, active & masks[lane], lane);
    set_cell(lanes, more.outputs[0], lane, value);
    if (more.outputs.size() > 1) set_cell(lanes, more.outputs[1], lane, truth ? 1 : 0);
  });
}

void evaluate_lanes(Lanes& lanes, const Step& step) {
  const auto& more = *static_cast<const OperationMore*>(step.more);
  std::array<std::uint64_t, 8> inputs{};
  const auto count = std::min(more.inputs.size(), inputs.size());
  for_each_lane(active_lanes(lanes, step), [&](std::size_t lane) {
    for (std::size_t i = 0; i < count; ++i) inputs[i] = cell(lanes, more.inputs[i], lane);
    const std::span<const std::uint64_t> read(inputs.data(), count);
    auto result = isa::evaluate(more.operation, read);
    if (!result && (more.operation.op == LaneOp::Divide || more.operation.op == LaneOp::Remainder))
      result = more.operation.op == LaneOp::Divide ? ~std::uint64_t{0} : inputs[0];
    if (!result) return refuse(lanes, step);
    set_cell(lanes, more.outputs[0], lane, *result);
    if (more.outputs.size() > 1)
      set_cell(lanes, more.outputs[1], lane, isa::second_result(more.operation, read, *result));
  });
}

void broadcast32(Lanes& lanes, const Step& step) {
  const auto* const in = narrow_cells(lanes, step.in[0]);
  const auto lane =
      step.number < kMostLanes ? step.number : static_cast<std::uint64_t>(std::countr_zero(warp_of(lanes).outer));
  std::fill_n(narrow_cells(lanes, step.out), kLanes, in[lane % kMostLanes]);
}

void broadcast64(Lanes& lanes, const Step& step) {
  const auto* const in = wide_cells(lanes, step.in[0]);
  const auto lane =
      step.number < kMostLanes ? step.number : static_cast<std::uint64_t>(std::countr_zero(warp_of(lanes).outer));
  std::fill_n(wide_cells(lanes, step.out), kLanes, in[lane % kMostLanes]);
}

}  // namespace warpipe::machine
