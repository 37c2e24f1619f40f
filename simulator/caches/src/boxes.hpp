#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "lane_addresses.hpp"

namespace warpipe {

/// The lines of an access by boxes of groups and trips in which they move together. Most addresses do so over the whole
/// launch; addresses with a border, a fold or a swizzle do over parts of it. Boxes are cut where a comparison changes
/// its answer, else halved, until their lines move together, but only on demand.
class Boxes {
 public:
  struct Box {
    std::vector<Range> ranges;  ///< by coordinate
    MovingLines lines;
    enum class State { New, Moves, Split, Irregular } state = State::New;
    std::size_t axis = 0;                     ///< along which it is split
    double split = 0;                         ///< the least coordinate of its second half
    Box *first = nullptr, *second = nullptr;  ///< its halves

    bool holds(std::span<const std::int64_t> coordinates) const;
  };

  /// @param addresses  outlives this
  /// @param ranges     of all coordinates in the launch
  Boxes(LaneAddresses& addresses, std::vector<Range> ranges);

  /// The box around a place, with lines moving together or irregular; valid as long as this.
  const Box& at(std::span<const std::int64_t> coordinates);

  /// The only box if lines move together over all of the launch; else null.
  const Box* whole() const { return boxes_.front().state == Box::State::Moves ? &boxes_.front() : nullptr; }

 private:
  void settle(Box& box);
  void halve(Box& box);
  std::size_t axis_to_split(const Box& box) const;

  LaneAddresses& addresses_;
  std::deque<Box> boxes_;
};

}  // namespace warpipe
