#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace warpipe::isa {

/// What an import knows of the device that a kernel is for.
struct Target {
  std::string device;           ///< its name; empty where there is none
  std::string name;             ///< what compilers call it: "sm_80", "gfx942"; empty where that is not known
  std::int64_t warp_size = 32;  ///< lanes, at most 64; machine code says its own
  std::map<std::string, double, std::less<>> latencies;  ///< by op: cycles until its result can be read, at the least
  std::int64_t resident_threads = 0;  ///< that it holds at a time, at most; 0 where that is not known
};

}  // namespace warpipe::isa
