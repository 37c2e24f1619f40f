#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

/// The one way from a kernel, a device and options to what is simulated: all that binds latencies, counts work or
/// lowers a launch begins here.

namespace warpipe {

/// A launch of a kernel on a device, with everything said that decides its time.
struct SettledLaunch {
  Kernel kernel;          ///< with the options applied; its accesses say which levels of the memory serve them
  Device device;          ///< with the options applied
  LaunchOptions options;  ///< those that were applied
  Launch launch;
  /// What the kernel's addresses say of the levels; null where it has none, and on a device without levels.
  std::shared_ptr<const LevelsFromAddresses> levels;
  std::vector<AccessLevels> filled;  ///< of the instructions whose levels come from there, not from the kernel's file
};

/// The kernel of a settled launch that has `levels`, with those that serve it where caches have more or less room.
/// @param room  as a part of what they have
/// @throws as with_room
Kernel kernel_with_room(const SettledLaunch& settled, double room);

/// Applies the options, settles the launch and finds which levels serve the accesses whose addresses are known. What
/// caches see alike is simulated once (with_levels).
/// @throws UsageError, InputError, ModelError as with_options, require_ops, resolve_launch and with_levels
/// @complexity as levels_from_addresses, the first time
SettledLaunch settle_launch(Kernel kernel, Device device, const LaunchOptions& options);

}  // namespace warpipe
