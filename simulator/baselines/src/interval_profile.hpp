#pragma once

#include <optional>
#include <vector>

#include "warpipe/baselines/interval.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// Cuts a warp's instructions into intervals: each instruction issues an interval of its scheduler after the
/// instruction before, or when its sources are there; pipelines are never in the way. The last interval's stall lasts
/// until all results are there.
/// @param is_memory  by step: whether it is an access to global memory
/// @return           equal intervals are counted together, in no particular order of time; nothing for a warp of more
///                   than twenty million issued instructions
/// @complexity       in the issued instructions of the warp
/// @source           GPUMech, MICRO 2014: issue(i) = max(issue(i-1) + 1, done of its sources)
std::optional<std::vector<WarpInterval>> interval_profile(const Program& program, const InstructionStream& stream,
                                                          const std::vector<bool>& is_memory);

}  // namespace warpipe
