#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "live_values.hpp"

namespace warpipe::ptx {

/// Where most registers hold a value.
struct RegisterPeak {
  std::int64_t words = 0;                ///< 32-bit registers per lane
  std::vector<std::uint32_t> registers;  ///< those that hold one there
};

/// How many registers ptxas would give a thread.
struct RegisterEstimate {
  std::int64_t registers = 0;  ///< may be more than a thread can have
  std::int64_t least = 0;      ///< that it needs, whatever the order
  RegisterPeak peak;           ///< in the order that needs least
};

/// Between two orders of each block: one that keeps few values alive, one that waits as little as it can. The second
/// costs nothing as long as no fewer warps fit on a unit, so a thread gets what it needs, and more up to the next
/// number at which fewer fit.
/// @param order  in which instructions issue, by block: a third one that may need least
/// @param capability 90, of the device; decides whether there are uniform registers and how many warps fit
RegisterEstimate estimate_registers(const Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
                                    const Lowered& lowered, const std::vector<std::vector<std::uint32_t>>& order,
                                    int capability);

}  // namespace warpipe::ptx
