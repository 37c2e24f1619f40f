#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

struct LoweredLaunch;

/// The numbers of LaunchOptions::set without effect on the launch: of an op issued by no warp, of conflicts of no
/// access, of an unused level.
/// @param launch  of the kernel on the device with the options
/// @return        their names, each once, in the order of the options
/// @complexity as settle_launch and lower, for each number
std::vector<std::string> numbers_without_effect(const LoweredLaunch& launch, const Kernel& kernel, const Device& device,
                                                const LaunchOptions& options);

}  // namespace warpipe
