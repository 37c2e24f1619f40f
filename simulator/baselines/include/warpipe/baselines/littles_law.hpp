#pragma once

#include <span>

#include "warpipe/idg/units.hpp"

/// Little's law: mean number in flight = mean latency x throughput.

namespace warpipe {

/// A steady flow of instructions of the same kind.
struct Flow {
  double a_cycle = 0;  ///< instructions started per cycle
  Cycles latency;      ///< from the start of an instruction until its result is there
};

/// Warps for an always busy resource, each with a single instruction in flight.
/// @param latency   Lambda
/// @param interval  lambda: between two instructions; > 0
/// @return          Lambda / lambda: 4 cycles at 4 a cycle need 16 warps, 200 cycles at one in 20 need 10
/// @source          J. D. C. Little, Operations Research 9(3), 1961
double warps_needed(Cycles latency, Cycles interval);

/// Instructions in flight where several kinds flow at once: the sum of rate x latency over the kinds.
/// @param flows  none: 0
double in_flight(std::span<const Flow> flows);

}  // namespace warpipe
