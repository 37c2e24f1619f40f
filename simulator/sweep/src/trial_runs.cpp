#include "trial_runs.hpp"

#include <algorithm>
#include <cmath>

#include "warpipe/engine/simulate.hpp"
#include "what_if_model.hpp"

namespace warpipe {
namespace {

/// Of the programs kept for comparison with later programs: some 30 MB.
constexpr std::size_t kMostKeptSteps = 1 << 18;

/// A change is simulated to its end, as the launch was, if its instructions are at most this multiple of the launch's.
constexpr std::int64_t kMostOfLaunch = 2;

/// A launch that takes its bound does so with another latency, too, if the bound is no further away than this multiple
/// of the tolerance. Of 34 exact times of a launch, with bounds 0.6 % away, none was off by more than 0.1 %, and with
/// bounds 1.2 % away by 0.2 %.
constexpr double kBoundNearby = 3;

std::size_t steps_of(const Program& program) {
  std::size_t steps = 0;
  for (const InstructionStream& stream : program.streams) steps += stream.steps.size();
  return steps;
}

}  // namespace

TrialRuns::TrialRuns(const LoweredLaunch& launch, const RunWithin& run)
    : program_(launch.program),
      skipping_(launch.options.skipping),
      tolerance_(skipping_ == Skipping::Verify ? 0 : launch.options.tolerance),
      launch_(run),
      bound_(highest(launch.bounds.bounds)) {
  keep(launch.program, {cycles(), is_extended(run) ? tolerance_ : 0});
}

TrialRun TrialRuns::run(const Program& program, const Device& device) {
  if (const auto run = known(program)) return *run;
  const TrialRun run = simulated(program, device);
  keep(program, run);
  return run;
}

TrialRun TrialRuns::run_with_latency(const Program& program, const Device& device) {
  if (is_extended(launch_)) {
    const Bound bound = bound_of(program, device);
    const double further = static_cast<double>(bound.cycles.count) / static_cast<double>(bound_.cycles.count) - 1;
    const bool is_nearby = further != 0 && std::abs(further) <= kBoundNearby * tolerance_;
    const bool takes_bound =
        static_cast<double>(cycles().count) <= (1 + tolerance_) * static_cast<double>(bound_.cycles.count);
    if (is_nearby && takes_bound && bound.name == bound_.name)
      return {round_to_ticks(Cycles{to_cycles(cycles()).count * (1 + further)}), tolerance_};
  }
  return run(program, device);
}

TrialRun TrialRuns::run_for_saving(const Program& program, const Device& device) {
  if (is_extended(launch_) && saved(cycles(), bound_of(program, device).cycles) < tolerance_) return no_effect();
  return run_with_latency(program, device);
}

std::optional<TrialRun> TrialRuns::known(const Program& program) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(known_, program, &std::pair<Program, TrialRun>::first);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

TrialRun TrialRuns::simulated(const Program& program, const Device& device) const {
  if (is_extended(launch_)) {
    const auto run = extended_run(program, bound_of(program, device).cycles, tolerance_, launch_.sizes);
    return {run ? run->result.cycles : simulate(program, skipping_).cycles, tolerance_};
  }
  if (tolerance_ == 0) return {simulate(program, skipping_).cycles, 0};
  const std::int64_t most = kMostOfLaunch * (launch_.result.issued - launch_.result.skipped);
  ResumableSimulation whole(program, skipping_ == Skipping::On);
  if (const auto exact = whole.up_to(most)) return {exact->cycles, 0};
  const RunWithin run = run_within(program, bound_of(program, device).cycles, tolerance_, whole);
  return {run.result.cycles, is_extended(run) ? tolerance_ : 0};
}

Bound TrialRuns::bound_of(const Program& program, const Device& device) const {
  return highest_bound(program, device, skipping_);
}

void TrialRuns::keep(const Program& program, const TrialRun& run) {
  const std::size_t steps = steps_of(program);
  const std::scoped_lock lock(mutex_);
  if (steps_ + steps > kMostKeptSteps) return;
  steps_ += steps;
  known_.emplace_back(program, run);
}

}  // namespace warpipe
