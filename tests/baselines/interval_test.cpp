#include "warpipe/baselines/interval.hpp"

#include <gtest/gtest.h>

namespace warpipe {
namespace {

/// Ten instructions, the last a load, and a stall of 90 cycles: p = 10 / 100.
std::vector<WarpInterval> one_load() {
  WarpInterval interval;
  interval.instructions = 10;
  interval.stall = {90};
  interval.loads = 1;
  interval.miss_latency = {90};
  return {interval};
}

IntervalMachine warps(double resident) {
  IntervalMachine machine;
  machine.resident_warps = resident;
  return machine;
}

TEST(GpuMech, OneWarpAloneStallsForAllOfTheGap) {
  const CycleStack stack = gpumech(one_load(), warps(1));
  EXPECT_DOUBLE_EQ(stack.base.count, 10);
  EXPECT_DOUBLE_EQ(stack.data.count, 90);
  EXPECT_DOUBLE_EQ(total(stack).count, 100);
}

TEST(GpuMech, RoundRobinHidesAStallByTheOthersShareOfIssue) {
  // W = 11: base 110, hidden 10 x p = 1 instruction
  const CycleStack stack = gpumech(one_load(), warps(11));
  EXPECT_DOUBLE_EQ(stack.base.count, 110);
  EXPECT_DOUBLE_EQ(stack.data.count, 89);
}

TEST(GpuMech, GreedyHidesAStallByTheOthersIntervals) {
  IntervalMachine machine = warps(3);
  machine.greedy = true;
  // base 10 + 2 x 10; hidden min(0.1 x 90, 1) x 2 x 10 = 20
  const CycleStack stack = gpumech(one_load(), machine);
  EXPECT_DOUBLE_EQ(stack.base.count, 30);
  EXPECT_DOUBLE_EQ(stack.data.count, 70);
}

TEST(GpuMech, RepeatedIntervalsAddUp) {
  std::vector<WarpInterval> intervals = one_load();
  intervals.front().repeats = 7;
  EXPECT_DOUBLE_EQ(total(gpumech(intervals, warps(1))).count, 700);
}

TEST(GpuMech, MissesBeyondTheMshrsWaitForABatch) {
  IntervalMachine machine = warps(6);
  machine.outstanding_misses = 4;
  // requests 1 to 4 go at once, 5 and 6 in a second batch: mean (4 x 1 + 2 x 2) / 6 = 8 / 6 latencies
  EXPECT_NEAR(gpumech(one_load(), machine).misses.count, (8.0 / 6 - 1) * 90, 1e-9);
  machine.outstanding_misses = 6;
  EXPECT_DOUBLE_EQ(gpumech(one_load(), machine).misses.count, 0);
}

TEST(GpuMech, QueueForMemoryIsThatOfADeterministicServer) {
  std::vector<WarpInterval> intervals = one_load();
  intervals.front().shared_transfer = {10};
  // W = 4: 40 cycles offered in 40 + 89.7: rho = 0.308, 10 rho / (2 (1 - rho))
  const CycleStack stack = gpumech(intervals, warps(4));
  const double rho = 40 / (40 + 89.7);
  EXPECT_NEAR(stack.queue.count, rho * 10 / (2 * (1 - rho)), 1e-9);
  // more than fits: behind half of the three other warps
  intervals.front().shared_transfer = {100};
  EXPECT_DOUBLE_EQ(gpumech(intervals, warps(4)).queue.count, 150);
}

TEST(Gcom, SubCoresIssueSideBySide) {
  IntervalMachine machine = warps(8);
  machine.schedulers = 4;
  // two warps a sub-core: base 20, hidden 0.1
  const CycleStack stack = gcom(one_load(), machine);
  EXPECT_DOUBLE_EQ(stack.base.count, 20);
  EXPECT_DOUBLE_EQ(stack.data.count, 89.9);
}

TEST(Gcom, PipelineSlowerThanIssueStallsStructurally) {
  std::vector<WarpInterval> intervals = one_load();
  intervals.front().longest_pipeline = {30};
  EXPECT_DOUBLE_EQ(gcom(intervals, warps(4)).structural.count, 4 * 30 - 40);
}

TEST(Gcom, HalfOfTheRequestsAreAheadInTheQueue) {
  std::vector<WarpInterval> intervals = one_load();
  intervals.front().shared_transfer = {10};
  EXPECT_DOUBLE_EQ(gcom(intervals, warps(4)).queue.count, 0.5 * 4 * 10);
}

TEST(Gcom, DivergentMissesComeInBatchesAndQueueBehindAll) {
  std::vector<WarpInterval> intervals = one_load();
  intervals.front().loads = 8;
  intervals.front().shared_transfer = {80};
  IntervalMachine machine = warps(4);
  machine.outstanding_misses = 16;
  // 32 misses in 2 batches; 16 at a time offer 160 cycles > 90: all of them are ahead
  const CycleStack stack = gcom(intervals, machine);
  EXPECT_DOUBLE_EQ(stack.queue.count, 160);
  EXPECT_DOUBLE_EQ(stack.misses.count, 90 + 160);
}

TEST(Intervals, NothingTakesNoTime) {
  EXPECT_DOUBLE_EQ(total(gpumech({}, warps(4))).count, 0);
  EXPECT_DOUBLE_EQ(total(gcom({}, warps(4))).count, 0);
}

}  // namespace
}  // namespace warpipe
