#pragma once

#include <optional>

#include "warpipe/explain/explain.hpp"
#include "warpipe/explain/follow_path.hpp"
#include "warpipe/explain/occupancy_history.hpp"
#include "warpipe/explain/timeline.hpp"
#include "warpipe/explain/trace.hpp"
#include "warpipe/predict/lower.hpp"

/// A simulation: the only path from a kernel, a device and options to every result about the launch:
///
///     Simulation simulation(lower_launch(kernel, device, options), {.stalls = true});
///     simulation.prediction().time;
///     simulation.explanation().instructions;

namespace warpipe {

/// The expected questions to a simulation: one run can answer several of them. Further questions are answered too, by
/// further runs. With an occupancy history or the critical path among them, the time is exact, whatever the launch's
/// tolerance: both need a run of the whole.
struct Questions {
  bool stalls = false;  ///< explanation()
  bool occupancy_history = false;
  bool critical_path = false;
  bool timeline = false;                       ///< together with the critical path
  std::optional<Window> timeline_window = {};  ///< empty: the first warps of the first group
};

/// A launch and the answers about it. Each is found when it is first asked for, and kept.
class Simulation {
 public:
  explicit Simulation(LoweredLaunch launch, const Questions& questions = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const LoweredLaunch& launch() const { return launch_; }

  /// @throws ModelError, GateError as the engine
  const Prediction& prediction();
  /// The stalls by state, instruction, pipeline and unit.
  /// @throws ModelError, GateError as the engine
  const Explanation& explanation();
  /// @throws ModelError as the engine, and for a launch too long to be followed
  const FollowedPath& critical_path();
  /// @throws ModelError as the engine, and for a window beginning behind the end
  const Timeline& timeline();
  /// @throws ModelError, GateError as the engine
  const OccupancyHistory& occupancy_history();

  /// A part of the run. It refers to this simulation, and is not kept.
  /// @throws as timeline
  Trace trace(const Window& window);

 private:
  /// The runs, the only calls of the engine. Each run gives all its wanted and missing answers.
  void simulate(bool stalls, bool occupancy_history);
  bool explain_extended();
  void simulate_whole(bool stalls, bool occupancy_history);
  void simulate_in_order(bool critical_path, bool timeline);

  LoweredLaunch launch_;
  Questions questions_;
  std::optional<Prediction> prediction_;
  std::optional<Explanation> explanation_;
  std::optional<FollowedPath> critical_path_;
  std::optional<Timeline> timeline_;
  std::optional<OccupancyHistory> occupancy_history_;
};

}  // namespace warpipe
