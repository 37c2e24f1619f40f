#pragma once

#include <cstddef>
#include <cstdint>

#include "routine.hpp"

namespace warpipe::ptx {

/// Lets loads from global memory rise within their blocks, with the arithmetic of their addresses: as early as their
/// operands are known, with at most `most_waiting` registers of 32 bits loaded ahead of the text. NVVM sinks loads to
/// their uses; ptxas moves them up again, so that the instructions between hide their latency. A load passes no
/// instruction that orders memory, and no store that may reach its bytes.
/// @return the number of moved loads
/// @complexity linear in the instructions, times the loads ahead at a time
std::size_t hoist_loads(Routine& routine, std::int64_t most_waiting);

}  // namespace warpipe::ptx
