#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flow/slice.hpp"
#include "lanes/access_cost.hpp"
#include "survey/reach_of_forms.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// Counts what a launch reads and what it writes of each array of global memory, each byte and each sector of 32 bytes
/// once.
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
  void begin(const Dimensions& group, double alike_groups);
  /// Adds what `times` executions reach, the k-th at addresses + k x strides, all of them in global memory.
  /// @param array    of the log that they are in; kNoArray: in none, or lanes in several
  /// @param is_part  whether others are executed of which it is not known where they reach
  void add(const AddressEvent& event, std::uint32_t array, std::int64_t times, bool is_part, bool reads, bool writes);

  /// What is read or written of an array.
  struct Touched {
    std::uint32_t array = kNoArray;
    bool written = false;
    Reach reach;
    bool is_exact = false;      ///< but for what a hash picks
    bool is_part = false;       ///< more is reached, and not known where
    double most = 0;            ///< sectors, if none were shared by places along the axes that addresses depend on
    double most_of_groups = 0;  ///< bytes that one group reaches, of those that reach most
    std::set<std::uint32_t> instructions;
  };
  /// By array; what is read goes before what is written.
  std::vector<Touched> arrays() const;

 private:
  struct Sector {
    double weight = 0;
    std::uint64_t group = 0, tuple = 0;     ///< that reached it last
    std::uint32_t bytes = 0, of_group = 0;  ///< a bit for each that was reached, by that group
  };
  /// Bytes of a sector that lanes next to each other reach, which count once.
  struct Piece {
    std::uint64_t sector = 0;
    std::uint32_t bytes = 0;  ///< a bit for each; 0: none yet
    double weight = 0;
  };
  /// An array, read or written.
  struct Array {
    std::unordered_map<std::uint64_t, Sector> sectors;
    int level = 0;               ///< sectors whose hash ends in so many zeros are kept
    std::array<bool, 3> axes{};  ///< of the grid, that its addresses depend on
    double of_groups = 0;        ///< sectors of each group, times the groups that it stands for
    double of_tuples = 0;        ///< of each place along the axes
    bool is_thinned = false;     ///< iterations stand for others
    bool is_part = false;        ///< of what is reached
    std::uint64_t group = 0;     ///< that reached it last
    double bytes_of_group = 0, most_of_groups = 0;
    std::set<std::uint32_t> instructions;
    void add(const Piece& piece, std::uint64_t group, std::uint64_t tuple, double alike_groups);
    Reach found() const;
    double sectors_each() const;  ///< that one which is kept stands for
  };
  using Key = std::pair<std::uint32_t, bool>;  ///< the array of the log, and whether it is written

  template <class Visit>
  void for_each_piece(const AddressEvent& event, std::int64_t times, const Visit& visit);
  Touched touched(const Key& key, const Array& array) const;

  Dimensions grid_;
  std::int64_t budget_ = std::int64_t{1} << 18;  ///< of iterations that are counted one by one, for each lane
  std::vector<AddressOrigin> origins_;           ///< by instruction
  std::map<Key, Array> arrays_;
  std::vector<std::pair<Dimensions, double>> groups_;  ///< looked at
};

}  // namespace warpipe::isa
