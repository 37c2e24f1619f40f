#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "lane_addresses.hpp"

namespace warpipe {

/// Where warps are, as addresses see it. Behind these come the counters of a program's loops.
enum Coordinate : std::size_t { kGroup, kGroupX, kGroupY, kGroupZ, kFirstCounter };

/// The lines of an access by boxes of groups in which they move together. Most addresses do so over the whole launch;
/// those with a border, a fold or a swizzle in it do over parts of it. Boxes are halved until the lines of one move
/// together, but only where somebody asks.
class GroupBoxes {
 public:
  /// @param addresses  outlives this
  /// @param ranges     of all coordinates in the launch
  GroupBoxes(LaneAddresses& addresses, std::vector<Range> ranges);

  /// The lines in all trips of a group; valid as long as this.
  /// @return null where they do not move together in that group
  const MovingLines* at(std::span<const std::int64_t> coordinates);

 private:
  struct Box {
    enum class State { New, Moves, Split, Irregular } state = State::New;
    std::array<Range, kFirstCounter> ranges;
    MovingLines lines;
    std::size_t axis = 0;         ///< along which it is split
    double split = 0;             ///< the least coordinate of its second half
    std::size_t first_child = 0;  ///< the second half comes behind
  };

  void settle(std::size_t box);
  void halve(std::size_t box);

  LaneAddresses& addresses_;
  std::vector<Range> ranges_;
  std::deque<Box> boxes_;
};

}  // namespace warpipe
