#include "group_boxes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpipe {

GroupBoxes::GroupBoxes(LaneAddresses& addresses, std::vector<Range> ranges)
    : addresses_(addresses), ranges_(std::move(ranges)) {
  Box& all = boxes_.emplace_back();
  std::copy_n(ranges_.begin(), kFirstCounter, all.ranges.begin());
}

const MovingLines* GroupBoxes::at(std::span<const std::int64_t> coordinates) {
  for (std::size_t at = 0;;) {
    if (boxes_[at].state == Box::State::New) settle(at);
    const Box& box = boxes_[at];
    if (box.state == Box::State::Moves) return &box.lines;
    if (box.state == Box::State::Irregular) return nullptr;
    at = box.first_child + (static_cast<double>(coordinates[box.axis]) >= box.split ? 1 : 0);
  }
}

void GroupBoxes::settle(std::size_t at) {
  Box& box = boxes_[at];
  std::ranges::copy(box.ranges, ranges_.begin());
  if (std::optional<MovingLines> lines = addresses_.over(ranges_)) {
    box.lines = *std::move(lines);
    box.state = Box::State::Moves;
  } else {
    halve(at);
  }
}

/// Splits a box across its longest side, so that the halves of a whole launch have sizes of powers of two.
void GroupBoxes::halve(std::size_t at) {
  const auto groups = [&](std::size_t axis) {
    const Range& range = boxes_[at].ranges[axis];
    return addresses_.uses(axis) ? static_cast<std::uint64_t>(range.most - range.least) + 1 : 1;
  };
  std::size_t axis = 0;
  for (std::size_t other = 1; other < kFirstCounter; ++other)
    if (groups(other) > groups(axis)) axis = other;
  if (groups(axis) == 1) {
    boxes_[at].state = Box::State::Irregular;
    return;
  }
  Box first{Box::State::New, boxes_[at].ranges, {}, 0, 0, 0}, second = first;
  const double split = first.ranges[axis].least + static_cast<double>(std::bit_ceil(groups(axis)) / 2);
  first.ranges[axis].most = split - 1;
  second.ranges[axis].least = split;
  boxes_[at].state = Box::State::Split;
  boxes_[at].axis = axis;
  boxes_[at].split = split;
  boxes_[at].first_child = boxes_.size();
  boxes_.push_back(std::move(first));
  boxes_.push_back(std::move(second));
}

}  // namespace warpipe
