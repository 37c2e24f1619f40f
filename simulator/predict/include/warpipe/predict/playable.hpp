#pragma once

#include "warpipe/engine/program.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// A kernel on a device with a launch, ready to be played, and the names for what the engine only numbers: a step's
/// instruction is an index into Kernel::instructions, a pipeline one into Device::pipelines.
struct Playable {
  Kernel kernel;  ///< with the options applied
  Device device;  ///< with the options applied
  Launch launch;
  Program program;
  Bounds bounds;  ///< found before the run, so that a launch whose times overflow is not played
};

/// Applies the options, settles the launch and lowers.
/// @throws UsageError, InputError, ModelError as with_options, resolve_launch, bind_latencies, lower and lower_bounds
/// do; ModelError
///                    for a launch of more than 10^12 warp instructions
/// @complexity as lower and lower_bounds
Playable playable(const Kernel& kernel, const Device& device, const LaunchOptions& options);

}  // namespace warpipe
