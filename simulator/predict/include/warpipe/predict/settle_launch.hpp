#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

/// The settled launch of a kernel on a device with options: the only start for binding latencies, counting work and
/// lowering.

namespace warpipe {

/// A launch of a kernel on a device, with every input of its time.
struct SettledLaunch {
  Kernel kernel;          ///< with the options applied; its accesses name the levels of the memory that serve them
  Device device;          ///< with the options applied
  LaunchOptions options;  ///< the applied options
  Launch launch;
  /// The levels found from the kernel's addresses; null for a kernel without addresses, and on a device without levels.
  std::shared_ptr<const LevelsFromAddresses> levels;
  std::vector<AccessLevels> filled;  ///< of instructions with levels from addresses, not from the kernel's file
};

/// The kernel of a settled launch with `levels`, with the levels of its accesses in caches with more or less room.
/// @param room  as a fraction of the caches' own
/// @throws as with_room
Kernel kernel_with_room(const SettledLaunch& settled, double room);

/// Applies the options, settles the launch and finds the levels of accesses with known addresses. Launches alike to the
/// caches are simulated once (with_levels).
/// @throws UsageError, InputError, ModelError as with_options, require_ops, resolve_launch and with_levels
/// @complexity as levels_from_addresses, the first time
SettledLaunch settle_launch(Kernel kernel, Device device, const LaunchOptions& options);

}  // namespace warpipe
