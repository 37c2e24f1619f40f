#include "core/level_pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "support/property.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

__extension__ using Wide = unsigned __int128;

bool is_root(std::int64_t root, std::int64_t a, std::int64_t b) {
  const auto square = [](std::int64_t number) { return static_cast<Wide>(number) * static_cast<Wide>(number); };
  const Wide sum = square(a) + square(b);
  return square(root) <= sum && sum < square(root + 1);
}

TEST(RootOfSquares, IsTheLargestWholeNumberWhoseSquareIsNotLarger) {
  EXPECT_EQ(root_of_squares(3, 4), 5);
  EXPECT_EQ(root_of_squares(400'000, 0), 400'000);
  EXPECT_EQ(root_of_squares(0, 7), 7);
  EXPECT_EQ(root_of_squares(1, 1), 1);  // 1.41
  EXPECT_EQ(root_of_squares(2, 2), 2);  // 2.83
  check_property(20'000, [] {
    const auto draw = [] {  // of any number of digits
      const int bits = *rc::gen::inRange(0, 62);
      return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, std::int64_t{2} << bits));
    };
    const std::int64_t a = draw(), b = draw();
    RC_ASSERT(is_root(root_of_squares(a, b), a, b));
  });
}

TEST(RootOfSquares, IsExactAtSquaresAndBesideThem) {
  check_property(5'000, [] {
    const std::int64_t k = *rc::gen::inRange<std::int64_t>(1, 1'500'000'000);
    RC_ASSERT(root_of_squares(3 * k, 4 * k) == 5 * k);
    RC_ASSERT(root_of_squares(3 * k, 4 * k - 1) == 5 * k - 1);
  });
}

TEST(RootOfSquares, RefusesWhatDoesNotFit) { EXPECT_THROW(root_of_squares(INT64_MAX, INT64_MAX), ModelError); }

/// A level with the pipeline in front of it.
class Level {
 public:
  explicit Level(std::int64_t latency) : latency_(latency) {}

  /// @param issue  lambda, by which the pipeline is free later
  LevelDelay add(std::int64_t arrival, std::int64_t issue, std::int64_t waits) {
    free_ = std::max(free_, arrival) + issue;
    return level_.add(arrival, free_, {0, Ticks{issue}, {}, Ticks{waits}}, latency_);
  }

 private:
  LevelPipeline level_;
  std::int64_t latency_, free_ = 0;
};

// L0 = 400. The first access finds the level idle. The next ones find it and each other in flight: 300 and 2 x 300.
TEST(LevelPipeline, WhatIsInFlightDelaysWhatComesBehind) {
  Level level(400);
  EXPECT_EQ(level.add(1000, 300, 400).time, 0);
  const LevelDelay second = level.add(1300, 300, 400);
  EXPECT_EQ(second.time, 100) << "isqrt(400^2 + 300^2) = 500; released at 1800";
  EXPECT_FALSE(second.is_late);
  EXPECT_EQ(level.add(1399, 300, 400).time, 321) << "isqrt(400^2 + 600^2) = 721, late only 1900 - 1399 - 400 = 101";
  EXPECT_EQ(level.add(1400, 0, 400).time, 321) << "the first was released at 1400, the two others are in flight";
}

// Both the queue and what is in flight: the later one counts.
TEST(LevelPipeline, AQueueThatIsLongerThanTheLatencyDecides) {
  Level level(400);
  for (int i = 0; i < 4; ++i) level.add(0, 1000, 400);
  const LevelDelay fifth = level.add(0, 1000, 400);
  EXPECT_EQ(fifth.time, 4600) << "free - arrival - L0; isqrt(400^2 + 4000^2) - 400 = 3619 is less";
  EXPECT_TRUE(fifth.is_late);
}

TEST(LevelPipeline, AStoreWaitsForItsShareOfTheDelayAndLoadsTheLevelLikeALoad) {
  Level level(400);
  EXPECT_EQ(level.add(0, 300, 100).time, 0);
  EXPECT_EQ(level.add(300, 300, 100).time, 25) << "(500 - 400) x 100 / 400";
  EXPECT_EQ(level.add(300, 300, 0).time, 0) << "nobody waits for a write-back";
  EXPECT_EQ(level.add(300, 1, 400).time, 584) << "isqrt(400^2 + 900^2) - 400: all three are in flight";
}

TEST(LevelPipeline, WithoutALatencyItIsAQueue) {
  Level level(0);
  for (const std::int64_t delay : {300, 600, 900}) EXPECT_EQ(level.add(0, 300, 5).time, delay) << "to its own end";
}

TEST(LevelPipeline, DelaysAnAccessByWhatItTakesBeyondTheLatency) {
  const LevelDelay alone = Level(400).add(0, 1000, 400);
  EXPECT_EQ(alone.time, 600);
}

TEST(LevelPipeline, WhatIsReleasedDelaysNoLonger) {
  Level level(400);
  level.add(0, 300, 400);  // released at 400
  EXPECT_EQ(level.add(399, 0, 400).time, 100);
  EXPECT_EQ(level.add(400, 0, 400).time, 0);
  EXPECT_EQ(level.add(399, 0, 400).time, 0) << "it has left for good";
}

}  // namespace
}  // namespace warpipe
