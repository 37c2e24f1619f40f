#include <gtest/gtest.h>

#include <vector>

#include "policies.hpp"

/// The table of rule 6 of the model, key by key.

namespace warpipe {
namespace {

TEST(FirstReadyKey, IsTheTimeSinceWhichAWarpHasWaited) {
  EXPECT_EQ(FirstReady::key({.ready = 7, .order = 3, .index = 5}, {}), 7);
  EXPECT_EQ(FirstReady::key({.ready = 0, .order = 9, .index = 1}, {.order = 9, .index = 1, .residents = 4}), 0);
}

TEST(OldestKey, IsTheSameForAllSoThatAgeDecides) {
  const LastIssued last{.order = 3, .index = 1, .residents = 4};
  EXPECT_EQ(Oldest::key({.ready = 7, .order = 3, .index = 1}, last),
            Oldest::key({.ready = 0, .order = 8, .index = 0}, last));
}

TEST(GreedyOldestKey, IsZeroForTheWarpIssuedLastAndOneForAllOthers) {
  const LastIssued last{.order = 3, .index = 1, .residents = 4};
  EXPECT_EQ(GreedyOldest::key({.ready = 9, .order = 3, .index = 1}, last), 0);
  EXPECT_EQ(GreedyOldest::key({.ready = 0, .order = 2, .index = 0}, last), 1);
}

TEST(GreedyOldestKey, IsOneForANewGroupsWarpInTheSlotOfTheOneIssuedLast) {
  EXPECT_EQ(GreedyOldest::key({.ready = 0, .order = 7, .index = 1}, {.order = 3, .index = 1, .residents = 4}), 1);
}

TEST(GreedyOldestKey, IsOneForAllBeforeTheFirstIssue) {
  EXPECT_EQ(GreedyOldest::key({.ready = 0, .order = 0, .index = 0}, LastIssued{}), 1);
}

std::vector<std::int64_t> round_robin_keys(std::int64_t last_index, std::int64_t residents) {
  std::vector<std::int64_t> keys;
  for (std::int64_t index = 0; index < residents; ++index)
    keys.push_back(RoundRobin::key({.ready = 0, .order = 0, .index = index},
                                   {.order = 0, .index = last_index, .residents = residents}));
  return keys;
}

// (index - last - 1) mod 4, for index 0 to 3.
TEST(RoundRobinKey, CountsTheWarpSlotsFromTheOneAfterTheWarpIssuedLast) {
  EXPECT_EQ(round_robin_keys(-1, 4), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(round_robin_keys(0, 4), (std::vector<std::int64_t>{3, 0, 1, 2}));
  EXPECT_EQ(round_robin_keys(2, 4), (std::vector<std::int64_t>{1, 2, 3, 0}));
  EXPECT_EQ(round_robin_keys(3, 4), (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST(RoundRobinKey, OfAWarpAloneIsZero) {
  EXPECT_EQ(round_robin_keys(-1, 1), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(round_robin_keys(0, 1), (std::vector<std::int64_t>{0}));
}

}  // namespace
}  // namespace warpipe
