#pragma once

#include "warpipe/engine/stalls.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {

/// The stalls of an extended run: the stalls of its parts, extended as its cycles were. The times of each unit add up
/// as in an exact run.
/// @param run  of the program, extended
/// @throws ModelError as the engine
/// @complexity as observing the stalls of the parts
Stalls extended_stalls(const Program& program, const RunWithin& run, Skipping skipping);

}  // namespace warpipe
