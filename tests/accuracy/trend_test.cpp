#include "warpipe/accuracy/trend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace warpipe {
namespace {

using testing::SizeIs;

std::vector<Seconds> times(std::initializer_list<double> seconds) {
  std::vector<Seconds> result;
  for (const double each : seconds) result.push_back(Seconds{each});
  return result;
}

TEST(FitLine, FindsSlopeAndInterceptApart) {
  // measured = 3 + 2 x predicted
  const auto line = fit_line(times({5, 13, 203}), times({1, 5, 100}));
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->slope, 2, 1e-9);
  EXPECT_NEAR(line->intercept.count, 3, 1e-9);
}

TEST(FitLine, WeighsRelativeErrors) {
  // Both lines through two of the rows miss the third by 10 % of it or by much less: the small row counts too.
  const auto line = fit_line(times({1, 100, 1100}), times({1, 100, 1000}));
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->intercept.count, 0, 0.1) << "an absolute fit would put it at -18";
}

TEST(FitLine, NeedsPredictionsThatDiffer) {
  EXPECT_FALSE(fit_line(times({4, 4}), times({2, 2})));
  EXPECT_FALSE(fit_line(times({4}), times({2})));
}

TEST(RankCorrelation, IsOneWhereTheOrderIsRight) {
  EXPECT_DOUBLE_EQ(*rank_correlation(times({1, 2, 3, 4}), times({10, 11, 500, 501})), 1);
  EXPECT_DOUBLE_EQ(*rank_correlation(times({1, 2, 3, 4}), times({4, 3, 2, 1})), -1);
}

TEST(RankCorrelation, LetsEqualTimesShareTheirRanks) {
  // Ranks 1, 2, 3 against 1, 2.5, 2.5: deviations (-1, 0, 1) and (-1, 0.5, 0.5), 1.5 / sqrt(2 x 1.5).
  EXPECT_NEAR(*rank_correlation(times({1, 2, 3}), times({1, 2, 2})), 1.5 / std::sqrt(3.0), 1e-12);
  EXPECT_FALSE(rank_correlation(times({1, 2}), times({3, 3})));
}

Comparison row(const std::string& kernel, double measured, double predicted, double bound) {
  Comparison row;
  row.measurement.kernel = kernel;
  row.measurement.device = "d";
  row.measurement.quantity = Quantity::TimeUs;
  row.measurement.value = measured;
  row.predicted = predicted;
  row.bound_only = bound;
  row.measured_time = Seconds{measured * 1e-6};
  return row;
}

TEST(Trends, AreOneAKernelAndDevice) {
  // a: measured = 4 us + predicted, the bound half of the measured time beyond 4 us.
  const auto result = trends({row("a", 5, 1, 0.5), row("b", 7, 7, 7), row("a", 14, 10, 5)});
  ASSERT_THAT(result, SizeIs(2));
  EXPECT_EQ(result[0].kernel, "a");
  EXPECT_EQ(result[0].rows, 2U);
  EXPECT_NEAR(result[0].line->slope, 1, 1e-9);
  EXPECT_NEAR(result[0].line->intercept.count, 4e-6, 1e-12);
  EXPECT_NEAR(*result[0].fitted_bound_percent, 0, 1e-6);
  EXPECT_FALSE(result[1].line);
}

TEST(Trends, LeaveOutRowsWithoutAPrediction) {
  Comparison failed = row("a", 5, 1, 1);
  failed.predicted.reset();
  EXPECT_EQ(trends({failed}).at(0).rows, 0U);
}

}  // namespace
}  // namespace warpipe
