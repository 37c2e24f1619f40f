#include "warpipe/engine/run_ahead.hpp"

#include <algorithm>

#include "warpipe/engine/time.hpp"

namespace warpipe {
namespace {

bool has_one_chooser_each(const Machine& machine, std::uint32_t pipeline) {
  return instances(machine, machine.pipelines[pipeline].scope) == instances(machine, Scope::Scheduler);
}

}  // namespace

bool is_private(const Program& program, std::uint32_t gate) {
  const Machine& machine = program.machine;
  if (instances(machine, Scope::Scheduler) == 1) return true;
  if (machine.schedulers == 0 || !has_one_chooser_each(machine, program.gates[gate].pipeline)) return false;
  return std::ranges::all_of(program.streams, [&](const Stream& stream) {
    return std::ranges::all_of(stream.steps, [&](const Step& step) {
      if (step.gate != gate) return true;
      for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i)
        if (!has_one_chooser_each(machine, stream.stages[i].pipeline)) return false;
      return step.scheduler_busy > Ticks{};
    });
  });
}

std::int64_t until_next_group(const Stream& stream, const Machine& machine) {
  const Step& last = stream.steps.back();
  return time_sum((last.retires_at_issue ? last.issue : last.completion).count, machine.group_launch_latency.count);
}

std::int64_t lookahead(const Program& program) {
  const Machine& machine = program.machine;
  const bool some_wait = machine.groups > machine.units * machine.slots;
  std::int64_t shortest = kForever;
  for (const Stream& stream : program.streams) {
    for (const Step& step : stream.steps)
      if (step.barrier) shortest = std::min(shortest, step.completion.count);
    if (some_wait && !stream.steps.empty()) shortest = std::min(shortest, until_next_group(stream, machine));
  }
  return shortest;
}

}  // namespace warpipe
