#include "warpipe/baselines/zhang_owens.hpp"

#include <gtest/gtest.h>

namespace warpipe {
namespace {

// Additions: 4 a load, 6 cycles, 4 a cycle. Loads: 368 cycles, a load in 12.
const std::vector<Component> kMix{{"instructions", {{4, Cycles{0.25}, Cycles{6}}}},
                                  {"global memory", {{1, Cycles{12}, Cycles{368}}}}};

TEST(ZhangOwens, ComponentsFollowTheirCurves) {
  EXPECT_DOUBLE_EQ(component_interval(kMix[0], 1).count, 24);
  EXPECT_DOUBLE_EQ(component_interval(kMix[0], 48).count, 1);  // 4 x 0.25 beats 4 x 6 / 48
  EXPECT_DOUBLE_EQ(component_interval(kMix[1], 4).count, 92);
}

TEST(ZhangOwens, SlowestComponentRulesAlone) {
  // A dependent mix takes 368 + 24 cycles with a single warp; the min form does not add them up.
  EXPECT_DOUBLE_EQ(zhang_owens(kMix, 1).of_warp.count, 368);
  EXPECT_EQ(zhang_owens(kMix, 1).component, "global memory");
  EXPECT_DOUBLE_EQ(zhang_owens(kMix, 64).of_warp.count, 12);
}

}  // namespace
}  // namespace warpipe
