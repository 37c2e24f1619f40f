#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

/// What an import knows of the device that a kernel is for.
struct Target {
  std::string device;           ///< its name; empty where there is none
  std::string name;             ///< what compilers call it: "sm_80", "gfx942"; empty where that is not known
  std::int64_t warp_size = 32;  ///< lanes, at most 64; machine code says its own
  std::map<std::string, double, std::less<>> latencies;  ///< by op: cycles until its result can be read, at the least
  std::optional<AccessSizes> sizes = {};                 ///< of its memory; empty where that is not known
  std::int64_t resident_threads = 0;  ///< that it holds at a time, at most; 0 where that is not known
};

/// The sizes that accesses are counted for: those of the target, else sectors of 32 bytes, lines of 128, and a bank of
/// 4 for each of 32 or 64 lanes.
/// @param lanes  of a warp
AccessSizes sizes_for(const Target& target, std::int64_t lanes);

}  // namespace warpipe::isa
