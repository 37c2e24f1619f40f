#include "interval_profile.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

namespace warpipe {
namespace {

constexpr double kMostInstructions = 2e7;

using Shape = std::tuple<double, double, double, double, double, double>;

Shape shape_of(const WarpInterval& interval) {
  return {interval.instructions,       interval.stall.count,           interval.loads,
          interval.miss_latency.count, interval.shared_transfer.count, interval.longest_pipeline.count};
}

/// Simulates a warp's instructions against its dependences alone.
class WarpWalk {
 public:
  WarpWalk(const Program& program, const InstructionStream& stream, const std::vector<bool>& is_memory)
      : program_(program),
        stream_(stream),
        is_memory_(is_memory),
        trips_left_(stream.trips),
        completions_(stream.cells),
        pipelines_(program.machine.pipelines.size()) {}

  std::vector<WarpInterval> walk() {
    for (std::size_t step = 0; step < stream_.steps.size(); step = next(step)) execute(step);
    close(to_cycles(Ticks{std::max(last_end_ - may_issue_, std::int64_t{0})}));
    std::vector<WarpInterval> intervals;
    for (auto& [shape, interval] : found_) intervals.push_back(interval);
    return intervals;
  }

 private:
  void execute(std::size_t index) {
    const Step& step = stream_.steps[index];
    const std::int64_t issue = std::max(may_issue_, ready(step));
    if (issue > may_issue_) close(to_cycles(Ticks{issue - may_issue_}));
    add(index, step);
    const std::int64_t done = issue + step.completion.count;
    last_end_ = std::max(last_end_, step.retires_at_issue ? issue + step.issue.count : done);
    if (step.score.depth > 0) {
      std::deque<std::int64_t>& latest = completions_[step.score.cell];
      latest.push_front(done);
      if (latest.size() > step.score.depth) latest.pop_back();
    }
    may_issue_ = issue + std::max(step.scheduler_busy.count, step.stall * kTicksPerCycle);
    if (step.barrier) opened_ = done;
  }

  std::int64_t ready(const Step& step) const {
    std::int64_t time = opened_;
    for (std::uint32_t i = step.waits.begin; i < step.waits.end; ++i) {
      const Wait& wait = stream_.waits[i];
      const auto& latest = completions_[wait.producer.cell];
      if (wait.back <= latest.size()) time = std::max(time, latest[wait.back - 1] + wait.adjust.count);
    }
    return time;
  }

  void add(std::size_t index, const Step& step) {
    ++current_.instructions;
    take(step.pipeline, step.issue);
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i)
      take(stream_.stages[i].pipeline, stream_.stages[i].issue);
    if (!is_memory_[index]) return;
    ++current_.loads;
    current_.miss_latency = std::max(current_.miss_latency, to_cycles(step.completion));
  }

  void take(std::size_t pipeline, Ticks issue) {
    if (program_.machine.pipelines[pipeline].scope == Scope::Device) {
      current_.shared_transfer.count += to_cycles(issue).count;
    } else {
      pipelines_[pipeline] += to_cycles(issue).count;
    }
  }

  void close(Cycles stall) {
    for (std::size_t i = 0; i < pipelines_.size(); ++i) {
      const auto of_unit = static_cast<double>(instances(program_.machine, program_.machine.pipelines[i].scope));
      current_.longest_pipeline = std::max(current_.longest_pipeline, Cycles{pipelines_[i] / of_unit});
      pipelines_[i] = 0;
    }
    current_.stall = stall;
    const auto [place, is_new] = found_.try_emplace(shape_of(current_), current_);
    if (!is_new) ++place->second.repeats;
    current_ = {};
  }

  std::size_t next(std::size_t index) {
    const Range ends = stream_.steps[index].loop_ends;
    for (std::uint32_t i = ends.begin; i < ends.end; ++i) {
      const LoopEnd& end = stream_.loop_ends[i];
      if (--trips_left_[end.counter] > 0) return end.first;
      trips_left_[end.counter] = end.trips;
    }
    return index + 1;
  }

  const Program& program_;
  const InstructionStream& stream_;
  const std::vector<bool>& is_memory_;
  std::vector<std::int64_t> trips_left_;
  std::vector<std::deque<std::int64_t>> completions_;  ///< by cell, the latest first
  std::vector<double> pipelines_;                      ///< cycles taken in the current interval
  std::int64_t may_issue_ = 0, last_end_ = 0;          ///< milli-cycles
  std::int64_t opened_ = 0;                            ///< the last barrier
  WarpInterval current_;
  std::map<Shape, WarpInterval> found_;
};

}  // namespace

std::optional<std::vector<WarpInterval>> interval_profile(const Program& program, const InstructionStream& stream,
                                                          const std::vector<bool>& is_memory) {
  double issues = 0;
  for (const std::int64_t runs : stream.runs) issues += static_cast<double>(runs);
  if (issues > kMostInstructions) return std::nullopt;
  return WarpWalk(program, stream, is_memory).walk();
}

}  // namespace warpipe
