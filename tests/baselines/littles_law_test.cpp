#include "warpipe/baselines/littles_law.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warpipe {
namespace {

// Compute capability 7.x: arithmetic of 4 cycles, 4 warp instructions a cycle of a unit.
TEST(LittlesLaw, ArithmeticOfFourCyclesAtFourACycleNeeds16Warps) {
  EXPECT_DOUBLE_EQ(warps_needed(Cycles{4}, Cycles{0.25}), 16);
}

// 200 cycles at an access in 20 cycles.
TEST(LittlesLaw, MemoryOf200CyclesAtOneIn20Needs10Warps) {
  EXPECT_DOUBLE_EQ(warps_needed(Cycles{200}, Cycles{20}), 10);
}

// An addition a cycle of 3 cycles and a load in 4 of 12: 3 + 3.
TEST(LittlesLaw, SeveralKindsInFlightAddUp) {
  const std::vector<Flow> flows{{1, Cycles{3}}, {0.25, Cycles{12}}};
  EXPECT_DOUBLE_EQ(in_flight(flows), 6);
  EXPECT_DOUBLE_EQ(in_flight({}), 0);
}

}  // namespace
}  // namespace warpipe
