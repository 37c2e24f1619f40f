#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "core/engine.hpp"
#include "models.hpp"
#include "policies.hpp"
#include "simulators.hpp"
#include "warpipe/engine/simulate.hpp"

/// Launches far larger than any real launch: their time is known in closed form, and the steps simulated singly are
/// counted. Nothing here is timed: bench/growth_bench.cpp does that.

namespace warpipe {
namespace {

/// Counts the groups placed singly.
struct PlacementCount : NoObserver {
  std::int64_t placed = 0;
  void on_group_placed(const GroupPlacedEvent&) { ++placed; }
};

Kernel empty_groups(int groups, int concurrent_groups) {
  return kernel_with(R"({"when": "0", "body": [{"id": "x", "op": "x"}]})",
                     {.groups = groups, .concurrent_groups = concurrent_groups});
}

void expect_few_placements(const Kernel& kernel, std::string_view patch, std::int64_t expected_ticks) {
  const Program program = program_of(kernel, device_with({{"x", "a", 1, 1}}, patch));
  PlacementCount count;
  const SimulationResult result = Engine<FirstReady, PlacementCount>(program, count, true).run().value();
  EXPECT_EQ(result.cycles.count, expected_ticks) << patch;
  EXPECT_LT(count.placed, 10'000) << patch;
}

// A slot is free again the launch latency after its group, which ends when it is placed.
TEST(Growth, GroupsWithoutInstructionsAreSkipped) {
  constexpr int kGroups = 1'000'000'000;
  expect_few_placements(empty_groups(kGroups, 4), "{}", 0);
  expect_few_placements(empty_groups(kGroups, 4), R"({"group_dispatch_interval": 3})", 3000L * (kGroups - 1));
  expect_few_placements(empty_groups(kGroups, 1), R"({"group_launch_latency": 7})", 7000L * (kGroups - 1));
  // Four at a time, and the fourth of them 6 after the first, whose slot is free 7 after it came.
  expect_few_placements(empty_groups(kGroups, 4), R"({"group_dispatch_interval": 2, "group_launch_latency": 7})",
                        2000L * (kGroups - 1));
}

// 8 warps, in turn, and no time at all.
TEST(Growth, IssuesThatTakeNoTimeAreSkipped) {
  const Device device = device_with({{"x", "a", 0, 0}});
  const Kernel trips =
      kernel_with(R"({"loop": "l", "trip_count": 100000000, "body": [{"id": "x", "op": "x"}]})", {.warps = 8});
  const Kernel groups =
      kernel_with(R"({"id": "x", "op": "x"})", {.warps = 8, .groups = 100'000'000, .concurrent_groups = 8});
  for (const Kernel& kernel : {trips, groups}) {
    const SimulationResult result = simulate(program_of(kernel, device), Skipping::On);
    EXPECT_EQ(result.cycles, Ticks{});
    EXPECT_EQ(result.issued, 800'000'000);
    EXPECT_LT(result.issued - result.skipped, 100'000);
  }
}

// More loops than there are finders of periods: each loop is skipped but for its first and last trips.
TEST(Growth, LoopsAreSkippedHoweverManyThereAre) {
  std::string body;
  for (int i = 0; i < 300; ++i)
    body += fmt::format(R"({}{{"loop": "l{}", "trip_count": 100000, "body": [{{"id": "x{}", "op": "x"}}]}})",
                        i == 0 ? "" : ", ", i, i);
  const SimulationResult result =
      simulate(program_of(kernel_with(body), device_with({{"x", "a", 2, 1}})), Skipping::On);
  EXPECT_EQ(result.issued, 30'000'000);
  EXPECT_EQ(result.cycles.count, 1000L * (2 * (30'000'000 - 1) + 1));
  EXPECT_LT(result.issued - result.skipped, 300'000);
}

class GrowthUnder : public testing::TestWithParam<Policy> {};
INSTANTIATE_TEST_SUITE_P(Policies, GrowthUnder,
                         testing::Values(Policy::FirstReady, Policy::Oldest, Policy::GreedyOldest, Policy::RoundRobin));

// Pipeline a takes x of all warps, 1 each, twice: the second time behind the first, since 65536 > 4.
TEST_P(GrowthUnder, AUnitOfManyWarpsKeepsItsPipelineBusy) {
  constexpr int kWarps = 65'536;
  Device device = device_with({{"x", "a", 1, 4}});
  device.policy = GetParam();
  const std::string_view body = R"({"id": "x", "op": "x"}, {"id": "y", "op": "x", "after": ["x"]})";
  // The greedy warp issues as soon as its result is there, and further warps fill the time: the pipeline is never idle.
  EXPECT_EQ(cycles(Simulator::Product, kernel_with(body, {.warps = kWarps}), device),
            fmt::format("{}", 2 * kWarps + 3));
  EXPECT_EQ(cycles(Simulator::Product, kernel_with(body, {.groups = kWarps, .concurrent_groups = kWarps}), device),
            fmt::format("{}", 2 * kWarps + 3));
}

// All units wait for the same pipeline: the last load starts behind all the rest and takes 100, its y 4 more.
TEST_P(GrowthUnder, ManyUnitsTakeTurnsAtOnePipeline) {
  constexpr int kUnits = 8000;
  Device device = device_with({{"load", "dram", 2, 100}, {"y", "a", 1, 4}},
                              R"({"compute_units": 8000, "pipelines": {"dram": {"scope": "device"}}})");
  device.policy = GetParam();
  const Kernel kernel =
      kernel_with(R"({"id": "load", "op": "load"}, {"id": "y", "op": "y", "after": ["load"]})", {.groups = kUnits});
  EXPECT_EQ(cycles(Simulator::Product, kernel, device, Units::All), fmt::format("{}", 2 * (kUnits - 1) + 104));
}

}  // namespace
}  // namespace warpipe
