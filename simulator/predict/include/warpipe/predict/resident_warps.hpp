#pragma once

#include <cstdint>

#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// Turns an occupancy in warps into the number of concurrent groups, for the group size that the options or the
/// kernel give.
/// @throws ModelError for resident warps that are no whole number of groups
/// @throws as with_options and resolve_launch do
std::int64_t groups_of_resident_warps(std::int64_t resident_warps, const Kernel& kernel, const Device& device,
                                      const LaunchOptions& options);

}  // namespace warpipe
