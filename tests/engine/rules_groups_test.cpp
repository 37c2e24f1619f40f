#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "models.hpp"
#include "simulators.hpp"
#include "warpipe/kernels/read_kernel.hpp"

/// Rules 7 and 8 of the model: barriers, ends, groups and units.

namespace warpipe {
namespace {

class GroupRules : public testing::TestWithParam<Simulator> {
 protected:
  static std::string cycles_of(const Kernel& kernel, const Device& device, Units units = Units::One) {
    return cycles(GetParam(), kernel, device, units);
  }
};

INSTANTIATE_TEST_SUITE_P(Simulators, GroupRules, both_simulators(), name_of_simulator);

constexpr auto kOneXOfGroups = R"({"id": "x", "op": "x"})";

// w 0..20 in warp 1, its barrier at 20; open at 20 + 5; y until 26.
TEST_P(GroupRules, ABarrierOpensItsLatencyAfterTheLastWarpCame) {
  const Device device = device_with({{"w", "a", 0, 20}, {"y", "b", 0, 1}});
  const Kernel kernel = kernel_with(R"({"when": "warp == 1", "body": [{"id": "w", "op": "w"}]},
      {"id": "b", "op": "barrier", "after": ["w"]}, {"id": "y", "op": "y"})",
                                    {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device), "26");
}

// Warp 1 issues its last instruction at 20, and its completion at 70 holds no warp back: open at 20 + 5, y until 125.
TEST_P(GroupRules, AWarpThatDropsOutCountsWithTheIssueOfItsLastInstruction) {
  const Device device = device_with({{"w", "a", 0, 20}, {"v", "a", 0, 50}, {"y", "b", 0, 100}});
  const Kernel kernel = kernel_with(R"(
      {"when": "warp == 0", "body": [{"id": "b", "op": "barrier"}, {"id": "y", "op": "y"}]},
      {"when": "warp == 1", "body": [{"id": "w", "op": "w"}, {"id": "v", "op": "v", "after": ["w"]}]})",
                                    {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device), "125");
}

// Open at 0 + 5, y until 105.
TEST_P(GroupRules, AWarpWithoutInstructionsHoldsNoBarrier) {
  const Device device = device_with({{"y", "b", 0, 100}});
  const Kernel kernel = kernel_with(
      R"({"when": "warp == 0", "body": [{"id": "b", "op": "barrier"}, {"id": "y", "op": "y"}]})", {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device), "105");
}

// Different barriers meet: open at 0 + max(12, 5), y until 112.
TEST_P(GroupRules, TheLargestLatencyOfTheWaitingBarriersCounts) {
  const Device device = device_with({{"y", "b", 0, 100}});
  const Kernel kernel = kernel_with(R"(
      {"when": "warp == 0", "body": [{"id": "b0", "op": "barrier", "completion_latency": 12}]},
      {"when": "warp == 1", "body": [{"id": "b1", "op": "barrier"}]}, {"id": "y", "op": "y"})",
                                    {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device), "112");
}

// w of two groups of two warps in turn on a: 0, 20, 40, 60. Group 0 opens at 25 and has b until 55 and 85; group 1
// opens at 65 and has it until 115 and 145. (Were all to wait for each other: from 65 on, until 185.)
TEST_P(GroupRules, ABarrierHoldsOnlyItsOwnGroup) {
  const Device device = device_with({{"w", "a", 20, 0}, {"y", "b", 30, 30}});
  const Kernel kernel = kernel_with(R"({"id": "w", "op": "w"}, {"id": "b", "op": "barrier"}, {"id": "y", "op": "y"})",
                                    {.warps = 2, .groups = 2, .concurrent_groups = 2});
  EXPECT_EQ(cycles_of(kernel, device), "145");
}

// A barrier is complete, and its warp ended, when it opens.
TEST_P(GroupRules, AWarpMayEndWithABarrier) {
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "b", "op": "barrier"})", {.warps = 3}), device_with({})), "5");
}

TEST_P(GroupRules, AStoreThatRetiresAtIssueEndsAfterItsIssueLatency) {
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups), device_with({{"x", "a", 8, 100, R"({"retires_at": "issue"})"}})),
            "8");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups), device_with({{"x", "a", 8, 100}})), "100");
}

