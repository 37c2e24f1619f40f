#include "core/tournament.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/property.hpp"

namespace warpipe {
namespace {

constexpr int kWorst = 1000;

TEST(Tournament, IsWonByTheWorstBeforeAnyUpdate) { EXPECT_EQ(Tournament<int>(5, kWorst).smallest(), kWorst); }

TEST(Tournament, OfOneEntryIsWonByIt) {
  Tournament<int> tournament(1, kWorst);
  tournament.set(0, 7);
  EXPECT_EQ(tournament.smallest(), 7);
  tournament.set(0, 9);
  EXPECT_EQ(tournament.smallest(), 9);
}

TEST(Tournament, WinnerThatGetsWorseLetsTheNextOneWin) {
  Tournament<int> tournament(3, kWorst);
  tournament.set(0, 5);
  tournament.set(2, 4);
  EXPECT_EQ(tournament.smallest(), 4);
  tournament.set(2, 6);
  EXPECT_EQ(tournament.smallest(), 5);
  tournament.set(0, kWorst);
  EXPECT_EQ(tournament.smallest(), 6);
  EXPECT_EQ(tournament[0], kWorst);
  EXPECT_EQ(tournament[2], 6);
}

TEST(Tournament, SmallestIsThatOfASearchAfterAnyUpdates) {
  check_property(300, [] {
    const auto entries = *rc::gen::inRange<std::size_t>(1, 40);
    const auto updates = *rc::gen::container<std::vector<std::pair<std::size_t, int>>>(
        rc::gen::pair(rc::gen::inRange<std::size_t>(0, entries), rc::gen::inRange(0, kWorst + 1)));
    Tournament<int> tournament(entries, kWorst);
    std::vector<int> values(entries, kWorst);
    for (const auto& [entry, value] : updates) {
      tournament.set(entry, value);
      values[entry] = value;
      RC_ASSERT(tournament.smallest() == *std::min_element(values.begin(), values.end()));
    }
    for (std::size_t entry = 0; entry < entries; ++entry) RC_ASSERT(tournament[entry] == values[entry]);
  });
}

}  // namespace
}  // namespace warpipe
