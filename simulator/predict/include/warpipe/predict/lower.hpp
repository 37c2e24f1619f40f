#pragma once

#include "warpipe/engine/program.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// Lowers a kernel on a device to what the engine plays: conditions decided, trip counts fixed, latencies bound, names
/// gone. Where one unit stands for all, device pipelines get their fair share and the dispatch interval its factor.
/// @param kernel   with its options applied
/// @param device   with its options applied
/// @param launch   of that kernel on that device
/// @param options  for the units, and whose fault a failing expression is
/// @throws InputError, ModelError for an expression that has no value, as bind_latencies, for more than 2^27 cells of
///                    scoreboards, and for times that overflow
/// @complexity instructions x different warps of a group
/// @source rules 3, 4, 5 and 8 of the model
Program lower(const Kernel& kernel, const Device& device, const Launch& launch, const LaunchOptions& options);

}  // namespace warpipe
