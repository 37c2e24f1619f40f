#pragma once

#include <cstddef>
#include <string>

#include "occupancy_plan.hpp"

namespace measure {

/// The runtime's facts about the GPU.
struct DeviceFacts {
  std::string gpu;             ///< its name
  std::string driver;          ///< version of the driver, if readable, and of the runtime supported by it
  std::string toolkit;         ///< version used to build this program
  int compute_capability = 0;  ///< 90 for 9.0; 0 if there is none
  int units = 0;
  PlanLimits limits;
  std::size_t memory_bytes = 0;  ///< free at the start
  std::size_t l2_bytes = 0;
  std::size_t last_cache_bytes = 0;  ///< at least the capacity of any cache, including caches behind L2
};

/// Chooses the device for this thread and asks for its facts.
/// @throws std::runtime_error if there is no device with this number
DeviceFacts device_facts(int device);

/// Allows a kernel all available dynamic shared memory, and shared memory all available bytes of the first-level cache.
void allow_all_shared_memory(const void* kernel, const DeviceFacts& device);

/// The number of groups of this kernel resident on a unit at once, by the runtime.
int resident_groups(const void* kernel, int group_size, std::size_t local_bytes);

}  // namespace measure
