#pragma once

#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {

/// The latencies of instructions for the first executing warp, for the dependence graph: the mean for a load served by
/// several levels. A simulation does not use them.
/// @param program  the lowered launch
/// @return a latency per instruction, in program order. For an instruction executed by no warp: its latency in the
///         first warp of a group, or 0 where its expressions have no value there
/// @throws ModelError as bind_latencies
std::vector<InstructionLatency> instruction_latencies(const SettledLaunch& settled, const Program& program);

}  // namespace warpipe
