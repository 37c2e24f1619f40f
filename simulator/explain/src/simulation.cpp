#include "warpipe/explain/simulation.hpp"

#include <utility>

#include "path_gathering.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kBuckets = 20;  // of an occupancy history

}  // namespace

Simulation::Simulation(LoweredLaunch launch, const Questions& questions)
    : launch_(std::move(launch)), questions_(questions) {}

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
  return {launch_, record(launch_.program, window), prediction().cycles};
}

/// Periods of a steady state may be skipped in this run.
void Simulation::simulate(bool stalls, bool occupancy_history) {
  const Program& program = launch_.program;
  const Skipping skipping = launch_.options.skipping;
  if (stalls) {
    const StalledRun accounted = run_accounted(program, skipping);
    explanation_ = explain(launch_, accounted.result.cycles, accounted.stalls);
    if (!prediction_) prediction_ = prediction_of(launch_, accounted.result);
  }
  if (!prediction_) prediction_ = predict(launch_);
  if (!occupancy_history) return;
  const Ticks cycles = prediction_->cycles;
  occupancy_history_ = warpipe::occupancy_history(launch_, cycles, follow_groups(program, cycles, kBuckets, skipping));
}

/// Every instruction is simulated in this run, in the order of time.
void Simulation::simulate_in_order(bool critical_path, bool timeline) {
  if (critical_path) {
    PathGathering path(launch_);
    const RunResult run = trace_critical_path(launch_.program, [&](const PathLink& link) { path.add(link); });
    critical_path_ = path.path(run.cycles);
  }
  if (timeline) timeline_ = warpipe::timeline(trace(window_of_timeline(questions_.timeline_window)));
}

}  // namespace warpipe
