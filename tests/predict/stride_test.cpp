#include "stride.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace warpipe {
namespace {

/// Sixteen waves, 10 apart.
std::vector<StepValue> even_waves() {
  std::vector<StepValue> waves;
  for (int wave = 0; wave < 16; ++wave) waves.push_back({static_cast<double>(wave), 10.0 * wave});
  return waves;
}

TEST(EvenGrowth, HasTheLeastSquares) {
  // Around 3 x step: +1, -1, -1, +1 adds up to nothing, and to nothing along the steps.
  const std::vector<StepValue> values{{0, 1}, {1, 2}, {2, 5}, {3, 10}};
  const EvenGrowth growth = even_growth(values);
  EXPECT_DOUBLE_EQ(growth.per_step, 3);
  EXPECT_DOUBLE_EQ(growth.squares, 4);
  EXPECT_DOUBLE_EQ(growth.error, std::sqrt(4.0 / (4 - 2) / 5));  // steps are 1.5, 0.5, 0.5 and 1.5 from their mean
}

TEST(Stride, LeavesOutTheWavesOfTheStart) {
  std::vector<StepValue> waves = even_waves();
  waves[0].value = -70;
  waves[1].value = 90;
  const Stride stride = stride_of(waves);
  EXPECT_DOUBLE_EQ(stride.early, 10);
  EXPECT_DOUBLE_EQ(stride.late, 10);
  EXPECT_NEAR(stride.chance, 0, 1e-9);
}

TEST(Stride, TellsAnEarlyPaceFromALatePace) {
  std::vector<StepValue> waves = even_waves();
  for (std::size_t wave = 9; wave < 16; ++wave) waves[wave].value += 2 * static_cast<double>(wave - 8);
  const Stride stride = stride_of(waves);  // 2 to 9, then 8 to 15
  EXPECT_DOUBLE_EQ(stride.late, 12);
  EXPECT_GT(stride.early, 10);
  EXPECT_LT(stride.early, 10.2) << "of eight waves one has the late pace";
}

TEST(Stride, IsAsUncertainAsItsWavesScatter) {
  std::vector<StepValue> waves = even_waves();
  constexpr std::array kAround{+1, -1, -1, +1, +1, -1, -1, +1};  // no growth in it
  for (std::size_t i = 0; i < kAround.size(); ++i) waves[8 + i].value += kAround[i];
  const Stride stride = stride_of(waves);
  EXPECT_NEAR(stride.late, 10, 1e-9);
  EXPECT_NEAR(stride.chance, (2 + 4.6 / 6) * std::sqrt(8.0 / (8 - 2) / 42), 1e-9);
}

}  // namespace
}  // namespace warpipe
