#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "files.hpp"
#include "warpipe/predict/predict.hpp"

/// An accelerator other than a GPU: cores that copy tiles in and out by DMA while they work on further tiles.

namespace warpipe::validation {
namespace {

constexpr double kTiles = 96, kPieces = 262144 / 512, kShareOfAPiece = 24;  // cycles of the DMA engines for a core
constexpr double kMatrixStep = 16;

/// A tile is copied in and out again.
double memory_time() { return kTiles * 2 * kPieces * kShareOfAPiece; }
double math_time(double steps) { return kTiles * steps * kMatrixStep; }

double cycles(double matrix_steps, std::int64_t buffers, Units units = Units::One) {
  LaunchOptions options;
  options.parameters["matrix_steps"] = matrix_steps;
  options.concurrent_groups = buffers;
  options.units = units;
  return to_cycles(predict(shipped_kernel("dma_tiles"), shipped_device("gcu_like"), options).cycles).count;
}

// Work a quarter of, as long as, and four times as long as copying.
const double kSteps[] = {384, 1536, 6144};

TEST(DmaTiles, OneBufferTakesTheSumOfMemoryAndMathTime) {
  for (const double steps : kSteps) {
    const double sum = memory_time() + math_time(steps);
    EXPECT_GE(cycles(steps, 1), sum) << steps;
    EXPECT_LE(cycles(steps, 1), 1.03 * sum) << steps;  // starting two copies and the vector unit: 728 cycles a tile
  }
}

TEST(DmaTiles, EnoughBuffersTakeTheLargerOfMemoryAndMathTime) {
  for (const double steps : kSteps)
    for (const std::int64_t buffers : {2, 3, 4}) {
      const double larger = std::max(memory_time(), math_time(steps));
      EXPECT_GE(cycles(steps, buffers), larger) << steps << " steps, " << buffers << " buffers";
      EXPECT_LE(cycles(steps, buffers), 1.03 * larger) << steps << " steps, " << buffers << " buffers";
    }
}

TEST(DmaTiles, CoresThatShareTheEnginesDoTheSame) {
  EXPECT_NEAR(cycles(1536, 1, Units::All) / (memory_time() + math_time(1536)), 1, 0.03);
  EXPECT_NEAR(cycles(1536, 2, Units::All) / memory_time(), 1, 0.04);
}

TEST(DmaTiles, PrivateMemoryHoldsFourTiles) {
  const Prediction prediction = predict(shipped_kernel("dma_tiles"), shipped_device("gcu_like"), {});
  EXPECT_EQ(prediction.launch.concurrent_groups.value, 4);  // 1 MiB / 256 KiB
}

// With small tiles the start of a copy shows, and more buffers hide it: Little's law.
TEST(DmaTiles, SmallTilesNeedMoreBuffers) {
  const auto small_tiles = [](std::int64_t buffers) {
    LaunchOptions options;
    options.parameters = {{"tile_bytes", 8192}, {"matrix_steps", 48}, {"vector_steps", 0}, {"special_steps", 0}};
    options.concurrent_groups = buffers;
    return to_cycles(predict(shipped_kernel("dma_tiles"), shipped_device("gcu_like"), options).cycles).count;
  };
  const double memory = kTiles * 2 * (8192 / 512) * kShareOfAPiece;  // math takes as long
  EXPECT_GT(small_tiles(2), 1.2 * memory);
  EXPECT_LT(small_tiles(4), 1.1 * memory);
}

}  // namespace
}  // namespace warpipe::validation
