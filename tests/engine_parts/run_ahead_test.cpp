#include "warpipe/engine/run_ahead.hpp"

#include <gtest/gtest.h>

#include "shared_pipelines.hpp"
#include "warpipe/engine/time.hpp"

namespace warpipe {
namespace {

Step& add_step(Program& program, Ticks issue, Ticks completion) {
  Step& step = program.streams[0].steps.emplace_back();
  step.issue = issue;
  step.completion = completion;
  return step;
}

bool own_of_chooser(const Program& program, std::uint32_t issue_port) {
  return is_own(program, issue_port, Scope::Scheduler);
}

TEST(IsOwn, WhatOnlyOneSchedulerTakes) {
  const Program program = program_with(2, 4);
  EXPECT_FALSE(own_of_chooser(program, kUnit));
  EXPECT_TRUE(own_of_chooser(program, kScheduler));
  EXPECT_FALSE(own_of_chooser(program, kDevice));
}

TEST(IsOwn, AUnitsPipelineWhereTheUnitHasOneScheduler) {
  EXPECT_TRUE(own_of_chooser(program_with(2, 1), kUnit));
  EXPECT_FALSE(own_of_chooser(program_with(2, 1), kDevice));
}

TEST(IsOwn, OfAUnitIsAlsoWhatItsSchedulersShare) {
  const Program program = program_with(2, 4);
  EXPECT_TRUE(is_own(program, kUnit, Scope::ComputeUnit));
  EXPECT_TRUE(is_own(program, kScheduler, Scope::ComputeUnit));
  EXPECT_FALSE(is_own(program, kDevice, Scope::ComputeUnit));
  EXPECT_TRUE(is_own(program_with(1, 4), kDevice, Scope::ComputeUnit));
}

TEST(IsOwn, EverythingWhereThereIsOneSchedulerOrOneUnitWithout) {
  for (const std::int64_t schedulers : {0, 1}) EXPECT_TRUE(own_of_chooser(program_with(1, schedulers), kDevice));
}

// Else what may issue next at the same time would be taken before what comes first in the order of rule 6.
TEST(IsOwn, NotWhereTheSchedulerMayIssueAgainAtTheSameTime) {
  EXPECT_FALSE(own_of_chooser(program_with(2, 0), kScheduler));
  Program program = program_with(1, 4);
  Step& step = add_step(program, {}, {});
  step.issue_port = kScheduler;
  step.scheduler_busy = Ticks{1};
  EXPECT_TRUE(own_of_chooser(program, kScheduler));
  step.scheduler_busy = Ticks{0};
  EXPECT_FALSE(own_of_chooser(program, kScheduler));
}

TEST(IsOwn, NotWhereAStageBehindItIsShared) {
  Program program = program_with(1, 4);
  program.streams[0].stages = {{kUnit, {}, {}}};
  Step& step = add_step(program, {}, {});
  step.issue_port = kScheduler;
  step.scheduler_busy = Ticks{1};
  step.stages = {0, 1};
  EXPECT_FALSE(own_of_chooser(program, kScheduler));
  program.streams[0].stages[0].pipeline = kScheduler;
  EXPECT_TRUE(own_of_chooser(program, kScheduler));
}

// One unit with two slots. A group that ends at 30 (its last step's completion) lets another one come at 30 + 5.
TEST(Lookahead, IsTheTimeFromAGroupsLastIssueToTheNextGroup) {
  Program program = program_with(1, 4);
  program.machine.group_slots = 2;
  program.machine.groups = 3;
  program.machine.group_launch_latency = Ticks{5};
  add_step(program, Ticks{1}, Ticks{2});
  Step& last = add_step(program, Ticks{4}, Ticks{30});
  EXPECT_EQ(lookahead(program).of_chooser, 35);
  last.retires_at_issue = true;
  EXPECT_EQ(lookahead(program).of_chooser, 9);
  program.machine.groups = 2;  // both are placed at once, and nobody waits
  EXPECT_EQ(lookahead(program).of_chooser, 100'000);
}

TEST(Lookahead, IsTheShortestTimeFromABarrierToItsOpening) {
  Program program = program_with(1, 4);
  add_step(program, Ticks{1}, Ticks{20}).barrier = true;
  add_step(program, Ticks{1}, Ticks{8}).barrier = true;
  add_step(program, Ticks{1}, Ticks{2});
  EXPECT_EQ(lookahead(program).of_chooser, 8);
  EXPECT_EQ(lookahead(program).of_unit, 100'000);  // a barrier is nothing to other units
}

// What a barrier that opens at once lets issue at that time comes before what other units issue then.
TEST(Lookahead, OfAUnitIsNothingWhereABarrierOpensAtOnce) {
  Program program = program_with(2, 4);
  add_step(program, Ticks{1}, Ticks{0}).barrier = true;
  add_step(program, Ticks{1}, Ticks{2});
  EXPECT_EQ(lookahead(program).of_unit, 0);
}

}  // namespace
}  // namespace warpipe
