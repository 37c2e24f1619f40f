#include "warpipe/engine/critical_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance_cases.hpp"
#include "models.hpp"
#include "simulators.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "warpipe/engine/observe.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {
namespace {

struct Path {
  SimulationResult result;
  std::vector<PathLink> links;
};

Path path_of(const Program& program, const PathLimits& limits = {}) {
  Path path;
  const auto add = [&](const PathLink& link) { path.links.push_back(link); };
  path.result = observe(program, {.on_path_link = add, .path_limits = limits}).result;
  return path;
}

const InstructionStream& stream_of(const Program& program, const PathPoint& point) {
  return program.streams[point.stream];
}

/// Whether a result may be there before its instruction has arrived at a further pipeline: then it is followed to
/// whatever was before it there.
bool may_come_before_it_arrives(const InstructionStream& stream, std::uint32_t wait) {
  const Step& producer = stream.steps[stream.producers[wait]];
  const Range stages = all_stages(stream, producer);
  for (std::uint32_t i = stages.begin; i < stages.end; ++i)
    if (stream.stages[i].after.count > producer.completion.count + stream.waits[wait].adjust.count) return true;
  return false;
}

bool goes_through_a_level(const Program& program, const InstructionStream& stream, const Step& step) {
  const Range stages = all_stages(stream, step);
  return std::any_of(stream.stages.begin() + stages.begin, stream.stages.begin() + stages.end,
                     [&](const Stage& stage) { return program.machine.pipelines[stage.pipeline].latency.has_value(); });
}

/// The longest completion latency of a step's executions.
Ticks longest_completion(const InstructionStream& stream, const Step& step) {
  Ticks longest = step.completion;
  for (const Service& service : services_of(stream, step)) longest = std::max(longest, service.completion);
  return longest;
}

/// Whether a result comes no later than its latency says; waiting in further pipelines is no part of the link.
bool in_time(const Program& program, const PathLink& link) {
  if (link.effect.step == kNoStep || link.cause.warp_slot != link.effect.warp_slot) return true;
  const InstructionStream& stream = stream_of(program, link.cause);
  const Range waits = stream.steps[link.effect.step].waits;
  bool is_producer = false;
  bool is_in_time = false;
  for (std::uint32_t i = waits.begin; i < waits.end; ++i) {
    if (may_come_before_it_arrives(stream, i)) return true;
    if (stream.producers[i] != link.cause.step) continue;
    is_producer = true;
    const Step& cause = stream.steps[link.cause.step];
    if (goes_through_a_level(program, stream, cause)) return true;  // slower, the more is in flight
    const std::int64_t latency = longest_completion(stream, cause).count + stream.waits[i].adjust.count;
    is_in_time = is_in_time || link.to.count - link.from.count <= latency;
  }
  return is_in_time || !is_producer;
}

/// Empty where a link takes as long as the rule behind it says, else the kind of link.
std::string wrong_length(const Program& program, const PathLink& link) {
  const Ticks length{link.to.count - link.from.count};
  const Machine& machine = program.machine;
  const bool begins = link.from == Ticks{} && length == machine.launch_begin;
  if (link.edge == PathEdge::Launch) return begins || length == machine.group_launch_latency ? "" : "launch";
  if (link.edge == PathEdge::Dispatch) return length == machine.group_dispatch_interval ? "" : "dispatch";
  if (link.cause.step == kNoStep && link.edge == PathEdge::Drain)
    return length == machine.launch_end || length == Ticks{} ? "" : "drain";
  if (link.cause.step == kNoStep) return length == Ticks{} ? "" : "from a group";
  const InstructionStream& stream = stream_of(program, link.cause);
  const Step& step = stream.steps[link.cause.step];
  if (link.edge == PathEdge::Interval) return length == Ticks{until_next_issue(machine, step)} ? "" : "interval";
  if (link.edge == PathEdge::Scheduler) return length == step.scheduler_busy ? "" : "scheduler";
  if (link.edge == PathEdge::Result) return in_time(program, link) ? "" : "result";
  if (link.edge != PathEdge::Pipeline) return "";  // a queue, a way or a wait may have begun before
  if (length == step.issue) return "";
  const Range stages = all_stages(stream, step);
  for (std::uint32_t i = stages.begin; i < stages.end; ++i)
    if (stream.stages[i].pipeline == link.pipeline &&
        (stream.stages[i].issue == length || stream.stages[i].mixed == length))
      return "";
  return "pipeline";
}

/// Empty where a path leads from 0 to the end without a gap, else the problem.
std::string what_is_wrong(const Program& program, const Path& path) {
  Ticks now;
  for (const PathLink& link : path.links) {
    if (link.from != now) return "a gap at " + format_cycles(now);
    if (link.to < link.from) return "back in time at " + format_cycles(now);
    if (const std::string wrong = wrong_length(program, link); !wrong.empty())
      return "the length of a link to " + format_cycles(link.to) + ": " + wrong;
    now = link.to;
  }
  return now == path.result.cycles ? "" : "it ends at " + format_cycles(now);
}

bool same_links(const Path& a, const Path& b) {
  return std::ranges::equal(a.links, b.links, [](const PathLink& one, const PathLink& other) {
    return one.edge == other.edge && one.pipeline == other.pipeline && one.from == other.from && one.to == other.to &&
           one.cause.warp_slot == other.cause.warp_slot && one.cause.step == other.cause.step &&
           one.effect.warp_slot == other.effect.warp_slot && one.effect.step == other.effect.step;
  });
}

TEST(Path, LeadsFromZeroToTheEndOnAllConformanceCases) {
  std::array<int, kPathEdges> seen{};
  for (const ConformanceCase& one : conformance_cases()) {
    const Program program = program_of(one.kernel, one.device, one.units);
    const Path path = path_of(program);
    EXPECT_EQ(what_is_wrong(program, path), "") << one.name;
    EXPECT_EQ(path.result.cycles, one.cycles) << one.name;
    for (const PathLink& link : path.links)
      if (link.to > link.from) ++seen[static_cast<std::size_t>(link.edge)];
  }
  EXPECT_THAT(seen, testing::Each(testing::Gt(0))) << "every kind of edge decides somewhere";
}

// With room for nothing, all links that cannot decide any more are forgotten before each issue.
TEST(Path, IsTheSameWhereOnlyWhatMayStillDecideIsKept) {
  for (const ConformanceCase& one : conformance_cases()) {
    const Program program = program_of(one.kernel, one.device, one.units);
    EXPECT_TRUE(same_links(path_of(program), path_of(program, {.fold_at = 0}))) << one.name;
  }
}

TEST(Path, LeadsFromZeroToTheEndOfRandomModels) {
  check_property(1000, [&] {
    const random_model::Shape shape{.most_trips = 3, .most_groups = 8, .most_issues = 300};
    const Program program = program_of(*random_model::models_of_any_kind(shape));
    RC_PRE(comes_to_an_end(program));
    const Path path = path_of(program);
    RC_ASSERT(what_is_wrong(program, path) == "");
    RC_ASSERT(path.result.cycles == simulate(program).cycles);
    RC_ASSERT(same_links(path, path_of(program, {.fold_at = 0})));
  });
}

}  // namespace
}  // namespace warpipe
