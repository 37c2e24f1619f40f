#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// A kernel, a device and a launch with the exact cycles that the rules give; made apart from this program.
struct ConformanceCase {
  std::string name;
  Ticks cycles;
  Kernel kernel;
  Device device;  ///< with the case's policy
  Units units = Units::One;
};

/// All cases, read once.
const std::vector<ConformanceCase>& conformance_cases();

}  // namespace warpipe
