#pragma once

#include "warpipe/engine/program.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/launch.hpp"
#include "warpipe/predict/settle_launch.hpp"

/// The lowered launch of a kernel on a device with options, ready for the engine.

namespace warpipe {

/// A launch ready to be simulated. It owns its kernel, device and options, and so the names behind the engine's
/// numbers: a step's instruction is an index into Kernel::instructions, a pipeline an index into Device::pipelines.
struct LoweredLaunch : SettledLaunch {
  Program program;
  Bounds bounds;  ///< found before the run, so that a launch with overflowing times is refused, not simulated
};

/// Settles the launch, lowers it and finds its bounds.
/// @throws UsageError, InputError, ModelError as settle_launch, lower and lower_bounds; ModelError for a launch of more
///                    than 10^12 warp instructions
/// @complexity as settle_launch, lower and lower_bounds
LoweredLaunch lower_launch(Kernel kernel, Device device, const LaunchOptions& options);

/// Lowers a settled launch: conditions are decided, trip counts fixed, latencies bound, names gone. Where one unit
/// stands for all, it gets its fair share of the device's pipelines, and the dispatch interval is scaled likewise.
/// @param kernel   of a settled launch
/// @param device   of the settled launch, or a device with different latencies and rates
/// @param launch   of the kernel on the device
/// @param options  for the units to simulate, and for whether the file or the options are blamed for an expression
/// @throws InputError, ModelError for an expression without a value, as bind_latencies, for more than 2^27 cells of
///                                scoreboards, and for times that overflow
/// @complexity instructions x different warps of a group
/// @source rules 3, 4, 5 and 8 of the model
Program lower(const Kernel& kernel, const Device& device, const Launch& launch, const LaunchOptions& options);
Program lower(const SettledLaunch& settled);

}  // namespace warpipe
