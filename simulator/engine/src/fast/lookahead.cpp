#include "fast/lookahead.hpp"

#include <algorithm>

#include "core/time.hpp"

namespace warpipe {
namespace {

/// 100 cycles: long enough to be worth it, short enough for all units to be brought to the same time
/// (steady_state.hpp).
constexpr std::int64_t kLongest = 100'000;

/// Whether each instance of `scope` has its own instances of the pipeline.
bool is_within(const Machine& machine, std::uint32_t pipeline, Scope scope) {
  return instances(machine, machine.pipelines[pipeline].scope) >= instances(machine, scope);
}

}  // namespace

bool is_private(const Program& program, std::uint32_t issue_port, Scope scope) {
  const Machine& machine = program.machine;
  if (instances(machine, scope) == 1) return true;
  if (machine.schedulers == 0 || !is_within(machine, program.issue_ports[issue_port].pipeline, scope)) return false;
  return std::ranges::all_of(program.streams, [&](const InstructionStream& stream) {
    return std::ranges::all_of(stream.steps, [&](const Step& step) {
      if (step.issue_port != issue_port) return true;
      const Range stages = all_stages(stream, step);
      for (std::uint32_t i = stages.begin; i < stages.end; ++i)
        if (!is_within(machine, stream.stages[i].pipeline, scope)) return false;
      return step.scheduler_busy > Ticks{};
    });
  });
}

std::int64_t time_to_next_group(const InstructionStream& stream, const Machine& machine) {
  const Step& last = stream.steps.back();
  const Ticks end = last.retires_at_issue ? last.issue : shortest_completion(stream, last);
  return time_sum(end.count, machine.group_launch_latency.count);
}

Lookahead lookahead(const Program& program) {
  const Machine& machine = program.machine;
  const bool some_groups_wait = machine.groups > machine.units * machine.group_slots;
  std::int64_t barrier = kForever;
  std::int64_t next_group = kForever;
  for (const InstructionStream& stream : program.streams) {
    for (const Step& step : stream.steps)
      if (step.barrier || signals_of(stream, step).arrives != kNoSignal)
        barrier = std::min(barrier, shortest_completion(stream, step).count);
    if (some_groups_wait && !stream.steps.empty())
      next_group = std::min(next_group, time_to_next_group(stream, machine));
  }
  // The phase of an arrival depends on the order of all issues of a group.
  const std::int64_t within_unit = program.signals.empty() ? std::min({barrier, next_group, kLongest}) : 0;
  return {within_unit, barrier == 0 ? 0 : std::min(next_group, kLongest)};
}

}  // namespace warpipe
