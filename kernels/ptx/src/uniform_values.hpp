#pragma once

#include <vector>

#include "routine.hpp"

namespace warpipe::ptx {

/// By register: whether its value is the same in all lanes of a warp, and made by what the uniform datapath can do,
/// which is whole-number arithmetic on arguments, sizes of the launch and the index of the group. ptxas keeps such
/// values in registers of the warp, from compute capability 7.5 on. A register that several instructions write is none:
/// which of them ran may differ between lanes.
std::vector<bool> uniform_values(const Routine& routine);

}  // namespace warpipe::ptx
