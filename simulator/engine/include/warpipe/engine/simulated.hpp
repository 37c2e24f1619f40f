#pragma once

#include <cstdint>

#include "warpipe/engine/simulate.hpp"

/// How far the simulations of this process have come, for a display of progress. No part of any result.

namespace warpipe {

/// Warp instructions of all simulations of this process so far.
struct SimulatedInstructions {
  std::int64_t issued = 0;   ///< simulated one by one
  std::int64_t skipped = 0;  ///< of periods of a steady state, and of units that do the same as a simulated one
};

/// From any thread at any time; up to a quarter of a million instructions of each simulation under way are missing.
SimulatedInstructions simulated_so_far();

/// How many units simulate() simulates one by one, as far as can be told before: fewer than there are where units do
/// the same.
std::int64_t units_to_simulate(const Program& program, Skipping skipping);

}  // namespace warpipe
