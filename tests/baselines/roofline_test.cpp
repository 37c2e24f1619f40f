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
