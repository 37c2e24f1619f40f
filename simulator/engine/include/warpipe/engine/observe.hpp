#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "warpipe/engine/critical_path.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/recording.hpp"
#include "warpipe/engine/residency.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/engine/stalls.hpp"

/// Simulations that are observed: where the warps' time went, how many groups resided, what decided the run time, and
/// every execution in a window. Everything that is wanted of a launch is asked for at once, so that it comes from as
/// few runs as possible.

namespace warpipe {

/// When a group was placed in a slot.
struct Placement {
  std::int64_t age = 0;  ///< number in which it was placed
  Ticks time;
};

/// What to observe. What is not asked for costs nothing.
struct Observations {
  bool stalls = false;
  bool placements = false;
  std::size_t residency_buckets = 0;  ///< at most so many; 0: the residency of groups is not observed
  /// Receives each link of the critical path, from time 0 to the cycles of the run without a gap, as soon as it is
  /// certain. Links of no length are among them. Empty: the critical path is not traced.
  std::function<void(const PathLink&)> on_path_link{};
  PathLimits path_limits{};
  std::optional<Window> window{};  ///< to record
};

struct ObservedRun {
  /// That of simulate(), but every unit is simulated. Where nothing but a window is wanted, the simulation stops behind
  /// the window, and this is the result up to there.
  SimulationResult result;
  std::optional<Stalls> stalls;
  std::vector<Placement> placements;  ///< of the groups that are simulated one by one, in their order
  std::optional<Residency> residency;
  std::optional<Recording> recording;
};

/// Simulates a program and observes it.
///
/// The stalls and the residency come from one run where nothing is skipped. Where periods of a steady state are
/// skipped, each comes from a run of its own, and so do the placements: a skipped period is spread evenly over the residency's buckets, and which
/// periods are skipped depends on the observers. The critical path and the recording come from one run in which every
/// instruction is simulated in the order of time. So there are at most three runs, one more where skipping is verified.
/// @param skipping  of the stalls and the residency. Verify compares the results and the stalls
/// @throws as simulate(); ModelError where a sum of the warps' times does not fit 64 bits, and where more than
///         `path_limits.most_nodes` events may still be part of the critical path
/// @complexity the stalls and the residency as simulate(); the other run as simulate() without skipping, about three
/// times that with the
///             critical path. Memory: residency in groups that are simulated one by one, the critical path in events
///             that may still be part of it, the recording in executions
ObservedRun observe(const Program& program, const Observations& wanted, Skipping skipping = Skipping::On);

}  // namespace warpipe
