#include "warpipe/study/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "elasticity.hpp"
#include "limiters.hpp"
#include "parallel.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/study/lower.hpp"
#include "what_if_changes.hpp"

namespace warpipe {
namespace {

bool asks_for(const WhatIfOptions& asked, WhatIfPart part) {
  return std::ranges::find(asked.parts, part) != asked.parts.end();
}

void check_step(double step) {
  if (step > 0 && step < 1) return;
  throw UsageError(Diagnostic{"--step", "the step is above 0 and below 100 percent",
                              fmt::format("found {} %", 100 * step), "give 1 for one percent"});
}

void try_out(Candidate& candidate, const WhatIfModel& model, Ticks base) {
  try {
    candidate.change.cycles = cycles_with(model, candidate.edit);
    candidate.change.saved = saved(base, *candidate.change.cycles);
    if (std::abs(candidate.change.saved) < kNoEffect) candidate.change.remark = what_hides(candidate.edit, model);
  } catch (const GateError&) {
    throw;  // two engines disagree: no result is to be trusted
  } catch (const Error& error) {
    candidate.change.cycles.reset();
    const Diagnostic& first = error.diagnostics().front();  // whose place is in the kernel, which needs no change
    candidate.change.why_not = first.found.empty() ? first.rule : fmt::format("{}; {}", first.rule, first.found);
  }
}

/// Pieces of work that write to places of their own, so that any number of threads does them alike.
using Jobs = std::vector<std::function<void()>>;

void add_knobs(Jobs& jobs, std::vector<Knob>& knobs, const WhatIfModel& model) {
  for (Knob& knob : knobs)
    for (const bool less : {true, false})
      jobs.push_back([&knob, &model, less] {
        const Cycles value = less ? knob.row.less : knob.row.more;
        (less ? knob.row.cycles_less : knob.row.cycles_more) =
            cycles_with(model, [&](WhatIfModel& changed) { knob.set(changed, value); });
      });
}

std::vector<Elasticity> ranked(std::vector<Knob> knobs, Ticks base) {
  std::vector<Elasticity> rows;
  for (Knob& knob : knobs) {
    finish(knob.row, base);
    rows.push_back(std::move(knob.row));
  }
  std::ranges::stable_sort(rows, std::greater(), [](const Elasticity& row) { return std::abs(row.central); });
  return rows;
}

std::vector<Change> ranked(std::vector<Candidate> list) {
  std::vector<Change> changes;
  for (Candidate& candidate : list) changes.push_back(std::move(candidate.change));
  std::ranges::stable_sort(changes, {}, [](const Change& change) {
    return std::pair(!change.cycles.has_value(), change.cycles.value_or(Ticks{}));
  });
  return changes;
}

}  // namespace

WhatIf what_if(const Kernel& kernel, const Device& device, const LaunchOptions& options, const WhatIfOptions& asked,
               std::size_t threads, const Progress& progress) {
  check_step(asked.step);
  WhatIf result;
  result.base = predict(kernel, device, options);
  result.step = asked.step;
  const WhatIfModel model = settled(kernel, device, options);
  const Launch& launch = result.base.launch;
  const Program program = lower(model.kernel, model.device, launch, model.options);
  const RunningModel running{model, program, launch.resident_warps};

  std::vector<Candidate> changes;
  std::vector<Knob> ops, instructions;
  if (asks_for(asked, WhatIfPart::Changes)) changes = candidates(running, launch);
  if (asks_for(asked, WhatIfPart::Ops)) ops = op_knobs(running, asked.step);
  if (asks_for(asked, WhatIfPart::Instructions)) instructions = instruction_knobs(running, asked.step);

  Jobs jobs;
  const Ticks base = result.base.cycles;
  for (Candidate& candidate : changes)
    if (candidate.edit) jobs.push_back([&candidate, &model, base] { try_out(candidate, model, base); });
  add_knobs(jobs, ops, model);
  add_knobs(jobs, instructions, model);
  for_each_index(
      jobs.size(), threads, [&](std::size_t index) { jobs[index](); }, progress);

  result.changes = ranked(std::move(changes));
  result.ops = ranked(std::move(ops), base);
  result.instructions = ranked(std::move(instructions), base);
  return result;
}

}  // namespace warpipe
