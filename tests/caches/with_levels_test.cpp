#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "caches/patterns.hpp"
#include "warpipe/caches/levels.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::HasSubstr;

const Device kDevice = cached_device(2, 16384, 65536);

TEST(WithLevels, FillsInWhoServesWhat) {
  const AccessMaker maker = streaming(65536);
  const KernelWithLevels with = with_levels(maker.kernel(), kDevice, maker.launch());
  ASSERT_TRUE(with.found);
  const std::vector<LevelUse>& x = with.kernel.instructions[0].levels;
  ASSERT_EQ(x.size(), 3U);
  EXPECT_EQ(x[0], (LevelUse{"l1", Expression(0), Expression(4)}));
  EXPECT_EQ(x[1], (LevelUse{"l2", Expression(0), Expression(4)}));
  EXPECT_EQ(x[2], (LevelUse{"dram", Expression(1), Expression(4)}));
  const std::vector<LevelUse>& store = with.kernel.instructions[2].levels;
  EXPECT_EQ(store[1], (LevelUse{"l2", Expression(1), Expression(4)}));
  EXPECT_EQ(store[2].share, Expression(0));
}

TEST(WithLevels, LeavesWhatTheKernelSays) {
  const AccessMaker maker = streaming(65536);
  Kernel kernel = maker.kernel();
  const std::vector<LevelUse> said{{"l1", Expression(1), {}}};
  kernel.instructions[1].levels = said;
  const KernelWithLevels with = with_levels(kernel, kDevice, maker.launch());
  EXPECT_EQ(with.kernel.instructions[1].levels, said);
  EXPECT_FALSE(with.kernel.instructions[0].levels.empty());
}

// Nothing times any number is nothing.
TEST(WithLevels, TransactionsOfAnInstructionWhoseLanesAllLieOutsideMoveNothing) {
  AccessMaker maker;
  maker.array("a", "64").block(32).grid(1).load("x", "a", "64 + 4 * lane").transactions("4");
  const KernelWithLevels with = with_levels(maker.kernel(), kDevice, maker.launch());
  EXPECT_EQ(with.kernel.instructions[0].levels, (std::vector<LevelUse>{{"l1", Expression(1), Expression(0)}}));
}

TEST(WithLevels, TransactionsOfAnInstructionSayWhatItMoves) {
  Kernel kernel = strided(16384, 8).kernel();  // 32 sectors, all served by the memory
  const auto sectors_with = [&](double transactions) {
    kernel.instructions[0].transactions = Expression(transactions);
    const KernelWithLevels with = with_levels(kernel, kDevice, strided(16384, 8).launch());
    return with.kernel.instructions[0].levels.back().sectors->evaluate({});
  };
  EXPECT_EQ(sectors_with(32), 32);
  EXPECT_EQ(sectors_with(4), 4);
  EXPECT_EQ(sectors_with(64), 64);
  kernel = along_columns(256).kernel();  // 32 sectors, 4 of them new
  const KernelWithLevels reused = with_levels(kernel, cached_device(1, 65536, 65536), along_columns(256).launch());
  kernel.instructions[0].transactions = Expression(8);
  const KernelWithLevels fewer = with_levels(kernel, cached_device(1, 65536, 65536), along_columns(256).launch());
  const auto beyond_the_unit = [](const KernelWithLevels& with) {
    const auto& levels = with.kernel.instructions[0].levels;
    return std::vector<LevelUse>(levels.begin() + 1, levels.end());
  };
  EXPECT_EQ(beyond_the_unit(fewer), beyond_the_unit(reused));
}

TEST(WithLevels, DoesNothingWithoutLevelsOrAddresses) {
  const AccessMaker maker = streaming(65536);
  const KernelWithLevels without_levels = with_levels(maker.kernel(), Device(), maker.launch());
  EXPECT_FALSE(without_levels.found);
  EXPECT_EQ(without_levels.kernel, maker.kernel());
  AccessMaker other;
  other.block(32).grid(1).other("load", "global.load");
  EXPECT_FALSE(with_levels(other.kernel(), kDevice, other.launch()).found);
}

