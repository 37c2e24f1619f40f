#include "warpipe/engine/gates.hpp"

#include <map>

#include "warpipe/engine/time.hpp"

namespace warpipe {
namespace {

Gate gate_of(const Step& step, const Stream& stream, const Machine& machine) {
  Gate gate{step.pipeline, {}};
  for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
    const Stage& stage = stream.stages[i];
    const auto& backlog = machine.pipelines[stage.pipeline].backlog;
    if (backlog) gate.backlogs.push_back({stage.pipeline, time_sum(backlog->count, stage.after.count)});
  }
  return gate;
}

}  // namespace

Gates find_gates(const Program& program) {
  Gates found;
  std::map<Gate, std::uint32_t> known;
  for (const Stream& stream : program.streams) {
    auto& of_step = found.of_step.emplace_back();
    for (const Step& step : stream.steps) {
      const auto next = static_cast<std::uint32_t>(found.gates.size());
      const auto [entry, is_new] = known.emplace(gate_of(step, stream, program.machine), next);
      if (is_new) found.gates.push_back(entry->first);
      of_step.push_back(entry->second);
    }
  }
  return found;
}

}  // namespace warpipe
