#pragma once

#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// A kernel, a device and a launch with the exact cycles by the rules.
struct ConformanceCase {
  std::string name;
  std::vector<int> rules;  ///< tested rules of docs/model.md
  Ticks cycles;
  Kernel kernel;
  Device device;  ///< with the case's policy
  Units units = Units::One;
};

/// @param line  of tests/conformance/cases.jsonl
/// @throws Error where the kernel or the device is not valid
ConformanceCase read_conformance_case(const std::string& line);

/// All cases, read once.
const std::vector<ConformanceCase>& conformance_cases();

}  // namespace warpipe
