#include "warpipe/sweep/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <mutex>
#include <span>
#include <tuple>
#include <utility>

#include "change_trials.hpp"
#include "trial_runs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/run_within.hpp"
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

/// The rows of knobs with both sides tried.
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

/// The trials in their order, and their results.
class WhatIfTrials {
 public:
  WhatIfTrials(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked)
      : step_(asked.step),
        launch_(lower_launch(kernel, device, options)),
        run_(run_within(launch_)),
        base_(prediction_of(launch_, run_)),
        model_(settled(kernel, device, options)),
        served_{launch_.kernel, model_.device, model_.options},
        runs_(launch_, run_),
        of_changes_(model_, asked, runs_) {
    const RunningModel running{model_, launch_.program, base_.launch.resident_warps};
    with_device_ = asks_for(asked, WhatIfPart::Device);
    find_changes(running, asks_for(asked, WhatIfPart::Changes));
    knobs_of_ops_ = op_knobs(running, step_);
    if (asks_for(asked, WhatIfPart::Ops)) knobs_ = knobs_of_ops_;
    ops_ = knobs_.size();
    if (asks_for(asked, WhatIfPart::Instructions))
      std::ranges::move(instruction_knobs(running, step_), std::back_inserter(knobs_));
  }

  std::size_t count() const { return tried_.size() + 2 * knobs_.size(); }

  WhatIfTrial attempt(std::size_t index) {
    if (index < tried_.size()) return of_changes_.attempt(*tried_[index]);
    const TrialRun run = run_of_latency(index - tried_.size());
    return {run.cycles, 0, run.off, {}, {}};
  }

  void keep(std::size_t index, const WhatIfTrial& trial) {
    const std::scoped_lock lock(mutex_);
    done_ = index + 1;
    if (index < tried_.size()) return keep_change(*tried_[index], trial);
    const std::size_t side = index - tried_.size();
    Elasticity& row = knobs_[side / 2].row;
    (is_less(side) ? row.cycles_less : row.cycles_more) = *trial.cycles;
    row.off = std::max(row.off, trial.off);
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
    const std::size_t turned = done_ > tried_.size() ? (done_ - tried_.size()) / 2 : 0;
    const auto known = std::span(knobs_).first(turned);
    const std::size_t ops = std::min(turned, ops_);
    const Ticks cycles = base_.cycles;
    WhatIf result{base_, step_, known_changes(), ranked(known.first(ops), cycles), ranked(known.subspan(ops), cycles)};
    result.ranges_of_changes = of_changes_.with_ranges();
    result.with_device = with_device_;
    result.pending.ops = ops < ops_;
    result.pending.instructions = turned < knobs_.size() && ops_ < knobs_.size();
    for (std::size_t i = done_; i < tried_.size(); ++i) result.pending.changes.push_back(tried_[i]->change.name);
    result.certain = static_cast<std::size_t>(std::ranges::count_if(result.changes, [&](const Change& change) {
      if (!change.cycles || done_ >= tried_.size()) return change.cycles.has_value();
      const Candidate& next = *tried_[done_];
      return std::pair(change.part, *change.cycles) < std::pair(next.change.part, next.reach.cycles);
    }));
    return result;
  }

 private:
  static bool is_less(std::size_t side) { return side % 2 == 0; }

  /// Latencies change neither the launch nor the accesses that the caches see.
  Program program_of(const WhatIfModel& model) const {
    return lower(model.kernel, model.device, launch_.launch, model.options);
  }

  TrialRun run_of_latency(std::size_t side) {
    const std::size_t index = side / 2;
    if (is_less(side)) return shorter(knobs_[index]);
    return index < ops_ ? longer(knobs_[index], served_) : longer_of_instruction(index);
  }

  TrialRun shorter(const Knob& knob) {
    WhatIfModel changed = served_;
    knob.set(changed, knob.row.less);
    return runs_.run_for_saving(program_of(changed), changed.device);
  }

  TrialRun longer(const Knob& knob, WhatIfModel changed) {
    knob.set(changed, knob.row.more);
    return runs_.run_with_latency(program_of(changed), changed.device);
  }

  double effect(const TrialRun& run) const { return std::abs(saved(runs_.cycles(), run.cycles)); }

