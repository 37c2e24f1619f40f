#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// The device properties known to a kernel's import.
struct Target {
  std::string device;           ///< its name; empty without a device
  std::string name;             ///< the compilers' name: "sm_80", "gfx942"; empty where not known
  std::int64_t warp_size = 32;  ///< lanes, at most 64; machine code says its own
  std::map<std::string, double, std::less<>> latencies;  ///< by op: cycles until its result can be read, at the least
  std::optional<AccessSizes> sizes = {};                 ///< of its memory; empty where not known
  std::int64_t resident_threads = 0;                     ///< resident on the device, at most; 0 where not known
};

/// The sizes for counting accesses: the target's, else sectors of 32 bytes, lines of 128, and a bank of 4 for each of
/// 32 or 64 lanes.
/// @param lanes  of a warp
AccessSizes sizes_for(const Target& target, std::int64_t lanes);

}  // namespace warpipe::isa
