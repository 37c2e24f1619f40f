#pragma once

#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/predict/settle_launch.hpp"

namespace warpipe {

/// The latencies of the instructions of a group's first warp, for the dependence graph: of a load that several levels
/// serve, the mean. A simulation does not use them.
/// @return one per instruction, in program order
/// @throws ModelError as bind_latencies
std::vector<InstructionLatency> instruction_latencies(const SettledLaunch& settled);

}  // namespace warpipe