  /// Where the launch was extended, and a longer latency of all instructions of an op, or of some of these, moves the
  /// time by less than the tolerance, the latency of a single instruction is not simulated: it counts as costing
  /// nothing.
  TrialRun longer_of_instruction(std::size_t index) {
    const Knob& knob = knobs_[index];
    const auto is_alike = [&](const Knob& each) {
      return each.row.op == knob.row.op && each.row.latency == knob.row.latency;
    };
    const auto of_op = std::ranges::find_if(
        knobs_of_ops_, [&](const Knob& each) { return each.row.name == knob.row.op && is_alike(each); });
    if (!runs_.are_extended() || of_op == knobs_of_ops_.end()) return longer(knob, served_);
    WhatIfModel all = served_;
    of_op->set(all, of_op->row.more);
    // The latency of the instruction is set as well, since a latency of its own does not follow the op.
    double moved = effect(longer(knob, std::move(all)));
    std::vector<std::size_t> alike;
    for (std::size_t i = ops_; i < knobs_.size(); ++i)
      if (is_alike(knobs_[i])) alike.push_back(i);
    for (std::span<const std::size_t> some = alike; moved >= runs_.tolerance() && some.size() > 1;) {
      if (moved / 2 >= runs_.tolerance()) break;  // so is each half, likely
      const auto half = static_cast<std::size_t>(some.size() / 2);
      some = index < some[half] ? some.first(half) : some.subspan(half);
      WhatIfModel changed = served_;
      for (const std::size_t i : some.first(some.size() - 1)) knobs_[i].set(changed, knobs_[i].row.more);
      moved = effect(longer(knobs_[some.back()], std::move(changed)));
    }
    return moved < runs_.tolerance() ? runs_.no_effect() : longer(knob, served_);
  }

  /// Possible changes are tried by part, in the order of their reach.
  void find_changes(const RunningModel& running, bool with_others) {
    if (!with_device_ && !with_others) return;
    changes_ = candidates(running, launch_.launch, source_changes(launch_, base_));
    std::erase_if(changes_, [&](const Candidate& candidate) {
      return candidate.change.part == ChangePart::Device ? !with_device_ : !with_others;
    });
    for (Candidate& change : changes_) {
      if (!change.edit) continue;
      change.reach = reach_of(change, served_);
      tried_.push_back(&change);
    }
    std::ranges::stable_sort(tried_, {}, [](const Candidate* candidate) {
      return std::pair(candidate->change.part, candidate->reach.cycles);
    });
  }

  static void keep_change(Candidate& candidate, const WhatIfTrial& trial) {
    candidate.is_known = true;
    Change& change = candidate.change;
    change.cycles = trial.cycles;
    change.saved = trial.saved;
    change.off = trial.off;
    change.left_out = !trial.cycles;
    change.remark = trial.remark;
    change.why_not = trial.why_not;
    change.range = trial.range;
  }

  /// The tried changes, and the impossible changes.
  std::vector<Change> known_changes() const {
    std::vector<Change> changes;
    for (const Candidate& candidate : changes_)
      if (!candidate.edit || candidate.is_known) changes.push_back(candidate.change);
    std::ranges::stable_sort(changes, {}, [](const Change& change) {
      return std::tuple(!change.cycles.has_value(), change.part, change.cycles.value_or(Ticks{}));
    });
    return changes;
  }

  double step_;
  LoweredLaunch launch_;
  RunWithin run_;
  Prediction base_;
  WhatIfModel model_;
  WhatIfModel served_;  ///< with the levels that serve the accesses
  TrialRuns runs_;
  ChangeTrials of_changes_;
  std::vector<Candidate> changes_;
  std::vector<Candidate*> tried_;  ///< the possible changes, with the largest possible saving first
  std::vector<Knob> knobs_of_ops_;
  std::vector<Knob> knobs_;  ///< as asked for: of the ops, then of the instructions
  std::size_t ops_ = 0;
  bool with_device_ = false;
  mutable std::mutex mutex_;
  std::size_t done_ = 0;  ///< the first trials, with final results
};

std::string to_string(ChangePart part) {
  return part == ChangePart::Source ? "source" : part == ChangePart::Launch ? "launch" : "device";
}

bool is_gain(const Change& change) {
  constexpr double kLeast = 0.005;  // of the time
  return change.cycles && is_told(change) && change.saved >= kLeast;
}

bool is_told(const Change& change) { return std::abs(change.saved) >= change.off; }

bool has_ranges(const WhatIf& what_if) {
  return what_if.ranges_of_changes ||
         std::ranges::any_of(what_if.changes, [](const Change& change) { return change.range.has_value(); });
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
