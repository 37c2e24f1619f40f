#include "boxes.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace warpipe {
namespace {

constexpr std::size_t kMostBoxes = 1 << 15;

}  // namespace

bool Boxes::Box::holds(std::span<const std::int64_t> coordinates) const {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto at = static_cast<double>(coordinates[i]);
    if (at < ranges[i].least || at > ranges[i].most) return false;
  }
  return true;
}

Boxes::Boxes(LaneAddresses& addresses, std::vector<Range> ranges) : addresses_(addresses) {
  boxes_.emplace_back().ranges = std::move(ranges);
}

const Boxes::Box& Boxes::at(std::span<const std::int64_t> coordinates) {
  for (Box* box = &boxes_.front();;) {
    if (box->state == Box::State::New) settle(*box);
    if (box->state != Box::State::Split) return *box;
    box = static_cast<double>(coordinates[box->axis]) < box->split ? box->first : box->second;
  }
}

void Boxes::settle(Box& box) {
  if (std::optional<MovingLines> lines = addresses_.over(box.ranges)) {
    box.lines = *std::move(lines);
    box.state = Box::State::Moves;
  } else {
    halve(box);
  }
}

/// The coordinate that moves the obstacle to a common movement of the lines most; the longest coordinate if none does.
std::size_t Boxes::axis_to_split(const Box& box) const {
  const auto length = [&](std::size_t axis) {
    return addresses_.uses(axis) ? box.ranges[axis].most - box.ranges[axis].least : 0;
  };
  const auto blame = [&](std::size_t axis) {
    return std::pair{addresses_.obstacle()[axis] * length(axis), length(axis)};
  };
  std::size_t most = 0;
  for (std::size_t axis = 1; axis < box.ranges.size(); ++axis)
    if (blame(axis) > blame(most)) most = axis;
  return most;
}

/// Splits a box where a comparison changes its answer; else in halves, of powers of two as sizes for a whole launch.
void Boxes::halve(Box& box) {
  const std::optional<Cut>& cut = addresses_.cut();
  const std::size_t axis = cut ? cut->coordinate : axis_to_split(box);
  const Range& range = box.ranges[axis];
  if (!addresses_.uses(axis) || range.is_point() || boxes_.size() >= kMostBoxes) {
    box.state = Box::State::Irregular;
    return;
  }
  const auto size = static_cast<std::uint64_t>(range.most - range.least) + 1;
  box.axis = axis;
  box.split = cut ? cut->second : range.least + static_cast<double>(std::bit_ceil(size) / 2);
  box.first = &boxes_.emplace_back();
  box.first->ranges = box.ranges;
  box.first->ranges[axis].most = box.split - 1;
  box.second = &boxes_.emplace_back();
  box.second->ranges = box.ranges;
  box.second->ranges[axis].least = box.split;
  box.state = Box::State::Split;
}

}  // namespace warpipe
