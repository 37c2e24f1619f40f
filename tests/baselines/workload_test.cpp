#include "warpipe/baselines/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "small_models.hpp"

/// The closed forms' inputs from a kernel, a device and a launch.

namespace warpipe {
namespace {

/// alu on a (lambda 1, Lambda 6), a load on b (4, 100) that goes on to c, a pipeline of the device.
Device machine() {
  return device_with(
      {{"alu", "a", 1, 6},
       {"global.load", "b", 4, 100, R"({"transactions": 4, "per_transaction": {"issue": 1, "completion": 2},
                        "then": [{"pipeline": "c", "issue": 3}]})"},
       {"shared.load", "b", 2, 20, R"({"per_conflict": {"issue": 1}})"},
       {"sin", "a", 8, 30}},
      R"({"compute_units": 2, "pipelines": {"c": {"scope": "device"}}, "group_launch_latency": 50})");
}

/// Eight groups of two warps, three at a time: an addition, five loads in a row, each with an addition.
Kernel kernel() {
  return kernel_with(R"({"id": "first", "op": "alu"},
    {"loop": "l", "trip_count": 5, "body": [
      {"id": "load", "op": "global.load", "after": ["first", "add"]},
      {"id": "add", "op": "alu", "after": ["load"]}]})",
                     {.warps = 2, .groups = 8, .concurrent_groups = 3});
}

const ResourceLoad& resource(const Workload& workload, const std::string& name) {
  return *std::ranges::find(workload.resources, name, &ResourceLoad::name);
}

TEST(Workload, CountsInstructionsByClass) {
  const Workload workload = workload_of(kernel(), machine(), {});
  EXPECT_DOUBLE_EQ(executions(workload, WorkClass::Computation), 6);
  EXPECT_DOUBLE_EQ(executions(workload, WorkClass::GlobalMemory), 5);
  EXPECT_DOUBLE_EQ(executions(workload, WorkClass::Barrier), 0);
}

TEST(Workload, TellsWhatAUnitHas) {
  const Workload workload = workload_of(kernel(), machine(), {});
  EXPECT_DOUBLE_EQ(workload.groups_of_unit, 4);
  EXPECT_DOUBLE_EQ(workload.warps_of_unit, 8);
  EXPECT_DOUBLE_EQ(workload.resident_warps, 6);
  EXPECT_DOUBLE_EQ(workload.replacement.count, 50);
}

TEST(Workload, FewGroupsLeaveUnitsIdle) {
  LaunchOptions options;
  options.groups = 1;
  const Workload workload = workload_of(kernel(), machine(), options);
  EXPECT_DOUBLE_EQ(workload.active_units, 1);
  EXPECT_DOUBLE_EQ(workload.warps_of_unit, 2);
  EXPECT_DOUBLE_EQ(workload.resident_warps, 2);
}

TEST(Workload, PipelinesTakeTheirShareOfAWarpAndOfItsPath) {
  const Workload workload = workload_of(kernel(), machine(), {});
  EXPECT_DOUBLE_EQ(resource(workload, "pipeline a").of_warp.count, 6);          // 6 x 1
  EXPECT_DOUBLE_EQ(resource(workload, "pipeline b").of_warp.count, 20);         // 5 x 4
  EXPECT_DOUBLE_EQ(resource(workload, "pipeline c").of_warp.count, 5 * 3 * 2);  // two units share it
  EXPECT_DOUBLE_EQ(resource(workload, "pipeline a").alone.count, 6 * 6);
  EXPECT_DOUBLE_EQ(resource(workload, "pipeline b").alone.count, 5 * 100);
}

TEST(Workload, PathOfAWarpIsTheSumOfItsChain) {
  const Workload workload = workload_of(kernel(), machine(), {});
  EXPECT_DOUBLE_EQ(workload.alone.count, 6 + 5 * 106);
  EXPECT_DOUBLE_EQ(workload.computation_alone.count, 36);
  EXPECT_DOUBLE_EQ(workload.memory_alone.count, 500);
}