TEST(WithLevels, IsFoundOnceForAllThatCachesSeeAlike) {
  const AccessMaker maker = streaming(65536);
  const auto found = with_levels(maker.kernel(), kDevice, maker.launch()).found;
  Device slower = kDevice;
  slower.memory->levels[1].latency_s = Seconds{1e-6};
  slower.clock = Hertz{2e9};
  Kernel renamed = maker.kernel();
  renamed.name = "other";
  renamed.instructions[0].issue_latency = Cycles{3};
  EXPECT_EQ(with_levels(renamed, slower, maker.launch()).found, found);

  Device larger = kDevice;
  larger.memory->levels[1].bytes = 131072;
  EXPECT_NE(with_levels(maker.kernel(), larger, maker.launch()).found, found);
  EXPECT_NE(with_levels(maker.kernel(), kDevice, AccessMaker(maker).slots(2).launch()).found, found);
}

TEST(WithLevels, IsFoundAgainForParametersThatCachesSee) {
  AccessMaker maker;
  maker.block(32).grid(64).slots(4).parameter("degree", 1).parameter("stride", 4).parameter("trips", 2);
  maker.parameter("columns", 64).array("a", "65536 * trips");
  maker.loop("l", "trips", [](AccessMaker& body) { body.load("x", "a", "stride * lane + 128 * (group + l)"); });
  Kernel kernel = maker.kernel();
  kernel.launch.grid = {maker.parse("columns", {})};
  CacheLaunch launch = maker.launch();
  launch.values["columns"] = 64;
  const auto found_with = [&](const std::string& name, double value) {
    Kernel other = kernel;
    CacheLaunch of_other = launch;
    other.parameters[name] = of_other.values[name] = value;
    return with_levels(other, kDevice, of_other).found;
  };
  const auto found = found_with("degree", 1);
  EXPECT_EQ(found_with("degree", 2), found);
  EXPECT_NE(found_with("stride", 8), found);
  EXPECT_NE(found_with("trips", 3), found);
  EXPECT_NE(found_with("columns", 32), found);
}

// A set of 60 kB held by l1, though not by four fifths of l1; the second level holds it either way.
TEST(WithRoom, IsNearWhatTheWholeEffortFinds) {
  const AccessMaker maker = repeated(256, 61440, 40).slots(1);
  const Device device = cached_device(2, 65536, 98304);
  CacheLaunch less = maker.launch();
  less.room = 0.8;
  const KernelWithLevels known = with_levels(maker.kernel(), device, maker.launch());
  const AccessLevels whole = with_levels(maker.kernel(), device, less).filled[0];
  const AccessLevels near = with_room(maker.kernel(), device, maker.launch(), *known.found, 0.8).filled[0];
  ASSERT_GT(known.found->effort, CacheEffort().lines / 16);
  ASSERT_GT(whole.levels[1].share, known.filled[0].levels[1].share + 0.5);
  double all = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(near.levels[k].share, whole.levels[k].share, 0.05) << k;
    EXPECT_NEAR(near.levels[k].sectors, whole.levels[k].sectors, 0.05 * whole.levels[0].sectors) << k;
    EXPECT_GE(near.levels[k].share, 0) << k;
    EXPECT_GE(near.levels[k].sectors, 0) << k;
    all += near.levels[k].share;
  }
  EXPECT_NEAR(all, 1, 1e-12);
}

TEST(WithLevels, MayBeAskedFromSeveralThreads) {
  const AccessMaker maker = naive_product(64);
  std::vector<std::shared_ptr<const LevelsFromAddresses>> found(8);
  std::vector<std::thread> threads;
  for (auto& one : found)
    threads.emplace_back([&] { one = with_levels(maker.kernel(), kDevice, maker.launch()).found; });
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : found) EXPECT_EQ(one, found.front());
}

