#include <gtest/gtest.h>

#include <cstdint>

#include "warpipe/engine/leap.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kSpacing = 10;

/// A search among states of one word.
class Search {
 public:
  /// @return  whether the state is written down
  bool wants(std::int64_t word, std::int64_t issued) {
    Fingerprint print;
    print.push_back(word);
    state_.words.clear();
    state_.words.push_back(word);
    state_.issued = issued;
    return finder.wants(print, issued);
  }

  /// Writes the latest state down.
  /// @return  whether it is the kept one; if not, it may be kept instead
  bool find() {
    const bool found = finder.find(state_) != nullptr;
    if (!found && finder.is_to_replace(state_.issued)) finder.keep(state_);
    return found;
  }

  PeriodFinder finder{kSpacing};

 private:
  Checkpoint state_;
};

TEST(PeriodFinder, LooksAgainOnlyAfterSoManyInstructions) {
  Search search;
  EXPECT_FALSE(search.finder.is_due(kSpacing - 1));
  EXPECT_TRUE(search.finder.is_due(kSpacing));
  search.wants(1, 100);
  EXPECT_FALSE(search.finder.is_due(100 + kSpacing - 1));
  EXPECT_TRUE(search.finder.is_due(100 + kSpacing));
}

TEST(PeriodFinder, FindsAStateThatComesBack) {
  Search search;
  ASSERT_TRUE(search.wants(1, 100));  // the first is kept
  ASSERT_FALSE(search.find());
  ASSERT_TRUE(search.wants(1, 200));
  EXPECT_TRUE(search.find());
}

// The first look keeps a state, so the second (2 x 1 looks) may, and then the fourth.
TEST(PeriodFinder, WritesOthersDownOnlyToKeepThemAfterTwiceAsManyLooks) {
  Search search;
  ASSERT_TRUE(search.wants(1, 100));
  search.find();
  ASSERT_TRUE(search.wants(2, 200));
  search.find();
  EXPECT_FALSE(search.wants(3, 300));
  EXPECT_TRUE(search.wants(4, 400));
}

TEST(PeriodFinder, KeepsTheNextStateWhereItStartsAnew) {
  Search search;
  for (std::int64_t look = 1; look <= 4; ++look)
    if (search.wants(look, 100 * look)) search.find();
  ASSERT_FALSE(search.wants(5, 500));  // the eighth would be the next
  search.finder.start_anew();
  EXPECT_TRUE(search.wants(6, 600));
}

TEST(PeriodFinder, KnowsHowFarTheLatestTwoEventsAreApartAlsoWhereTimeMoves) {
  PeriodFinder finder(kSpacing);
  finder.note(7);
  finder.note(12);
  EXPECT_EQ(finder.round(), 5);
  finder.shift(1000);
  finder.note(1016);  // 12 is 1012 now
  EXPECT_EQ(finder.round(), 4);
}

TEST(Fingerprint, TellsWordsInAnotherOrderApart) {
  Fingerprint first, second, third;
  for (const std::int64_t word : {1, 2}) first.push_back(word);
  for (const std::int64_t word : {2, 1}) second.push_back(word);
  for (const std::int64_t word : {1, 2}) third.push_back(word);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, third);
}

}  // namespace
}  // namespace warpipe
