#include <algorithm>
#include <map>

#include "warpipe/engine/program.hpp"

namespace warpipe {
namespace {

/// Finds the pipelines that are free whenever the scheduler in front of them is: each scheduler has its own, no
/// instruction takes them for longer than the scheduler, and none comes to them through a stage. They hold nothing
/// back.
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

IssuePort issue_port_of(const Step& step, const InstructionStream& stream, const Machine& machine,
                        const std::vector<bool>& never_binds) {
  // A single one of the pipelines that never bind represents all, so instructions waiting for the scheduler alone share
  // an issue port.
  const auto stand_in = std::ranges::find(never_binds, true) - never_binds.begin();
  IssuePort issue_port{never_binds[step.pipeline] ? static_cast<std::uint32_t>(stand_in) : step.pipeline, {}};
  const Range stages = all_stages(stream, step);
  for (std::uint32_t i = stages.begin; i < stages.end; ++i) {
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
      const auto [entry, is_new] = known.emplace(issue_port_of(step, stream, program.machine, never_binds), next);
      if (is_new) program.issue_ports.push_back(entry->first);
      step.issue_port = entry->second;
    }
  }
}

}  // namespace warpipe
