#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"

/// How a program is made shorter without changing what happens in it: by fewer waves of groups, or fewer trips of a
/// loop. What a run takes grows evenly with both, once it has come into its stride. With fewer units, of which each has
/// as many groups and as much of what all units share, a run takes as long.

namespace warpipe {

/// What a program has many of, and a shorter one fewer.
struct Extent {
  enum class Of { Units, Waves, Trips };

  Of of = Of::Waves;
  std::int64_t size = 1;          ///< units, whole waves, or trips
  std::int64_t groups = 1;        ///< Waves: of each; what is left of the program's groups stays
  std::uint32_t instruction = 0;  ///< Trips: at which the loop begins, in the kernel
  std::int64_t instructions = 0;  ///< Trips: that the program issues in all of them
};

/// The extents of a program: its units, if there are several and all groups are alike, its waves, and the loops that
/// have the same trips in all warps. A wave fills all slots of all units and, where groups differ, has the same number
/// of each kind as any other. Programs with signals have no loops here: a warp may arrive as often as another one
/// waits.
std::vector<Extent> extents_of(const Program& program);

/// @param size  in place of the extent's; 1 to that
Program shortened(Program program, const Extent& extent, std::int64_t size);

}  // namespace warpipe
