#pragma once

#include <optional>
#include <string>

#include "warpipe/latency_tables/device.hpp"

/// What a compiler is told to compile for a device.

namespace warpipe {

/// The compute capability of an NVIDIA GPU times ten, as compilers count it: 90 where its architecture says "compute
/// capability 9.0".
/// @return nothing for a device whose architecture does not say it
std::optional<int> compute_capability(const Device& device);

/// What compilers call an AMD GPU: "gfx942" where its architecture says "CDNA3 (gfx942)".
/// @return empty for a device whose architecture does not say it
std::string gfx_target(const Device& device);

/// What compilers call a device: "sm_90" or "gfx942".
/// @return empty for a device whose architecture says neither
std::string compile_target(const Device& device);

}  // namespace warpipe
