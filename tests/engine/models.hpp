#pragma once

#include <string>
#include <string_view>

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

/// A kernel from the items of its body, without the brackets: `{"id": "i", "op": "x"}`.
Kernel kernel_with(std::string_view items, const TestLaunch& launch = {});

/// A device with one unit, the pipelines a, b, c and control, and the op `barrier` (issue 0, completion 5 cycles),
/// changed by a JSON merge patch.
/// @param patch  an object: what it holds is put over the device
Device device_with(std::string_view patch);

}  // namespace warpipe
