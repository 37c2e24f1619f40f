#pragma once

#include <fmt/format.h>

#include <string>

#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// A device with caches, and kernels with the addresses of their accesses.

namespace warpipe {

/// Two units at 1 GHz, a first level of 16 KiB each, a second level of 64 KiB for both.
inline Device device_with_caches() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "cached", "compute_units": 2, "clock_hz": 1e9, "warp_size": 32,
    "limits": {"groups_per_unit": 4, "warps_per_unit": 32},
    "memory": {"levels": [
      {"name": "l1", "scope": "compute_unit", "bytes": 16384, "ways": 4, "write": "through", "latency": 30},
      {"name": "l2", "bytes": 65536, "latency_s": 2e-7, "read_bytes_per_s": 1e12},
      {"name": "dram", "latency_s": 5e-7, "read_bytes_per_s": 1e11}]},
    "pipelines": {"alu": {}, "lsu": {}},
    "ops": {"ffma": {"pipeline": "alu", "issue": 1, "completion": 4},
            "global.load": {"pipeline": "lsu", "issue": 1},
            "global.load.dma": {"pipeline": "lsu", "issue": 1, "completion": 100},
            "global.store": {"pipeline": "lsu", "issue": 1},
            "global.atomic": {"pipeline": "lsu", "issue": 2}}
  })",
                          "cached.json");
}

/// Groups of 32 threads with an array "a" of 4 n bytes.
/// @param body  items
inline Kernel kernel_with_array(const std::string& body, int groups = 64) {
  return read_kernel_json(fmt::format(R"({{
    "format": "warpipe-kernel", "version": 1, "name": "k", "parameters": {{"n": 65536, "trips": 8}},
    "launch": {{"group_size": 32, "groups": {}}}, "arrays": {{"a": {{"bytes": "4 * n"}}}}, "body": [{}]
  }})",
                                      groups, body),
                          "k.json");
}

/// An access to "a".
inline std::string access(const std::string& id, const std::string& op, const std::string& address,
                          const std::string& further = "") {
  return fmt::format(R"({{"id": "{}", "op": "{}", "access": {{"array": "a", "width_bytes": 4, "address": "{}"}}{}}})",
                     id, op, address, further);
}

}  // namespace warpipe
