#pragma once

#include "warpipe/caches/levels.hpp"

namespace warpipe {

/// As with_levels, with another effort.
KernelWithLevels with_levels(Kernel kernel, const Device& device, const CacheLaunch& launch, const CacheEffort& effort);

}  // namespace warpipe