TEST(Workload, IntervalsEndWhereAWarpWaits) {
  const Workload workload = workload_of(kernel(), machine(), {});
  ASSERT_TRUE(workload.intervals.has_value());
  // first | 5 x (load | add): each stands alone, a cycle of issue and the rest of its latency
  double instructions = 0, stalls = 0, loads = 0, shared = 0;
  for (const WarpInterval& interval : *workload.intervals) {
    instructions += interval.repeats * interval.instructions;
    stalls += interval.repeats * interval.stall.count;
    loads += interval.repeats * interval.loads;
    shared += interval.repeats * interval.shared_transfer.count;
  }
  EXPECT_DOUBLE_EQ(instructions, 11);
  EXPECT_DOUBLE_EQ(stalls, 6 + 5 * 106 - 11);
  EXPECT_DOUBLE_EQ(loads, 5);
  EXPECT_DOUBLE_EQ(shared, 30);
}

// Issues of a cycle each at 0, 1 and 6, where the barrier opens: 4 cycles of stall, and 5 until the last result.
TEST(Workload, BarrierEndsAnIntervalToo) {
  const Kernel two_parts =
      kernel_with(R"({"id": "a", "op": "alu"}, {"id": "wait", "op": "barrier"}, {"id": "b", "op": "alu"})");
  const Workload workload = workload_of(two_parts, machine(), {});
  ASSERT_EQ(workload.intervals->size(), 2U);
  const auto first = std::ranges::find(*workload.intervals, 2, &WarpInterval::instructions);
  ASSERT_NE(first, workload.intervals->end());
  EXPECT_DOUBLE_EQ(first->stall.count, 4);
  const auto last = std::ranges::find(*workload.intervals, 1, &WarpInterval::instructions);
  EXPECT_DOUBLE_EQ(last->stall.count, 5);
}

// The load waits 20 cycles for a result of 6: no wait for the memory.
TEST(Workload, PathOfAClassLeavesOutWhatOthersMakeItWait) {
  const Kernel waits = kernel_with(
      R"({"id": "a", "op": "alu"}, {"id": "load", "op": "global.load", "after": [{"id": "a", "latency": 20}]})");
  const Workload workload = workload_of(waits, machine(), {});
  EXPECT_DOUBLE_EQ(workload.alone.count, 120);
  EXPECT_DOUBLE_EQ(workload.memory_alone.count, 100);
}

TEST(Workload, AccessesBeyondTheUsualTransactionsAreUncoalesced) {
  const Kernel strided = kernel_with(R"({"id": "a", "op": "global.load"},
    {"id": "b", "op": "global.load", "transactions": 8}, {"id": "c", "op": "shared.load", "conflict_degree": 3},
    {"id": "s", "op": "sin"})");
  const Workload workload = workload_of(strided, machine(), {});
  EXPECT_TRUE(workload.instructions[0].coalesced);
  EXPECT_FALSE(workload.instructions[1].coalesced);
  EXPECT_DOUBLE_EQ(workload.instructions[1].interval.count, 8);
  EXPECT_DOUBLE_EQ(workload.instructions[1].transactions, 8);
  EXPECT_DOUBLE_EQ(workload.instructions[2].conflicts.count, 2);
  EXPECT_EQ(workload.instructions[3].work, WorkClass::SpecialFunction);
}

TEST(Workload, WarpsThatDifferCountWithTheirShare) {
  const Kernel half =
      kernel_with(R"({"when": "warp == 0", "body": [{"id": "a", "op": "alu"}, {"id": "b", "op": "alu"}]},
    {"id": "c", "op": "alu"})",
                  {.warps = 4});
  EXPECT_DOUBLE_EQ(executions(workload_of(half, machine(), {}), WorkClass::Computation), 1 + 2 / 4.0);
}

// A half of the loads are served after 20 cycles, the rest after 100 with 4 sectors x 1 cycle of l2.
TEST(Workload, TakesTheMeanOfLevelsThatServeInTurn) {
  const Device device = device_with(
      {{"global.load", "b", 4, 0}, {"alu", "a", 1, 6}},
      R"({"memory": {"levels": [{"name": "l1", "scope": "compute_unit", "bytes": 4096, "ways": 1, "latency": 20},
                                {"name": "l2", "latency_s": 100e-9, "read_bytes_per_s": 32e9}]}})");
  Kernel loads = kernel();
  loads.instructions[1].levels = {{"l1", Expression(0.5), {}}, {"l2", Expression(0.5), {}}};
  const Workload workload = workload_of(loads, device, {});
  const auto load = std::ranges::find(workload.instructions, "global.load", &InstructionLoad::op);
  EXPECT_DOUBLE_EQ(load->latency.count, 60);
  EXPECT_DOUBLE_EQ(load->transfer.count, 2);
}

}  // namespace
}  // namespace warpipe
