#pragma once

#include <functional>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/simulate.hpp"

namespace warpipe {

/// Which instructions of a stream take time.
using Counts = std::function<bool(const InstructionStream& stream, std::size_t step)>;

/// The time of one warp on an idle machine, with no queues behind its pipelines.
/// @param counts  what it says no to neither holds a pipeline nor has a latency
Cycles path_of(const Program& program, const InstructionStream& stream, Skipping skipping, const Counts& counts = {});

/// The longest such path of all streams.
Cycles longest_path(const Program& program, Skipping skipping, const Counts& counts = {});

}  // namespace warpipe
