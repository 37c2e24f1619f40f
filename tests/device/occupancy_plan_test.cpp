#include "occupancy_plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace measure {
namespace {

using testing::ElementsAre;

/// A unit as public specifications have it.
struct Unit {
  int warps, groups;
  std::size_t local_bytes, allocation;

  int resident(int group_size, std::size_t bytes) const {
    const std::size_t allocated = (bytes + allocation - 1) / allocation * allocation;
    const int by_local = allocated == 0 ? groups : static_cast<int>(local_bytes / allocated);
    return std::min({groups, warps / (group_size / 32), by_local});
  }
};

std::vector<Residency> plan(const Unit& unit, std::size_t local_bytes_per_group) {
  return all_residencies({32, 1024, local_bytes_per_group},
                         [&](int group_size, std::size_t bytes) { return unit.resident(group_size, bytes); });
}

std::set<int> warp_counts(const std::vector<Residency>& all) {
  std::set<int> counts;
  for (const Residency& residency : all) counts.insert(residency.warps);
  return counts;
}

constexpr Unit kFermi{48, 8, 48 * 1024, 128};
constexpr Unit kPascal{64, 32, 96 * 1024, 256};

// The configurations of Cornelis and Lemeire's PDP 2019 paper: 34 with 18 numbers of warps on a Tesla C2050 ...
TEST(Residencies, AreThoseOfThePublishedSweepOnFermi) {
  const auto all = plan(kFermi, 48 * 1024);
  EXPECT_EQ(all.size(), 34u);
  EXPECT_EQ(warp_counts(all).size(), 18u);
}

// ... and 78 with 43 on a GTX 1060, where a group may take half of the shared memory at most: a single group alone is
// impossible.
TEST(Residencies, AreThoseOfThePublishedSweepOnPascal) {
  const auto all = plan(kPascal, 48 * 1024);
  EXPECT_EQ(all.size(), 78u);
  EXPECT_EQ(warp_counts(all).size(), 43u);
}

TEST(Residencies, LeaveOutNumbersBetweenTwoAllocations) {
  // 96 KiB in pieces of 256 bytes: 384 pieces. 16 pieces each give 24 groups, 15 give 25, 14 give 27, 13 give 29, 12
  // give 32.
  std::vector<int> groups;
  const auto some =
      residencies(32, {32, 1024, 48 * 1024}, [](int size, std::size_t bytes) { return kPascal.resident(size, bytes); });
  for (const Residency& residency : some) {
    if (residency.groups > 22) groups.push_back(residency.groups);
  }
  EXPECT_THAT(groups, ElementsAre(24, 25, 27, 29, 32));
}

TEST(Residencies, AskForTheMostBytesThatStillGiveTheirNumber) {
  for (const Residency& residency : plan(kPascal, 48 * 1024)) {
    EXPECT_EQ(kPascal.resident(residency.group_size, residency.local_bytes), residency.groups);
    const bool is_most = residency.local_bytes == 48 * 1024 ||
                         kPascal.resident(residency.group_size, residency.local_bytes + 1) < residency.groups;
    EXPECT_TRUE(is_most) << residency.group_size << " x " << residency.groups;
    EXPECT_EQ(residency.warps, residency.groups * residency.group_size / 32);
  }
}

TEST(Residencies, AreNoneForAGroupThatDoesNotFit) {
  EXPECT_TRUE(residencies(64, {32, 1024, 1024}, [](int, std::size_t) { return 0; }).empty());
}

TEST(OneForEachWarpCount, TakesTheFewestGroups) {
  const auto chosen = one_for_each_warp_count({{32, 4, 10, 4}, {64, 2, 20, 4}, {32, 1, 40, 1}, {128, 1, 30, 4}});
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].warps, 1);
  EXPECT_EQ(chosen[1].group_size, 128);
}

TEST(Thinned, KeepsTheEnds) {
  std::vector<Residency> all;
  for (int warps = 1; warps <= 9; ++warps) all.push_back({32, warps, 0, warps});
  const auto some = thinned(all, 3);
  ASSERT_EQ(some.size(), 3u);
  EXPECT_EQ(some[0].warps, 1);
  EXPECT_EQ(some[1].warps, 5);
  EXPECT_EQ(some[2].warps, 9);
  EXPECT_EQ(thinned(all, 20).size(), 9u);
}

}  // namespace
}  // namespace measure
