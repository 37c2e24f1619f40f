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
  bool is_cut = false;        ///< it took too long and did not reach its end
};
/// Executes a warp with sizes on trial, as far as it gets.
/// @param trial  gets its comparisons and addresses
TriedWarp try_warp(const Prepared& kernel, const Dimensions& group, std::int64_t warp, std::int64_t most,
                   SizeTrial& trial);

/// Finds unknown pitches: numbers used only to multiply an index, as the distance from row to row, from slice to slice
/// or from element to element.
///
/// A pitch is taken to be the least with which no two rows of an array overlap: the extent of all other terms of the
/// address, divided by the move of the next row per unit of the pitch. Warps of the first groups and of groups at the
/// corners of the grid show the extent of a launch. The innermost pitch of an array is the pitch whose index changes
/// first from lane to lane, warp to warp and group to group; during the search for it all other unknown pitches are 0.
class PitchFinder {
 public:
  /// @param arguments  of the kernel; get the pitches found, and keep the value of a pitch not found
  /// @param pitches    parameters
  /// @param accesses   instructions with addresses in global memory made of pitches
  /// @param most       limit of executed instructions of the slice
  PitchFinder(const Prepared& kernel, std::vector<Argument>& arguments, std::vector<std::size_t> pitches,
              const std::set<std::uint32_t>& accesses, std::int64_t most);

  /// @return by pitch; nothing where it multiplies no changing index, or does more than multiply an index
  /// @complexity  executions of the slice: warps x the square of the number of pitches
  std::vector<std::optional<std::int64_t>> find();

 private:
  using Reached = std::map<std::uint32_t, std::vector<std::uint64_t>>;  ///< SizeTrial::accesses
  using Rows = std::map<std::uint32_t, std::vector<std::int64_t>>;      ///< moves of each address per unit of a pitch
  struct Warp {
    Dimensions group;
    std::int64_t warp, most;  ///< it executes at most this many instructions of the slice
  };
  struct Found {
    std::size_t pitch;
    Rows rows;
    std::size_t changes;  ///< place of the first change of rows
  };

  void choose_warps();
  void add_warp(const Dimensions& group, std::int64_t warp, std::int64_t most);
  Reached run();
  Reached run_with(std::size_t pitch, std::int64_t value);
  std::optional<Found> innermost(const Reached& base);
  /// Start of the array of an address, by whichever of several pointers it is reached.
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
  bool is_cut_ = false;     ///< a warp for the extent of rows did not reach its end
};

}  // namespace warpipe::isa
