#pragma once

#include <string_view>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Small hand-written models for tests of single rules.

namespace warpipe {

/// Threads are given in warps of 32.
struct TestLaunch {
  int warps = 1;  ///< a group
  int groups = 1;
  int concurrent_groups = 1;
};

/// A row of a latency table; times in cycles.
struct TestOp {
  std::string_view name, pipeline;
  double issue, completion;
  std::string_view more = "{}";  ///< an object with further keys
};

/// A kernel from the items of its body, without the brackets: `{"id": "i", "op": "x"}`.
Kernel kernel_with(std::string_view items, const TestLaunch& launch = {});

/// A device with a single unit, the pipelines a, b, c and control, the op `barrier` (issue 0, completion 5 cycles) and
/// the given ops, changed by a JSON merge patch.
/// @param patch  an object: its fields are put over the device
Device device_with(const std::vector<TestOp>& ops, std::string_view patch = "{}");

}  // namespace warpipe
