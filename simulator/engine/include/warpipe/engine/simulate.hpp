#pragma once

#include <cstdint>
#include <optional>

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

/// Likewise, where that does not take long.
/// @param most  instructions that may be simulated one by one; of each unit where units do the same
/// @return      nothing where the program has more, found when up to a quarter of a million more are simulated
/// @throws as simulate()
std::optional<SimulationResult> simulate_at_most(const Program& program, std::int64_t most, Skipping skipping);

}  // namespace warpipe
