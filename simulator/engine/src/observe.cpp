#include "warpipe/engine/observe.hpp"

#include "core/run_policy.hpp"
#include "observers/fan_out.hpp"
#include "observers/path_tracer.hpp"
#include "observers/placement_observer.hpp"
#include "observers/recorder.hpp"
#include "observers/residency_observer.hpp"
#include "observers/stall_accountant.hpp"
#include "verification.hpp"

namespace warpipe {
namespace {

void observe_stalls(const Program& program, bool skipping, ObservedRun& run) {
  StallAccountant accountant(program);
  run.result = run_policy(program, accountant, skipping);
  run.stalls = accountant.stalls(run.result.cycles);
}

void observe_placements(const Program& program, ObservedRun& run) {
  PlacementObserver observer;
  run.result = run_policy(program, observer, false);
  run.placements = std::move(observer).placements();
}

void observe_residency(const Program& program, std::size_t buckets, bool skipping, ObservedRun& run) {
  ResidencyObserver residency(program);
  run.result = run_policy(program, residency, skipping);
  run.residency = residency.residency(run.result.cycles, buckets);
}

void observe_stalls_and_residency(const Program& program, std::size_t buckets, ObservedRun& run) {
  StallAccountant accountant(program);
  ResidencyObserver residency(program);
  FanOut observers(&accountant, &residency);
  run.result = run_policy(program, observers, false);
  run.stalls = accountant.stalls(run.result.cycles);
  run.residency = residency.residency(run.result.cycles, buckets);
}

/// The skipped periods depend on the observers, and the residency on those periods: then each gets a run.
void observe_with_skipping(const Program& program, const Observations& wanted, bool skipping, ObservedRun& run) {
  if (wanted.placements) observe_placements(program, run);
  if (wanted.stalls && wanted.residency_buckets > 0 && !skipping) {
    observe_stalls_and_residency(program, wanted.residency_buckets, run);
    return;
  }
  if (wanted.residency_buckets > 0) observe_residency(program, wanted.residency_buckets, skipping, run);
  if (wanted.stalls) observe_stalls(program, skipping, run);
}

/// @throws GateError: the run with skipping differs from a full run
void verify_skipping(const Program& program, const ObservedRun& run) {
  ObservedRun full;
  if (run.stalls) {
    observe_stalls(program, false, full);
  } else {
    full.result = simulate(program, Skipping::Off);
  }
  require_same(run.result, full.result);
  if (run.stalls != full.stalls) refuse_skipping("found other stall times");
}

ObservedRun observe_path_and_window(const Program& program, const Observations& wanted) {
  std::optional<PathTracer> tracer;
  std::optional<Recorder> recorder;
  if (wanted.on_path_link) tracer.emplace(program, wanted.on_path_link, wanted.path_limits);
  if (wanted.window) recorder.emplace(program, *wanted.window);
  FanOut observers(tracer ? &*tracer : nullptr, recorder ? &*recorder : nullptr);
  ObservedRun run;
  run.result = run_policy(program, observers, false);
  if (tracer) tracer->finish(run.result.cycles);
  if (recorder) run.recording = recorder->recording();
  return run;
}

}  // namespace

ObservedRun observe(const Program& program, const Observations& wanted, Skipping skipping) {
  const bool wants_first_run = wanted.stalls || wanted.placements || wanted.residency_buckets > 0;
  const bool wants_second_run = wanted.on_path_link || wanted.window;
  ObservedRun run;
  if (wants_first_run) {
    observe_with_skipping(program, wanted, skipping != Skipping::Off, run);
    if (skipping == Skipping::Verify) verify_skipping(program, run);
  }
  if (wants_second_run) {
    ObservedRun second = observe_path_and_window(program, wanted);
    run.recording = std::move(second.recording);
    if (!wants_first_run) run.result = second.result;
  }
  if (!wants_first_run && !wants_second_run) run.result = simulate(program, skipping);
  return run;
}

}  // namespace warpipe
