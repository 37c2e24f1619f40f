#include "what_if_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostLimits = 4;  ///< taken away before an edit counts as without any effect

Latency no_latency() { return Latency{{{1, 0.0}}}; }

void remove_issue(Op& op) {
  op.issue = no_latency();
  if (op.per_conflict) op.per_conflict->issue = Cycles{0};
  if (op.per_transaction) op.per_transaction->issue = Cycles{0};
}

void remove_completion(Op& op) {
  op.completion = no_latency();
  if (op.per_conflict) op.per_conflict->completion = Cycles{0};
  if (op.per_transaction) op.per_transaction->completion = Cycles{0};
  for (Then& then : op.then) then.after = Cycles{0};
}

void remove_pipeline(std::size_t pipeline, WhatIfModel& model) {
  if (const auto level = model.device.pipelines[pipeline].level) remove_level_rate(model.device.memory->levels[*level]);
  for (Op& op : model.device.ops) {
    for (Then& then : op.then)
      if (then.pipeline == pipeline) then = Then{pipeline, no_latency(), then.after, {}, {}};
    if (op.pipeline != pipeline) continue;
    remove_issue(op);
    for (Instruction& instruction : model.kernel.instructions)
      if (instruction.op == op.name) instruction.issue_latency.reset();
  }
}

constexpr BytesPerSecond kNoLimit{1e30};  ///< a rate without cost: no transfer takes a milli-cycle

void remove_latency(WhatIfModel& model) {
  std::ranges::for_each(model.device.ops, remove_completion);
  remove_level_latencies(model.device);
  for (Instruction& instruction : model.kernel.instructions) {
    instruction.completion_latency.reset();
    for (Dependence& dependence : instruction.after) dependence.latency.reset();
  }
}

/// The highest bound not taken away yet. The lambdas of a lone warp still add up in the bound by latency when all
/// results are immediate.
std::optional<std::string> next_limiter(const std::vector<Bound>& bounds, const std::vector<std::string>& removed) {
  const Bound* highest = nullptr;
  for (const Bound& bound : bounds) {
    if (bound.cycles.count == 0 || std::ranges::find(removed, bound.name) != removed.end()) continue;
    if (highest == nullptr || bound.cycles > highest->cycles) highest = &bound;
  }
  return highest == nullptr ? std::nullopt : std::optional(highest->name);
}

/// Whether a bound may differ where other levels serve the accesses.
bool hangs_on_levels(const Bound& bound, const Device& device) {
  return bound.name == "latency" || std::ranges::any_of(device.pipelines, [&](const Pipeline& pipeline) {
           return pipeline.level && bound.name == "pipeline " + pipeline.name;
         });
}

}  // namespace

WhatIfModel settled(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  WhatIfModel model{with_options(kernel, options), device_of_run(device, kernel, options), options};
  model.options.set_device.clear();
  model.options.set.clear();
  model.options.scale.clear();
  model.options.final_set.clear();
  model.options.range = false;
  return model;
}

TrialRun run_of(const WhatIfModel& model, TrialRuns& runs) {
  const SettledLaunch launch = settle_launch(model.kernel, model.device, model.options);
  return runs.run(lower(launch), launch.device);
}

Bound reach_of(const Candidate& candidate, WhatIfModel served) {
  try {
    candidate.edit(served);
    const LaunchOptions& options = served.options;
    const Kernel kernel = with_options(std::move(served.kernel), options);
    const Device device = with_options(std::move(served.device), options);
    const Program program = lower(kernel, device, resolve_launch(kernel, device, options), options);
    std::vector<Bound> bounds = lower_bounds(program, device, options.skipping).bounds;
    if (candidate.moves_levels)
      std::erase_if(bounds, [&](const Bound& bound) { return hangs_on_levels(bound, device); });
    return bounds.empty() ? Bound{} : highest(bounds);
  } catch (const Error&) {
    return {};  // trying it says why
  }
}

void remove_level_latencies(Device& device) {
  if (!device.memory) return;
  device.memory->store_latency.reset();
  for (MemoryLevel& level : device.memory->levels) {
    level.latency = Cycles{0};
    level.latency_s = Seconds{0};
  }
}

void remove_level_rate(MemoryLevel& level) {
  level.write_rate.reset();
  level.mixed_rate.reset();
  if (level.read_rate) level.read_rate = kNoLimit;
}

double saved(Ticks before, Ticks after) {
  if (before.count == 0) return 0;
  return static_cast<double>(before.count - after.count) / static_cast<double>(before.count);
}

void remove_limit(const std::string& limit, WhatIfModel& model) {
  if (limit == "schedulers") {
    model.device.issue_interval = Cycles{0};
  } else if (limit == "group dispatch") {
    model.device.group_dispatch_interval = Cycles{0};
  } else if (limit == "latency") {
    remove_latency(model);
  } else {
    for (std::size_t i = 0; i < model.device.pipelines.size(); ++i)
      if (limit == "pipeline " + model.device.pipelines[i].name) remove_pipeline(i, model);
  }
}

std::string masking_limits(const Edit& edit, WhatIfModel model, TrialRuns& runs) {
  std::vector<std::string> removed;
  WhatIfModel edited = model;
  // First, since it may read the device again, whose sources tell of numbers that go with the limits.
  edit(edited);
  while (removed.size() < kMostLimits) {
    const auto limiter = next_limiter(lower_launch(model.kernel, model.device, model.options).bounds.bounds, removed);
    if (!limiter) break;
    removed.push_back(*limiter);
    remove_limit(removed.back(), model);
    remove_limit(removed.back(), edited);
    const double share = saved(run_of(model, runs).cycles, run_of(edited, runs).cycles);
    const char* verb = removed.size() == 1 ? "is" : "are";
    if (std::abs(share) >= kNoEffect)
      return fmt::format("no effect until {} {} no limit; then it {} {:.1f} %", fmt::join(removed, " and "), verb,
                         share > 0 ? "saves" : "costs", 100 * std::abs(share));
  }
  if (removed.empty()) return "no effect";
  return fmt::format("no effect, not even without the limit of {}", fmt::join(removed, " and "));
}

}  // namespace warpipe
