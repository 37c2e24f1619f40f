#pragma once

#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {

/// The latencies of instructions for the first warp that executes them, for the dependence graph: of a load that
/// several levels serve, the mean. A simulation does not use them.
/// @param program  what the launch is lowered to
/// @return one per instruction, in program order. Of one that no warp executes, what it would cost the first warp of a
///         group; 0 where its expressions have no value there
/// @throws ModelError as bind_latencies
std::vector<InstructionLatency> instruction_latencies(const SettledLaunch& settled, const Program& program);

}  // namespace warpipe
