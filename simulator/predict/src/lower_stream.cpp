#include "lower_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"

namespace warpipe {
namespace {

constexpr std::uint32_t kNotRun = UINT32_MAX;
constexpr std::int64_t kLongestAdjust = std::int64_t{1} << 60;
constexpr std::int64_t kTooManyRuns = INT64_MAX;
constexpr std::int64_t kDeepestRing = std::int64_t{1} << 24;  // executions of one producer remembered by a warp

ModelError runs_too_often(const Instruction& instruction) {
  return ModelError(Diagnostic{instruction.where, fmt::format("\"{}\" runs 2^63 times or more", instruction.id), "",
                               "use smaller trip counts"});
}

ModelError barrier_with_signal(const Instruction& instruction) {
  return ModelError(Diagnostic{instruction.where, "a barrier neither arrives at a signal nor awaits one",
                               fmt::format("found \"{}\", whose op is of kind barrier", instruction.id),
                               "give the signal to an instruction before or behind it"});
}

}  // namespace

/// Walks a kernel's body in program order and appends steps.
class StreamBuilder {
 public:
  StreamBuilder(StreamLowering& lowering, const Values& values)
      : lowering_(lowering),
        expressions_(lowering.expressions_),
        kernel_(expressions_.kernel()),
        values_(values),
        step_of_(kernel_.instructions.size(), kNotRun) {}

  InstructionStream build() {
    walk(kernel_.body, 1);
    for (std::vector<LoopEnd>& ends : loop_ends_) append(stream_.loop_ends, ends, next_step().loop_ends);
    add_waits();
    return std::move(stream_);
  }

 private:
  template <class T>
  static void append(std::vector<T>& all, const std::vector<T>& some, Range& range) {
    range.begin = static_cast<std::uint32_t>(all.size());
    all.insert(all.end(), some.begin(), some.end());
    range.end = static_cast<std::uint32_t>(all.size());
  }

  Step& next_step() { return stream_.steps[flattened_++]; }

  void walk(const std::vector<Item>& items, std::int64_t runs) {
    for (const Item& item : items) {
      if (const auto* instruction = std::get_if<std::size_t>(&item.node)) {
        add_step(*instruction, runs);
      } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
        add_loop(*loop, runs);
      } else {
        const When& when = std::get<When>(item.node);
        if (expressions_.evaluate(when.condition, values_, when.where + "/when") != 0) walk(when.body, runs);
      }
    }
  }

  void add_loop(const Loop& loop, std::int64_t runs) {
    const std::int64_t trips = expressions_.evaluate_whole(loop.trip_count, values_, 0, loop.where + "/trip_count");
    std::int64_t body_runs = 0;
    if (__builtin_mul_overflow(runs, trips, &body_runs)) body_runs = kTooManyRuns;  // refused where something runs
    if (trips == 0) return;
    const std::size_t first = stream_.steps.size();
    walk(loop.body, body_runs);
    if (stream_.steps.size() == first || trips == 1) return;
    loop_ends_.back().push_back(
        {static_cast<std::uint32_t>(stream_.trips.size()), static_cast<std::uint32_t>(first), trips});
    stream_.trips.push_back(trips);
  }

  void add_step(std::size_t index, std::int64_t runs) {
    const Instruction& instruction = kernel_.instructions[index];
    if (runs == kTooManyRuns) expressions_.in_file([&] { throw runs_too_often(instruction); });
    const BoundInstruction& bound = lowering_.bound(index, values_);
    step_of_[index] = static_cast<std::uint32_t>(stream_.steps.size());
    Step& step = stream_.steps.emplace_back();
    step.pipeline = static_cast<std::uint16_t>(bound.pipeline);
    step.issue = fair_share(bound.pipeline, bound.issue);
    step.completion = bound.completion;
    step.scheduler_busy = bound.scheduler_busy;
    step.stall = static_cast<std::uint8_t>(bound.stall);
    step.barrier = bound.barrier;
    step.retires_at_issue = bound.retires_at_issue;
    step.has_services = !bound.services.empty();
    step.stages = step.has_services ? add_rotation(bound.services) : add_stages(bound.then);
    add_signals(instruction, step);
    stream_.runs.push_back(runs);
    stream_.instructions.push_back(static_cast<std::uint32_t>(index));
    loop_ends_.emplace_back();
  }

