#include "warpipe/explain/explain.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "warpipe/engine/observe.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr std::array<const char*, kStalls> kNames{"issuing",   "warp interval", "result", "pipeline",   "queue full",
                                                  "scheduler", "barrier",       "drain",  "warp ended", "slot empty"};

void add(Ticks& sum, Ticks time) { sum = checked_add(sum, time); }

/// Adds up the times of all streams' steps by instruction.
class Gathering {
 public:
  Gathering(const LoweredLaunch& lowered, const Stalls& stalls) : lowered_(lowered) {
    for (const InstructionStream& stream : lowered.program.streams)
      for (const std::uint32_t instruction : stream.instructions) index_.emplace(instruction, 0);
    for (auto& [instruction, index] : index_) {
      index = instructions_.size();
      instructions_.push_back(described(lowered.kernel.instructions[instruction]));
    }
    for (const Pipeline& pipeline : lowered.device.pipelines) pipelines_.push_back({pipeline.name, {}, {}});
    waits_.resize(instructions_.size());
    backlogs_.resize(instructions_.size());
    for (std::size_t i = 0; i < lowered.program.streams.size(); ++i)
      gather(lowered.program.streams[i], stalls.steps[i]);
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      for (const auto& [producer, time] : waits_[i])
        instructions_[i].waits_for.emplace_back(instructions_[producer].id, time);
      for (const auto& [pipeline, time] : backlogs_[i])
        instructions_[i].waits_behind.emplace_back(pipelines_[pipeline].name, time);
    }
  }

  void move_to(Explanation& explanation) {
    explanation.instructions = std::move(instructions_);
    explanation.pipelines = std::move(pipelines_);
  }

 private:
  InstructionTimes described(const Instruction& instruction) const {
    const Op& op = *lowered_.device.find_op(instruction.op);
    InstructionTimes times;
    times.id = instruction.id;
    times.op = instruction.op;
    times.text = instruction.text;
    times.pipeline = lowered_.device.pipelines[op.pipeline].name;
    if (op.source) times.source = op.source->kind;
    return times;
  }

  void gather(const InstructionStream& stream, const std::vector<StepStalls>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = stream.steps[i];
      const std::size_t index = index_.at(stream.instructions[i]);
      InstructionTimes& instruction = instructions_[index];
      if (instruction.executions == 0) {
        instruction.issue = step.issue;
        instruction.completion = step.completion;
      }
      instruction.executions += steps[i].executions;
      for (std::size_t state = 0; state < kStalls; ++state) add(instruction.times[state], steps[i].times[state]);
      add(pipelines_[step.pipeline].busy_for_others, steps[i].times[static_cast<std::size_t>(Stall::Pipeline)]);
      gather_waits(stream, step, steps[i], index);
      gather_backlogs(step, steps[i], index);
    }
  }

  void gather_waits(const InstructionStream& stream, const Step& step, const StepStalls& stalls, std::size_t index) {
    for (std::size_t wait = 0; wait < stalls.waits.size(); ++wait) {
      if (stalls.waits[wait] == Ticks{}) continue;
      const std::size_t producer = index_.at(stream.instructions[stream.producers[step.waits.begin + wait]]);
      add(waits_[index][producer], stalls.waits[wait]);
      add(instructions_[producer].waited_for, stalls.waits[wait]);
    }
  }

  void gather_backlogs(const Step& step, const StepStalls& stalls, std::size_t index) {
    const auto& backlogs = lowered_.program.issue_ports[step.issue_port].backlogs;
    for (std::size_t i = 0; i < backlogs.size(); ++i) {
      if (stalls.backlogs[i] == Ticks{}) continue;
      add(backlogs_[index][backlogs[i].pipeline], stalls.backlogs[i]);
      add(pipelines_[backlogs[i].pipeline].queue_full, stalls.backlogs[i]);
    }
  }

  const LoweredLaunch& lowered_;
  std::map<std::uint32_t, std::size_t> index_;          ///< by an executed instruction's index in the kernel
  std::vector<std::map<std::size_t, Ticks>> waits_;     ///< by instruction, producer
  std::vector<std::map<std::size_t, Ticks>> backlogs_;  ///< by instruction, pipeline
  std::vector<InstructionTimes> instructions_;
  std::vector<PipelineTimes> pipelines_;
};

std::string name_of_result(const std::string& op) {
  if (op.empty()) return "long scoreboard, short scoreboard, wait";
  switch (class_of(op)) {
    case OpClass::GlobalMemory:
    case OpClass::TextureMemory:
      return "long scoreboard";
    case OpClass::SharedMemory:
    case OpClass::Shuffle:
    case OpClass::SpecialFunction:
    case OpClass::Conversion:
      return "short scoreboard";
    default:
      return "wait";
  }
}

std::string name_of_pipeline(const std::string& op) {
  if (op.empty()) return "math pipe throttle, LG throttle, MIO throttle";
  switch (class_of(op)) {
    case OpClass::GlobalMemory:
    case OpClass::TextureMemory:
      return "LG throttle";
    case OpClass::SharedMemory:
    case OpClass::Shuffle:
      return "MIO throttle";
    case OpClass::Barrier:
      return {};
    default:
      return "math pipe throttle";
  }
}

}  // namespace

std::string to_string(Stall stall) { return kNames[static_cast<std::size_t>(stall)]; }

std::string nsight_name(Stall stall, const std::string& op) {
  switch (stall) {
    case Stall::Issuing:
      return "selected";
    case Stall::Interval:
      return "wait";
    case Stall::Result:
      return name_of_result(op);
    case Stall::Pipeline:
      return name_of_pipeline(op);
    case Stall::Backlog:
      return "LG throttle";
    case Stall::Scheduler:
      return "not selected";
    case Stall::Barrier:
      return "barrier";
    case Stall::Drain:
      return "drain";
    case Stall::Ended:
    case Stall::Empty:
      break;
  }
  return {};
}

Ticks sum(const StallTimes& times) {
  Ticks total;
  for (const Ticks time : times) add(total, time);
  return total;
}

Explanation explain(const LoweredLaunch& launch, Ticks cycles, const Stalls& stalls) {
  Explanation explanation;
  explanation.cycles = cycles;
  for (const StallTimes& unit : stalls.units)
    for (std::size_t i = 0; i < kStalls; ++i) add(explanation.times[i], unit[i]);
  explanation.total = sum(explanation.times);
  explanation.units = stalls.units;
  Gathering(launch, stalls).move_to(explanation);
  return explanation;
}

bool has_stalls(const Outcome& outcome) { return !outcome.explanation.units.empty(); }

}  // namespace warpipe
