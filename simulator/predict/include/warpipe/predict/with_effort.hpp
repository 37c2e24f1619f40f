#pragma once

#include "warpipe/caches/levels.hpp"
#include "warpipe/predict/lower.hpp"

/// Launches with another effort than usual in the simulation of their caches.

namespace warpipe {

/// For results that show the memory: with AccessTraffic::spread, and notes that compare the orders of warps.
inline constexpr CacheEffort kBothOrders{.both_orders = true};

/// As settle_launch.
SettledLaunch settle_launch(Kernel kernel, Device device, const LaunchOptions& options, const CacheEffort& effort);

/// As lower_launch.
LoweredLaunch lower_launch(Kernel kernel, Device device, const LaunchOptions& options, const CacheEffort& effort);

}  // namespace warpipe
