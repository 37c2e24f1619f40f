#include "warpipe/engine/run_ahead.hpp"

#include <algorithm>

#include "warpipe/engine/time.hpp"

namespace warpipe {
namespace {

bool has_one_chooser_each(const Machine& machine, std::uint32_t pipeline) {
  return instances(machine, machine.pipelines[pipeline].scope) == instances(machine, Scope::Scheduler);
}

/// From the issue of a warp's last step to the placement of the next group in its place.
std::int64_t until_next_group(const Stream& stream, const Machine& machine) {
  const Step& last = stream.steps.back();
  return time_sum((last.retires_at_issue ? last.issue : last.completion).count, machine.group_launch_latency.count);
}

}  // namespace

bool is_private(const Program& program, std::uint32_t gate) {
  const auto is_own = [&](std::uint32_t pipeline) { return has_one_chooser_each(program.machine, pipeline); };
  if (!is_own(program.gates[gate].pipeline)) return false;
  for (const Stream& stream : program.streams)
    for (const Step& step : stream.steps)
      for (std::uint32_t i = step.stages.begin; step.gate == gate && i < step.stages.end; ++i)
        if (!is_own(stream.stages[i].pipeline)) return false;
  return true;
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
