#pragma once

#include <array>
#include <cstdint>

#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The limits of a compute capability, as published by NVIDIA.
/// @source CUDA C++ programming guide, table of technical specifications per compute capability; granularities from
///         cuda_occupancy.h of the CUDA toolkit 12.5, and so the 1 KiB reserved by the runtime per group from 8.0
struct PublishedLimits {
  const char* compute_capability;
  std::int64_t warps, groups, registers, registers_per_thread, register_allocation, warp_allocation;
  std::int64_t shared_memory, shared_memory_per_group, shared_memory_allocation, shared_memory_reserved;
};

inline constexpr std::array<PublishedLimits, 20> kPublishedLimits{{
    {"2.0", 48, 8, 32768, 63, 64, 2, 49152, 49152, 128, 0},
    {"2.1", 48, 8, 32768, 63, 64, 2, 49152, 49152, 128, 0},
    {"3.0", 64, 16, 65536, 63, 256, 4, 49152, 49152, 256, 0},
    {"3.5", 64, 16, 65536, 255, 256, 4, 49152, 49152, 256, 0},
    {"3.7", 64, 16, 131072, 255, 256, 4, 114688, 49152, 256, 0},
    {"5.0", 64, 32, 65536, 255, 256, 4, 65536, 49152, 256, 0},
    {"5.2", 64, 32, 65536, 255, 256, 2, 98304, 49152, 256, 0},
    {"5.3", 64, 32, 65536, 255, 256, 4, 65536, 49152, 256, 0},
    {"6.0", 64, 32, 65536, 255, 256, 2, 65536, 49152, 256, 0},
    {"6.1", 64, 32, 65536, 255, 256, 4, 98304, 49152, 256, 0},
    {"6.2", 64, 32, 65536, 255, 256, 4, 65536, 49152, 256, 0},
    {"7.0", 64, 32, 65536, 255, 256, 4, 98304, 98304, 256, 0},
    {"7.5", 32, 16, 65536, 255, 256, 4, 65536, 65536, 256, 0},
    {"8.0", 64, 32, 65536, 255, 256, 4, 167936, 166912, 128, 1024},
    {"8.6", 48, 16, 65536, 255, 256, 4, 102400, 101376, 128, 1024},
    {"8.7", 48, 16, 65536, 255, 256, 4, 167936, 166912, 128, 1024},
    {"8.9", 48, 24, 65536, 255, 256, 4, 102400, 101376, 128, 1024},
    {"9.0", 64, 32, 65536, 255, 256, 4, 233472, 232448, 128, 1024},
    {"10.0", 64, 32, 65536, 255, 256, 4, 233472, 232448, 128, 1024},
    {"12.0", 48, 24, 65536, 255, 256, 4, 102400, 101376, 128, 1024},
}};

inline Limits limits_of(const PublishedLimits& row) {
  Limits limits;
  limits.warps_per_unit = row.warps;
  limits.groups_per_unit = row.groups;
  limits.threads_per_group = 1024;
  limits.registers_per_unit = row.registers;
  limits.registers_per_thread = row.registers_per_thread;
  limits.register_allocation = row.register_allocation;
  limits.warp_allocation = row.warp_allocation;
  limits.shared_memory_per_unit = row.shared_memory;
  limits.shared_memory_per_group = row.shared_memory_per_group;
  limits.shared_memory_allocation = row.shared_memory_allocation;
  limits.shared_memory_reserved_per_group = row.shared_memory_reserved;
  return limits;
}

}  // namespace warpipe
