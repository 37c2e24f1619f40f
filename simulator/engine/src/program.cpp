#include "warpipe/engine/program.hpp"

#include <algorithm>
#include <map>

namespace warpipe {
namespace {

Gate gate_of(const Step& step, const Stream& stream, const Machine& machine) {
  Gate gate{step.pipeline, {}};
  for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
    const Stage& stage = stream.stages[i];
    const auto& backlog = machine.pipelines[stage.pipeline].backlog;
    if (backlog) gate.backlogs.push_back({stage.pipeline, checked_add(*backlog, stage.after)});
  }
  return gate;
}

}  // namespace

void assign_gates(Program& program) {
  std::map<Gate, std::uint32_t> known;
  program.gates.clear();
  for (Stream& stream : program.streams) {
    for (Step& step : stream.steps) {
      const auto next = static_cast<std::uint32_t>(program.gates.size());
      const auto [entry, is_new] = known.emplace(gate_of(step, stream, program.machine), next);
      if (is_new) program.gates.push_back(entry->first);
      step.gate = entry->second;
    }
  }
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
