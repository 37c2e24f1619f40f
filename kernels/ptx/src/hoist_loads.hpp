#pragma once

#include <cstddef>
#include <cstdint>

#include "routine.hpp"

namespace warpipe::ptx {

/// Lets loads from global memory rise within their blocks, with the arithmetic that makes their addresses: as early as
/// their operands are there, with at most `most_waiting` registers of 32 bits ahead of where the text loads them. NVVM
/// sinks loads to their uses; ptxas moves them up again, so that what lies between hides their latency. A load passes
/// nothing that orders memory, and no store that may reach its bytes.
/// @return how many loads moved
/// @complexity linear in the instructions, times the loads that are ahead at a time
std::size_t hoist_loads(Routine& routine, std::int64_t most_waiting);

}  // namespace warpipe::ptx
