#pragma once

#include <string>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

Kernel shipped_kernel(const std::string& name);
Device shipped_device(const std::string& name);

}  // namespace warpipe
