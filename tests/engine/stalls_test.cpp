#include "warpipe/engine/stalls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
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

struct StalledRun {
  SimulationResult result;
  Stalls stalls;
};

StalledRun stalled_run(const Program& program, Skipping skipping = Skipping::On) {
  const ObservedRun run = observe(program, {.stalls = true}, skipping);
  return {run.result, run.stalls.value()};
}

/// Empty where all times of a run add up, else the sum that does not.
std::string what_does_not_add_up(const Program& program, const StalledRun& run) {
  const Machine& machine = program.machine;
  const auto warp_slots = machine.group_slots * static_cast<std::int64_t>(warps_per_group(program));
  StallTimes of_units{};
  for (const StallTimes& unit : run.stalls.units) {
    Ticks sum;
    for (std::size_t i = 0; i < kStalls; ++i) {
      if (unit[i] < Ticks{}) return "a unit's time is below 0";
      sum = checked_add(sum, unit[i]);
      of_units[i] = checked_add(of_units[i], unit[i]);
    }
    if (sum != checked_multiply(run.result.cycles, warp_slots)) return "a unit's times are not warp_slots x cycles";
  }
  StallTimes of_steps{};
  std::int64_t executions = 0;
  for (const auto& stream : run.stalls.steps)
    for (const StepStalls& step : stream) {
      executions += step.executions;
      Ticks backlogs, waits;
      for (const Ticks time : step.backlogs) backlogs = checked_add(backlogs, time);
      for (const Ticks time : step.waits) waits = checked_add(waits, time);
      for (std::size_t i = 0; i < step.waits.size(); ++i) {
        Ticks services;
        for (const Ticks time : step.services[i]) services = checked_add(services, time);
        if (!step.services[i].empty() && services != step.waits[i]) return "the services of a wait";
      }
      if (backlogs != step.times[static_cast<std::size_t>(Stall::Backlog)]) return "the backlogs of a step";
      if (waits != step.times[static_cast<std::size_t>(Stall::Result)]) return "the waits of a step";
      for (std::size_t i = 0; i < kStalls; ++i) of_steps[i] = checked_add(of_steps[i], step.times[i]);
    }
  if (executions != run.result.issued) return "executions";
  for (const Stall stall : {Stall::Ended, Stall::Empty}) of_units[static_cast<std::size_t>(stall)] = {};
  return of_steps == of_units ? "" : "the steps' times are not the units'";
}

TEST(Stalls, AddUpOnAllConformanceCases) {
  for (const ConformanceCase& one : conformance_cases()) {
    const Program program = program_of(one.kernel, one.device, one.units);
    const StalledRun run = stalled_run(program, Skipping::Verify);
    EXPECT_EQ(what_does_not_add_up(program, run), "") << one.name;
    EXPECT_EQ(run.result.cycles, one.cycles) << one.name;
  }
}

void expect_sums(int cases, const random_model::Shape& shape) {
  std::int64_t with_a_period = 0;
  check_property(cases, [&] {
    const Program program = program_of(*random_model::models_of_any_kind(shape));
    RC_PRE(comes_to_an_end(program));
    const StalledRun run = stalled_run(program, Skipping::Verify);
    RC_ASSERT(what_does_not_add_up(program, run) == "");
    RC_ASSERT(run.result.cycles == simulate(program).cycles);
    with_a_period += run.result.skipped > 0 ? 1 : 0;
  });
  std::cout << "periods were skipped in " << with_a_period << " of " << cases << "\n";
}

TEST(Stalls, AddUpOnRandomModels) { expect_sums(1000, {.most_trips = 3, .most_groups = 8, .most_issues = 300}); }

// Long enough for periods to be skipped: their time must be charged as when they are simulated.
TEST(Stalls, AddUpWherePeriodsAreSkipped) {
  expect_sums(1000, {.most_trips = 1000, .most_groups = 500, .most_issues = 30000});
}

Ticks cycles(std::int64_t count) { return Ticks{1000 * count}; }

