#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpipe {

/// Loads of neighbouring units; loads of the same sectors at about the same time are served by a level together.
class JoinedLoads {
 public:
  static constexpr std::size_t kPlaces = 1024;  ///< of requests shared by neighbours

  /// @param together  number of joined neighbours, at most 32; 1: nothing is joined
  /// @param window    in the time of units: requests less than a window apart are at the same time
  JoinedLoads(std::size_t units, std::size_t together, std::uint32_t window);

  bool joins() const { return together_ > 1; }

  /// Joins a load with earlier requests, if loads are joined.
  /// @param sectors  of a line, loaded by a unit
  /// @return         the sectors already requested by another unit
  std::uint32_t join(std::size_t unit, std::uint32_t line, std::uint32_t sectors, std::uint32_t time);

 private:
  /// The last request of a place at the level.
  struct Request {
    std::uint32_t line = 0, time = 0, sectors = 0;
    std::uint32_t units = 0;  ///< taking part: a bit for each place among the neighbours; none: no request
  };

  std::size_t together_;
  std::uint32_t window_;
  std::vector<Request> requests_;  ///< by neighbours, place
};

}  // namespace warpipe