  void add_signals(const Instruction& instruction, Step& step) {
    if (kernel_.signals.empty()) return;
    const auto number = [](const std::optional<std::size_t>& signal) {
      return signal ? static_cast<std::uint32_t>(*signal) : kNoSignal;
    };
    const SignalUse& use =
        stream_.signals.emplace_back(SignalUse{number(instruction.arrives), number(instruction.awaits)});
    step.has_signals = use != SignalUse{};
    if (step.has_signals && step.barrier) expressions_.in_file([&] { throw barrier_with_signal(instruction); });
  }

  Range add_stages(const std::vector<BoundThen>& further) {
    std::vector<Stage> stages;
    for (const BoundThen& then : further)
      stages.push_back({static_cast<std::uint32_t>(then.pipeline), fair_share(then.pipeline, then.issue), then.after,
                        then.waits, fair_share(then.pipeline, then.mixed), then.is_write});
    Range range;
    append(stream_.stages, stages, range);
    return range;
  }

  /// @return of InstructionStream::rotations
  Range add_rotation(const std::vector<BoundService>& bound) {
    std::vector<Service> services;
    std::vector<std::int64_t> positions;
    for (const BoundService& service : bound) {
      services.push_back({service.completion, add_stages(service.then), static_cast<std::uint32_t>(service.level)});
      positions.push_back(service.positions);
    }
    Range range;
    append(stream_.services, services, range);
    append(stream_.rotations, {make_rotation(range, positions)}, range);
    return range;
  }

  Ticks fair_share(std::size_t pipeline, Ticks issue) const {
    return lowering_.device_.pipelines[pipeline].scope == Scope::Device ? lowering_.share_.of(issue) : issue;
  }

  /// Adds the waits of all steps. A scoreboard entry is as deep as the farthest wait for it looks back, so the cells
  /// are known, and the waits complete, only when all waits are there.
  void add_waits() {
    stream_.longest_adjusts.resize(stream_.steps.size());
    for (std::size_t i = 0; i < stream_.steps.size(); ++i) {
      Range& waits = stream_.steps[i].waits;
      waits.begin = static_cast<std::uint32_t>(stream_.waits.size());
      add_waits(kernel_.instructions[stream_.instructions[i]]);
      waits.end = static_cast<std::uint32_t>(stream_.waits.size());
    }
    for (Step& step : stream_.steps) {
      step.score.cell = stream_.cells;
      stream_.cells += step.score.depth > 1 ? step.score.depth + 1 : step.score.depth;
    }
    for (Rotation& rotation : stream_.rotations) rotation.cell = stream_.cells++;
    for (std::size_t i = 0; i < stream_.waits.size(); ++i)
      stream_.waits[i].producer = stream_.steps[stream_.producers[i]].score;
  }

  /// The dependences of an instruction in this warp: without waits for executions that never come.
  void add_waits(const Instruction& instruction) {
    for (std::size_t i = 0; i < instruction.after.size(); ++i) {
      const Dependence& dependence = instruction.after[i];
      const std::string place = fmt::format("{}/after/{}", instruction.where, i);
      const std::int64_t back = expressions_.evaluate_whole(dependence.back, values_, 1, place + "/back");
      const std::uint32_t producer = step_of_[dependence.producer];
      if (producer == kNotRun || back > stream_.runs[producer]) continue;
      if (back > kDeepestRing)
        throw ModelError(Diagnostic{place + "/back",
                                    fmt::format("a dependence can reach at most {} executions back", kDeepestRing),
                                    fmt::format("found {}", back), "use a smaller distance"});
      const Wait wait{{}, static_cast<std::uint32_t>(back), adjust_of(dependence, producer, place)};
      stream_.waits.push_back(wait);
      stream_.producers.push_back(producer);
      ScoreboardEntry& score = stream_.steps[producer].score;
      score.depth = std::max(score.depth, wait.back);
      stream_.longest_adjusts[producer] = std::max(stream_.longest_adjusts[producer], wait.adjust);
    }
  }

