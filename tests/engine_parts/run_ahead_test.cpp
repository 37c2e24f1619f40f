#include "warpipe/engine/run_ahead.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "warpipe/engine/time.hpp"

namespace warpipe {
namespace {

constexpr std::uint32_t kUnit = 0, kScheduler = 1, kDevice = 2;  // pipelines, and the gates of the same number

Program program_with(std::int64_t units, std::int64_t schedulers) {
  Program program;
  program.machine.pipelines = {{Scope::ComputeUnit, {}}, {Scope::Scheduler, {}}, {Scope::Device, {}}};
  program.machine.units = units;
  program.machine.schedulers = schedulers;
  program.gates = {{kUnit, {}}, {kScheduler, {}}, {kDevice, {}}};
  program.streams.emplace_back();
  program.stream_of_warp = {0};
  return program;
}

Step& add_step(Program& program, Ticks issue, Ticks completion) {
  Step& step = program.streams[0].steps.emplace_back();
  step.issue = issue;
  step.completion = completion;
  return step;
}

TEST(IsPrivate, WhatOnlyOneSchedulerTakes) {
  const Program program = program_with(2, 4);
  EXPECT_FALSE(is_private(program, kUnit));
  EXPECT_TRUE(is_private(program, kScheduler));
  EXPECT_FALSE(is_private(program, kDevice));
}

TEST(IsPrivate, AUnitsPipelineWhereTheUnitHasOneScheduler) {
  EXPECT_TRUE(is_private(program_with(2, 1), kUnit));
  EXPECT_FALSE(is_private(program_with(2, 1), kDevice));
}

TEST(IsPrivate, EverythingWhereThereIsOneSchedulerOrOneUnitWithout) {
  for (const std::int64_t schedulers : {0, 1}) EXPECT_TRUE(is_private(program_with(1, schedulers), kDevice));
}

// Else what may issue next at the same time would be taken before what comes first in the order of rule 6.
TEST(IsPrivate, NotWhereTheSchedulerMayIssueAgainAtTheSameTime) {
  EXPECT_FALSE(is_private(program_with(2, 0), kScheduler));
  Program program = program_with(1, 4);
  Step& step = add_step(program, {}, {});
  step.gate = kScheduler;
  step.scheduler_busy = Ticks{1};
  EXPECT_TRUE(is_private(program, kScheduler));
  step.scheduler_busy = Ticks{0};
  EXPECT_FALSE(is_private(program, kScheduler));
}

TEST(IsPrivate, NotWhereAStageBehindItIsShared) {
  Program program = program_with(1, 4);
  program.streams[0].stages = {{kUnit, {}, {}}};
  Step& step = add_step(program, {}, {});
  step.gate = kScheduler;
  step.scheduler_busy = Ticks{1};
  step.stages = {0, 1};
  EXPECT_FALSE(is_private(program, kScheduler));
  program.streams[0].stages[0].pipeline = kScheduler;
  EXPECT_TRUE(is_private(program, kScheduler));
}

// One unit with two slots. A group that ends at 30 (its last step's completion) lets another one come at 30 + 5.
TEST(Lookahead, IsTheTimeFromAGroupsLastIssueToTheNextGroup) {
  Program program = program_with(1, 4);
  program.machine.slots = 2;
  program.machine.groups = 3;
  program.machine.group_launch_latency = Ticks{5};
  add_step(program, Ticks{1}, Ticks{2});
  Step& last = add_step(program, Ticks{4}, Ticks{30});
  EXPECT_EQ(lookahead(program), 35);
  last.retires_at_issue = true;
  EXPECT_EQ(lookahead(program), 9);
  program.machine.groups = 2;  // both are placed at once, and nobody waits
  EXPECT_EQ(lookahead(program), kForever);
}

TEST(Lookahead, IsTheShortestTimeFromABarrierToItsOpening) {
  Program program = program_with(1, 4);
  add_step(program, Ticks{1}, Ticks{20}).barrier = true;
  add_step(program, Ticks{1}, Ticks{8}).barrier = true;
  add_step(program, Ticks{1}, Ticks{2});
  EXPECT_EQ(lookahead(program), 8);
}

}  // namespace
}  // namespace warpipe
