#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace warpipe {

/// Loads of neighbouring units, of which a level serves those of the same sectors at about the same time as one.
class JoinedLoads {
 public:
  /// @param together  so many neighbours are one; 1: nothing is joined
  /// @param window    in the time of units: what lies less than that apart is at the same time
  /// @param behind    a unit may be behind another one by less
  JoinedLoads(std::size_t units, std::size_t together, std::uint32_t window, std::uint32_t behind);

  /// @param sectors  of a line, that a unit loads
  /// @return         those of them that another unit brings, which asked for them
  std::uint32_t join(std::size_t unit, std::uint32_t line, std::uint32_t sectors, std::uint32_t time);

 private:
  /// The last one of a line that came to the level.
  struct Request {
    std::uint32_t time = 0, sectors = 0;
    std::vector<bool> units;  ///< that took part, by their place among the neighbours
  };
  struct Neighbours {
    std::unordered_map<std::uint32_t, Request> requests;             ///< by line
    std::deque<std::pair<std::uint32_t, std::uint32_t>> lines_at{};  ///< and when, for what may be forgotten
  };

  std::size_t together_;
  std::uint32_t window_, behind_;
  std::vector<Neighbours> neighbours_;
};

}  // namespace warpipe
