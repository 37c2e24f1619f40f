#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models.hpp"
#include "simulators.hpp"

/// Rules 4, 5 and 7 of the model, on a device whose memory has levels: the level that serves an access, and its delay
/// by accesses in flight.

namespace warpipe {
namespace {

class LevelRules : public testing::TestWithParam<Simulator> {
 protected:
  static std::string cycles_of(const Kernel& kernel, const Device& device, Units units = Units::One) {
    return cycles(GetParam(), kernel, device, units);
  }
};

INSTANTIATE_TEST_SUITE_P(Simulators, LevelRules, both_simulators(), name_of_simulator);

/// At 1 GHz: a nanosecond is a cycle. An access of 32 lanes moves 4 sectors of 32 bytes. Pipeline a is always free
/// again at once, but for changes by `patch`.
Device device_of(std::string_view levels, std::string_view patch = "{}") {
  return device_with(
      {{"global.load", "a", 0, 0}, {"global.store", "a", 0, 0}, {"x", "b", 0, 20}},
      fmt::format(R"({{"memory": {{"store_latency_s": 50e-9, "levels": [{}]}}, "ops": {}}})", levels, patch));
}

constexpr auto kL1 = R"({"name": "l1", "scope": "compute_unit", "bytes": 4096, "ways": 1, "latency": 10})";
/// 4 sectors in 4 cycles.
constexpr auto kL2 = R"({"name": "l2", "bytes": 65536, "ways": 1, "latency_s": 100e-9, "read_bytes_per_s": 32e9})";
/// 4 sectors in 16 cycles, written in 32.
constexpr auto kDram = R"({"name": "dram", "latency_s": 400e-9, "read_bytes_per_s": 8e9, "write_bytes_per_s": 4e9})";

Device three_levels(std::string_view patch = "{}") {
  return device_of(fmt::format("{}, {}, {}", kL1, kL2, kDram), patch);
}

struct Share {
  const char* level;
  double share;
};

/// All accesses are served so.
Kernel served_by(const std::vector<Share>& shares, Kernel kernel) {
  for (Instruction& instruction : kernel.instructions) {
    if (!instruction.op.starts_with("global.")) continue;
    for (const auto& [level, share] : shares) instruction.levels.push_back({level, Expression(share), {}});
  }
  return kernel;
}

/// A chain of loads.
Kernel loads(int trips, const TestLaunch& launch = {}) {
  return kernel_with(fmt::format(R"({{"loop": "l", "trip_count": {}, "body": [
                                       {{"id": "i", "op": "global.load", "after": ["i"]}}]}})",
                                 trips),
                     launch);
}

// In a chain, each access but the first finds its predecessor in flight for all of the last latency: 4 cycles at l2, 16
// at dram; a third of them delays it. At l2 the predecessor has left long ago where dram serves.
TEST_P(LevelRules, AResultComesAfterTheLatencyOfItsLevel) {
  EXPECT_EQ(cycles_of(served_by({{"l1", 1}}, loads(3)), three_levels()), "30");
  EXPECT_EQ(cycles_of(served_by({{"l2", 1}}, loads(1)), three_levels()), "100");
  EXPECT_EQ(cycles_of(served_by({{"l2", 1}}, loads(3)), three_levels()), "302.666");
  EXPECT_EQ(cycles_of(loads(3), three_levels()), "1210.666") << "the last level serves all where nothing is said";
}

// The positions of four executions in a row are 0, 32, 16, 48: with halves, the second and the fourth miss l1; with a
// quarter of misses, the fourth alone. With halves, l2 serves from 10 to 110 and again at 120: 4 cycles were in flight
// for 90 of the last 100, a load of 3.6; a third of it delays.
TEST_P(LevelRules, LevelsServeInTurn) {
  EXPECT_EQ(cycles_of(served_by({{"l1", 0.5}, {"l2", 0.5}}, loads(4)), three_levels()), "221.2");
  EXPECT_EQ(cycles_of(served_by({{"l1", 0.75}, {"l2", 0.25}}, loads(4)), three_levels()), "130");
  EXPECT_EQ(cycles_of(served_by({{"l1", 0.75}, {"l2", 0.25}}, loads(5)), three_levels()), "140");
}

