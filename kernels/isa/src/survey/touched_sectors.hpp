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

/// Counts the bytes and sectors of 32 bytes that a launch reads and writes in each array of global memory, each once.
///
/// The count is exact where all groups are looked at and an array has at most 2^15 sectors. Of more sectors only
/// sectors with a small hash are counted, within about a per cent. All iterations of a loop closed in form are counted
/// up to a total of 2^18, then the first 8 with new sectors stand for all. A group not looked at reaches the same
/// sectors as a group that differs only along axes absent from the array's addresses. All further groups reach as many
/// sectors each, and share as much, as the groups looked at.
class TouchedSectors {
 public:
  /// @param origins  of the addresses, by instruction
  TouchedSectors(std::vector<AddressOrigin> origins, const Dimensions& grid);

  /// Begins a group that stands for `alike_groups` groups.
  void begin(const Dimensions& group, double alike_groups);
  /// Adds the bytes of `times` executions, the k-th at addresses + k x strides, all of them in global memory.
  /// @param array    of the log; kNoArray: in none, or lanes in several
  /// @param is_part  whether there are further executions with unknown addresses
  void add(const AddressEvent& event, std::uint32_t array, std::int64_t times, bool is_part, bool reads, bool writes);

  /// Bytes read or written of an array.
  struct Touched {
    std::uint32_t array = kNoArray;
    bool written = false;
    Reach reach;
    bool is_exact = false;      ///< except for sectors picked by their hash
    bool is_part = false;       ///< more is reached, at unknown addresses
    double most = 0;            ///< sectors, if different places along the axes of its addresses shared none
    double most_of_groups = 0;  ///< bytes of the group with the furthest reach
    std::set<std::uint32_t> instructions;
  };
  /// By array; reads before writes.
  std::vector<Touched> arrays() const;

 private:
  struct Sector {
    double weight = 0;
    std::uint64_t group = 0, tuple = 0;     ///< last to reach it
    std::uint32_t bytes = 0, of_group = 0;  ///< a bit for each reached byte, by all groups and by `group`
  };
  /// Bytes of a sector reached by neighbouring lanes, counted once.
  struct Piece {
    std::uint64_t sector = 0;
    std::uint32_t bytes = 0;  ///< a bit for each; 0: none yet
    double weight = 0;
  };
  /// An array, read or written.
  struct Array {
    std::unordered_map<std::uint64_t, Sector> sectors;
    int level = 0;               ///< sectors whose hash ends in so many zeros are kept
    std::array<bool, 3> axes{};  ///< of the grid, with influence on its addresses
    double of_groups = 0;        ///< sectors per group, times the groups that it stands for
    double of_tuples = 0;        ///< sectors per place along the axes
    bool is_thinned = false;     ///< some iterations are left out
    bool is_part = false;        ///< more is reached
    std::uint64_t group = 0;     ///< last to reach it
    double bytes_of_group = 0, most_of_groups = 0;
    std::set<std::uint32_t> instructions;
    void add(const Piece& piece, std::uint64_t group, std::uint64_t tuple, double alike_groups);
    Reach found() const;
    double sectors_each() const;  ///< that a kept sector stands for
  };
  using Key = std::pair<std::uint32_t, bool>;  ///< the array of the log, and whether it is written

  template <class Visit>
  void for_each_piece(const AddressEvent& event, std::int64_t times, const Visit& visit);
  Touched touched(const Key& key, const Array& array) const;

  Dimensions grid_;
  std::int64_t budget_ = std::int64_t{1} << 18;  ///< iterations to count singly, summed over the lanes
  std::vector<AddressOrigin> origins_;           ///< by instruction
  std::map<Key, Array> arrays_;
  std::vector<std::pair<Dimensions, double>> groups_;  ///< looked at
};

}  // namespace warpipe::isa
