#pragma once

#include <optional>
#include <string>

#include "warpipe/latency_tables/device.hpp"

/// Compiler targets of devices: "sm_90", "gfx942".

namespace warpipe {

/// The compute capability of an NVIDIA GPU times ten, as compilers count it: 90 for the architecture "compute
/// capability 9.0".
/// @return nothing for a device without it in its architecture
std::optional<int> compute_capability(const Device& device);

/// The compilers' name of an AMD GPU: "gfx942" for the architecture "CDNA3 (gfx942)".
/// @return empty for a device without it in its architecture
std::string gfx_target(const Device& device);

/// The compilers' name of a device: "sm_90" or "gfx942".
/// @return empty for a device with neither in its architecture
std::string compile_target(const Device& device);

}  // namespace warpipe