// The second group begins with the second position, the third with the third.
TEST_P(LevelRules, EachGroupBeginsAtAPositionOfItsOwn) {
  const auto cycles_of_groups = [](int groups) {
    const Kernel kernel = loads(1, {.groups = groups, .concurrent_groups = 1});
    return cycles_of(served_by({{"l1", 0.5}, {"l2", 0.5}}, kernel), three_levels());
  };
  EXPECT_EQ(cycles_of_groups(1), "10");
  EXPECT_EQ(cycles_of_groups(2), "110");
  EXPECT_EQ(cycles_of_groups(3), "120");
}

// Warp 1 comes to l2 at 0; its 4 cycles are in flight for 10 of the 100 before warp 0 comes at 10: a load of 0.4; a
// third of it, 0.133, delays.
TEST_P(LevelRules, WhatIsInFlightDelaysALoad) {
  const Kernel kernel = served_by({{"l1", 0.5}, {"l2", 0.5}}, loads(2, {.warps = 2}));
  EXPECT_EQ(cycles_of(kernel, three_levels()), "110.133");
}

// A level of 100 cycles, with a turn of 100 for each access: the second is late by 100, the third by 200.
TEST_P(LevelRules, AFullMemoryServesAtItsRate) {
  const Device device = device_of(R"({"name": "dram", "latency_s": 100e-9, "read_bytes_per_s": 1.28e9})");
  EXPECT_EQ(cycles_of(loads(1, {.warps = 1}), device), "100");
  EXPECT_EQ(cycles_of(loads(1, {.warps = 2}), device), "200");
  EXPECT_EQ(cycles_of(loads(1, {.warps = 3}), device), "300");
}

// x needs the result 5 cycles after the issue where l1 serves it: 5 cycles sooner than other consumers, whichever level
// serves it. So it issues 95 cycles behind a load served by l2.
TEST_P(LevelRules, AConsumersOwnLatencyCountsFromTheNearestLevel) {
  const Kernel kernel = kernel_with(R"({"loop": "l", "trip_count": 2, "body": [
                                          {"id": "i", "op": "global.load", "after": ["x"]},
                                          {"id": "x", "op": "x", "after": [{"id": "i", "latency": 5}]}]})");
  // i at 0, x at 5, complete at 25; i at 25, x at 25 + 95, complete at 140
  EXPECT_EQ(cycles_of(served_by({{"l1", 0.5}, {"l2", 0.5}}, kernel), three_levels()), "140");
}

constexpr auto kStore = R"({"id": "s", "op": "global.store"})";

TEST_P(LevelRules, AStoreKeepsItsSlotUntilItIsAcknowledged) {
  EXPECT_EQ(cycles_of(served_by({{"l2", 1}}, kernel_with(kStore)), three_levels()), "50");
  // The first store's 4 cycles were in flight at l2 for 50 of 100 before the second group's store at 50: a third of 2
  // cycles, and a store waits for 50 / 100 of it.
  const Kernel two = kernel_with(kStore, {.groups = 2, .concurrent_groups = 1});
  EXPECT_EQ(cycles_of(served_by({{"l2", 1}}, two), three_levels()), "100.333");
}

// At dram the first store takes 32 cycles, and is in flight up to 400. The second comes there at 50.333: a load of 32 x
// 50.333 / 400 = 4.026, a third of it is 1.342, and a store waits for 50 / 400 of it: 0.167 more.
TEST_P(LevelRules, AStoreWaitsAtEachOfItsLevels) {
  const Kernel two = kernel_with(kStore, {.groups = 2, .concurrent_groups = 1});
  EXPECT_EQ(cycles_of(two, three_levels()), "100.5");
}

