#pragma once

#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// The bounds of a launch before the simulation of its caches, a step longer than all the rest.
struct EarlyBounds {
  Launch launch;
  Bounds bounds;
  Seconds highest;  ///< of them
};

/// Finds bounds valid for any behaviour of the caches: the nearest level serves each access with addresses, and no
/// access reaches a farther level. No bound is above the bound of lower_launch of the same name.
/// @throws UsageError, InputError, ModelError as lower_launch
/// @complexity as lower and lower_bounds
EarlyBounds early_bounds(const Kernel& kernel, const Device& device, const LaunchOptions& options);

}  // namespace warpipe
