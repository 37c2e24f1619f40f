#pragma once

#include <string>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

/// What the benchmarks simulate: shipped kernels and devices, straight from the sources.

namespace warpipe {

/// @return the names of the shipped kernels, sorted
std::vector<std::string> shipped_kernels();
Kernel shipped_kernel(const std::string& name);
Device shipped_device(const std::string& name);

/// @return a kernel on a device with these options, ready to be simulated
Program lowered(const Kernel& kernel, const Device& device, const LaunchOptions& options);

}  // namespace warpipe
