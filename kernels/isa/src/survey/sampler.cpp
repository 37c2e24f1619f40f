#include "survey/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

constexpr int kLongestCondition = 4;  // operations from a comparison to the jump, as compilers write them

std::int64_t most_without_samples(const ExecutionInput& input, std::int64_t executed) {
  const auto most = input.launch.max_instructions;
  const auto parts = executed > most / 2    ? kEffort.tiny_parts
                     : executed > most / 16 ? kEffort.small_parts
                                            : kEffort.parts;
  return most / (parts * warps_per_group(input));
}

/// ", at iteration 3 of the loop at L2 (gemm.cu:8), in iteration 7 of that at L1": the innermost first.
std::string within_loops(const Interpreter& warp) {
  const auto& input = warp.kernel().input;
  std::string text;
  for (auto frame = warp.frames().rbegin(); frame != warp.frames().rend(); ++frame) {
    const auto source = source_of(input.program, input.flow.blocks[frame->info->loop->header].first);
    text += fmt::format(", {} iteration {} of {} at {}{}", text.empty() ? "at" : "in", frame->iterations,
                        text.empty() ? "the loop" : "that", frame->info->loop->label,
                        source.empty() ? "" : " (" + source + ")");
  }
  return text;
}

}  // namespace

Sampler::Sampler(const ExecutionInput& input, Survey& survey, Questions& questions, std::int64_t most_executed)
    : input_(input), survey_(survey), questions_(questions), most_executed_(most_executed) {
  const auto limit = input.launch.max_instructions;
  most_of_warp = most_without_samples(input, survey.executed);
  most = input.launch.assume ? survey.executed + kEffort.most_parts * most_of_warp : limit;
  most = std::min({most, limit, most_executed});
}

/// The innermost loop of unknown trips with many iterations so far, else the loop of unknown trips with the most.
const LoopFrame* Sampler::longest_frame(const Interpreter& warp) const {
  const LoopFrame* longest = nullptr;
  for (auto frame = warp.frames().rbegin(); frame != warp.frames().rend(); ++frame) {
    if (frame->info->trips || questions_.has_trips(*frame->info) || frame->info->exits.empty()) continue;
    if (frame->iterations >= kEffort.pattern) return &*frame;
    if (longest == nullptr || frame->iterations > longest->iterations) longest = &*frame;
  }
  return longest;
}

std::optional<Stop> Sampler::beyond(const Interpreter& warp, std::uint32_t instruction) {
  const auto limit = input_.launch.max_instructions;
  if (survey_.executed > most_executed_) return Stop{Stop::Why::Costly};
  if (input_.launch.assume)
    if (const auto* frame = longest_frame(warp))
      return questions_.trips(warp, *frame, std::max<std::int64_t>(1, frame->iterations / kEffort.part_of_trips),
                              "more take long to follow");
  if (survey_.executed <= limit) return std::nullopt;
  warp.kernel().fail(
      instruction, fmt::format("control and addresses take more than {} instructions to execute", limit),
      fmt::format("{} of them in this warp, one of {}{}", warp.executed(), survey_.warps, within_loops(warp)),
      "give smaller arguments, or a smaller grid of groups that do the same, or raise `max_instructions`");
}

std::optional<Stop> Sampler::begin(const Interpreter& warp, LoopFrame& frame) {
  if (!input_.may_take_long) return Stop{Stop::Why::TakesLong};
  frame.start.clear();
  // Motion counts in an iteration that is sampled or compared with the next iteration.
  const auto& trips = frame.info->trips;
  if (most_at_once(warp, trips, frame.iterations) == 1 && most_at_once(warp, trips, frame.iterations + 1) == 1)
    return std::nullopt;
  for (const auto reg : frame.info->written) {
    const auto first = warp.registers().values.begin() + static_cast<std::ptrdiff_t>(warp.place(reg, 0));
    frame.start.insert(frame.start.end(), first, first + static_cast<std::ptrdiff_t>(warp.lanes_of(reg)));
  }
  return std::nullopt;
}

