#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"

/// Shorter programs with the same behaviour: with fewer waves of groups, or fewer trips of a loop. The time of a run
/// grows evenly with both, once the run has come into its stride. With fewer units, each with as many groups and as
/// much of the resources common to all units, a run takes as long.

namespace warpipe {

/// A number of units, waves or trips of a program, to be made smaller.
struct Extent {
  enum class Of { Units, Waves, Trips };

  Of of = Of::Waves;
  std::int64_t size = 1;          ///< units, whole waves, or trips
  std::int64_t groups = 1;        ///< Waves: of each; the rest of the program's groups stays
  bool are_mixed = false;         ///< Waves: of other numbers of each kind of groups
  std::uint32_t instruction = 0;  ///< Trips: the first instruction of the loop, in the kernel
  std::int64_t instructions = 0;  ///< Trips: issued by the program in all of them
};

/// The extents of a program: its units, if there are several and all groups are alike, its waves, and the loops with
/// the same trips in all warps. A wave fills all slots of all units and, where groups differ, has the same number of
/// each kind as any other if the launch has enough of these waves. Programs with signals have no loops here: a warp may
/// arrive as often as another warp waits.
std::vector<Extent> extents_of(const Program& program);

/// @param size  in place of the extent's; 1 to the extent's
Program shortened(Program program, const Extent& extent, std::int64_t size);

}  // namespace warpipe
