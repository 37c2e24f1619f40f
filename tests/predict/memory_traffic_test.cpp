#include "warpipe/predict/memory_traffic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cached_models.hpp"
#include "support/folders.hpp"
#include "warpipe/predict/instruction_latencies.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MemoryTraffic traffic_of(const std::string& body, int groups = 64) {
  return memory_traffic(lower_launch(kernel_with_array(body, groups), device_with_caches(), {}));
}

std::vector<double> bytes(const AccessTraffic& access) {
  std::vector<double> bytes;
  for (const LevelTraffic& level : access.levels) bytes.push_back(level.bytes);
  return bytes;
}

std::vector<double> shares(const AccessTraffic& access) {
  std::vector<double> shares;
  for (const LevelTraffic& level : access.levels) shares.push_back(level.share);
  return shares;
}

TEST(MemoryTraffic, NamesTheLevels) {
  const MemoryTraffic traffic = traffic_of(access("x", "global.load", "4 * lane"));
  ASSERT_EQ(traffic.levels.size(), 3U);
  EXPECT_EQ(traffic.levels[0].name, "l1");
  EXPECT_TRUE(traffic.levels[0].is_of_unit);
  EXPECT_EQ(traffic.levels[0].bytes, 2 * 16384);
  EXPECT_EQ(traffic.levels[1].bytes, 65536);
  EXPECT_EQ(traffic.levels[2].bytes, 0);
}

/// Warnings where lanes are at these addresses of an array of a GiB.
std::vector<std::string> stride_warnings_of(const std::string& address) {
  auto kernel = kernel_with_array(access("x", "global.load", address));
  kernel.parameters.at("n") = 1 << 28;
  return predict(kernel, device_with_caches(), {}).warnings;
}

// Sets, channels and pages are chosen by bits shared by all of these lines: 1, 2 and 3 MiB from lane to lane.
TEST(MemoryTraffic, WarnsOfLinesThatLieMultiplesOfMebibytesApart) {
  for (const char* address : {"1048576 * lane + 4 * group", "2097152 * lane + 128 * group",
                              "3145728 * lane + 4 * group", "1048576 * floor(lane / 4) + 4 * mod(lane, 4)"})
    EXPECT_THAT(stride_warnings_of(address),
                ElementsAre(HasSubstr("the lines that \"x\" reaches at a time lie multiples of 1 MiB apart")))
        << address;
}

// Smaller strides, other strides, two rows of a block, and a column read next to each other by neighbouring lanes.
TEST(MemoryTraffic, WarnsOfNoOtherStrides) {
  for (const char* address : {"524288 * lane", "1000000 * lane", "1048704 * lane", "4 * (32 * group + lane)", "0",
                              "1048576 * floor(lane / 16) + 4 * mod(lane, 16)", "1048576 * group + 4 * lane"})
    EXPECT_THAT(stride_warnings_of(address), IsEmpty()) << address;
}

TEST(MemoryTraffic, IsFoundFromAddresses) {
  const MemoryTraffic traffic = traffic_of(access("x", "global.load", "4 * (32 * group + lane)"));
  ASSERT_EQ(traffic.accesses.size(), 1U);
  const AccessTraffic& x = traffic.accesses[0];
  EXPECT_EQ(x.known, LevelsKnown::FromAddresses);
  EXPECT_EQ(x.executions, 64);
  EXPECT_THAT(shares(x), ElementsAre(0, 0, 1));
  EXPECT_THAT(bytes(x), ElementsAre(64 * 128, 64 * 128, 64 * 128));
  EXPECT_EQ(x.compulsory_bytes, 64 * 128);
  EXPECT_EQ(bytes_at(traffic, 2), 64 * 128);
  EXPECT_THAT(traffic.notes, IsEmpty());
}

// Of 64 x 32 words the first would lie before the array: 2047 words are 8188 bytes, in 256 sectors.
TEST(MemoryTraffic, IsOfLanesWithinTheArray) {
  const MemoryTraffic traffic = traffic_of(access("x", "global.load", "4 * (32 * group + lane) - 4"));
  EXPECT_EQ(traffic.accesses[0].compulsory_bytes, 256 * 32);
}

