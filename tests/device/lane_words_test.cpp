#include "lane_words.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

namespace measure {
namespace {

constexpr unsigned kLanes = 32;

/// The most distinct words of 32 lanes in a bank.
unsigned conflict_degree(unsigned (*word_of)(unsigned, unsigned), unsigned degree) {
  std::map<unsigned, std::set<unsigned>> words;
  for (unsigned lane = 0; lane < kLanes; ++lane) words[word_of(lane, degree) % kBanks].insert(word_of(lane, degree));
  std::size_t most = 0;
  for (const auto& [bank, some] : words) most = std::max(most, some.size());
  return static_cast<unsigned>(most);
}

TEST(ConflictingWord, MakesEveryDegreeOfConflict) {
  for (unsigned degree = 1; degree <= kLanes; ++degree) EXPECT_EQ(conflict_degree(conflicting_word, degree), degree);
}

TEST(ConflictingWord, IsAnotherForEachLaneWithinTheTable) {
  for (unsigned degree = 1; degree <= kLanes; ++degree) {
    std::set<unsigned> words;
    for (unsigned lane = 0; lane < kLanes; ++lane) words.insert(conflicting_word(lane, degree));
    EXPECT_EQ(words.size(), kLanes);
    EXPECT_LT(*words.rbegin(), kBanks * kLanes);
  }
}

TEST(SharedWord, IsSharedByAsManyLanesAndConflictsWithNoOther) {
  for (unsigned degree = 1; degree <= kLanes; ++degree) {
    EXPECT_EQ(conflict_degree(shared_word, degree), 1u);
    std::map<unsigned, unsigned> lanes;
    for (unsigned lane = 0; lane < kLanes; ++lane) ++lanes[shared_word(lane, degree)];
    EXPECT_EQ(lanes[0], degree);
  }
}

}  // namespace
}  // namespace measure
