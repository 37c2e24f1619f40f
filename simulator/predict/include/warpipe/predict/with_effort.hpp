#pragma once

#include "warpipe/caches/levels.hpp"
#include "warpipe/predict/lower.hpp"

/// Launches with another effort than usual in the simulation of their caches.

namespace warpipe {

/// As settle_launch.
SettledLaunch settle_launch(Kernel kernel, Device device, const LaunchOptions& options, const CacheEffort& effort);

/// As lower_launch.
LoweredLaunch lower_launch(Kernel kernel, Device device, const LaunchOptions& options, const CacheEffort& effort);

}  // namespace warpipe
