#include "warpipe/predict/settle_launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cached_models.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using testing::HasSubstr;

const std::string kHere = "4 * (32 * group + lane)", kFirstLine = "4 * lane";

double time_of(const std::string& address) {
  return predict(kernel_with_array(access("x", "global.load", address)), device_with_caches(), {}).time.count;
}

TEST(SettleLaunch, SaysWhichLevelsServeAnAccess) {
  const SettledLaunch settled =
      settle_launch(kernel_with_array(access("x", "global.load", kHere)), device_with_caches(), {});
  ASSERT_TRUE(settled.levels);
  const std::vector<LevelUse> all_from_memory{{"l1", Expression(0), Expression(4)},
                                              {"l2", Expression(0), Expression(4)},
                                              {"dram", Expression(1), Expression(4)}};
  EXPECT_EQ(settled.kernel.instructions[0].levels, all_from_memory);
  EXPECT_EQ(settled.levels->groups, 64);
}

// The first warp fetches 32 sectors of 32 bytes, 100 bytes per cycle at l2 and 400 at dram: 10.24 and 2.56 cycles.
// Later warps find them under way and wait for the memory, but move nothing.
TEST(SettleLaunch, WhatIsUnderWayMovesNothingAgain) {
  const Kernel kernel =
      kernel_with_array(R"({"when": "warp == 0", "body": [)" + access("a", "global.load", "128 * lane") +
                            R"(]}, {"when": "warp > 0", "body": [)" + access("b", "global.load", "128 * lane") + "]}",
                        1);
  Device device = device_with_caches();
  device.memory->levels[1].read_rate = BytesPerSecond{1e11};
  device.memory->levels[2].read_rate = BytesPerSecond{4e11};
  LaunchOptions options;
  options.group_size = 1024;
  std::map<std::string, std::string> busy;
  for (const PipelineUse& use : predict(kernel, device, options).pipelines) busy[use.name] = format_cycles(use.busy);
  EXPECT_EQ(busy["l2"], "10.24");
  EXPECT_EQ(busy["dram"], "2.56");
}

TEST(SettleLaunch, DecidesHowLongARunTakes) { EXPECT_LT(time_of(kFirstLine), 0.8 * time_of(kHere)); }

TEST(SettleLaunch, LeavesADeviceWithoutLevelsAndAKernelWithoutAddressesAlone) {
  Device device = device_with_caches();
  EXPECT_FALSE(settle_launch(kernel_with_array(R"({"id": "x", "op": "global.load"})"), device, {}).levels);
  device.memory->levels.clear();
  device.ops[1].completion = device.ops[2].completion;
  std::erase_if(device.pipelines, [](const Pipeline& pipeline) { return pipeline.level.has_value(); });
  const SettledLaunch settled = settle_launch(kernel_with_array(access("x", "global.load", kHere)), device, {});
  EXPECT_FALSE(settled.levels);
  EXPECT_TRUE(settled.kernel.instructions[0].levels.empty());
}

TEST(SettleLaunch, AsksTheCachesOnceForPointsThatTheySeeAlike) {
  const Kernel kernel = kernel_with_array(access("x", "global.load", kHere));
  const auto settled = [&](const LaunchOptions& options) {
    return settle_launch(kernel, device_with_caches(), options);
  };
  const auto levels = settled({}).levels;
  LaunchOptions faster;
  faster.clock = Hertz{2e9};
  faster.policy = Policy::GreedyOldest;
  faster.units = Units::All;
  faster.set.push_back({"l2.latency_s", 1e-6});
  EXPECT_EQ(settled(faster).levels, levels);
  LaunchOptions fewer;
  fewer.concurrent_groups = 1;
  EXPECT_NE(settled(fewer).levels, levels);
  LaunchOptions larger;
  larger.set_device.push_back({"memory/levels/l2/bytes", 131072});
  EXPECT_NE(settled(larger).levels, levels);
}

TEST(SettleLaunch, NamesTheFileOfAnAddressWithoutAValue) {
  try {
    settle_launch(kernel_with_array(access("x", "global.load", "4 / (group - 3)")), device_with_caches(), {});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("k.json: /body/0/access/address"));
  }
}

}  // namespace
}  // namespace warpipe