Ticks time_in(const StalledRun& run, Stall stall, std::size_t step) {
  return run.stalls.steps[0][step].times[static_cast<std::size_t>(stall)];
}
Ticks time_in(const StalledRun& run, Stall stall) { return run.stalls.units[0][static_cast<std::size_t>(stall)]; }

constexpr std::string_view kTwoInChain = R"({"id": "i", "op": "x"}, {"id": "j", "op": "x", "after": ["i"]})";

// i issues at 0, holds its pipeline to 2; its result comes at 7. j issues at 7 and holds to 9; its result comes at 14.
TEST(Stalls, OneWarpWaitsForAResultAndForItsLast) {
  const auto program = program_of(kernel_with(kTwoInChain), device_with({{"x", "a", 2, 7}}));
  const StalledRun run = stalled_run(program);
  EXPECT_EQ(time_in(run, Stall::Issuing, 0), cycles(2));
  EXPECT_EQ(time_in(run, Stall::Result, 1), cycles(5));
  EXPECT_EQ(time_in(run, Stall::Issuing, 1), cycles(2));
  EXPECT_EQ(time_in(run, Stall::Drain, 1), cycles(5));
  EXPECT_EQ(run.result.cycles, cycles(14));
}

// With a scheduler, issuing takes its interval of 1 cycle and not the pipeline's 2.
TEST(Stalls, IssuingHoldsTheSchedulerWhereThereIsOne) {
  const auto program =
      program_of(kernel_with(kTwoInChain), device_with({{"x", "a", 2, 7}}, R"({"issue": {"schedulers": 1}})"));
  const StalledRun run = stalled_run(program);
  EXPECT_EQ(time_in(run, Stall::Issuing), cycles(2));
  EXPECT_EQ(time_in(run, Stall::Result), cycles(6));
  EXPECT_EQ(time_in(run, Stall::Drain), cycles(6));
}

// The last operand to come is charged with all: p's result comes at 5, q's at 1 + 9.
TEST(Stalls, AWaitIsChargedToTheOperandThatComesLast) {
  const auto kernel =
      kernel_with(R"({"id": "p", "op": "x"}, {"id": "q", "op": "y"}, {"id": "j", "op": "x", "after": ["p", "q"]})");
  const auto program =
      program_of(kernel, device_with({{"x", "a", 1, 5}, {"y", "b", 1, 9}}, R"({"issue": {"schedulers": 1}})"));
  const StalledRun run = stalled_run(program);
  // q issued at 1 and holds the scheduler to 2; j issues at 10
  EXPECT_THAT(run.stalls.steps[0][2].waits, testing::ElementsAre(cycles(0), cycles(8)));
}

// Three warps at 0: they issue at 0, 4 and 8, each holds the pipeline for 4.
TEST(Stalls, ABusyPipelineIsChargedToWhoWaitsForIt) {
  const auto program =
      program_of(kernel_with(R"({"id": "i", "op": "x"})", {.warps = 3}), device_with({{"x", "a", 4, 10}}));
  const StalledRun run = stalled_run(program);
  EXPECT_EQ(time_in(run, Stall::Pipeline), cycles(4 + 8));
  EXPECT_EQ(time_in(run, Stall::Issuing), cycles(3 * 4));
  EXPECT_EQ(time_in(run, Stall::Drain), cycles(3 * 6));
  // they end at 10, 14 and 18, and the group with the last of them
  EXPECT_EQ(time_in(run, Stall::Ended), cycles(8 + 4));
}

// A scheduler for both, a pipeline of its own for each: the second waits for the scheduler alone.
TEST(Stalls, AnotherWarpThatWasChosenIsChargedToTheScheduler) {
  const auto kernel = kernel_with(R"({"id": "i", "op": "x"}, {"id": "j", "op": "y"})", {.warps = 2});
  const auto device = device_with({{"x", "a", 0, 3}, {"y", "b", 0, 3}}, R"({"issue": {"schedulers": 1}})");
  const StalledRun run = stalled_run(program_of(kernel, device));
  // i of warp 0 at 0; at 1 both are ready since 0 and the lower warp goes first, with j; then warp 1 at 2 and 3
  EXPECT_EQ(time_in(run, Stall::Scheduler, 0), cycles(2));
  EXPECT_EQ(time_in(run, Stall::Scheduler, 1), cycles(0));  // until 1 and 3 their own warp issues
  EXPECT_EQ(time_in(run, Stall::Pipeline), cycles(0));
}