TEST(MemoryTraffic, TellsOfAccessesWithoutAddresses) {
  const MemoryTraffic traffic = traffic_of(
      R"({"id": "x", "op": "global.load"}, {"id": "y", "op": "global.load.64"}, {"id": "z", "op": "global.atomic"})");
  ASSERT_EQ(traffic.accesses.size(), 3U);
  EXPECT_EQ(traffic.accesses[0].known, LevelsKnown::Assumed);
  EXPECT_THAT(bytes(traffic.accesses[0]), ElementsAre(64 * 128, 64 * 128, 64 * 128));
  EXPECT_THAT(bytes(traffic.accesses[1]), ElementsAre(64 * 256, 64 * 256, 64 * 256));
  EXPECT_THAT(bytes(traffic.accesses[2]), ElementsAre(64 * 128, 64 * 128, 0));
  EXPECT_THAT(traffic.notes,
              ElementsAre("\"x\", \"y\" have no addresses: dram is taken to serve them, and the caches do "
                          "not see them.",
                          "\"z\" has no addresses: l2 is taken to serve it, and the caches do not see it."));
}

TEST(MemoryTraffic, TakesWhatTheKernelSays) {
  const MemoryTraffic traffic =
      traffic_of(access("x", "global.load", "4 * lane",
                        R"(, "levels": {"l1": {"share": 0.75}, "dram": {"share": 0.25, "sectors": 3}})") +
                 R"(, {"id": "y", "op": "global.load.l2"})");
  EXPECT_EQ(traffic.accesses[0].known, LevelsKnown::Given);
  EXPECT_THAT(shares(traffic.accesses[0]), ElementsAre(0.75, 0, 0.25));
  EXPECT_THAT(bytes(traffic.accesses[0]), ElementsAre(0, 0, 64 * 96)) << "where it says no sectors, there are none";
  EXPECT_EQ(traffic.accesses[1].known, LevelsKnown::Given);
  EXPECT_THAT(bytes(traffic.accesses[1]), ElementsAre(64 * 128, 64 * 128, 0));
  EXPECT_THAT(traffic.notes, IsEmpty());
}

TEST(MemoryTraffic, TellsOfSamples) {
  std::string lanes = "0";
  for (int lane = 1; lane < 32; ++lane) lanes += fmt::format(", {}", 4 * lane);
  const MemoryTraffic traffic =
      traffic_of(R"({"id": "x", "op": "global.load", "access": {"array": "a", "width_bytes": 4, "addresses": [[)" +
                 lanes + "]]}}");
  EXPECT_EQ(traffic.accesses[0].known, LevelsKnown::FromSamples);
  EXPECT_THAT(traffic.notes, ElementsAre(HasSubstr("Samples of the addresses of \"x\"")));
}

TEST(MemoryTraffic, IsOfAccessesThatRunAndThatLevelsServe) {
  const std::string never = R"({"when": "warp > 0", "body": [)" + access("x", "global.load", "0") + "]}";
  EXPECT_THAT(traffic_of(never + R"(, {"id": "f", "op": "ffma"}, {"id": "d", "op": "global.load.dma"})").accesses,
              IsEmpty());
}

TEST(MemoryTraffic, CountsTheExecutionsOfTheWholeLaunch) {
  const MemoryTraffic traffic = traffic_of(
      R"({"loop": "i", "trip_count": "trips", "body": [)" + access("x", "global.load", "4 * (32 * i + lane)") + "]}",
      1001);
  EXPECT_EQ(traffic.accesses[0].executions, 8 * 1001);
}

/// Of three warps two execute an access: one touches two sectors, the other all four, as stated. No warp executes "y".
std::string access_that_varies() {
  return R"({"when": "warp > 0", "body": [)" +
         access(
             "x", "global.load", "4 * (96 * group + 32 * warp + lane)",
             R"-(, "transactions": "2 * (warp == 1) + 4 * (warp == 2)", "conflict_degree": "3 * (warp == 1) + 5 * (warp == 2)")-") +
         R"(]}, {"when": "warp > 2", "body": [{"id": "y", "op": "global.load", "transactions": "warp > 2"}]})";
}

