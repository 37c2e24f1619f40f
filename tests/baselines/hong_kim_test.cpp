#include "warpipe/baselines/hong_kim.hpp"

#include <gtest/gtest.h>

/// The three cases, each with a parameter set of the paper and its public reimplementations.

namespace warpipe {
namespace {

/// The worked example of the paper: a tiled matrix multiply, uncoalesced, 80 groups of 4 warps on 16 units of an FX
/// 5600 with a clock of 1 GHz and 80 GB/s.
HongKimInput example_of_the_paper() {
  HongKimInput input;
  input.computation_instructions = 27;
  input.uncoalesced_loads = 6;
  input.barriers = 6;
  input.memory_latency = {420};
  input.coalesced_departure = {4};
  input.uncoalesced_departure = {10};
  input.uncoalesced_transactions = 32;
  input.issue_cycles = {4};
  input.resident_warps = 20;
  input.resident_groups = 5;
  input.active_units = 16;
  input.repetitions = 80.0 / (5 * 16);
  input.bytes_per_load = 128;
  input.bandwidth = {80e9};
  input.clock = {1e9};
  return input;
}

TEST(HongKim, ExampleOfThePaperIsMemoryBoundWithMwpOf228) {
  const HongKimResult result = hong_kim(example_of_the_paper());
  EXPECT_EQ(result.which, HongKimCase::MemoryBound);
  EXPECT_DOUBLE_EQ(result.memory_period.count, 730);    // 420 + 31 x 10
  EXPECT_DOUBLE_EQ(result.departure_delay.count, 320);  // 32 x 10
  EXPECT_DOUBLE_EQ(result.mwp, 2.28125);                // 730 / 320
  // 1 GHz x 128 B / 730 = 0.1753 GB/s a warp; 80 / (0.1753 x 16); printed as 28.57 from 0.175
  EXPECT_NEAR(result.mwp_peak_bandwidth, 28.52, 0.005);
  EXPECT_DOUBLE_EQ(result.cwp, 20);  // (4380 + 132) / 132 = 34.18, at most n
}

TEST(HongKim, ExampleOfThePaperTakes50738CyclesUpToTheRoundingOfMwp) {
  const HongKimResult result = hong_kim(example_of_the_paper());
  EXPECT_DOUBLE_EQ(result.execution.count, 4380 * 20 / 2.28125 + 132.0 / 6 * 1.28125);  // 38428.2
  EXPECT_DOUBLE_EQ(result.synchronization.count, 320 * 1.28125 * 6 * 5);                // 12300
  // With MWP cut to 2.28, as the paper does: 38450 + 12288 = 50738.
  EXPECT_NEAR(result.execution.count, 38450, 25);
  EXPECT_NEAR(result.synchronization.count, 12288, 15);
  EXPECT_NEAR(result.total.count, 50738, 15);
}

/// GTX 280: 30 units at 1.3 GHz, 141.7 GB/s, 450 cycles, departures of 4 and 40, 5.7 transactions.
HongKimInput gtx280() {
  HongKimInput input;
  input.memory_latency = {450};
  input.coalesced_departure = {4};
  input.uncoalesced_departure = {40};
  input.uncoalesced_transactions = 5.7;
  input.issue_cycles = {4};
  input.active_units = 30;
  input.bytes_per_load = 128;
  input.bandwidth = {141.7e9};
  input.clock = {1.3e9};
  return input;
}

TEST(HongKim, FewWarpsOnAGtx280OverlapAllTheirMemoryPeriods) {
  HongKimInput input = gtx280();
  input.computation_instructions = 8;
  input.coalesced_loads = 2;
  input.resident_warps = 4;
  const HongKimResult result = hong_kim(input);
  // MWP: 450 / 4, 141.7 / (1.3 x 128 / 450 x 30) = 12.8, 4. CWP: (900 + 40) / 40 = 23.5, 4.
  EXPECT_EQ(result.which, HongKimCase::EnoughWarps);
  EXPECT_DOUBLE_EQ(result.mwp, 4);
  EXPECT_DOUBLE_EQ(result.cwp, 4);
  EXPECT_NEAR(result.mwp_peak_bandwidth, 12.77, 0.005);
  EXPECT_DOUBLE_EQ(result.total.count, 900 + 40 + 40.0 / 2 * 3);  // 1000
}

TEST(HongKim, BandwidthOfAGtx280LimitsManyWarps) {
  HongKimInput input = gtx280();
  input.computation_instructions = 8;
  input.coalesced_loads = 2;
  input.resident_warps = 32;
  input.repetitions = 3;
  const HongKimResult result = hong_kim(input);
  const double mwp = 141.7 / (1.3 * 128 / 450 * 30);
  EXPECT_EQ(result.which, HongKimCase::MemoryBound);
  EXPECT_DOUBLE_EQ(result.mwp, mwp);
  EXPECT_DOUBLE_EQ(result.cwp, 23.5);
  EXPECT_NEAR(result.total.count, 3 * (900 * 32 / mwp + 20 * (mwp - 1)), 1e-6);
}

TEST(HongKim, UncoalescedLoadsOfAGtx280DepartInTransactions) {
  HongKimInput input = gtx280();
  input.computation_instructions = 10;
  input.coalesced_loads = input.uncoalesced_loads = 1;
  input.resident_warps = 16;
  const HongKimResult result = hong_kim(input);
  // (450 + 4.7 x 40 = 638 and 450) / 2; (228 and 4) / 2
  EXPECT_DOUBLE_EQ(result.memory_period.count, (638.0 + 450) / 2);
  EXPECT_DOUBLE_EQ(result.departure_delay.count, (228.0 + 4) / 2);
}

TEST(HongKim, MuchComputationOnAnFx5600HidesMemory) {
  HongKimInput input;
  input.computation_instructions = 59;
  input.coalesced_loads = 1;
  input.memory_latency = {420};
  input.coalesced_departure = {4};
  input.uncoalesced_departure = {10};
  input.issue_cycles = {4};
  input.resident_warps = 8;
  input.active_units = 16;
  input.bytes_per_load = 128;
  input.bandwidth = {76.8e9};
  input.clock = {1.35e9};
  const HongKimResult result = hong_kim(input);
  // CWP: (420 + 240) / 240 = 2.75. MWP: 420 / 4, 76.8 / (1.35 x 128 / 420 x 16) = 11.7, 8.
  EXPECT_EQ(result.which, HongKimCase::ComputeBound);
  EXPECT_DOUBLE_EQ(result.cwp, 2.75);
  EXPECT_DOUBLE_EQ(result.mwp, 8);
  EXPECT_DOUBLE_EQ(result.total.count, 420 + 240 * 8);
}

// The "or" of the second case: more computation than memory cycles counts as memory bound even where MWP > CWP.
TEST(HongKim, MoreComputationThanMemoryFallsIntoTheSecondCase) {
  HongKimInput input = gtx280();
  input.computation_instructions = 199;
  input.coalesced_loads = 1;
  input.resident_warps = 8;
  const HongKimResult result = hong_kim(input);  // 800 cycles of computation, 450 of memory, CWP 1.56
  EXPECT_GT(result.mwp, result.cwp);
  EXPECT_EQ(result.which, HongKimCase::MemoryBound);
  EXPECT_DOUBLE_EQ(result.total.count, 450 + 800.0 * 7);
}

}  // namespace
}  // namespace warpipe
