#include "warpipe/predict/run_within.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "extent.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/lower.hpp"

/// Results of an extended run beside its time; tests/skipping/verify_tolerance.cpp compares the time with the launch's
/// own.

namespace warpipe {
namespace {

constexpr double kTolerance = 0.005;

/// A unit on which a load takes the pipeline for 4 cycles, and its consumer waits for 100.
Device toy_unit() {
  return read_device_json(R"({"format": "warpipe-device", "version": 1, "name": "toy", "compute_units": 2,
    "clock_hz": 1000000000, "warp_size": 32,
    "limits": {"warps_per_unit": 64, "groups_per_unit": 16, "threads_per_group": 1024},
    "pipelines": {"alu": {}, "lsu": {}},
    "ops": {"add": {"pipeline": "alu", "issue": 1.5, "completion": 7},
            "load": {"pipeline": "lsu", "issue": 4, "completion": 100}}})",
                          "toy.json");
}

/// Loops of loads, in a launch that fills the slots of both units `waves` times.
LoweredLaunch loads(int waves, int trips, double tolerance) {
  const std::string text = R"({"format": "warpipe-kernel", "version": 1, "name": "loads",
    "launch": {"group_size": 128, "groups": )" +
                           std::to_string(32 * waves) + R"(},
    "body": [{"id": "index", "op": "add"},
             {"loop": "i", "trip_count": )" +
                           std::to_string(trips) + R"(, "body": [
               {"id": "value", "op": "load", "after": ["index", "sum"]},
               {"id": "sum", "op": "add", "after": ["value", "sum"]}]}]})";
  LaunchOptions options;
  options.tolerance = tolerance;
  options.skipping = Skipping::Off;  // else the period of the loop is found, and nothing is long
  return lower_launch(read_kernel_json(text, "loads.json"), toy_unit(), options);
}

TEST(RunWithin, ExtendsALongLaunchAndSaysHowFarItMayBeOff) {
  const LoweredLaunch lowered = loads(300, 100, kTolerance);
  const RunWithin run = run_within(lowered);
  const SimulationResult exact = simulate(lowered.program);
  EXPECT_NEAR(to_cycles(run.result.cycles).count / to_cycles(exact.cycles).count, 1, kTolerance);
  EXPECT_GT(run.off, 0);
  EXPECT_LE(run.off, kTolerance);
  // 300 waves x 16 groups x 4 warps x (1 + 100 x 2) instructions
  EXPECT_EQ(run.result.issued, 300 * 16 * 4 * 201);
  EXPECT_GT(run.result.skipped, run.result.issued / 2) << "or shorter runs would not be worth their while";
}

TEST(RunWithin, TimeIsNeverBelowTheBound) {
  const LoweredLaunch lowered = loads(300, 100, kTolerance);
  const double own = to_cycles(run_within(lowered).result.cycles).count;
  const Ticks above = round_to_ticks(Cycles{own * 1.001});  // as if no schedule could be as fast
  const auto run = extended_run(lowered.program, above, kTolerance);
  ASSERT_TRUE(run);
  EXPECT_GE(run->result.cycles, above);
}

TEST(RunWithin, HasTheSizesOfTheRunThatItIsComparedWith) {
  const Program program = loads(300, 100, kTolerance).program;
  const auto own = extended_run(program, Ticks{1}, kTolerance);
  ASSERT_TRUE(own);
  const RunWithin::Sizes longer{2 * own->sizes.waves, own->sizes.trips};
  const auto run = extended_run(program, Ticks{1}, kTolerance, longer);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->sizes.waves, longer.waves);
  EXPECT_EQ(run->sizes.trips, longer.trips);
  EXPECT_LT(run->result.skipped, own->result.skipped);
}

/// As loads(300, 100), with groups of 80 trips in some places.
Program loads_of_two_kinds(const std::vector<GroupOrder::Run>& order) {
  Program program = loads(300, 100, kTolerance).program;
  program.streams.push_back(loads(300, 80, kTolerance).program.streams.front());
  program.kinds.push_back(std::vector<std::uint32_t>(program.kinds.front().size(), 1));
  program.order = GroupOrder(order);
  return program;
}

