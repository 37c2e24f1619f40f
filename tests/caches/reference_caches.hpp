#pragma once

#include <vector>

#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The caches by docs/caches.md as it is written, access by access and byte by byte: complete and slow.
/// @param launch  `room` is 1
/// @return        of the executed instructions, in program order, as with_levels fills them; without `far_apart` and
///                `transactions`
std::vector<AccessLevels> reference_caches(const Kernel& kernel, const Device& device, const CacheLaunch& launch);

}  // namespace warpipe
