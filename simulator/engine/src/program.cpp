#include "warpipe/engine/program.hpp"

#include <algorithm>
#include <map>

namespace warpipe {
namespace {

/// Finds the pipelines that are free whenever the scheduler in front of them is: each scheduler has its own, nothing
/// takes them for longer than the scheduler, and nothing comes to them through a stage. They hold nobody back.
std::vector<bool> pipelines_that_never_bind(const Program& program) {
  const Machine& machine = program.machine;
  std::vector<bool> never;
  for (const Machine::Pipeline& pipeline : machine.pipelines)
    never.push_back(machine.schedulers > 0 && pipeline.scope == Scope::Scheduler);
  for (const InstructionStream& stream : program.streams) {
    for (const Step& step : stream.steps)
      if (step.issue > step.scheduler_busy) never[step.pipeline] = false;
    for (const Stage& stage : stream.stages) never[stage.pipeline] = false;
  }
  return never;
}

IssuePort gate_of(const Step& step, const InstructionStream& stream, const Machine& machine,
                  const std::vector<bool>& never_binds) {
  // One of those that never bind stands for all, so that what waits for the scheduler alone stands at one issue port.
  const auto stand_in = std::ranges::find(never_binds, true) - never_binds.begin();
  IssuePort issue_port{never_binds[step.pipeline] ? static_cast<std::uint32_t>(stand_in) : step.pipeline, {}};
  for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
    const Stage& stage = stream.stages[i];
    const auto& backlog = machine.pipelines[stage.pipeline].backlog;
    if (backlog) issue_port.backlogs.push_back({stage.pipeline, checked_add(*backlog, stage.after)});
  }
  return issue_port;
}

}  // namespace

void assign_issue_ports(Program& program) {
  std::map<IssuePort, std::uint32_t> known;
  const std::vector<bool> never_binds = pipelines_that_never_bind(program);
  program.issue_ports.clear();
  for (InstructionStream& stream : program.streams) {
    for (Step& step : stream.steps) {
      const auto next = static_cast<std::uint32_t>(program.issue_ports.size());
      const auto [entry, is_new] = known.emplace(gate_of(step, stream, program.machine, never_binds), next);
      if (is_new) program.issue_ports.push_back(entry->first);
      step.issue_port = entry->second;
    }
  }
}

std::vector<std::int64_t> warps_of_streams(const Program& program) {
  std::vector<std::int64_t> warps(program.streams.size(), 0);
  const std::vector<std::int64_t> groups = program.order.counts(program.kinds.size(), program.machine.groups);
  for (std::size_t kind = 0; kind < groups.size(); ++kind)
    for (const std::uint32_t stream : program.kinds[kind]) warps[stream] += groups[kind];
  return warps;
}

std::int64_t instances(const Machine& machine, Scope scope) {
  switch (scope) {
    case Scope::ComputeUnit:
      return machine.units;
    case Scope::Scheduler:
      return machine.units * std::max<std::int64_t>(machine.schedulers, 1);
    case Scope::Device:
      break;
  }
  return 1;
}

}  // namespace warpipe
