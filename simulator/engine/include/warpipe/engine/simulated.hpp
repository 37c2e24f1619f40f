#pragma once

#include <cstdint>

#include "warpipe/engine/simulate.hpp"

/// The progress of the simulations of this process, for display. No part of any result.

namespace warpipe {

/// Warp instructions of all simulations of this process so far.
struct SimulatedInstructions {
  std::int64_t issued = 0;   ///< simulated individually
  std::int64_t skipped = 0;  ///< of periods of a steady state, and of units in step with a simulated unit
};

/// May be called from any thread at any time; misses up to a quarter of a million instructions of each running
/// simulation.
SimulatedInstructions simulated_so_far();

/// The number of units that simulate() simulates individually, as far as known before: fewer than all if units do the
/// same.
std::int64_t units_to_simulate(const Program& program, Skipping skipping);

}  // namespace warpipe
