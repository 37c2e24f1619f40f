#include "warpipe/explain/simulation.hpp"

#include <utility>

#include "extended_stalls.hpp"
#include "path_gathering.hpp"
#include "warpipe/engine/observe.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kBuckets = 20;  // of an occupancy history

}  // namespace

Simulation::Simulation(LoweredLaunch launch, const Questions& questions)
    : launch_(std::move(launch)), questions_(questions) {
  // Both come from a run of the whole, and the time with them.
  if (questions_.occupancy_history || questions_.critical_path) launch_.options.tolerance = 0;
}

const Prediction& Simulation::prediction() {
  if (!prediction_) simulate(questions_.stalls, questions_.occupancy_history);
  return *prediction_;
}

const Explanation& Simulation::explanation() {
  if (!explanation_) simulate(true, questions_.occupancy_history && !occupancy_history_);
  return *explanation_;
}

const OccupancyHistory& Simulation::occupancy_history() {
  if (!occupancy_history_) simulate(questions_.stalls && !explanation_, true);
  return *occupancy_history_;
}

const FollowedPath& Simulation::critical_path() {
  if (!critical_path_) simulate_in_order(true, questions_.timeline && !timeline_);
  return *critical_path_;
}

const Timeline& Simulation::timeline() {
  if (!timeline_) simulate_in_order(questions_.critical_path && !critical_path_, true);
  return *timeline_;
}

Trace Simulation::trace(const Window& window) {
  require_something(launch_, window, prediction().cycles);
  return {launch_, observe(launch_.program, {.window = window}).recording.value(), prediction().cycles};
}

/// In this run, periods of a steady state may be skipped, and a long run may be extended from shorter runs.
void Simulation::simulate(bool stalls, bool occupancy_history) {
  if (!stalls && !occupancy_history) {
    prediction_ = predict(launch_);
  } else if (occupancy_history || !explain_extended()) {
    simulate_whole(stalls, occupancy_history);
  }
}

/// @return whether the run is extended; else it is to be simulated as a whole
bool Simulation::explain_extended() {
  if (instructions_issued(launch_.program) <= kShortRun) return false;
  const auto run = short_run(launch_);
  if (!run || !is_extended(*run)) return false;
  if (!prediction_) prediction_ = prediction_of(launch_, *run);
  explanation_ = explain(launch_, run->result.cycles, extended_stalls(launch_.program, *run, launch_.options.skipping));
  return true;
}

void Simulation::simulate_whole(bool stalls, bool occupancy_history) {
  const Observations wanted{.stalls = stalls, .residency_buckets = occupancy_history ? kBuckets : 0};
  ObservedRun run = observe(launch_.program, wanted, launch_.options.skipping);
  if (!prediction_) prediction_ = prediction_of(launch_, RunWithin{run.result});
  const Ticks cycles = run.result.cycles;
  if (run.stalls) explanation_ = explain(launch_, cycles, *run.stalls);
  if (run.residency) occupancy_history_ = warpipe::occupancy_history(launch_, cycles, std::move(*run.residency));
}

/// Every instruction is simulated in this run, in the order of time.
void Simulation::simulate_in_order(bool critical_path, bool timeline) {
  Observations wanted;
  std::optional<PathGathering> path;
  if (critical_path) {
    path.emplace(launch_);
    wanted.on_path_link = [&path](const PathLink& link) { path->add(link); };
  }
  if (timeline) {
    wanted.window = window_of_timeline(questions_.timeline_window);
    require_something(launch_, *wanted.window, prediction().cycles);
  }
  ObservedRun run = observe(launch_.program, wanted);
  if (path) critical_path_ = path->path(run.result.cycles);
  if (run.recording) timeline_ = warpipe::timeline({launch_, std::move(*run.recording), prediction().cycles});
}

}  // namespace warpipe
