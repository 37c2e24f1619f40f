#include "trial_runs.hpp"

#include <algorithm>

#include "warpipe/engine/simulate.hpp"
#include "what_if_model.hpp"

namespace warpipe {
namespace {

/// Of the programs that are kept, to be compared with later ones: some 30 MB.
constexpr std::size_t kMostSteps = 1 << 18;

/// A change is simulated to its end, as the launch was, where that takes at most so many times its instructions.
constexpr std::int64_t kMostOfLaunch = 2;

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
      launch_(run) {
  keep(launch.program, {cycles(), is_extended(run) ? tolerance_ : 0});
}

TrialRun TrialRuns::run(const Program& program, const Device& device) {
  if (const auto run = known(program)) return *run;
  const TrialRun run = simulated(program, device);
  keep(program, run);
  return run;
}

TrialRun TrialRuns::run_for_saving(const Program& program, const Device& device) {
  if (is_extended(launch_) && saved(cycles(), bound_of(program, device)) < tolerance_) return no_effect();
  return run(program, device);
}

std::optional<TrialRun> TrialRuns::known(const Program& program) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(known_, program, &std::pair<Program, TrialRun>::first);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

TrialRun TrialRuns::simulated(const Program& program, const Device& device) const {
  if (is_extended(launch_)) {
    const auto run = extended_run(program, bound_of(program, device), tolerance_, launch_.sizes);
    return {run ? run->result.cycles : simulate(program, skipping_).cycles, tolerance_};
  }
  if (tolerance_ == 0) return {simulate(program, skipping_).cycles, 0};
  const std::int64_t most = kMostOfLaunch * (launch_.result.issued - launch_.result.skipped);
  if (const auto whole = simulate_at_most(program, most, skipping_)) return {whole->cycles, 0};
  const RunWithin run = run_within(program, bound_of(program, device), tolerance_, skipping_);
  return {run.result.cycles, is_extended(run) ? tolerance_ : 0};
}

Ticks TrialRuns::bound_of(const Program& program, const Device& device) const {
  return highest(lower_bounds(program, device, skipping_).bounds).cycles;
}

void TrialRuns::keep(const Program& program, const TrialRun& run) {
  const std::size_t steps = steps_of(program);
  const std::scoped_lock lock(mutex_);
  if (steps_ + steps > kMostSteps) return;
  steps_ += steps;
  known_.emplace_back(program, run);
}

}  // namespace warpipe
