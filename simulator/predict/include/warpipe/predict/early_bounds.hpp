#pragma once

#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// What is known of a launch before its caches are simulated, which takes longer than all the rest.
struct EarlyBounds {
  Launch launch;
  Bounds bounds;
  Seconds highest;  ///< of them
};

/// Bounds that hold whatever the caches do: the nearest level serves each access with addresses, and nothing comes to
/// those beyond. None is above that of lower_launch of the same name.
/// @throws UsageError, InputError, ModelError as lower_launch
/// @complexity as lower and lower_bounds
EarlyBounds early_bounds(const Kernel& kernel, const Device& device, const LaunchOptions& options);

}  // namespace warpipe