  /// How much later than its completion the producer's result is there for this dependence; negative: sooner.
  Ticks adjust_of(const Dependence& dependence, std::uint32_t producer, const std::string& place) const {
    if (!dependence.latency) return {};
    const Ticks completion = stream_.steps[producer].completion;
    const Ticks adjust = checked_add(round_to_ticks(*dependence.latency), Ticks{-completion.count});
    if (adjust.count < -kLongestAdjust)
      throw ModelError(Diagnostic{
          place + "/latency", "a dependence can shorten the latency of its producer by at most 2^60 milli-cycles",
          fmt::format("found a latency of {} cycles", format_cycles(completion)), "use shorter latencies"});
    return adjust;
  }

  StreamLowering& lowering_;
  const KernelValues& expressions_;
  const Kernel& kernel_;
  const Values& values_;
  std::vector<std::uint32_t> step_of_;           ///< by instruction
  std::vector<std::vector<LoopEnd>> loop_ends_;  ///< by step, innermost first
  std::size_t flattened_ = 0;
  InstructionStream stream_;
};

Ticks FairShare::of(Ticks time) const {
  if (all == here) return time;
  const WideTicks doubled = 2 * static_cast<WideTicks>(time.count) * all + here;
  const WideTicks result = doubled / (2 * static_cast<WideTicks>(here));
  if (result <= INT64_MAX) return Ticks{static_cast<std::int64_t>(result)};
  throw ModelError(
      Diagnostic{"time", fmt::format("a unit's share of a device pipeline is more than {} milli-cycles", INT64_MAX),
                 fmt::format("found {} cycles for each of {} groups", format_cycles(time), all),
                 "use fewer groups or shorter latencies"});
}

namespace {

/// Finds a factor without a value here, where it can be blamed on the file or the options; the latency table would
/// blame the model.
void check_factors(const Instruction& instruction, const KernelValues& expressions, const Values& values) {
  for_each_number(instruction, [&](const KernelNumber& number) {
    if (number.key == "after" || number.is_address) return;
    if (number.least)
      expressions.evaluate_whole(number.expression, values, *number.least, number.where());
    else
      expressions.evaluate(number.expression, values, number.where());
  });
}

}  // namespace

StreamLowering::StreamLowering(const KernelValues& expressions, const Device& device, const Launch& launch,
                               FairShare share)
    : expressions_(expressions), device_(device), launch_(launch), share_(share) {
  const Kernel& kernel = expressions.kernel();
  bound_.resize(kernel.instructions.size());
  is_bound_.resize(kernel.instructions.size(), false);
  const NameSet names = names_that_vary(kernel);
  for (const Instruction& instruction : kernel.instructions) {
    bool varies = false;
    for_each_number(instruction, [&](const KernelNumber& number) { varies |= number.expression.uses_any(names); });
    is_alike_.push_back(!varies);
  }
}

const BoundInstruction& StreamLowering::bound(std::size_t index, const Values& values) {
  if (is_bound_[index] && is_alike_[index]) return bound_[index];
  const Instruction& instruction = expressions_.kernel().instructions[index];
  check_factors(instruction, expressions_, values);
  bound_[index] = expressions_.in_file(
      [&] { return bind_latencies(instruction, device_, values, launch_.resident_warps, launch_.shape); });
  is_bound_[index] = true;
  return bound_[index];
}

InstructionStream StreamLowering::lower(const Values& values) { return StreamBuilder(*this, values).build(); }

}  // namespace warpipe