// Ten stores at once: acknowledged after 50 cycles at an idle memory, and written in 10 x 32.
TEST_P(LevelRules, StoresDrainBehindTheEndOfTheirGroups) {
  const Device device =
      device_of(R"({"name": "dram", "latency_s": 400e-9, "read_bytes_per_s": 8e9, "write_bytes_per_s": 4e9})");
  EXPECT_EQ(cycles_of(kernel_with(kStore, {.warps = 10}), device), "320");
  EXPECT_EQ(cycles_of(kernel_with(kStore), device), "50");
}

// Warp 0 stores for 32 cycles, and the load of warp 1 waits for them; then the load takes 128 bytes / 3.2 per cycle =
// 40, where it would take 16 alone. So it is late by 72 - 20.
TEST_P(LevelRules, ReadsAmongWritesTakeTheMixedRate) {
  const char* dram = R"({{"name": "dram", "latency_s": 20e-9, "read_bytes_per_s": 8e9, "write_bytes_per_s": 4e9{}}})";
  const Kernel kernel = kernel_with(R"({"when": "warp == 0", "body": [{"id": "s", "op": "global.store"}]},
                                       {"when": "warp == 1", "body": [{"id": "l", "op": "global.load"}]})",
                                    {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device_of(fmt::format(fmt::runtime(dram), R"(, "mixed_bytes_per_s": 3.2e9)"))), "72");
  EXPECT_EQ(cycles_of(kernel, device_of(fmt::format(fmt::runtime(dram), ""))), "62") << "the store, late by 12";
}

// Write-backs of a load: a sector of dram in every execution, and no instruction waits for it.
TEST_P(LevelRules, NobodyWaitsAtALevelThatServesNoExecution) {
  Kernel kernel = loads(1, {.warps = 100});
  kernel.instructions[0].levels = {{"l2", Expression(1), Expression(4)}, {"dram", {}, Expression(4)}};
  // 100 x 16 cycles at dram; at l2 the last is late by 400 - 100
  EXPECT_EQ(cycles_of(kernel, three_levels()), "1600");
}

// Half of two executions waits for dram, for sectors fetched by another access; nothing goes through l2 for them.
TEST_P(LevelRules, ALevelWithoutSectorsMovesNoneWhereAnotherHasThem) {
  const auto busy_with = [](const std::vector<LevelUse>& levels) {
    Kernel kernel = loads(2);
    kernel.instructions[0].levels = levels;
    return busy_pipelines(GetParam(), kernel, three_levels(), Units::One);
  };
  const LevelUse l1{"l1", Expression(0.5), {}}, l2{"l2", {}, Expression(0)}, dram{"dram", Expression(0.5), {}};
  const LevelUse one_sector{"dram", Expression(0.5), Expression(1)}, none{"dram", Expression(0.5), Expression(0)};
  using Busy = std::map<std::string, Ticks>;
  // One execution goes to dram, with the sectors of two: a sector takes it 4 cycles, l2 a cycle.
  EXPECT_EQ(busy_with({l1, dram}), (Busy{{"l2", Ticks{4000}}, {"dram", Ticks{16000}}})) << "by the shares";
  EXPECT_EQ(busy_with({l1, one_sector}), (Busy{{"dram", Ticks{8000}}}));
  EXPECT_EQ(busy_with({l1, l2, one_sector}), busy_with({l1, one_sector}));
  EXPECT_EQ(busy_with({l1, none}), Busy{});
  EXPECT_EQ(busy_with({l1, l2, dram}), Busy{});
}

// One unit for all of four: each access takes l2 for 16 cycles, four times as long.
TEST_P(LevelRules, OneUnitTakesItsFairShareOfALevel) {
  Device device = three_levels();
  device.compute_units = 4;
  const Kernel kernel = served_by({{"l2", 1}}, loads(1, {.warps = 8, .groups = 4}));
  EXPECT_EQ(cycles_of(kernel, device), "128") << "the last of 8 x 16 cycles is late by 28";
  EXPECT_EQ(cycles_of(kernel, device, Units::All), "128") << "the last of 32 x 4 cycles";
}

}  // namespace
}  // namespace warpipe
