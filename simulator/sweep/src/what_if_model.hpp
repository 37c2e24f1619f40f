#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trial_runs.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/sweep/what_if.hpp"

/// The parts of a what-if study: the model with its edits, and the limits that mask the effect of an edit.

namespace warpipe {

/// The input of a prediction, with the options for latencies already applied, so edits come after them.
struct WhatIfModel {
  Kernel kernel;
  Device device;
  LaunchOptions options;
};

using Edit = std::function<void(WhatIfModel&)>;

/// Turns ranges off: callers ask for a range where they want it.
WhatIfModel settled(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// @throws as predict does
TrialRun run_of(const WhatIfModel& model, TrialRuns& runs);

/// A model with its program, the base of candidates and knobs.
struct RunningModel {
  const WhatIfModel& model;
  const Program& program;
  std::int64_t resident_warps;
};

/// @return the instructions run by some warp, ascending
std::vector<std::size_t> instructions_that_run(const Program& program);

/// A change to try; an impossible change has no edit.
struct Candidate {
  Change change;
  Edit edit;
  /// The reason where it gives the same cycles to the tick. Empty: a limit may hide its effect.
  std::string why_no_effect;
  bool moves_levels = false;  ///< other levels of the memory may serve the accesses then: the caches are asked
  Bound reach;                ///< a lower bound of its time
  bool is_known = false;      ///< it was tried, or left out
};

/// Finds a lower bound of a change's time, without simulating the change and without asking the caches.
/// @param served  the model with the levels serving the accesses of its kernel
/// @return        none, of no cycles, for an impossible change
Bound reach_of(const Candidate& candidate, WhatIfModel served);

/// The list of changes, in a fixed order: the source, groups, occupancy, perfect memories, sizes of caches, policies.
/// @param of_source  the changes open to the kernel's author
std::vector<Candidate> candidates(const RunningModel& running, const Launch& launch,
                                  const std::vector<SourceChange>& of_source);

/// A latency with a value to vary; the row has its names and values, no results yet.
struct Knob {
  Elasticity row;
  std::function<void(WhatIfModel&, Cycles)> set;
};

/// The latencies of running ops, including the pipelines of their `then`, in the order of the kernel; then, where some
/// access the memory, of its levels: the "latency", and as "sector" the time of a sector at the level's rate.
std::vector<Knob> op_knobs(const RunningModel& running, double step);
/// The latencies of each running instruction.
std::vector<Knob> instruction_knobs(const RunningModel& running, double step);

/// Computes the elasticities from the known cycles. A difference within the error of the times counts as none.
void finish(Elasticity& row, Ticks base);

/// Times whose difference is below this share of the run count as the same: they are shown as 0.0 %.
inline constexpr double kNoEffect = 0.0005;

/// @return the saved share of `before`; 0 where `before` is 0
double saved(Ticks before, Ticks after);

/// Takes a limit away: the lambdas of a pipeline, the interval of the schedulers, or all completion latencies become 0.
/// @param limit  as a bound is named: "pipeline NAME", "schedulers", "group dispatch", "latency"
void remove_limit(const std::string& limit, WhatIfModel& model);

/// Lets the levels of a device's memory answer at once.
void remove_level_latencies(Device& device);
/// Lets a level of the memory move all bytes at once.
void remove_level_rate(MemoryLevel& level);

/// Names the limits that mask an edit without effect: limits are taken away, the highest bound first, until the edit
/// has an effect.
///     no effect until pipeline shared is no limit; then it saves 12.5 %
/// @complexity two simulations for each limit taken away, at most four of them
std::string masking_limits(const Edit& edit, WhatIfModel model, TrialRuns& runs);

}  // namespace warpipe