TEST(Levels, AreTheSameEachTime) {
  const AccessMaker maker = stencil(512);
  const auto once = [&] { return levels_from_addresses(maker.kernel(), kDevice, maker.launch(), {10000}); };
  EXPECT_EQ(once(), once());
}

/// The message about a kernel that cannot be simulated.
std::string refusal(const AccessMaker& maker, const Device& device = kDevice) {
  try {
    levels_from_addresses(maker.kernel(), device, maker.launch());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Levels, AnAddressMustBeWholeWhereverAWarpIs) {
  AccessMaker maker;
  maker.array("a", "4096").block(32).grid(4).load("x", "a", "4 * lane + group / 3 * (group == 2)");
  EXPECT_THAT(refusal(maker), HasSubstr("/x/access/address"));
  EXPECT_THAT(refusal(maker), HasSubstr("is not a whole number"));
}

TEST(Levels, AnAddressMustHaveAValue) {
  AccessMaker maker;
  maker.array("a", "4096").block(32).grid(4).load("x", "a", "4 / (group - 1)");
  EXPECT_THAT(refusal(maker), HasSubstr("a division by zero"));
}

TEST(Levels, LinesAndSectorsMustBeThoseOfACache) {
  Device device = kDevice;
  device.memory->levels[1].line_bytes = 96;
  EXPECT_THAT(refusal(streaming(4096), device), HasSubstr("a power of two"));
  device = kDevice;
  device.memory->levels[1].sector_bytes = 256;
  EXPECT_THAT(refusal(streaming(4096), device), HasSubstr("a sector must be a part of a line"));
}

TEST(Levels, TellWhatWasLeftOut) {
  const AccessMaker maker = naive_product(256);
  const LevelsFromAddresses found = levels_from_addresses(maker.kernel(), kDevice, maker.launch(), {10000});
  EXPECT_GT(found.most_trips, 0);
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("trips of each loop")));
}

TEST(Levels, TellThatGroupsStandForAll) {
  const AccessMaker maker = streaming(1 << 20);
  const LevelsFromAddresses found = levels_from_addresses(maker.kernel(), kDevice, maker.launch(), {10000});
  EXPECT_EQ(found.most_trips, 0);
  EXPECT_LT(found.simulated_groups, found.groups);
  EXPECT_THAT(found.notes,
              testing::ElementsAre(HasSubstr(fmt::format("on {} of the 4096 groups", found.simulated_groups))));
}

TEST(Levels, TellWhereTheOrderOfWarpsDecides) {
  // Each of 8 warps goes through 4 lines of its own again and again, and 12 fit: without waits it finds them from the
  // second time on; with a single access a turn it never does.
  AccessMaker maker;
  maker.array("a", "4096").block(256).grid(1);
  maker.loop("time", "4", [](AccessMaker& outer) {
    outer.loop("i", "4", [](AccessMaker& body) { body.load("a", "a", "128 * (warp * 4 + i)"); });
  });
  const Device device = cached_device(1, 12 * 128, 65536);
  LevelsFromAddresses found = levels_from_addresses(maker.kernel(), device, maker.launch(), {.both_orders = true});
  EXPECT_DOUBLE_EQ(found.accesses.front().spread, 0.75);
  EXPECT_THAT(found.notes, testing::ElementsAre(HasSubstr("order of the warps")));

  found.accesses.front().spread = 0;
  found.notes.clear();
  found.lines /= 2;
  EXPECT_EQ(levels_from_addresses(maker.kernel(), device, maker.launch()), found) << "one order unless asked";
}

TEST(Levels, OfAKernelWhoseGroupsDoNothing) {
  AccessMaker maker;
  maker.array("a", "4096").block(32).grid(100).when("warp > 0", [](AccessMaker& body) { body.load("x", "a", "lane"); });
  const LevelsFromAddresses found = levels_from_addresses(maker.kernel(), kDevice, maker.launch());
  EXPECT_TRUE(found.accesses.empty());
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("executes 1 of the 1 accesses")));
}

}  // namespace
}  // namespace warpipe
