#include "warpipe/explain/outcome.hpp"

#include <fmt/format.h>

namespace warpipe {
namespace {

std::string shown(const std::optional<double>& occupancy) {
  return occupancy ? fmt::format("{:.1f} %", 100 * *occupancy) : std::string();
}

std::vector<std::pair<std::string, std::string>> launch_of(const Prediction& prediction) {
  const Launch& launch = prediction.launch;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, value] : launch.values)
    if (name != "group_size" && name != "groups" && name != "warps")
      values.emplace_back(name, fmt::format("{}", value));
  const auto add = [&](const char* name, std::int64_t value) { values.emplace_back(name, fmt::format("{}", value)); };
  add("group size", launch.group_size.value);
  add("groups", launch.groups.value);
  add("concurrent groups", launch.concurrent_groups.value);
  add("groups a unit", launch.groups_per_unit);
  add("resident warps", launch.resident_warps);
  values.emplace_back("occupancy", shown(launch.occupancy));
  add("warp instructions", prediction.instructions_issued);
  values.emplace_back("clock", fmt::format("{:g} GHz", prediction.clock.count / 1e9));
  values.emplace_back("policy", to_string(prediction.policy));
  values.emplace_back("units", to_string(prediction.units));
  return values;
}

}  // namespace

Outcome outcome_of(const Explanation& explanation) {
  const Prediction& prediction = explanation.prediction;
  Outcome outcome;
  outcome.kernel = prediction.kernel;
  outcome.device = prediction.device;
  outcome.cycles = prediction.cycles;
  outcome.time = prediction.time;
  outcome.clock = prediction.clock;
  if (!prediction.bounds.empty()) outcome.limiter = limiter_name(prediction);
  outcome.launch = launch_of(prediction);
  outcome.bounds = prediction.bounds;
  for (const PipelineUse& use : prediction.pipelines) outcome.utilizations.emplace_back(use.name, use.utilization);
  outcome.warp_time = explanation.total;
  outcome.times = explanation.times;
  for (const InstructionTimes& each : explanation.instructions) {
    InstructionOutcome instruction{each.id, each.op, each.issue, each.completion, each.executions, each.times, {}};
    for (const auto& [producer, time] : each.waits_for)
      instruction.waits_for.emplace_back(explanation.instructions[producer].id, time);
    outcome.instructions.push_back(std::move(instruction));
  }
  return outcome;
}

}  // namespace warpipe
