#pragma once

#include <functional>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

namespace warpipe {

/// Selects the instructions of a stream with time.
using Counts = std::function<bool(const InstructionStream& stream, std::size_t step)>;

/// The time of one warp on an idle machine, with no queues behind its pipelines.
/// @param counts  any step not selected neither holds a pipeline nor has a latency
Cycles path_of(const Program& program, const InstructionStream& stream, Skipping skipping, const Counts& counts = {});

/// The longest path_of over all streams.
Cycles longest_path(const Program& program, Skipping skipping, const Counts& counts = {});

}  // namespace warpipe
