#include "fast/lookahead.hpp"

#include <gtest/gtest.h>

#include "core/time.hpp"
#include "shared_pipelines.hpp"

namespace warpipe {
namespace {

Step& add_step(Program& program, Ticks issue, Ticks completion) {
  Step& step = program.streams[0].steps.emplace_back();
  step.issue = issue;
  step.completion = completion;
  return step;
}

bool private_to_scheduler(const Program& program, std::uint32_t issue_port) {
  return is_private(program, issue_port, Scope::Scheduler);
}

TEST(IsPrivate, WhatOnlyOneSchedulerTakes) {
  const Program program = program_with(2, 4);
  EXPECT_FALSE(private_to_scheduler(program, kUnit));
  EXPECT_TRUE(private_to_scheduler(program, kScheduler));
  EXPECT_FALSE(private_to_scheduler(program, kDevice));
}

TEST(IsPrivate, AUnitsPipelineWhereTheUnitHasOneScheduler) {
  EXPECT_TRUE(private_to_scheduler(program_with(2, 1), kUnit));
  EXPECT_FALSE(private_to_scheduler(program_with(2, 1), kDevice));
}

TEST(IsPrivate, OfAUnitIsAlsoWhatItsSchedulersShare) {
  const Program program = program_with(2, 4);
  EXPECT_TRUE(is_private(program, kUnit, Scope::ComputeUnit));
  EXPECT_TRUE(is_private(program, kScheduler, Scope::ComputeUnit));
  EXPECT_FALSE(is_private(program, kDevice, Scope::ComputeUnit));
  EXPECT_TRUE(is_private(program_with(1, 4), kDevice, Scope::ComputeUnit));
}

TEST(IsPrivate, EverythingWhereThereIsOneSchedulerOrOneUnitWithout) {
  for (const std::int64_t schedulers : {0, 1}) EXPECT_TRUE(private_to_scheduler(program_with(1, schedulers), kDevice));
}

// Otherwise its next issue at the same time would come before an earlier issue elsewhere, by rule 6.
TEST(IsPrivate, NotWhereTheSchedulerMayIssueAgainAtTheSameTime) {
  EXPECT_FALSE(private_to_scheduler(program_with(2, 0), kScheduler));
  Program program = program_with(1, 4);
  Step& step = add_step(program, {}, {});
  step.issue_port = kScheduler;
  step.scheduler_busy = Ticks{1};
  EXPECT_TRUE(private_to_scheduler(program, kScheduler));
  step.scheduler_busy = Ticks{0};
  EXPECT_FALSE(private_to_scheduler(program, kScheduler));
}

TEST(IsPrivate, NotWhereAStageBehindItIsShared) {
  Program program = program_with(1, 4);
  program.streams[0].stages = {{kUnit, {}, {}}};
  Step& step = add_step(program, {}, {});
  step.issue_port = kScheduler;
  step.scheduler_busy = Ticks{1};
  step.stages = {0, 1};
  EXPECT_FALSE(private_to_scheduler(program, kScheduler));
  program.streams[0].stages[0].pipeline = kScheduler;
  EXPECT_TRUE(private_to_scheduler(program, kScheduler));
}

// A unit with two slots. A group ending at 30 (its last step's completion) lets another group come at 30 + 5.
TEST(Lookahead, IsTheTimeFromAGroupsLastIssueToTheNextGroup) {
  Program program = program_with(1, 4);
  program.machine.group_slots = 2;
  program.machine.groups = 3;
  program.machine.group_launch_latency = Ticks{5};
  add_step(program, Ticks{1}, Ticks{2});
  Step& last = add_step(program, Ticks{4}, Ticks{30});
  EXPECT_EQ(lookahead(program).across_schedulers, 35);
  last.retires_at_issue = true;
  EXPECT_EQ(lookahead(program).across_schedulers, 9);
  program.machine.groups = 2;  // both are placed at once, and no group waits
  EXPECT_EQ(lookahead(program).across_schedulers, 100'000);
}

/// Makes a step whose executions are served by two levels in turn.
void add_services(InstructionStream& stream, Step& step, const Service& near, const Service& far) {
  stream.services = {near, far};
  stream.rotations = {make_rotation({0, 2}, {32, 32})};
  step.stages = {0, 1};
  step.has_services = true;
}

// The last step's results come after 30 or after 20.
TEST(Lookahead, CountsTheShortestLatencyOfTheLevels) {
  Program program = program_with(1, 4);
  program.machine.group_slots = 1;
  program.machine.groups = 2;
  Step& last = add_step(program, Ticks{4}, Ticks{30});
  add_services(program.streams[0], last, {Ticks{30}, {}, 0}, {Ticks{20}, {}, 1});
  EXPECT_EQ(lookahead(program).across_schedulers, 20);
}

TEST(IsPrivate, NotWhereAStageOfSomeLevelIsShared) {
  Program program = program_with(1, 4);
  program.streams[0].stages = {{kUnit, {}, {}}};
  Step& step = add_step(program, {}, {});
  step.issue_port = kScheduler;
  step.scheduler_busy = Ticks{1};
  add_services(program.streams[0], step, {{}, {0, 0}, 0}, {{}, {0, 1}, 1});
  EXPECT_FALSE(private_to_scheduler(program, kScheduler));
  program.streams[0].stages[0].pipeline = kScheduler;
  EXPECT_TRUE(private_to_scheduler(program, kScheduler));
}

TEST(Lookahead, IsTheShortestTimeFromABarrierToItsOpening) {
  Program program = program_with(1, 4);
  add_step(program, Ticks{1}, Ticks{20}).barrier = true;
  add_step(program, Ticks{1}, Ticks{8}).barrier = true;
  add_step(program, Ticks{1}, Ticks{2});
  EXPECT_EQ(lookahead(program).across_schedulers, 8);
  EXPECT_EQ(lookahead(program).across_units, 100'000);  // a barrier does not affect other units
}

// An instruction issued because a barrier opens at once may precede issues of other units at the same time.
TEST(Lookahead, OfAUnitIsNothingWhereABarrierOpensAtOnce) {
  Program program = program_with(2, 4);
  add_step(program, Ticks{1}, Ticks{0}).barrier = true;
  add_step(program, Ticks{1}, Ticks{2});
  EXPECT_EQ(lookahead(program).across_units, 0);
}

}  // namespace
}  // namespace warpipe
