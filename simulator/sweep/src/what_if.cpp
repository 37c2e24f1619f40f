#include "warpipe/sweep/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <mutex>
#include <span>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/sweep/parallel.hpp"
#include "what_if_model.hpp"

namespace warpipe {
namespace {

bool asks_for(const WhatIfOptions& asked, WhatIfPart part) {
  return std::ranges::find(asked.parts, part) != asked.parts.end();
}

void check_step(double step) {
  if (step > 0 && step < 1) return;
  throw UsageError(Diagnostic{"`step`", "the step must be above 0 and below 100 percent",
                              fmt::format("found {} %", 100 * step), "give 1 for one percent"});
}

/// What to say of a change that brings nothing.
std::string remark_of(const Candidate& candidate, const WhatIfModel& model, Ticks base, Ticks cycles) {
  const bool is_same = cycles == base && !candidate.why_no_effect.empty();
  return is_same ? "no effect: " + candidate.why_no_effect : masking_limits(candidate.edit, model);
}

/// Simulates with a change, for its cycles and, where asked for, its range.
WhatIfTrial simulate_change(const Candidate& candidate, WhatIfModel model, bool with_range) {
  candidate.edit(model);
  if (!with_range) return {cycles_of(model), 0, {}, {}, {}};
  model.options.range = true;
  model.options.doubts = false;
  const Prediction prediction = predict(model.kernel, model.device, model.options);
  return {prediction.cycles, 0, {}, {}, prediction.range};
}

WhatIfTrial try_out(const Candidate& candidate, const WhatIfModel& model, Ticks base, bool with_range) {
  try {
    auto trial = simulate_change(candidate, model, with_range);
    trial.saved = saved(base, *trial.cycles);
    if (std::abs(trial.saved) < kNoEffect) trial.remark = remark_of(candidate, model, base, *trial.cycles);
    return trial;
  } catch (const GateError&) {
    throw;  // two engines disagree: no result is to be trusted
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().front();  // whose place is in the kernel, which needs no change
    return {{}, 0, {}, first.found.empty() ? first.problem : fmt::format("{}; {}", first.problem, first.found), {}};
  }
}

/// The rows of knobs of which both sides have been tried.
std::vector<Elasticity> ranked(std::span<const Knob> knobs, Ticks base) {
  std::vector<Elasticity> rows;
  for (const Knob& knob : knobs) {
    rows.push_back(knob.row);
    finish(rows.back(), base);
  }
  std::ranges::stable_sort(rows, std::greater(), [](const Elasticity& row) { return std::abs(row.central); });
  return rows;
}

}  // namespace

/// The trials in their order, and what they found.
class WhatIfTrials {
 public:
  WhatIfTrials(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked)
      : step_(asked.step),
        ranges_(asked.ranges_of_changes),
        base_(predict(kernel, device, options)),
        model_(settled(kernel, device, options)) {
    const Program program = lower(settle_launch(model_.kernel, model_.device, model_.options));
    const RunningModel running{model_, program, base_.launch.resident_warps};
    if (asks_for(asked, WhatIfPart::Changes)) changes_ = candidates(running, base_.launch);
    if (asks_for(asked, WhatIfPart::Ops)) knobs_ = op_knobs(running, step_);
    ops_ = knobs_.size();
    if (asks_for(asked, WhatIfPart::Instructions))
      std::ranges::move(instruction_knobs(running, step_), std::back_inserter(knobs_));
    for (Candidate& change : changes_)
      if (change.edit) tried_.push_back(&change);
  }

  std::size_t count() const { return tried_.size() + 2 * knobs_.size(); }

  WhatIfTrial attempt(std::size_t index) const {
    if (index < tried_.size()) return try_out(*tried_[index], model_, base_.cycles, ranges_);
    const std::size_t side = index - tried_.size();
    const Knob& knob = knobs_[side / 2];
    const Cycles value = is_less(side) ? knob.row.less : knob.row.more;
    return {cycles_with(model_, [&](WhatIfModel& changed) { knob.set(changed, value); }), 0, {}, {}, {}};
  }

