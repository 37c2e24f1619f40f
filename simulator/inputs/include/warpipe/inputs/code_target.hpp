#pragma once

#include <string>

#include "warpipe/code/module.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// What is to be said of machine code that a device would not run, though its times can be told: that it is for another
/// generation.
/// @return empty for PTX, for code that runs there, and for devices that do not say what they are
/// @throws ModelError for code of another maker, or whose warps have other lanes
std::string target_warning(const code::Module& module, const Device& device);

}  // namespace warpipe
