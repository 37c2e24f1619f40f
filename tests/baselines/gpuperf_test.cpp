#include "warpipe/baselines/gpuperf.hpp"

#include <gtest/gtest.h>

namespace warpipe {
namespace {

/// A Tesla C2050, as the reimplementation has it: 14 units at 1.15 GHz, 144 GB/s, 48 warps, 18 cycles of arithmetic,
/// 440 of memory, 20 between transactions, 18 of L1. 14 x 48 warps of 100 instructions, 10 of them loads.
GpuPerfInput c2050() {
  GpuPerfInput input;
  input.instructions = 100;
  input.loads = 10;
  input.warps = 14 * 48;
  input.groups = 14 * 8;
  input.active_units = 14;
  input.resident_warps = 48;
  input.instruction_latency = {18};
  input.issue_cycles = {1};
  input.special_issue_cycles = {8};
  input.memory_latency = {440};
  input.departure = {20};
  input.hit_latency = {18};
  input.bytes_per_transaction = 128;
  input.bandwidth = {144e9};
  input.clock = {1.15e9};
  return input;
}

TEST(GpuPerf, ManyWarpsHideMemoryBehindComputation) {
  const GpuPerfResult result = gpuperf(c2050());
  EXPECT_DOUBLE_EQ(result.itilp, 18);             // min(1 x 48, 18 / 1)
  EXPECT_DOUBLE_EQ(result.parallel.count, 4800);  // 100 x 48 x 18 / 18
  EXPECT_DOUBLE_EQ(result.serial.count, 0);
  // AMAT 440 + 18 = 458; a warp computes 100 x 18 / 18 = 100 cycles and waits for 4580: 46.8
  EXPECT_DOUBLE_EQ(result.cwp, 46.8);
  // 440 / 20 = 22; 144 / (1.15 x 128 / 440 x 14) = 30.7
  EXPECT_DOUBLE_EQ(result.mwp, 22);
  EXPECT_DOUBLE_EQ(result.itmlp, 22);  // min(max(1, 45.8), 22)
  EXPECT_NEAR(result.memory.count, 10 * 48 / 22.0 * 458, 1e-9);
  // CWP > MWP: zeta = 0, all of the computation overlaps
  EXPECT_DOUBLE_EQ(result.overlap.count, 4800);
  EXPECT_NEAR(result.total.count, 10 * 48 / 22.0 * 458, 1e-9);
}

TEST(GpuPerf, KernelWithoutMemoryTakesItsComputation) {
  GpuPerfInput input = c2050();
  input.loads = 0;
  input.resident_warps = 9;  // half of the warps that hide 18 cycles
  EXPECT_DOUBLE_EQ(gpuperf(input).total.count, 100 * 48 * 18 / 9.0);
  input.instruction_parallelism = 2;
  EXPECT_DOUBLE_EQ(gpuperf(input).total.count, 4800);
}

TEST(GpuPerf, BarriersSpecialFunctionsAndBankConflictsAreSerial) {
  GpuPerfInput input = c2050();
  input.barriers = 1;
  // 1 x 8 groups per unit x 64 x 440 x 10 / 100
  EXPECT_NEAR(gpuperf(input).serial.count, 8 * 64 * 44, 1e-9);
  input.barriers = 0;
  input.special_functions = 40;  // 0.4 of all, units for 1/8 of them: 0.275 shows
  EXPECT_NEAR(gpuperf(input).serial.count, 40 * 48 * 8 * 0.275, 1e-9);
  input.special_functions = 10;  // 0.1 < 1/8: hidden
  EXPECT_DOUBLE_EQ(gpuperf(input).serial.count, 0);
  input.bank_conflicts = {5};
  EXPECT_DOUBLE_EQ(gpuperf(input).serial.count, 5 * 48);
}

}  // namespace
}  // namespace warpipe
