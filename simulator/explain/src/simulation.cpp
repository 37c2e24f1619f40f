#include "warpipe/explain/simulation.hpp"

#include <utility>

namespace warpipe {

Simulation::Simulation(LoweredLaunch launch, const Questions& questions)
    : launch_(std::move(launch)), questions_(questions) {}

const Prediction& Simulation::prediction() {
  if (!prediction_ && questions_.stalls) run_accounted();
  if (!prediction_) prediction_ = predict(launch_);
  return *prediction_;
}

const Explanation& Simulation::explanation() {
  if (!explanation_) run_accounted();
  return *explanation_;
}

const FollowedPath& Simulation::critical_path() {
  if (!critical_path_) critical_path_ = follow_path(launch_);
  return *critical_path_;
}

const Timeline& Simulation::timeline() {
  if (!timeline_) timeline_ = warpipe::timeline(launch_, questions_.timeline_window, prediction().cycles);
  return *timeline_;
}

const OccupancyHistory& Simulation::occupancy_history() {
  if (!occupancy_history_) occupancy_history_ = warpipe::occupancy_history(launch_, prediction().cycles);
  return *occupancy_history_;
}

Trace Simulation::trace(const Window& window) { return warpipe::trace(launch_, window, prediction().cycles); }

/// One run for the prediction and the explanation.
void Simulation::run_accounted() {
  const ObservedRun run = warpipe::observe(launch_.program, {.stalls = true}, launch_.options.skipping);
  explanation_ = explain(launch_, run);
  if (!prediction_) prediction_ = prediction_of(launch_, run.result);
}

}  // namespace warpipe