// Of every 101 groups one is shorter, and in another slot each time: 4800 groups have no two waves alike for long.
TEST(RunWithin, ExtendsWavesWithOtherKindsOfGroups) {
  std::vector<GroupOrder::Run> order;
  for (int i = 0; i < 48; ++i) order.insert(order.end(), {{0, 100 - i % 3}, {1, 1}});
  const Program program = loads_of_two_kinds(order);
  const auto run = extended_run(program, Ticks{1}, kTolerance);
  ASSERT_TRUE(run);
  EXPECT_TRUE(is_extended(*run));
  EXPECT_NEAR(to_cycles(run->result.cycles).count / to_cycles(simulate(program).cycles).count, 1, kTolerance);
}

TEST(RunWithin, DoesNotExtendWavesToShorterGroups) {
  EXPECT_FALSE(extended_run(loads_of_two_kinds({{0, 3600}, {1, 1200}}), Ticks{1}, kTolerance));
}

/// Stores of many groups, one after the other: each group ends at its last issue, when the memory still has work.
LoweredLaunch stores(int groups, double memory) {
  const std::string device = R"({"format": "warpipe-device", "version": 1, "name": "one", "compute_units": 1,
    "clock_hz": 1000000000, "warp_size": 32,
    "limits": {"warps_per_unit": 4, "groups_per_unit": 1, "threads_per_group": 128},
    "pipelines": {"lsu": {}, "memory": {}},
    "ops": {"store": {"pipeline": "lsu", "issue": 2, "completion": 100, "retires_at": "issue",
                      "then": [{"pipeline": "memory", "issue": )" +
                             fmt::format("{}", memory) + R"(, "after": 20}]}}})";
  const std::string kernel = R"({"format": "warpipe-kernel", "version": 1, "name": "stores",
    "launch": {"group_size": 128, "groups": )" +
                             std::to_string(groups) + R"(},
    "body": [{"loop": "i", "trip_count": 20, "body": [{"id": "stored", "op": "store"}]}]})";
  LaunchOptions options;
  options.tolerance = kTolerance;
  options.skipping = Skipping::Off;
  return lower_launch(read_kernel_json(kernel, "stores.json"), read_device_json(device, "one.json"), options);
}

// A group of 4 x 20 stores issues for 160 cycles; the memory takes 240 for them. It is done 20 + 3 x 80 x groups later.
TEST(RunWithin, CountsWorkThatPipelinesHaveLeft) {
  const int groups = 40000;
  const LoweredLaunch lowered = stores(groups, 3);
  const auto run = extended_run(lowered.program, Ticks{1}, kTolerance);
  ASSERT_TRUE(run);
  EXPECT_TRUE(is_extended(*run));
  EXPECT_NEAR(to_cycles(run->result.cycles).count, 20 + 3.0 * 80 * groups, kTolerance * 3 * 80 * groups);
}

TEST(RunWithin, SimulatesWhatIsShortOrExactWhole) {
  const LoweredLaunch small = loads(2, 10, kTolerance), exact = loads(60, 100, 0);
  for (const LoweredLaunch* lowered : {&small, &exact}) {
    const RunWithin run = run_within(*lowered);
    EXPECT_EQ(run.off, 0);
    EXPECT_EQ(run.result.cycles, simulate(lowered->program).cycles);
  }
}

TEST(RunWithin, HasNoExtentOfLoopsThatBeginTogether) {
  const std::string text = R"({"format": "warpipe-kernel", "version": 1, "name": "nested",
    "launch": {"group_size": 32, "groups": 2, "concurrent_groups": 1},
    "body": [{"loop": "i", "trip_count": 50, "body": [
               {"loop": "j", "trip_count": 50, "body": [{"id": "inner", "op": "load"}]}, {"id": "outer", "op": "add"}]},
             {"loop": "k", "trip_count": 50, "body": [{"id": "alone", "op": "load"}]}]})";
  const LoweredLaunch lowered = lower_launch(read_kernel_json(text, "nested.json"), toy_unit(), {});
  std::vector<std::uint32_t> loops;
  for (const Extent& extent : extents_of(lowered.program))
    if (extent.of == Extent::Of::Trips) loops.push_back(extent.instruction);
  EXPECT_EQ(loops, std::vector<std::uint32_t>{2}) << "fewer trips of i would be fewer of j, too";
}