/// Passes over iterations without an exit by a known condition, in which registers move only after two equal motions.
std::int64_t Sampler::sample(Interpreter& warp, const NaturalLoop& loop) {
  auto& frame = warp.innermost();
  const auto looping = warp.arrived(loop.header);
  if (frame.start.empty() || looping == 0) return 1;
  set_motions(warp, frame, looping);
  warp.horizon() = {};
  warp.horizon().limit(most_at_once(warp, frame.info->trips, frame.iterations));
  const bool holds = limit_by_exits(warp, *frame.info, looping);
  const auto iterations = holds ? std::max<std::int64_t>(1, warp.horizon().iterations) : 1;
  warp.advance(*frame.info, iterations - 1);
  warp.rest(*frame.info);
  survey_.sampled_iterations += iterations - 1;
  const auto share = static_cast<double>(iterations - 1) / static_cast<double>(frame.iterations);
  survey_.largest_sample = std::max(survey_.largest_sample, share);
  return iterations;
}

Stop Sampler::endless(const Interpreter& warp, const LoopFrame& frame) {
  // Trips assumed for an end by data hold for all ends of the loop from the next attempt on.
  if (!frame.info->trips && questions_.has_trips(*frame.info)) return questions_.all();
  const bool can_end = !frame.info->trips && !frame.info->exits.empty();
  if (input_.launch.assume && can_end)
    return questions_.trips(warp, frame, std::nullopt, "nothing that is known ends it");
  warp.kernel().fail(input_.flow.blocks[frame.info->loop->header].first, "a loop ends",
                     "found one that nothing ends" + within_loops(warp), "check the arguments");
}

/// Iterations to pass over at a time: a share of the iterations so far, so that trips with an end by data are off by no
/// more than this share; never a trip beyond known trips.
std::int64_t Sampler::most_at_once(const Interpreter& warp, const std::optional<std::int64_t>& trips,
                                   std::int64_t iterations) const {
  const auto share = warp.executed() > 4 * most_of_warp   ? kEffort.share_beyond_four
                     : warp.executed() > 2 * most_of_warp ? kEffort.share_beyond_two
                                                          : kEffort.share_of_sample;
  const auto longest = 1 + iterations / share;
  return trips ? std::clamp<std::int64_t>(*trips - iterations, 1, longest) : longest;
}

/// Sets the motion of registers in the iteration just ended, where it equals the motion in the iteration before.
/// Numbers of lanes outside the loop rest, and so do results of a choice: a choice may have begun anew by then.
void Sampler::set_motions(Interpreter& warp, LoopFrame& frame, LaneMask looping) {
  warp.rest(*frame.info);
  erratic_.assign(warp.kernel().per_lane.size(), false);
  const bool is_first = frame.moved.size() != frame.start.size();
  frame.moved.resize(frame.start.size());
  std::size_t number = 0;
  for (std::size_t i = 0; i < frame.info->written.size(); ++i) {
    const auto reg = frame.info->written[i];
    const auto lanes = warp.lanes_of(reg);
    const auto* now = &warp.registers().values[warp.place(reg, 0)];
    auto* const stride = &frame.start[number];
    auto* const before = &frame.moved[number];
    number += lanes;
    // Most registers move in no lane, or as they did before in all of them.
    std::uint64_t moves = 0, differs = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      stride[lane] = now[lane] - stride[lane];
      moves |= stride[lane];
      differs |= stride[lane] ^ before[lane];
    }
    LaneMask steady = 0;
    if (!is_first)
      steady =
          differs == 0 ? ~steady : lanes_where(lanes, [&](std::size_t lane) { return stride[lane] == before[lane]; });
    std::copy_n(stride, lanes, before);
    const auto counts = warp.is_uniform(reg) ? 1 : looping;
    if ((counts & ~steady) != 0) erratic_[reg] = true;
    if (frame.info->chosen[i] || moves == 0) continue;
    const auto moving = counts & steady & lanes_where(lanes, [&](std::size_t lane) { return stride[lane] != 0; });
    warp.set_sampled_motion(reg, moving, stride);
  }
}

/// @return whether all known conditions to leave the loop limit the horizon
bool Sampler::limit_by_exits(Interpreter& warp, const LoopInfo& info, LaneMask looping) const {
  for (const auto exit : info.exits) {
    const auto& guard = warp.kernel().at(exit).guard;
    if (!guard) continue;
    const auto lanes = warp.known(*guard, warp.is_uniform(*guard) ? 1 : looping);
    bool holds = true;
    for_each_lane(lanes, [&](std::size_t lane) { holds = holds && limit_by(warp, info, exit, *guard, lane, 0); });
    if (!holds) return false;
  }
  return true;
}

