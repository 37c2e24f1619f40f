#include "mean_services.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpipe {
namespace {

/// How many of a rotation's turns each service gets.
std::vector<std::int64_t> turns_of(const Rotation& rotation) {
  return executions_by_service(rotation, 0, rotation.period);
}

/// Rounded half up.
Ticks mean(Ticks sum, std::int64_t count) { return Ticks{checked_add(sum, Ticks{count / 2}).count / count}; }

/// Appends the mean time of an execution on each pipeline behind its own.
Range append_mean_stages(InstructionStream& stream, const Rotation& rotation) {
  const std::vector<std::int64_t> turns = turns_of(rotation);
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Range range = stream.services[rotation.services.begin + i].stages;
    for (std::uint32_t stage = range.begin; stage < range.end; ++stage) {
      const Stage& one = stream.stages[stage];
      auto same = std::ranges::find(stages, one.pipeline, &Stage::pipeline);
      if (same == stages.end())
        same = stages.insert(stages.end(), Stage{one.pipeline, {}, one.after, one.waits, {}, one.is_write});
      same->issue = checked_add(same->issue, checked_multiply(one.issue, turns[i]));
      same->mixed = checked_add(same->mixed, checked_multiply(one.mixed, turns[i]));
    }
  }
  for (Stage& stage : stages) {
    stage.issue = mean(stage.issue, rotation.period);
    stage.mixed = mean(stage.mixed, rotation.period);
  }
  const auto begin = static_cast<std::uint32_t>(stream.stages.size());
  stream.stages.insert(stream.stages.end(), stages.begin(), stages.end());
  return {begin, static_cast<std::uint32_t>(stream.stages.size())};
}

Ticks mean_completion(const InstructionStream& stream, const Rotation& rotation) {
  const std::vector<std::int64_t> turns = turns_of(rotation);
  Ticks sum;
  for (std::size_t i = 0; i < turns.size(); ++i)
    sum = checked_add(sum, checked_multiply(stream.services[rotation.services.begin + i].completion, turns[i]));
  return mean(sum, rotation.period);
}

}  // namespace

Program with_mean_services(Program program) {
  for (InstructionStream& stream : program.streams) {
    for (Step& step : stream.steps) {
      if (!step.has_services) continue;
      const Rotation rotation = stream.rotations[step.stages.begin];
      step.completion = mean_completion(stream, rotation);
      step.stages = append_mean_stages(stream, rotation);
      step.has_services = false;
    }
    stream.rotations.clear();
  }
  return program;
}

}  // namespace warpipe
