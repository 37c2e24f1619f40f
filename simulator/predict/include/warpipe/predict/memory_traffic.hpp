#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

/// What the levels of the memory do for a launch, and how that is known.

namespace warpipe {

struct LoweredLaunch;

/// How it is known which levels serve an access.
enum class LevelsKnown {
  FromAddresses,  ///< the caches were simulated on its addresses
  FromSamples,    ///< likewise, on a sample of its addresses
  Given,          ///< the kernel says it
  Assumed         ///< nothing is known: the memory serves it, an atomic the first level beyond the units
};
std::string to_string(LevelsKnown known);  ///< "addresses", "samples", "given", "assumed"

/// What the levels do for an access to global memory.
struct AccessTraffic {
  std::string id, op, text;  ///< of the instruction
  LevelsKnown known = LevelsKnown::Assumed;
  double executions = 0;                   ///< by all warps of the launch
  std::vector<LevelTraffic> levels;        ///< as in MemoryTraffic::levels; `found` is known from addresses only
  std::optional<double> compulsory_bytes;  ///< that nobody touched before; where addresses are known
  double spread = 0;                       ///< between two orders of the warps, in what is found at a level
};

struct MemoryTraffic {
  struct Level {
    std::string name;
    bool is_of_unit = false;
    double bytes = 0;  ///< of all instances; 0 of the memory
  };
  std::vector<Level> levels;            ///< as in Memory::levels; empty for a device without levels
  std::vector<AccessTraffic> accesses;  ///< those that run, in program order
  std::vector<std::string> notes;       ///< what a reader should know of these numbers, as whole sentences
};

/// @return nothing for a device without levels
/// @throws as bind_latencies
/// @complexity steps of the program
MemoryTraffic memory_traffic(const LoweredLaunch& lowered);

/// @return bytes that the accesses move to and from a level
double bytes_at(const MemoryTraffic& traffic, std::size_t level);

/// @return compulsory bytes that do not reach the memory while the launch runs: stores that lie in caches at its end,
///         loads that find them there at its start; 0 where addresses are not known
double bytes_kept(const MemoryTraffic& traffic);

}  // namespace warpipe