// The store ends at 1, its data leave b at 10 + 50. A second group starts at 1 and leaves b at 60 + 50.
TEST_P(GroupRules, TheRunLastsUntilAllStoresHaveDrainedButTheSlotIsFreeBefore) {
  const Device device = device_with(
      {{"x", "a", 1, 0, R"({"retires_at": "issue", "then": [{"pipeline": "b", "issue": 50, "after": 10}]})"}});
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups), device), "60");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 2}), device), "110");
}

// 0..10, 14..24, 28..38.
TEST_P(GroupRules, TheNextGroupStartsALaunchLatencyAfterTheEndOfTheLast) {
  const Device device = device_with({{"x", "a", 0, 10}}, R"({"group_launch_latency": 4})");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 3}), device), "38");
}

// Placed, and ended, at 0, 7 and 14.
TEST_P(GroupRules, AGroupWithoutInstructionsEndsWhereItIsPlaced) {
  const Device device = device_with({{"x", "a", 0, 10}}, R"({"group_launch_latency": 7})");
  const Kernel kernel = kernel_with(R"({"when": "warp > 5", "body": [{"id": "x", "op": "x"}]})", {.groups = 3});
  EXPECT_EQ(cycles_of(kernel, device), "14");
}

// Groups from 7 to 17 and from 17 to 27; stored data have arrived 5 later, loaded data are there before.
TEST_P(GroupRules, ALaunchBeginsBeforeItsFirstGroupAndEndsWhenItsStoresHaveArrived) {
  const auto cycles = [&](const char* op, const char* ends) {
    const std::string times = fmt::format(R"({{"clock_hz": 1e9, "launch_begin_s": 7e-9, "launch_end_s": {}}})", ends);
    const auto kernel = fmt::format(R"({{"id": "x", "op": "{}"}})", op);
    return cycles_of(kernel_with(kernel, {.groups = 2}), device_with({{op, "a", 0, 10}}, times.c_str()));
  };
  EXPECT_EQ(cycles("x", "5e-9"), "27");
  EXPECT_EQ(cycles("global.load", "5e-9"), "27");
  EXPECT_EQ(cycles("global.store", "5e-9"), "32");
  EXPECT_EQ(cycles("global.store.64", "5e-9"), "32");
  EXPECT_EQ(cycles("global.atomic", "5e-9"), "32");
  EXPECT_EQ(cycles("global.store", "0"), "27");
}

// Four groups on a unit: 0, 3, 6, 9, the last until 19. Eight on two units, all simulated: the last at 21. One unit of
// the two: its four groups come at the interval times 2, the last at 18.
TEST_P(GroupRules, GroupsArePlacedADispatchIntervalApartOnTheWholeDevice) {
  const std::vector<TestOp> ops{{"x", "a", 0, 10}};
  const Device one = device_with(ops, R"({"group_dispatch_interval": 3})");
  const Device two = device_with(ops, R"({"group_dispatch_interval": 3, "compute_units": 2})");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 4, .concurrent_groups = 4}), one), "19");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 8, .concurrent_groups = 4}), two, Units::All), "31");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 8, .concurrent_groups = 4}), two, Units::One), "28");
}

// Slot 0 is free at 10, but the next group comes only 25 after the previous group: 0..10, 25..35.
TEST_P(GroupRules, AFreeSlotWaitsForTheDispatcher) {
  const Device device =
      device_with({{"x", "a", 0, 10}}, R"({"group_dispatch_interval": 25, "group_launch_latency": 5})");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 2}), device), "35");
}