// A warp may issue again after 5 cycles, the result is there after 3.
TEST(Stalls, AWarpsOwnIntervalComesBeforeItsOperands) {
  const auto device = device_with({{"x", "a", 1, 3}}, R"({"issue": {"schedulers": 1, "warp_interval": 5}})");
  const StalledRun run = stalled_run(program_of(kernel_with(kTwoInChain), device));
  EXPECT_EQ(time_in(run, Stall::Interval, 1), cycles(4));  // from 1, where the scheduler is free, to 5
  EXPECT_EQ(time_in(run, Stall::Result, 1), cycles(0));
}

// Warp 0 comes to the barrier at 0, warp 1 at 2, behind an instruction of 2 cycles; it opens 5 cycles later.
TEST(Stalls, WhoComesFirstToABarrierWaitsLonger) {
  const auto kernel = kernel_with(
      R"({"when": "warp == 1", "body": [{"id": "i", "op": "x"}]}, {"id": "sync", "op": "barrier", "after": ["i"]})",
      {.warps = 2});
  const StalledRun run = stalled_run(program_of(kernel, device_with({{"x", "a", 2, 2}})));
  EXPECT_EQ(time_in(run, Stall::Barrier), cycles(7 + 5));
  EXPECT_EQ(run.result.cycles, cycles(7));
}

// The further pipeline is free at 10, its queue holds 4 cycles of work: the second store must wait until 6.
TEST(Stalls, AFullQueueIsChargedByPipeline) {
  const auto device = device_with({{"x", "a", 1, 3, R"({"then": [{"pipeline": "b", "issue": 10}]})"}},
                                  R"({"pipelines": {"b": {"backlog": 4}}})");
  const StalledRun run = stalled_run(program_of(kernel_with(R"({"id": "i", "op": "x"})", {.warps = 2}), device));
  EXPECT_THAT(run.stalls.steps[0][0].backlogs, testing::ElementsAre(cycles(6)));
}

// Two groups, a slot: it is free for the second 20 cycles after the first ended at 3, and empty after 26 until the
// drain of b ends: the second started there at 23 + 0, for 10 cycles, to 33.
TEST(Stalls, ASlotWithoutAGroupIsEmpty) {
  const auto device = device_with({{"x", "a", 1, 3, R"({"then": [{"pipeline": "b", "issue": 10}]})"}},
                                  R"({"group_launch_latency": 20})");
  const auto kernel = kernel_with(R"({"id": "i", "op": "x"})", {.groups = 2, .concurrent_groups = 1});
  const StalledRun run = stalled_run(program_of(kernel, device));
  EXPECT_EQ(run.result.cycles, cycles(33));
  EXPECT_EQ(time_in(run, Stall::Empty), cycles(20 + 7));
}

// Warp 1 makes 10^9 trips of a loop while warp 0 waits at the barrier: skipped, and still charged in full.
TEST(Stalls, AWaitAsLongAsTheRunIsChargedInFullWherePeriodsAreSkipped) {
  const auto kernel = kernel_with(
      R"({"when": "warp == 1", "body": [{"loop": "l", "trip_count": 1000000000,
          "body": [{"id": "i", "op": "x", "after": ["i"]}]}]}, {"id": "sync", "op": "barrier", "after": ["i"]})",
      {.warps = 2});
  const StalledRun run = stalled_run(program_of(kernel, device_with({{"x", "a", 1, 2}})));
  // the loop's last result comes at 2 x 10^9; barriers issue in no time and open 5 cycles later
  EXPECT_EQ(time_in(run, Stall::Barrier), cycles(2'000'000'005 + 5));
  EXPECT_GT(run.result.skipped, 999'000'000);
}

}  // namespace
}  // namespace warpipe
