#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "live_values.hpp"

namespace warpipe::ptx {

/// The place where most registers hold a value.
struct RegisterPeak {
  std::int64_t words = 0;                ///< 32-bit registers per lane
  std::vector<std::uint32_t> registers;  ///< the registers with a value there
};

/// The estimated registers per thread after ptxas.
struct RegisterEstimate {
  std::int64_t registers = 0;  ///< may be more than a thread can have
  std::int64_t least = 0;      ///< needed in any order
  RegisterPeak peak;           ///< in the order with the smallest peak
};

/// Estimates between two orders of each block: the first keeps few values alive, the second waits as little as it can.
/// The second costs nothing as long as no fewer warps fit on a unit, so a thread gets the registers it needs, and more
/// up to the next number at which fewer warps fit.
/// @param order  the order of issue, by block: a third candidate for the smallest peak
/// @param capability  90, of the device; decides whether the device has uniform registers and how many warps fit
RegisterEstimate estimate_registers(const Routine& routine, const isa::Program& program, const isa::ControlFlow& flow,
                                    const Lowered& lowered, const std::vector<std::vector<std::uint32_t>>& order,
                                    int capability);

}  // namespace warpipe::ptx