// Five groups on four units, two at a time, each with its unit's a for 10. All units: one unit has two, 0..10 and
// 10..20. Nine: one has three, but only ceil(9 / 4) = 3 slots are asked for, so they are there at once: until 30.
TEST_P(GroupRules, AllUnitsShowTheTailOfTheLaunch) {
  const Device device = device_with({{"x", "a", 10, 10}}, R"({"compute_units": 4})");
  const auto with = [&](int groups, int concurrent, Units units) {
    return cycles_of(kernel_with(kOneXOfGroups, {.groups = groups, .concurrent_groups = concurrent}), device, units);
  };
  EXPECT_EQ(with(4, 1, Units::All), "10");
  EXPECT_EQ(with(5, 1, Units::All), "20");
  EXPECT_EQ(with(5, 2, Units::All), "20");
  EXPECT_EQ(with(9, 3, Units::All), "30");
  EXPECT_EQ(with(5, 1, Units::One), "20");
}

// Three units, four groups, a shared pipeline: x at 0, 10, 20 and, for the group behind the first to end, at 30.
TEST_P(GroupRules, UnitsContendForAPipelineOfTheDevice) {
  const Device device =
      device_with({{"x", "a", 10, 10}}, R"({"compute_units": 3, "pipelines": {"a": {"scope": "device"}}})");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 4}), device, Units::All), "40");
  // One unit simulates ceil(4 / 3) = 2 groups, each with a for 10 x 4 / 2: at 0 and at 20, and ends at 30.
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfGroups, {.groups = 4}), device, Units::One), "30");
}

// Two groups for three units: a unit with a group shares the pipeline with one more unit, not with two.
TEST_P(GroupRules, UnitsWithoutAGroupTakeNothingOfTheDevice) {
  const Device device = device_with({{"x", "a", 10, 10}, {"y", "a", 10, 10}},
                                    R"({"compute_units": 3, "pipelines": {"a": {"scope": "device"}}})");
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "x"}, {"id": "j", "op": "y", "after": ["i"]})", {.groups = 2});
  // All units: two x at 0 and 10, two y at 20 and 30. One unit: x at 0, y at 20, until 30; with a third of a it was 40.
  EXPECT_EQ(cycles_of(kernel, device, Units::All), "40");
  EXPECT_EQ(cycles_of(kernel, device, Units::One), "30");
}

/// x as often as the kind of the group says.
Kernel kernel_of_kinds(std::string_view kinds, int groups) {
  return read_kernel_json(fmt::format(R"({{"format": "warpipe-kernel", "version": 1, "name": "test", "kinds": {{{}}},
                       "launch": {{"group_size": 32, "groups": {}, "concurrent_groups": 1}},
                       "body": [{{"loop": "l", "trip_count": "n", "body": [{{"id": "i", "op": "x"}}]}}]}})",
                                      kinds, groups),
                          "test kernel");
}

// Trips 1 2 3 1 2 3 on two units, a group at a time, 10 each: placed in the order of their index, units 0 and 1 have 1
// (0..10) and 2 (0..20), then 3 (10..40) and 1 (20..30), 2 (30..50), and 3 (40..70).
TEST_P(GroupRules, GroupsOfDifferentKindsArePlacedInTheOrderOfTheirIndex) {
  const Device device = device_with({{"x", "a", 10, 10}}, R"({"compute_units": 2})");
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[0, 1], [1, 1], [2, 1]], "values": {"n": [1, 2, 3]})", 6);
  EXPECT_EQ(cycles_of(kernel, device, Units::All), "70");
}

// A single unit simulates 3 of these 6: one trip, then 4 - 1 = 2 or more wanted, and so on: 1, 2, 3, half of all.
TEST_P(GroupRules, OneUnitSimulatesGroupsThatDoTheWorkOfAverageOnes) {
  const Device device = device_with({{"x", "a", 10, 10}}, R"({"compute_units": 2})");
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[0, 1], [1, 1], [2, 1]], "values": {"n": [1, 2, 3]})", 6);
  EXPECT_EQ(cycles_of(kernel, device, Units::One), "60");
}

// A kind without work for any warp ends when it is placed, and lets the next group in.
TEST_P(GroupRules, GroupsWithoutInstructionsEndWhenTheyArePlaced) {
  const Device device = device_with({{"x", "a", 10, 10}}, R"({"compute_units": 1})");
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[0, 1], [1, 1]], "values": {"n": [0, 2]})", 5);
  EXPECT_EQ(cycles_of(kernel, device, Units::One), "40");
}

}  // namespace
}  // namespace warpipe
