#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routine.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::ptx {

/// The issue order of the instructions of each block.
struct Schedule {
  std::vector<std::vector<std::uint32_t>> blocks;  ///< instructions of the routine, by block
  std::size_t moved = 0;                           ///< loads placed earlier than in the text
};

/// Lets loads rise to the point where their addresses are known, as compilers do to spare a warp the wait for each. At
/// most `most_waiting` registers of 32 bits are filled before the first use of one, unless the text itself fills more:
/// no load comes later than in the text. No load passes a barrier, an atomic operation or a store that might reach the
/// same place; nothing passes a jump.
/// @param most_waiting  0: the order of the text
/// @complexity          256 x instructions
Schedule schedule_loads(const Routine& routine, const isa::ControlFlow& flow, std::size_t most_waiting);

}  // namespace warpipe::ptx