  void keep(std::size_t index, const WhatIfTrial& trial) {
    const std::scoped_lock lock(mutex_);
    done_ = index + 1;
    if (index < tried_.size()) return keep_change(tried_[index]->change, trial);
    const std::size_t side = index - tried_.size();
    Elasticity& row = knobs_[side / 2].row;
    (is_less(side) ? row.cycles_less : row.cycles_more) = *trial.cycles;
  }

  void run(std::size_t threads, const Progress& progress) {
    std::size_t index = 0;
    const auto take = [&](const WhatIfTrial& trial) {
      keep(index++, trial);
      if (progress) progress(index, count());
    };
    for_each_in_order(
        0, count(), threads, [this](std::size_t at) { return attempt(at); }, take);
  }

  WhatIf result() const {
    const std::scoped_lock lock(mutex_);
    WhatIf result{base_, step_, known_changes(), {}, {}};
    const std::size_t turned = done_ > tried_.size() ? (done_ - tried_.size()) / 2 : 0;
    const auto known = std::span(knobs_).first(turned);
    const std::size_t ops = std::min(turned, ops_);
    result.ops = ranked(known.first(ops), base_.cycles);
    result.instructions = ranked(known.subspan(ops), base_.cycles);
    return result;
  }

 private:
  static bool is_less(std::size_t side) { return side % 2 == 0; }

  static void keep_change(Change& change, const WhatIfTrial& trial) {
    change.cycles = trial.cycles;
    change.saved = trial.saved;
    change.remark = trial.remark;
    change.why_not = trial.why_not;
    change.range = trial.range;
  }

  /// Those that have been tried, and those that cannot be.
  std::vector<Change> known_changes() const {
    std::vector<Change> changes;
    std::size_t tried = 0;
    for (const Candidate& candidate : changes_)
      if (!candidate.edit || tried++ < done_) changes.push_back(candidate.change);
    std::ranges::stable_sort(changes, {}, [](const Change& change) {
      return std::pair(!change.cycles.has_value(), change.cycles.value_or(Ticks{}));
    });
    return changes;
  }

  double step_;
  bool ranges_;  ///< of the changes
  Prediction base_;
  WhatIfModel model_;
  std::vector<Candidate> changes_;
  std::vector<Candidate*> tried_;  ///< of the changes, those that can be
  std::vector<Knob> knobs_;        ///< of the ops, then of the instructions
  std::size_t ops_ = 0;
  mutable std::mutex mutex_;
  std::size_t done_ = 0;  ///< trials, the first ones; their results are final
};

bool has_ranges(const WhatIf& what_if) {
  return std::ranges::any_of(what_if.changes, [](const Change& change) { return change.range.has_value(); });
}

WhatIfStudy::WhatIfStudy(const Kernel& kernel, const Device& device, const LaunchOptions& options,
                         const WhatIfOptions& asked) {
  check_step(asked.step);
  trials_ = std::make_unique<WhatIfTrials>(kernel, device, options, asked);
}

WhatIfStudy::~WhatIfStudy() = default;

std::size_t WhatIfStudy::simulations() const { return trials_->count(); }

WhatIfTrial WhatIfStudy::attempt(std::size_t index) const { return trials_->attempt(index); }

void WhatIfStudy::keep(std::size_t index, const WhatIfTrial& trial) { trials_->keep(index, trial); }

void WhatIfStudy::run(std::size_t threads, const Progress& progress) { trials_->run(threads, progress); }

WhatIf WhatIfStudy::result() const { return trials_->result(); }

WhatIf what_if(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked,
               std::size_t threads, const Progress& progress) {
  WhatIfStudy study(kernel, device, options, asked);
  study.run(threads, progress);
  return study.result();
}

}  // namespace warpipe
