// Iterations of loops that stand for others, where a warp would take too long.
#include <fmt/format.h>

#include <algorithm>

#include "lanes/warp_run.hpp"

namespace warpipe::isa {
namespace {

// Of what may be executed a group gets one of so many parts before its loops are sampled; the less is left, the
// smaller.
constexpr std::int64_t kParts = 100, kSmallParts = 1000, kTinyParts = 65536;
constexpr int kLongestCondition = 4;  // operations from a comparison to the jump
// A sample stands for this part of the iterations before it at most; for more where a warp has executed some times its
// part.
constexpr std::int64_t kSmallSamples = 16, kLargeSamples = 4, kLargestSamples = 1;
constexpr std::int64_t kMuch = 2, kVeryMuch = 4;
// So many of its parts a warp may execute where loops may be cut; the others of the kernel have few iterations.
constexpr std::int64_t kTooMuch = 8, kFewIterations = 64;
constexpr std::int64_t kTripsOfEndless = 4;

}  // namespace

std::int64_t WarpRun::most_without_samples() const {
  const auto most = kernel_.input.launch.max_instructions;
  const auto parts = executed_before_ > most / 2 ? kTinyParts : executed_before_ > most / 16 ? kSmallParts : kParts;
  return most / (parts * warps_per_group(kernel_.input));
}

std::int64_t WarpRun::most_before_cut() const {
  const auto& launch = kernel_.input.launch;
  const auto most = launch.assume ? executed_before_ + kTooMuch * most_without_samples_ : launch.max_instructions;
  return std::min(most, launch.max_instructions);
}

/// The innermost one of some length whose trips nobody says, or the one of them that has gone round most often.
const WarpRun::Frame* WarpRun::longest_frame() const {
  const Frame* longest = nullptr;
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    const bool is_said = frame->info->trips || find_assumption(Assumption::Kind::Trips, name_of_loop(*frame->info));
    if (is_said || frame->info->exits.empty()) continue;
    if (frame->iterations >= kFewIterations) return &*frame;
    if (longest == nullptr || frame->iterations > longest->iterations) longest = &*frame;
  }
  return longest;
}

/// Assumes trips of a loop whose end is known, but not when it comes.
void WarpRun::cut(const Frame& frame, std::int64_t trips, std::string why) {
  const auto name = name_of_loop(*frame.info);
  const auto first = kernel_.input.flow.blocks[frame.info->loop->header].first;
  auto question = kernel_.problem(first, "a loop goes round more often than can be followed",
                                  fmt::format("found {} iterations that do not end it", frame.iterations),
                                  fmt::format("give `trips {}=N`", name));
  std::vector<std::string> others{std::to_string(2 * trips)};
  if (trips > 1) others.push_back(std::to_string(trips / 2));
  assume(Assumption::Kind::Trips, name, first, {std::to_string(trips), std::move(why), std::move(others)},
         std::move(question));
  throw questions_of(execution_.assumptions);
}

void WarpRun::note_start(Frame& frame) const {
  if (!kernel_.input.may_take_long) throw TakesLong();
  frame.start.clear();
  // How it moves counts where it stands for others itself or is what the next one is held against.
  const auto& trips = frame.info->trips;
  if (most_at_once(trips, frame.iterations) == 1 && most_at_once(trips, frame.iterations + 1) == 1) return;
  for (const auto reg : frame.info->written) {
    const auto first = registers_.values.begin() + static_cast<std::ptrdiff_t>(place(reg, 0));
    frame.start.insert(frame.start.end(), first, first + static_cast<std::ptrdiff_t>(lanes_of(reg)));
  }
}

/// Whether the iteration that has ended stands for some that come next, and for how many with it. The loop is not left
/// in these by any condition that is known, and no register moves in them that has not moved alike twice.
std::int64_t WarpRun::sample(const NaturalLoop& loop) {
  auto& frame = frames_.back();
  const auto looping = arrivals_[loop.header];
  if (frame.start.empty() || looping == 0) return 1;
  set_motions(frame, looping);
  horizon_ = {};
  horizon_.limit(most_at_once(frame.info->trips, frame.iterations));
  const bool holds = limit_by_exits(*frame.info, looping);
  const auto iterations = holds ? std::max<std::int64_t>(1, horizon_.iterations) : 1;
  advance(*frame.info, iterations - 1);
  rest(*frame.info);
  execution_.sampled_iterations += iterations - 1;
  const auto share = static_cast<double>(iterations - 1) / static_cast<double>(frame.iterations);
  execution_.largest_sample = std::max(execution_.largest_sample, share);
  return iterations;
}

void WarpRun::fail_as_endless(const Frame& frame) {
  // Those that were assumed for an end that depends on data hold for all others from the next attempt on.
  if (!frame.info->trips && find_assumption(Assumption::Kind::Trips, name_of_loop(*frame.info)))
    throw questions_of(execution_.assumptions);
  const bool can_end = !frame.info->trips && !frame.info->exits.empty();
  if (kernel_.input.launch.assume && can_end) cut(frame, kTripsOfEndless, "nothing that is known ends it");
  kernel_.fail(kernel_.input.flow.blocks[frame.info->loop->header].first, "a loop ends",
               "found one that nothing ends" + within_loops(), "check the arguments");
}

