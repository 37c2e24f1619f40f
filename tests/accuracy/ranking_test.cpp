#include "warpipe/accuracy/ranking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Rows of kernel k on device d, on lines from 2.
std::vector<Comparison> ranked_rows(const std::vector<std::pair<double, std::optional<double>>>& values,
                                    Quantity quantity = Quantity::TimeUs) {
  std::vector<Comparison> rows;
  for (const auto& [measured, predicted] : values) {
    Comparison row;
    row.measurement.line = rows.size() + 2;
    row.measurement.kernel = "k";
    row.measurement.device = "d";
    row.measurement.quantity = quantity;
    row.measurement.value = measured;
    row.predicted = predicted;
    rows.push_back(row);
  }
  return rows;
}

TEST(KendallTau, CountsPairs) {
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 2, 3, 4}, {1, 2, 3, 4}), 1);
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  // Of six pairs a single pair is swapped: (5 - 1) / 6.
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 2, 3, 4}, {1, 3, 2, 4}), 4.0 / 6);
}

TEST(KendallTau, LeavesEqualPairsOut) {
  // Pairs (1,2): equal in a. (1,3), (2,3): concordant. Not equal in a: 2, in b: 3.
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 1, 2}, {1, 2, 3}), 2 / std::sqrt(2.0 * 3.0));
  // Equal in both counts in neither: as if the two were a single row.
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 1, 2}, {5, 5, 6}), 1);
  EXPECT_FALSE(kendall_tau({1, 1}, {1, 2}));
  EXPECT_FALSE(kendall_tau({1}, {1}));
  EXPECT_FALSE(kendall_tau({}, {}));
}

RC_GTEST_PROP(KendallTau, IsWhatAllPairsSay, ()) {
  const auto values = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 6), rc::gen::inRange(0, 6)));
  std::vector<double> a, b;
  for (const auto& [x, y] : values) {
    a.push_back(x);
    b.push_back(y);
  }
  double difference = 0, differ_in_a = 0, differ_in_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double product = (a[i] - a[j]) * (b[i] - b[j]);
      difference += (product > 0 ? 1 : 0) - (product < 0 ? 1 : 0);
      differ_in_a += a[i] != a[j] ? 1 : 0;
      differ_in_b += b[i] != b[j] ? 1 : 0;
    }
  }
  const auto tau = kendall_tau(a, b);
  RC_ASSERT(tau.has_value() == (differ_in_a > 0 && differ_in_b > 0));
  if (tau) RC_ASSERT(std::abs(*tau - difference / std::sqrt(differ_in_a * differ_in_b)) < 1e-12);
}

TEST(Rankings, TellWhatThePredictedFastestCosts) {
  // The third is predicted fastest, and takes 12 in place of 10: 20 %.
  const auto result = rankings(ranked_rows({{10, 5.0}, {40, 8.0}, {12, 4.0}, {20, std::nullopt}}));
  ASSERT_THAT(result, SizeIs(1));
  EXPECT_EQ(result[0].rows, 3U);
  EXPECT_EQ(result[0].failed, 1U);
  EXPECT_NEAR(*result[0].loss_percent, 20, 1e-9);
  EXPECT_EQ(result[0].best_line, 2U);
  EXPECT_THAT(result[0].predicted_lines, ElementsAre(4U));
  // A pair of three is swapped. Ranks 1, 3, 2 against 2, 3, 1: 1 - 6 x 2 / (3 x 8).
  EXPECT_NEAR(*result[0].kendall, 1.0 / 3, 1e-12);
  EXPECT_NEAR(*result[0].spearman, 0.5, 1e-12);
}

TEST(Rankings, OfRatesTakeTheHighestForTheFastest) {
  // 30 is the best rate; the row predicted best reaches 24: 30 / 24 - 1.
  const auto result = rankings(ranked_rows({{30, 50.0}, {24, 60.0}, {10, 20.0}}, Quantity::Gflops));
  EXPECT_NEAR(*result[0].loss_percent, 25, 1e-9);
  EXPECT_EQ(result[0].best_line, 2U);
  EXPECT_NEAR(*result[0].top_percent[0], 0, 1e-9);
}

TEST(Rankings, OfEqualPredictionsGiveTheMeanAndTheWorstLoss) {
  // Three are predicted fastest alike: losses of 0, 10 and 50 %.
  const auto result = rankings(ranked_rows({{10, 4.0}, {11, 4.0}, {15, 4.0 * (1 + 1e-12)}, {30, 9.0}}));
  EXPECT_NEAR(*result[0].loss_percent, 20, 1e-9);
  EXPECT_NEAR(result[0].worst_loss_percent, 50, 1e-9);
  EXPECT_THAT(result[0].predicted_lines, ElementsAre(2U, 3U, 4U));
  // A row of the three is taken: it is the fastest in a third of the ways.
  EXPECT_NEAR(*result[0].top_percent[0], 100.0 / 3, 1e-9);
}

TEST(Rankings, CountWhatTheTopsShare) {
  // Measured 1..7; the five predicted fastest are 1, 2, 3, 6 and 7.
  const auto result = rankings(ranked_rows({{1, 1.0}, {2, 2.0}, {3, 3.0}, {4, 8.0}, {5, 9.0}, {6, 4.0}, {7, 5.0}}));
  EXPECT_NEAR(*result[0].top_percent[0], 100, 1e-9);
  EXPECT_NEAR(*result[0].top_percent[1], 60, 1e-9);
  EXPECT_FALSE(result[0].top_percent[2]) << "of seven rows all are among the first ten";
}

TEST(Rankings, CompareWithinAProblemOnly) {
  auto rows = ranked_rows({{1, 2.0}, {2, 1.0}, {100, 200.0}, {200, 100.0}});
  // Together the two sizes hide the wrong order of each.
  EXPECT_NEAR(*rankings(rows)[0].kendall, (4 - 2) / 6.0, 1e-12);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].measurement.options.parameters["n"] = i < 2 ? 16 : 1024;
  const auto result = rankings(rows, {"n"});
  ASSERT_THAT(result, SizeIs(2));
  EXPECT_EQ(result[0].problem, "n 16");
  EXPECT_EQ(result[1].problem, "n 1024");
  for (const Ranking& each : result) EXPECT_DOUBLE_EQ(*each.kendall, -1);
}

TEST(Rankings, CompareNoCyclesWithTimes) {
  auto rows = ranked_rows({{1, 1.0}, {2, 2.0}});
  rows[1].measurement.quantity = Quantity::Cycles;
  EXPECT_THAT(rankings(rows), SizeIs(2));
}

TEST(Rankings, RefuseANameThatNoRowGives) {
  auto rows = ranked_rows({{1, 1.0}});
  rows[0].measurement.options.parameters["tile"] = 4;
  try {
    rankings(rows, {"tiel"});
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"tile\"?"));
  }
}

TEST(Rankings, OfRowsWithoutPredictionsSaySo) {
  const auto result = rankings(ranked_rows({{1, std::nullopt}}));
  ASSERT_THAT(result, SizeIs(1));
  EXPECT_EQ(result[0].failed, 1U);
  EXPECT_FALSE(result[0].kendall);
  EXPECT_FALSE(result[0].loss_percent);
}

}  // namespace
}  // namespace warpipe
