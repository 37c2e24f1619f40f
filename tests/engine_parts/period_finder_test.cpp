#include <gtest/gtest.h>

#include <cstdint>

#include "fast/period_finder.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kSpacing = 10;

/// A search among states of a single word.
class Search {
 public:
  /// @return  whether the state is written down
  bool probe(std::int64_t word, std::int64_t work) {
    StateHash hash;
    hash.append(word);
    state_.words.clear();
    state_.words.append(word);
    state_.work = work;
    return finder.probe(hash, work);
  }

  /// Writes the latest state down.
  /// @return  whether it is the kept state; if not, it may be kept instead
  bool find() {
    const bool found = finder.find(state_) != nullptr;
    if (!found && finder.wants_to_keep(state_.work)) finder.keep(state_);
    return found;
  }

  PeriodFinder finder{kSpacing};

 private:
  Checkpoint state_;
};

TEST(PeriodFinder, ProbesAgainOnlyAfterSoManyInstructions) {
  Search search;
  EXPECT_FALSE(search.finder.is_due(kSpacing - 1));
  EXPECT_TRUE(search.finder.is_due(kSpacing));
  search.probe(1, 100);
  EXPECT_FALSE(search.finder.is_due(100 + kSpacing - 1));
  EXPECT_TRUE(search.finder.is_due(100 + kSpacing));
}

TEST(PeriodFinder, FindsAStateThatComesBack) {
  Search search;
  ASSERT_TRUE(search.probe(1, 100));  // the first is kept
  ASSERT_FALSE(search.find());
  ASSERT_TRUE(search.probe(1, 200));
  EXPECT_TRUE(search.find());
}

// The first probe keeps a state, so the second (2 x 1 probes) may, and then the fourth.
TEST(PeriodFinder, WritesOthersDownOnlyToKeepThemAfterTwiceAsManyProbes) {
  Search search;
  ASSERT_TRUE(search.probe(1, 100));
  search.find();
  ASSERT_TRUE(search.probe(2, 200));
  search.find();
  EXPECT_FALSE(search.probe(3, 300));
  EXPECT_TRUE(search.probe(4, 400));
}

TEST(PeriodFinder, KeepsTheNextStateAfterARestart) {
  Search search;
  for (std::int64_t probe = 1; probe <= 4; ++probe)
    if (search.probe(probe, 100 * probe)) search.find();
  ASSERT_FALSE(search.probe(5, 500));  // the eighth would be the next
  search.finder.restart();
  EXPECT_TRUE(search.probe(6, 600));
}

TEST(PeriodFinder, KnowsHowFarTheLatestTwoEventsAreApartAlsoWhereTimeMoves) {
  PeriodFinder finder(kSpacing);
  finder.note_event(7);
  finder.note_event(12);
  EXPECT_EQ(finder.event_distance(), 5);
  finder.shift(1000);
  finder.note_event(1016);  // 12 is 1012 now
  EXPECT_EQ(finder.event_distance(), 4);
}

TEST(StateHash, TellsWordsInAnotherOrderApart) {
  StateHash first, second, third;
  for (const std::int64_t word : {1, 2}) first.append(word);
  for (const std::int64_t word : {2, 1}) second.append(word);
  for (const std::int64_t word : {1, 2}) third.append(word);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, third);
}

}  // namespace
}  // namespace warpipe
