#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/skipping.hpp"

/// The simulation of a program from time 0 to its end, by rules 3 and 5 to 8 of docs/model.md.

namespace warpipe {

struct SimulationResult {
  Ticks cycles;              ///< the latest end of a group, or of a busy further pipeline
  std::int64_t issued = 0;   ///< warp instructions
  std::int64_t skipped = 0;  ///< of these, not simulated individually
  friend bool operator==(const SimulationResult&, const SimulationResult&) = default;
};

/// Simulates a program to its end. See observe.hpp for more than the result.
/// @throws ModelError for a time or a number of instructions above 64 bits
/// @throws GateError for a difference found by Skipping::Verify
/// @complexity instructions issued and not skipped x (issue ports + log schedulers); memory in resident warps x cells
SimulationResult simulate(const Program& program, Skipping skipping = Skipping::On);

class Run;

/// A simulation that stops after some instructions, and goes on from there if it is worth it.
class ResumableSimulation {
 public:
  /// @param program  must outlive the simulation
  ResumableSimulation(const Program& program, bool skipping);
  ~ResumableSimulation();
  ResumableSimulation(const ResumableSimulation&) = delete;
  ResumableSimulation& operator=(const ResumableSimulation&) = delete;

  /// Goes on to the end.
  /// @param most  instructions that may be simulated individually, with those of earlier calls; of each unit if units
  ///              do the same
  /// @return      nothing for a program with more, after up to a quarter of a million more are simulated
  /// @throws as simulate()
  std::optional<SimulationResult> up_to(std::int64_t most);

 private:
  const Program& program_;
  bool skipping_;
  std::unique_ptr<Run> run_;  ///< of all units, once begun
};

}  // namespace warpipe