/// A share of the iterations so far, so that trips which end by data are off by no more; but no trip that is said.
std::int64_t WarpRun::most_at_once(const std::optional<std::int64_t>& trips, std::int64_t iterations) const {
  const auto share = executed() > kVeryMuch * most_without_samples_ ? kLargestSamples
                     : executed() > kMuch * most_without_samples_   ? kLargeSamples
                                                                    : kSmallSamples;
  const auto longest = 1 + iterations / share;
  return trips ? std::clamp<std::int64_t>(*trips - iterations, 1, longest) : longest;
}

/// How registers moved in the iteration that has ended, where they did so in the one before. What is left for a lane
/// that is no longer in the loop rests, and so does what a choice makes: it may have begun anew by then.
void WarpRun::set_motions(Frame& frame, LaneMask looping) {
  rest(*frame.info);
  erratic_.assign(kernel_.per_lane.size(), false);
  const bool is_first = frame.moved.size() != frame.start.size();
  frame.moved.resize(frame.start.size());
  std::size_t number = 0;
  for (std::size_t i = 0; i < frame.info->written.size(); ++i) {
    const auto reg = frame.info->written[i];
    const auto lanes = lanes_of(reg);
    const auto* now = &registers_.values[place(reg, 0)];
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
    const auto counts = is_uniform(reg) ? 1 : looping;
    if ((counts & ~steady) != 0) erratic_[reg] = true;
    if (frame.info->chosen[i] || moves == 0) continue;
    const auto moving = counts & steady & lanes_where(lanes, [&](std::size_t lane) { return stride[lane] != 0; });
    for_each_lane(moving, [&](std::size_t lane) { set_motion(reg, LaneMask{1} << lane, {stride[lane], {}}); });
    registers_.same[reg] &= ~moving;
  }
}

/// @return whether all conditions that are known to leave the loop tell when they will
bool WarpRun::limit_by_exits(const LoopInfo& info, LaneMask looping) {
  for (const auto exit : info.exits) {
    const auto& guard = kernel_.at(exit).guard;
    if (!guard) continue;
    const auto lanes = known(*guard, is_uniform(*guard) ? 1 : looping);
    bool holds = true;
    for_each_lane(lanes, [&](std::size_t lane) { holds = holds && limit_by(info, exit, *guard, lane, 0); });
    if (!holds) return false;
  }
  return true;
}

/// Limits the horizon to iterations in which an input of a condition keeps its value.
bool WarpRun::limit_by(const LoopInfo& info, std::uint32_t instruction, const Input& input, std::size_t lane,
                       int depth) {
  if (input.kind != Input::Kind::Register) return true;
  for (std::uint32_t i = 0; i < input.registers.count; ++i) {
    const auto reg = input.registers.first + i;
    auto writers = kernel_.input.definitions.writers(instruction, reg);
    std::erase_if(writers, [&](std::uint32_t writer) { return !info.members[kernel_.input.flow.block_of[writer]]; });
    if (writers.empty()) continue;
    if (writers.size() > 1 || depth == kLongestCondition) return false;
    if (!limit_by_writer(info, writers.front(), reg, lane, depth)) return false;
  }
  return true;
}

bool WarpRun::limit_by_writer(const LoopInfo& info, std::uint32_t writer, std::uint32_t reg, std::size_t lane,
                              int depth) {
  const auto& instruction = kernel_.at(writer);
  const auto writes = [&](const Assignment& assignment) {
    return std::ranges::any_of(assignment.outputs, [&](const Output& output) {
      return reg >= output.registers.first && reg - output.registers.first < output.registers.count;
    });
  };
  if (instruction.guard || std::ranges::count_if(instruction.assignments, writes) != 1) return false;
  const auto& assignment = *std::ranges::find_if(instruction.assignments, writes);
  if (assignment.operation.op == LaneOp::Compare) return limit_by_comparison(assignment, reg, lane);
  return std::ranges::all_of(assignment.inputs,
                             [&](const Input& input) { return limit_by(info, writer, input, lane, depth + 1); });
}

/// The next iterations are like the last one as long as a comparison of what moves comes out as it did there.
bool WarpRun::limit_by_comparison(const Assignment& assignment, std::uint32_t reg, std::size_t lane) {
  std::vector<std::uint64_t> inputs;
  std::vector<Motion> motions;
  for (const auto& input : assignment.inputs) {
    if (input.kind == Input::Kind::Register)
      for (std::uint32_t i = 0; i < input.registers.count; ++i)
        if (erratic_[input.registers.first + i]) return false;
    inputs.push_back(value(input, lane));
    motions.push_back(motion(input, lane));
  }
  const auto now = evaluate(assignment.operation, inputs);
  const bool is_second = assignment.outputs.front().registers.first != reg;
  const bool was = (registers_.values[place(reg, is_uniform(reg) ? 0 : lane)] & 1) != 0;
  if (!now || ((*now & 1) != 0) != (was != is_second)) return false;
  return motion_of(assignment.operation, inputs, motions, horizon_).has_value();
}

}  // namespace warpipe::isa
