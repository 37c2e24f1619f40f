#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "access_cost.hpp"
#include "slice.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// Counts the sectors of 32 bytes of global memory that a launch reads and those that it writes, each once.
///
/// Exact where all groups are looked at and an array has at most 2^15 sectors; more are counted by those whose hash is
/// small, within about a per cent. Of a loop closed in form all iterations are counted until 2^18 have been, then
/// the first 8 that reach new sectors stand for all. Of groups that are not looked at, those that differ
/// only along axes that an array's addresses do not depend on reach what the others do; the rest reach as much each,
/// and what they share is what those looked at share.
class TouchedSectors {
 public:
  /// @param origins  of the addresses, by instruction
  TouchedSectors(std::vector<AddressOrigin> origins, const Dimensions& grid);

  /// What follows is reached by a group that stands for so many.
  void begin(const Dimensions& group, double stands_for);
  /// Adds what `times` executions reach, the k-th at addresses + k x strides, all of them in global memory.
  void add(const AddressEvent& event, std::int64_t times, bool reads, bool writes);

  double bytes() const;

 private:
  struct Sector {
    double weight = 0;
    std::uint64_t group = 0, tuple = 0;  ///< that reached it last
  };
  /// An array, read or written.
  struct Array {
    std::unordered_map<std::uint64_t, Sector> sectors;
    int level = 0;               ///< sectors whose hash ends in so many zeros are kept
    std::array<bool, 3> axes{};  ///< of the grid, that its addresses depend on
    double of_groups = 0;        ///< sectors of each group, times the groups that it stands for
    double of_tuples = 0;        ///< of each place along the axes
    void add(std::uint64_t sector, double weight, std::uint64_t group, std::uint64_t tuple, double stands_for);
    double size() const;
    double sectors_each() const;  ///< that one which is kept stands for
  };
  Array* array_of(std::uint64_t number, bool written, const std::array<bool, 3>& axes);
  double estimate(const Array& array) const;

  Dimensions grid_;
  std::int64_t budget_ = std::int64_t{1} << 18;  ///< of iterations that are counted one by one, for each lane
  std::vector<AddressOrigin> origins_;           ///< by instruction
  std::map<std::pair<std::uint64_t, bool>, Array> arrays_;
  std::vector<std::pair<Dimensions, double>> groups_;  ///< looked at
};

}  // namespace warpipe::isa
