#include "change_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warpipe/idg/error.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

std::optional<TimeRange> range_of(WhatIfModel model, Ticks cycles) {
  model.options.range = true;
  model.options.doubts = false;
  return prediction_of(lower_launch(model.kernel, model.device, model.options), RunWithin{{cycles}, 0, {}}).range;
}

}  // namespace

WhatIfTrial ChangeTrials::attempt(const Candidate& candidate) const {
  if (is_too_slow(candidate.reach)) return left_out(candidate.reach);
  try {
    return simulate_change(candidate);
  } catch (const GateError&) {
    throw;  // two engines disagree: no result is to be trusted
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().front();  // its place is in the kernel, which needs no change
    return {{}, 0, 0, {}, first.found.empty() ? first.problem : fmt::format("{}; {}", first.problem, first.found)};
  }
}

/// Whether a change with this bound saves too little to be seen, if it saves at all.
bool ChangeTrials::is_too_slow(const Bound& bound) const {
  return leave_out_ && saved(runs_.cycles(), bound.cycles) < std::max(kNoEffect, runs_.tolerance());
}

WhatIfTrial ChangeTrials::left_out(const Bound& bound) const {
  constexpr double kHundredths = 1e4;  // of a percent: rounded up, since it is the most
  const double most = std::ceil(kHundredths * std::max(0.0, saved(runs_.cycles(), bound.cycles))) / 100;
  const std::string saving = most > 0 ? fmt::format("saves {:.2f} % at most", most) : "saves nothing";
  return {
      {}, 0, 0, {}, fmt::format("{}: the bound of {} is {} cycles", saving, bound.name, format_cycles(bound.cycles))};
}

WhatIfTrial ChangeTrials::simulate_change(const Candidate& candidate) const {
  WhatIfModel model = model_;
  candidate.edit(model);
  const SettledLaunch launch = settle_launch(model.kernel, model.device, model.options);
  const Program program = lower(launch);
  if (candidate.moves_levels && program != runs_.program()) {
    const Bound bound = highest_bound(program, launch.device, model.options.skipping);
    if (is_too_slow(bound)) return left_out(bound);
  }
  const TrialRun run = runs_.run(program, launch.device);
  WhatIfTrial trial{run.cycles, saved(runs_.cycles(), run.cycles), run.off, {}, {}};
  if (run.off == 0 && std::abs(trial.saved) < kNoEffect) trial.remark = remark_of(candidate, run.cycles);
  if (with_ranges_) trial.range = range_of(model, run.cycles);
  return trial;
}

/// The remark on a change without a saving.
std::string ChangeTrials::remark_of(const Candidate& candidate, Ticks cycles) const {
  const bool is_same = cycles == runs_.cycles() && !candidate.why_no_effect.empty();
  return is_same ? "no effect: " + candidate.why_no_effect : masking_limits(candidate.edit, model_, runs_);
}

}  // namespace warpipe
