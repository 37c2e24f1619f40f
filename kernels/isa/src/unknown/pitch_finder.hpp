#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lanes/companions.hpp"
#include "lanes/prepared.hpp"

namespace warpipe::isa {

struct TriedWarp {
  std::int64_t executed = 0;  ///< instructions of the slice
  bool is_cut = false;        ///< it did not come to its end, for it took more than it may
};
/// Executes a warp with sizes that are but tried, as far as it gets.
/// @param trial  gets what it met
TriedWarp try_warp(const Prepared& kernel, const Dimensions& group, std::int64_t warp, std::int64_t most,
                   SizeTrial& trial);

/// Finds the pitches that nobody gives: numbers that do nothing but multiply an index, as the distance from row to row,
/// from slice to slice or from element to element does. A pitch is taken to be the least with which no two rows of an
/// array overlap: as much as all that is added to the row's place extends over, in units of what one more moves the
/// next row by. What a launch reaches is told from warps of its first groups and of those at the corners of the grid.
/// Of several pitches of an array that one is the innermost whose index changes first from lane to lane, warp to warp
/// and group to group; while it is looked for, the others are 0.
class PitchFinder {
 public:
  /// @param arguments  those of the kernel; what is found is written there, and what a pitch held where nothing is
  /// @param pitches    parameters
  /// @param accesses   instructions that reach global memory at places made of pitches
  /// @param most       instructions of the slice that may be executed
  PitchFinder(const Prepared& kernel, std::vector<Argument>& arguments, std::vector<std::size_t> pitches,
              const std::set<std::uint32_t>& accesses, std::int64_t most);

  /// @return of each pitch; nothing where it multiplies no index that changes, or more than multiplies one
  /// @complexity  warps x the square of the number of pitches, of the slice each
  std::vector<std::optional<std::int64_t>> find();

 private:
  using Reached = std::map<std::uint32_t, std::vector<std::uint64_t>>;  ///< SizeTrial::accesses
  using Rows = std::map<std::uint32_t, std::vector<std::int64_t>>;  ///< what one more moves each address by, likewise
  struct Warp {
    Dimensions group;
    std::int64_t warp, most;  ///< it executes at most so many instructions of the slice
  };
  struct Found {
    std::size_t pitch;
    Rows rows;
    std::size_t changes;  ///< the first place where the rows do
  };

  void choose_warps();
  void add_warp(const Dimensions& group, std::int64_t warp, std::int64_t most);
  Reached run();
  Reached run_with(std::size_t pitch, std::int64_t value);
  std::optional<Found> innermost(const Reached& base);
  /// Where the array begins that an address lies in, whichever of several pointers led there.
  std::uint64_t array_of(std::uint32_t instruction, std::uint64_t address) const;
  std::int64_t least(const Reached& base, const Rows& rows) const;
  std::uint64_t& bits_of(std::size_t pitch) { return *arguments_[pitches_[pitch]].bits; }

  const Prepared& kernel_;
  std::vector<Argument>& arguments_;
  std::vector<std::size_t> pitches_;
  std::vector<ArrayBase> arrays_;  ///< by instruction
  SizeTrial wanted_;               ///< with nothing seen yet
  std::vector<Warp> warps_;
  std::vector<bool> open_;  ///< of each pitch: it may still be found
  std::int64_t left_;       ///< instructions of the slice
  bool is_cut_ = false;     ///< a warp that was to show how far rows extend did not come to its end
};

}  // namespace warpipe::isa
