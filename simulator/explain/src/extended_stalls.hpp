#pragma once

#include "warpipe/engine/stalls.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {

/// Where the time of an extended run's warps went: what the parts of the run say, extended as its cycles were. The
/// times of each unit add up as they do in a run that is exact.
/// @param run  of the program; has parts
/// @throws ModelError as the engine
/// @complexity as observing the stalls of the parts
Stalls extended_stalls(const Program& program, const RunWithin& run, Skipping skipping);

}  // namespace warpipe