LaunchOptions three_warps() {
  LaunchOptions options;
  options.group_size = 96;
  return options;
}

TEST(MemoryTraffic, IsTheMeanOfTheWarpsThatExecuteAnAccess) {
  constexpr double kBytes = 64 * (2 + 4) * 32;
  Kernel kernel = kernel_with_array(access_that_varies());
  const MemoryTraffic found = predict(kernel, device_with_caches(), three_warps()).memory;
  ASSERT_EQ(found.accesses.size(), 1U);
  EXPECT_EQ(found.accesses[0].executions, 64 * 2);
  EXPECT_THAT(bytes(found.accesses[0]), ElementsAre(kBytes, kBytes, kBytes));
  kernel.instructions[0].access.reset();
  const MemoryTraffic assumed = predict(kernel, device_with_caches(), three_warps()).memory;
  ASSERT_EQ(assumed.accesses.size(), 1U);
  EXPECT_THAT(bytes(assumed.accesses[0]), ElementsAre(kBytes, kBytes, kBytes));
}

TEST(InstructionLatencies, AreThoseOfTheFirstWarpThatExecutes) {
  const SettledLaunch settled =
      settle_launch(kernel_with_array(access_that_varies()), device_with_caches(), three_warps());
  const auto latencies = instruction_latencies(settled, lower(settled));
  ASSERT_EQ(latencies.size(), 2U);
  EXPECT_EQ(latencies[0].issue.count, 3);  // of the three ways of warp 1
  EXPECT_EQ(latencies[1].issue.count, 0);
}

// Seven doubles of each thread lie in a row: a warp's seven stores write 56 whole sectors, and each goes to the memory
// once, whether five groups of 256 threads are resident or a sixth, whose sectors L2 could not hold as well.
TEST(MemoryTraffic, OfStoresOfAWarpToOneSectorIsThatSectorOnceHoweverManyGroupsAreResident) {
  const auto file = in_sources("latency_tables/data/rtx3080.json");
  const Device device = read_device_json(read_text_file(file), file);
  std::string body;
  for (int element = 0; element < 7; ++element)
    body += fmt::format(R"({}{{"id": "s{}", "op": "global.store.64", "access": {{"array": "a", "width_bytes": 8,
                               "address": "56 * (256 * group_x + thread_x) + {}"}}}})",
                        element == 0 ? "" : ", ", element, 8 * element);
  constexpr std::int64_t kGroups = 65536;
  const Kernel kernel = read_kernel_json(
      fmt::format(R"({{"format": "warpipe-kernel", "version": 1, "name": "k", "arrays": {{"a": {{"bytes": {}}}}},
                      "launch": {{"block": [256], "grid": [{}], "group_size": 256, "groups": {}}}, "body": [{}]}})",
                  56 * 256 * kGroups, kGroups, kGroups, body),
      "k.json");
  for (const std::int64_t resident : {1, 5, 6}) {
    LaunchOptions options;
    options.concurrent_groups = resident;
    const auto traffic = memory_traffic(lower_launch(kernel, device, options));
    EXPECT_NEAR(bytes_at(traffic, traffic.levels.size() - 1) / (56. * 256 * kGroups), 1, 0.02) << resident;
  }
}

TEST(MemoryTraffic, IsNoneOfADeviceWithoutLevels) {
  Device device = device_with_caches();
  device.memory.reset();
  std::erase_if(device.pipelines, [](const Pipeline& pipeline) { return pipeline.level.has_value(); });
  const MemoryTraffic traffic =
      memory_traffic(lower_launch(kernel_with_array(R"({"id": "x", "op": "global.load"})"), device, {}));
  EXPECT_THAT(traffic.levels, IsEmpty());
  EXPECT_THAT(traffic.accesses, IsEmpty());
}

TEST(MemoryTraffic, IsAPartOfAPrediction) {
  const Prediction prediction =
      predict(kernel_with_array(access("x", "global.load", "4 * lane")), device_with_caches(), {});
  EXPECT_FALSE(prediction.every_load_misses);
  EXPECT_EQ(prediction.memory.accesses.size(), 1U);
}

}  // namespace
}  // namespace warpipe
