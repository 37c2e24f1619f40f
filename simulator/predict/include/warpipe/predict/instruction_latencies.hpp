#pragma once

#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// The latencies of the instructions of a group's first warp, for the dependence graph. A simulation does not use them.
/// @param kernel, device  with their options applied
/// @param launch          of that kernel on that device
/// @return                one per instruction, in program order
/// @throws ModelError as require_ops and bind_latencies
std::vector<InstructionLatency> instruction_latencies(const Kernel& kernel, const Device& device, const Launch& launch);

}  // namespace warpipe
