#pragma once

#include <cstddef>
#include <string>

#include "occupancy_plan.hpp"

namespace measure {

/// What the runtime says of the GPU.
struct DeviceFacts {
  std::string gpu;             ///< its name
  std::string driver;          ///< version of the driver, where it can be read, and of the runtime that it supports
  std::string toolkit;         ///< version that this program was built with
  int compute_capability = 0;  ///< 90 for 9.0; 0 where there is no such thing
  int units = 0;
  PlanLimits limits;
  std::size_t memory_bytes = 0;  ///< free at the start
  std::size_t l2_bytes = 0;
  std::size_t last_cache_bytes = 0;  ///< at least as much as any cache holds, one behind L2 too
};

/// Chooses the device for this thread and asks for its facts.
/// @throws std::runtime_error where there is no such device
DeviceFacts device_facts(int device);

/// Lets a kernel have as much dynamic shared memory as there is, and that memory as much of the first-level cache as
/// there is.
void allow_all_shared_memory(const void* kernel, const DeviceFacts& device);

/// How many groups of this kernel a unit holds at once, by the runtime.
int resident_groups(const void* kernel, int group_size, std::size_t local_bytes);

}  // namespace measure
