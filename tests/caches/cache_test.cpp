#include "cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <random>
#include <vector>

#include "sectors.hpp"

namespace warpipe {
namespace {

constexpr std::uint32_t kSectors = 0xff00ff;

/// Looks a line up, and puts it there where it is missing.
/// @return whether it was there
bool touch(Cache& cache, std::uint32_t line) {
  if (cache.find(line) != Cache::kNowhere) return true;
  cache.insert(line, [](const Cache::Victim&) {});
  return false;
}

TEST(Cache, HasAtLeastTheWaysAskedForAndSetsThatArePowersOfTwo) {
  EXPECT_EQ(Cache(768 * 128, 128, 16).capacity(), 768);  // 32 sets of 24
  EXPECT_EQ(Cache(100 * 128, 128, 16).capacity(), 100);  // 4 sets of 25
  EXPECT_EQ(Cache(3 * 128, 128, 16).capacity(), 3);
  EXPECT_TRUE(Cache(127, 128, 16).keeps_nothing());
  EXPECT_TRUE(Cache(-1000, 128, 16).keeps_nothing());
}

TEST(Cache, GivesUpTheLineThatWasNotUsedForLongest) {
  Cache cache(4 * 128, 128, 4);
  for (const std::uint32_t line : {10U, 20U, 30U, 40U}) EXPECT_FALSE(touch(cache, line));
  EXPECT_TRUE(touch(cache, 10));
  EXPECT_NE(cache.peek(20), Cache::kNowhere);  // no use
  EXPECT_FALSE(touch(cache, 50));              // for 20
  EXPECT_EQ(cache.peek(20), Cache::kNowhere);
  for (const std::uint32_t line : {30U, 40U, 10U, 50U}) EXPECT_TRUE(touch(cache, line));
}

/// Ways enough for lines of a set to have hashes in common, and for its ring to begin anew between used lines.
TEST(Cache, HoldsTheLinesUsedLastInAnyOrderOfUses) {
  constexpr std::size_t kWays = 200;
  Cache cache(kWays * 128, 128, kWays);
  std::list<std::uint32_t> uses;  // the last first
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto line = static_cast<std::uint32_t>(random() % 300);
    const auto used = std::ranges::find(uses, line);
    ASSERT_EQ(touch(cache, line), used != uses.end()) << "use " << i << " of line " << line;
    if (used != uses.end()) uses.erase(used);
    uses.push_front(line);
    if (uses.size() > kWays) uses.pop_back();
  }
}

TEST(Cache, HoldsAnyNeighboursOfItsSizeAndLinesThatArePowersOfTwoApart) {
  for (const std::uint32_t stride : {1U, 2U, 4U, 32U, 128U, 4096U}) {
    Cache cache(768 * 128, 128, 16);
    for (int round = 0; round < 2; ++round)
      for (std::uint32_t i = 0; i < 512; ++i) EXPECT_EQ(touch(cache, 4096 + i * stride), round == 1) << stride;
  }
}

TEST(Cache, TellsWhatWasWrittenOfALineThatLeaves) {
  Cache cache(2 * 128, 128, 2);
  std::vector<Cache::Victim> victims;
  const auto leave = [&](const Cache::Victim& victim) { victims.push_back(victim); };
  const Cache::Place place = cache.insert(1, leave);
  cache.valid(place) = kSectors;
  cache.arrival(place) = 7;
  cache.written(place) = {0xff, 0x0f, 3};
  cache.insert(2, leave);
  EXPECT_EQ(cache.arrival(cache.find(1)), 7U);
  EXPECT_EQ(cache.written(cache.find(1)).covered, 0x0fU);
  cache.insert(3, leave);  // 2 leaves, and was not written
  EXPECT_THAT(victims, testing::IsEmpty());
  cache.insert(4, leave);
  ASSERT_EQ(victims.size(), 1U);
  EXPECT_EQ(victims.front().line, 1U);
  EXPECT_EQ(victims.front().valid, kSectors);
  EXPECT_EQ(victims.front().written.dirty, 0xffU);
  EXPECT_EQ(victims.front().written.writer, 3U);
  cache.insert(5, leave);  // for 3
  EXPECT_EQ(victims.size(), 1U);
}

TEST(Cache, ForeignLinesMakeAllSetsOlder) {
  Cache cache(8 * 128, 128, 4);  // 2 sets
  for (std::uint32_t line = 0; line < 8; ++line) touch(cache, line);
  cache.written(cache.find(0)).dirty = 1;  // 2, 4 and 6 are older
  std::vector<std::uint32_t> left;
  const auto leave = [&](const Cache::Victim& victim) { left.push_back(victim.line); };
  cache.add_foreign(7);  // three for each set, and a waiting line
  cache.age(0, leave);
  EXPECT_THAT(left, testing::IsEmpty());
  EXPECT_NE(cache.peek(0), Cache::kNowhere);
  EXPECT_EQ(cache.peek(6), Cache::kNowhere);
  EXPECT_EQ(cache.held(), 8);
  cache.add_foreign(1);
  cache.age(0, leave);
  EXPECT_THAT(left, testing::ElementsAre(0));
  cache.add_foreign(1e12);
  cache.age_all(leave);
  for (std::uint32_t line = 0; line < 8; ++line) EXPECT_EQ(cache.peek(line), Cache::kNowhere);
}

TEST(Sectors, AreWholeWhereAPartIsTouched) {
  const Sectors quarters(8);
  EXPECT_EQ(quarters.whole(0x00010000), 0x00ff0000U);
  EXPECT_EQ(quarters.whole(0x80000001), 0xff0000ffU);
  EXPECT_EQ(quarters.full(0x00ff7fff), 0x00ff00ffU);
  EXPECT_EQ(quarters.count(0x01010100), 3);
  EXPECT_EQ(Sectors(32).whole(4), UINT32_MAX);
  EXPECT_EQ(Sectors(32).full(~4U), 0U);
  EXPECT_EQ(Sectors(1).whole(5), 5U);
  EXPECT_EQ(Sectors(1).count(UINT32_MAX), 32);
}

}  // namespace
}  // namespace warpipe