/// Limits the horizon to iterations with an unchanged input of a condition.
bool Sampler::limit_by(Interpreter& warp, const LoopInfo& info, std::uint32_t instruction, const Input& input,
                       std::size_t lane, int depth) const {
  if (input.kind != Input::Kind::Register) return true;
  for (std::uint32_t i = 0; i < input.registers.count; ++i) {
    const auto reg = input.registers.first + i;
    auto writers = input_.definitions.writers(instruction, reg);
    std::erase_if(writers, [&](std::uint32_t writer) { return !info.members[input_.flow.block_of[writer]]; });
    if (writers.empty()) continue;
    if (writers.size() > 1 || depth == kLongestCondition) return false;
    if (!limit_by_writer(warp, info, writers.front(), reg, lane, depth)) return false;
  }
  return true;
}

bool Sampler::limit_by_writer(Interpreter& warp, const LoopInfo& info, std::uint32_t writer, std::uint32_t reg,
                              std::size_t lane, int depth) const {
  const auto& instruction = warp.kernel().at(writer);
  const auto writes = [&](const Assignment& assignment) {
    return std::ranges::any_of(assignment.outputs, [&](const Output& output) {
      return reg >= output.registers.first && reg - output.registers.first < output.registers.count;
    });
  };
  if (instruction.guard || std::ranges::count_if(instruction.assignments, writes) != 1) return false;
  const auto& assignment = *std::ranges::find_if(instruction.assignments, writes);
  if (assignment.operation.op == LaneOp::Compare) return limit_by_comparison(warp, assignment, reg, lane);
  return std::ranges::all_of(assignment.inputs,
                             [&](const Input& input) { return limit_by(warp, info, writer, input, lane, depth + 1); });
}

/// The next iterations are like the last while a comparison of moving numbers keeps its result.
bool Sampler::limit_by_comparison(Interpreter& warp, const Assignment& assignment, std::uint32_t reg,
                                  std::size_t lane) const {
  std::vector<std::uint64_t> inputs;
  std::vector<Motion> motions;
  for (const auto& input : assignment.inputs) {
    if (input.kind == Input::Kind::Register)
      for (std::uint32_t i = 0; i < input.registers.count; ++i)
        if (erratic_[input.registers.first + i]) return false;
    inputs.push_back(warp.value(input, lane));
    motions.push_back(warp.motion(input, lane));
  }
  const auto now = evaluate(assignment.operation, inputs);
  const bool is_second = assignment.outputs.front().registers.first != reg;
  const bool was = (warp.registers().values[warp.place(reg, warp.is_uniform(reg) ? 0 : lane)] & 1) != 0;
  if (!now || ((*now & 1) != 0) != (was != is_second)) return false;
  return motion_of(assignment.operation, inputs, motions, warp.horizon()).has_value();
}

OrStop<std::uint32_t> run_warp(const Prepared& kernel, Survey& survey, Questions& questions, const Dimensions& group,
                               std::int64_t warp, const WarpOptions& options) {
  Sampler sampler(kernel.input, survey, questions, options.most);
  return Interpreter(kernel, survey, group, warp, {questions, sampler, options.recorder, options.trial}).run();
}

OrStop<std::vector<std::uint32_t>> run_warps(const Prepared& kernel, Survey& survey, Questions& questions,
                                             const Dimensions& group, std::int64_t warps, const WarpOptions& options) {
  std::vector<std::uint32_t> records;
  const auto before = survey.executed;
  for (std::int64_t warp = 0; warp < warps; ++warp) {
    auto record = run_warp(kernel, survey, questions, group, warp, options);
    if (auto* stop = std::get_if<Stop>(&record)) return std::move(*stop);
    records.push_back(std::get<std::uint32_t>(record));
    // Where warps take long, all of them would run again after an answer: ask now.
    if (survey.executed - before <= kEffort.until_asked) continue;
    if (auto stop = questions.open()) return std::move(*stop);
  }
  if (auto stop = questions.open()) return std::move(*stop);
  return records;
}

}  // namespace warpipe::isa