/// Loads of a launch on 64 units with a shared memory that takes a load in 1/8 of a cycle: 8 cycles of each unit.
LoweredLaunch loads_on_many_units(int groups) {
  const std::string device = R"({"format": "warpipe-device", "version": 1, "name": "many", "compute_units": 64,
    "clock_hz": 1000000000, "warp_size": 32,
    "limits": {"warps_per_unit": 64, "groups_per_unit": 4, "threads_per_group": 1024},
    "pipelines": {"lsu": {}, "memory": {"scope": "device"}},
    "ops": {"load": {"pipeline": "lsu", "issue": 1, "completion": 100,
                     "then": [{"pipeline": "memory", "issue": 0.125, "after": 20}]}}})";
  const std::string kernel = R"({"format": "warpipe-kernel", "version": 1, "name": "loads",
    "launch": {"group_size": 128, "groups": )" +
                             std::to_string(groups) + R"(},
    "body": [{"loop": "i", "trip_count": 80, "body": [{"id": "value", "op": "load", "after": ["value"]}]}]})";
  LaunchOptions options;
  options.units = Units::All;
  options.tolerance = kTolerance;
  options.skipping = Skipping::Off;
  return lower_launch(read_kernel_json(kernel, "loads.json"), read_device_json(device, "many.json"), options);
}

TEST(RunWithin, FewUnitsStandForAll) {
  const LoweredLaunch lowered = loads_on_many_units(64 * 4 * 6);
  const RunWithin run = run_within(lowered);
  EXPECT_GE(run.sizes.units, 4);
  EXPECT_LE(run.sizes.units, 16) << "a fourth of all units";
  EXPECT_GT(run.off, 0);
  const SimulationResult exact = simulate(lowered.program, Skipping::Off);
  EXPECT_NEAR(to_cycles(run.result.cycles).count / to_cycles(exact.cycles).count, 1, kTolerance);
  EXPECT_EQ(run.result.issued, exact.issued);
  EXPECT_GT(run.result.skipped, run.result.issued / 2);
}

// A unit may have 26 groups where another has 24: 2 of 25 exceed the tolerance. With 25 slots filled six times, or 512
// groups, the difference is smaller.
TEST(RunWithin, SimulatesAllUnitsWhereOneMayHaveMoreGroupsThanOthers) {
  const auto is_extended = [](int groups) {
    return extended_run(loads_on_many_units(groups).program, Ticks{1}, kTolerance).has_value();
  };
  EXPECT_FALSE(is_extended(64 * 4 * 6 + 32));
  EXPECT_TRUE(is_extended(64 * 4 * 6));
  EXPECT_TRUE(is_extended(64 * 4 * 128 + 32));
}

TEST(RunWithin, FewUnitsHaveTheGroupsAndTheShareOfAll) {
  const Program all = loads_on_many_units(64 * 24 + 1).program;
  const Extent units = extents_of(all).front();
  ASSERT_EQ(units.of, Extent::Of::Units);
  const Program few = shortened(all, units, 4);
  EXPECT_EQ(few.machine.units, 4);
  EXPECT_EQ(few.machine.groups, 4 * 24 + 1) << "some unit has one more, as on all";
  // A sixteenth of the units has 16 times as much of the memory's time: 16 x 0.125 cycles.
  EXPECT_EQ(few.streams.front().stages.front().issue, round_to_ticks(Cycles{2}));
  EXPECT_EQ(few.streams.front().steps.front().issue, all.streams.front().steps.front().issue)
      << "each unit has its own";
}

TEST(RunWithin, SimulatesAllUnitsWhereSlotsAreFilledOnce) {
  const LoweredLaunch lowered = loads_on_many_units(64 * 4);
  const auto run = extended_run(lowered.program, Ticks{1}, kTolerance);
  EXPECT_TRUE(!run || run->sizes.units == 0);
}

}  // namespace
}  // namespace warpipe
