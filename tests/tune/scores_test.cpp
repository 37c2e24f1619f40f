#include "warpipe/tune/scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warpipe {
namespace {

DeviceTuning tuning_of(const std::vector<double>& predicted, const std::vector<double>& measured) {
  DeviceTuning tuning;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    TunedPoint point;
    point.time = predicted[i];
    point.measured = measured[i];
    tuning.points.push_back(point);
    tuning.ranked.push_back(i);
  }
  return tuning;
}

// Predicted: three pairs, all apart. Measured: the first two in the wrong order, so two pairs agree and the third does
// not.
TEST(Scores, TauCountsPairs) {
  const auto score = score_of(tuning_of({1, 2, 3}, {2, 1, 3}));
  ASSERT_TRUE(score);
  EXPECT_DOUBLE_EQ(*score->kendall, 1.0 / 3);
  EXPECT_DOUBLE_EQ(*score->kendall_apart, 1.0 / 3);
}

// The pair in the wrong order is 2 % apart: the model does not tell it. Both told pairs agree; of the three measured
// pairs they are the root of 2/3.
TEST(Scores, PairsWithinTheModelsErrorCountForNothing) {
  const auto score = score_of(tuning_of({1, 1.02, 3}, {2, 1, 3}));
  ASSERT_TRUE(score);
  EXPECT_DOUBLE_EQ(*score->kendall_apart, 2 / std::sqrt(6.0));
}

// The first by prediction takes 2 where 1 is the least: twice as long.
TEST(Scores, TheLossIsAgainstTheFastestOfAll) {
  auto tuning = tuning_of({1, 2, 3, 4, 5}, {2, 4, 3, 1.5, 5});
  TunedPoint not_simulated;
  not_simulated.measured = 1;
  tuning.points.push_back(not_simulated);
  const auto score = score_of(tuning);
  ASSERT_TRUE(score);
  EXPECT_EQ(score->rows, 5U);
  EXPECT_DOUBLE_EQ(*score->loss[0], 1);
  EXPECT_DOUBLE_EQ(*score->loss[1], 0.5);
  EXPECT_FALSE(score->loss[2]);
}

TEST(Scores, NothingMeasuredIsNoScore) {
  DeviceTuning tuning;
  EXPECT_FALSE(score_of(tuning));
}

// 1, 1.02 and 1.05: the first two are not told apart, the last two neither, the first and the last are. The first place
// may be 1 or 2, the second any, the last 2 or 3.
TEST(Scores, RanksAreRangesWhereTheModelDoesNotTell) {
  const auto tuning = tuning_of({1, 1.02, 1.05}, {1, 1, 1});
  EXPECT_EQ(rank_range(tuning, 0).low, 1U);
  EXPECT_EQ(rank_range(tuning, 0).high, 2U);
  EXPECT_EQ(rank_range(tuning, 1).low, 1U);
  EXPECT_EQ(rank_range(tuning, 1).high, 3U);
  EXPECT_EQ(rank_range(tuning, 2).low, 2U);
  EXPECT_EQ(ties_of_best(tuning), 1U);
}

}  // namespace
}  // namespace warpipe
