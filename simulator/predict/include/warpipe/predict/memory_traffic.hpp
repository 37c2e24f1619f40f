#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/caches/levels.hpp"
#include "warpipe/latency_tables/device.hpp"

/// The traffic of a launch at the levels of the memory, with its evidence.

namespace warpipe {

struct LoweredLaunch;

/// The evidence for the levels that serve an access.
enum class LevelsKnown {
  FromAddresses,  ///< the caches were simulated on its addresses
  FromSamples,    ///< likewise, on a sample of its addresses
  Given,          ///< the kernel says it
  Assumed         ///< nothing is known: the memory serves it, an atomic the first level beyond the units
};
std::string to_string(LevelsKnown known);  ///< "addresses", "samples", "given", "assumed"

/// The traffic of an access to global memory at each level.
struct AccessTraffic {
  std::string id, op, text;  ///< of the instruction
  LevelsKnown known = LevelsKnown::Assumed;
  double executions = 0;                   ///< by all warps of the launch
  std::vector<LevelTraffic> levels;        ///< as in MemoryTraffic::levels; `found` is known from addresses only
  std::optional<double> compulsory_bytes;  ///< touched for the first time; where addresses are known
  double spread = 0;                       ///< between two orders of the warps, in what is found at a level
};

struct MemoryTraffic {
  struct Level {
    std::string name;
    bool is_of_unit = false;
    double bytes = 0;  ///< of all instances; 0 of the memory
  };
  std::vector<Level> levels;            ///< as in Memory::levels; empty for a device without levels
  std::vector<AccessTraffic> accesses;  ///< executed accesses, in program order
  std::vector<std::string> notes;       ///< remarks on the numbers, as whole sentences
};

/// @return nothing for a device without levels
/// @throws as bind_latencies
/// @complexity steps of the program
MemoryTraffic memory_traffic(const LoweredLaunch& lowered);

/// @return bytes moved by the accesses to and from a level
double bytes_at(const MemoryTraffic& traffic, std::size_t level);

/// @return compulsory bytes without traffic to the memory during the launch: stores still in caches at its end, loads
///         of data already in caches at its start; 0 where addresses are not known
double bytes_kept(const MemoryTraffic& traffic);

}  // namespace warpipe
