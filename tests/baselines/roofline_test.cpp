#include "warpipe/baselines/roofline.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace warpipe {
namespace {

constexpr Roofs kRtx3080{{29.8e12}, {760e9}};

TEST(Roofline, RidgeOfAnRtx3080IsAt39OperationsAByte) {
  EXPECT_NEAR(ridge_point(kRtx3080), 39.2, 0.05);  // 29.8 TFLOP/s over 760 GB/s
}

TEST(Roofline, LeftOfTheRidgeBandwidthRulesAndRightOfItThePeak) {
  EXPECT_DOUBLE_EQ(attainable(kRtx3080, 10).count, 7.6e12);
  EXPECT_DOUBLE_EQ(attainable(kRtx3080, 100).count, 29.8e12);
}

TEST(Roofline, TimeIsTheLargerOfMathAndMemory) {
  const RooflineTime few = roofline_time({{1e12}, {1e11}}, 1e9, 1e9);
  EXPECT_DOUBLE_EQ(few.math.count, 1e-3);
  EXPECT_DOUBLE_EQ(few.memory.count, 1e-2);
  EXPECT_DOUBLE_EQ(few.total.count, 1e-2);
  EXPECT_TRUE(few.memory_bound);
  EXPECT_FALSE(roofline_time({{1e12}, {1e11}}, 1e12, 1e9).memory_bound);
}

TEST(Roofline, MeasuredTimeGivesTheUseOfBothRoofs) {
  const Utilization use = utilization({{1e12}, {1e11}}, 1e9, 1e9, Seconds{2e-2});
  EXPECT_DOUBLE_EQ(use.peak, 0.05);
  EXPECT_DOUBLE_EQ(use.bandwidth, 0.5);
  EXPECT_DOUBLE_EQ(use.roofline, 0.5);
}

TEST(OccupancyRoofline, TakesTheHighestOfResourcesAndLatency) {
  const std::vector<std::pair<std::string, Cycles>> resources{{"alu", {100}}, {"memory", {400}}};
  // 10 groups, 4 at a time: 2.5 x 100 = 250 cycles of latency; then 2 at a time: 500
  const OccupancyRoofline many = occupancy_roofline({10, 4, Cycles{100}, resources});
  EXPECT_DOUBLE_EQ(many.total.count, 400);
  EXPECT_EQ(many.limiter, "memory");
  const OccupancyRoofline few = occupancy_roofline({10, 2, Cycles{100}, resources});
  EXPECT_DOUBLE_EQ(few.total.count, 500);
  EXPECT_EQ(few.limiter, "latency");
}

}  // namespace
}  // namespace warpipe
