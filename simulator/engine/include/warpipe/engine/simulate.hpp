#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/skipping.hpp"

/// The simulation of a program from time 0 to its end, by rules 3 and 5 to 8 of docs/model.md.

namespace warpipe {

struct SimulationResult {
  Ticks cycles;              ///< the latest end of a group, and of a further pipeline that is still busy
  std::int64_t issued = 0;   ///< warp instructions
  std::int64_t skipped = 0;  ///< of these, not simulated one by one
  friend bool operator==(const SimulationResult&, const SimulationResult&) = default;
};

/// Simulates a program to its end. See observe.hpp for more than the result.
/// @throws ModelError where a time or the number of instructions does not fit 64 bits
/// @throws GateError where Skipping::Verify finds a difference
/// @complexity instructions that are issued and not skipped x (issue ports + log schedulers); memory in resident warps
///             x cells
SimulationResult simulate(const Program& program, Skipping skipping = Skipping::On);

}  // namespace warpipe
