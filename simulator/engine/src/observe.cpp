#include "warpipe/engine/observe.hpp"

#include "core/run_policy.hpp"
#include "observers/fan_out.hpp"
#include "observers/path_tracer.hpp"
#include "observers/recorder.hpp"
#include "observers/residency_observer.hpp"
#include "observers/stall_accountant.hpp"
#include "verification.hpp"

namespace warpipe {
namespace {

template <class Observer>
Observer* address(std::optional<Observer>& observer) {
  return observer ? &*observer : nullptr;
}

ObservedRun observe_stalls_and_residency(const Program& program, const Observations& wanted, bool skipping) {
  std::optional<StallAccountant> accountant;
  std::optional<ResidencyObserver> residency;
  if (wanted.stalls) accountant.emplace(program);
  if (wanted.residency_buckets > 0) residency.emplace(program);
  FanOut observers(address(accountant), address(residency));
  ObservedRun run;
  run.result = run_policy(program, observers, skipping);
  if (accountant) run.stalls = accountant->stalls(run.result.cycles);
  if (residency) run.residency = residency->residency(run.result.cycles, wanted.residency_buckets);
  return run;
}

/// The periods that are skipped depend on the observers, and the residency on those periods: then each gets a run.
ObservedRun observe_with_skipping(const Program& program, const Observations& wanted, bool skipping) {
  const bool together = !skipping || !wanted.stalls || wanted.residency_buckets == 0;
  if (together) return observe_stalls_and_residency(program, wanted, skipping);
  ObservedRun run = observe_stalls_and_residency(program, {.stalls = true}, skipping);
  run.residency =
      observe_stalls_and_residency(program, {.residency_buckets = wanted.residency_buckets}, skipping).residency;
  return run;
}

ObservedRun observe_path_and_window(const Program& program, const Observations& wanted) {
  std::optional<PathTracer> tracer;
  std::optional<Recorder> recorder;
  if (wanted.on_path_link) tracer.emplace(program, wanted.on_path_link, wanted.path_limits);
  if (wanted.window) recorder.emplace(program, *wanted.window);
  FanOut observers(address(tracer), address(recorder));
  ObservedRun run;
  run.result = run_policy(program, observers, false);
  if (tracer) tracer->finish(run.result.cycles);
  if (recorder) run.recording = recorder->recording();
  return run;
}

}  // namespace

ObservedRun observe(const Program& program, const Observations& wanted, Skipping skipping) {
  const bool wants_first_run = wanted.stalls || wanted.residency_buckets > 0;
  const bool wants_second_run = wanted.on_path_link || wanted.window;
  ObservedRun run;
  if (wants_first_run) {
    run = observe_with_skipping(program, wanted, skipping != Skipping::Off);
    if (skipping == Skipping::Verify) {
      const ObservedRun full = observe_stalls_and_residency(program, {.stalls = wanted.stalls}, false);
      require_same(run.result, full.result);
      if (run.stalls != full.stalls) refuse_skipping("found other stall times");
    }
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
