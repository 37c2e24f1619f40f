#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "warpipe/engine/critical_path.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/recording.hpp"
#include "warpipe/engine/residency.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/engine/stalls.hpp"

/// Simulations with observers: where the warps' time went, the number of resident groups, the critical path, and every
/// execution in a window. All wanted observations of a launch are requested at once, to need as few runs as possible.

namespace warpipe {

/// The wanted observations. Unwanted observations cost nothing.
struct Observations {
  bool stalls = false;
  bool placements = false;            ///< of groups; no period is skipped in their run
  std::size_t residency_buckets = 0;  ///< at most this many; 0: the residency of groups is not observed
  /// Receives each link of the critical path, from time 0 to the cycles of the run without a gap, as soon as it is
  /// certain, links of no length included. Empty: the critical path is not traced.
  std::function<void(const PathLink&)> on_path_link{};
  PathLimits path_limits{};
  std::optional<Window> window{};  ///< to record
};

/// The placement of a group.
struct GroupPlacement {
  Ticks time;
  Ticks booked;  ///< the end of all earlier work known by then: of groups, and of busy further pipelines
};

struct ObservedRun {
  /// As from simulate(), but every unit is simulated. If only a window is wanted, the simulation stops behind the
  /// window, and this is the result up to there.
  SimulationResult result;
  std::optional<Stalls> stalls;
  std::vector<GroupPlacement> placements;  ///< of all groups, in the order of placement
  std::optional<Residency> residency;
  std::optional<Recording> recording;
};

/// Simulates a program and observes it.
///
/// The placements need a run of their own, without skipping. The stalls and the residency share a run without skipping.
/// If periods of a steady state are skipped, each of the two needs its own run: a skipped period is spread evenly over
/// the residency's buckets, and the choice of skipped periods depends on the observers. The critical path and the
/// recording share a run with every instruction simulated in the order of time. So there are at most three runs without
/// skipping, four with skipping, and five if skipping is verified.
/// @param skipping  of the stalls and the residency. Verify compares the results and the stalls
/// @throws as simulate(); ModelError for a sum of the warps' times above 64 bits, and for more than
///         `path_limits.most_nodes` events that may still be part of the critical path
/// @complexity the stalls and the residency as simulate(); the other run as simulate() without skipping, about three
///             times as long with the critical path. Memory: residency in groups simulated individually, the critical
///             path in events that may still be part of it, the recording in executions
ObservedRun observe(const Program& program, const Observations& wanted, Skipping skipping = Skipping::On);

}  // namespace warpipe
