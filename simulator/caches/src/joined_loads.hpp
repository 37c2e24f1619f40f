#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpipe {

/// Loads of neighbouring units, of which a level serves those of the same sectors at about the same time as one.
class JoinedLoads {
 public:
  static constexpr std::size_t kPlaces = 1024;  ///< of requests that neighbours share

  /// @param together  so many neighbours are one, at most 32; 1: nothing is joined
  /// @param window    in the time of units: what lies less than that apart is at the same time
  /// @param one_in    lines of the launch that come here, one: they have that part of the places
  JoinedLoads(std::size_t units, std::size_t together, std::uint32_t window, std::size_t one_in);

  bool joins() const { return together_ > 1; }

  /// Where loads are joined.
  /// @param spread   the number of the line among all: its place
  /// @param sectors  of a line, that a unit loads
  /// @return         those of them that another unit brings, which asked for them
  std::uint32_t join(std::size_t unit, std::uint32_t line, std::uint32_t spread, std::uint32_t sectors,
                     std::uint32_t time);

 private:
  /// The last one of a place that came to the level.
  struct Request {
    std::uint32_t line = 0, time = 0, sectors = 0;
    std::uint32_t units = 0;  ///< that took part: a bit for each place among the neighbours; none: no request
  };

  std::size_t together_, places_;
  std::uint32_t window_;
  std::vector<Request> requests_;  ///< by neighbours, place
};

}  // namespace warpipe
