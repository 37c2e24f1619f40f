#pragma once

#include <vector>

#include "routine.hpp"

namespace warpipe::ptx {

/// Tells for each register whether its value is uniform: the same in all lanes of a warp, and made by operations of the
/// uniform datapath, which are whole-number arithmetic on arguments, sizes of the launch and the index of the group.
/// ptxas keeps uniform values in registers of the warp, from compute capability 7.5 on. A register written by several
/// instructions is not uniform: its last writer may differ between lanes.
std::vector<bool> uniform_values(const Routine& routine);

}  // namespace warpipe::ptx
