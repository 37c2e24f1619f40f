#pragma once

#include <optional>

#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The compute capability of an NVIDIA GPU times ten, as compilers count it: 90 where its architecture says "compute
/// capability 9.0".
/// @return nothing for a device whose architecture does not say it
std::optional<int> compute_capability(const Device& device);

}  // namespace warpipe
