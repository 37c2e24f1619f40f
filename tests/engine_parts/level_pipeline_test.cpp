#include "core/level_pipeline.hpp"

#include <gtest/gtest.h>

#include <cmath>
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

Stage access(std::int64_t issue, std::int64_t waits) { return {0, Ticks{issue}, {}, Ticks{waits}}; }

// L0 = 400. The first access finds the level idle. The next ones find it and each other in flight: 300 and 2 x 300.
TEST(LevelPipeline, WhatIsInFlightDelaysWhatComesBehind) {
  LevelPipeline level;
  const StagePassage first = level.pass(1000, 0, access(300, 400), 400);
  EXPECT_EQ(first.delay, 0);
  EXPECT_EQ(first.free, 1300);
  const StagePassage second = level.pass(1300, first.free, access(300, 400), 400);
  EXPECT_EQ(second.delay, 100) << "isqrt(400^2 + 300^2) = 500; released at 1800";
  EXPECT_FALSE(second.waits_turn);
  const StagePassage third = level.pass(1399, second.free, access(300, 400), 400);
  EXPECT_EQ(third.delay, 321) << "isqrt(400^2 + 600^2) = 721, late only 1900 - 1399 - 400 = 101";
  EXPECT_EQ(third.free, 1900);
  const StagePassage behind = level.pass(1400, third.free, access(0, 400), 400);
  EXPECT_EQ(behind.delay, 321) << "the first was released at 1400, its own and two others' time is 600";
}

// Both the queue and what is in flight: the later one counts.
TEST(LevelPipeline, AQueueThatIsLongerThanTheLatencyDecides) {
  LevelPipeline level;
  std::int64_t free = 0;
  for (int i = 0; i < 4; ++i) free = level.pass(0, free, access(1000, 400), 400).free;
  const StagePassage passage = level.pass(0, free, access(1000, 400), 400);
  EXPECT_EQ(passage.start, 4000);
  EXPECT_EQ(passage.free, 5000);
  EXPECT_EQ(passage.delay, 4600) << "free - arrival - L0; isqrt(400^2 + 4000^2) - 400 = 3619 is less";
  EXPECT_TRUE(passage.waits_turn);
}

TEST(LevelPipeline, AStoreWaitsForItsShareOfTheDelayAndLoadsTheLevelLikeALoad) {
  LevelPipeline level;
  const StagePassage idle = level.pass(0, 0, access(300, 100), 400);
  EXPECT_EQ(idle.delay, 0);
  const StagePassage store = level.pass(300, idle.free, access(300, 100), 400);
  EXPECT_EQ(store.delay, 25) << "(500 - 400) x 100 / 400";
  const StagePassage write_back = level.pass(300, store.free, access(300, 0), 400);
  EXPECT_EQ(write_back.delay, 0) << "nobody waits for it";
  const StagePassage load = level.pass(300, write_back.free, access(1, 400), 400);
  EXPECT_EQ(load.delay, 584) << "isqrt(400^2 + 900^2) - 400: all three are in flight";
}

TEST(LevelPipeline, WithoutALatencyItIsAPlainQueue) {
  LevelPipeline level;
  std::int64_t free = 0;
  for (const std::int64_t delay : {300, 600, 900}) {
    const StagePassage passage = level.pass(0, free, access(300, 5), 0);
    EXPECT_EQ(passage.delay, delay) << "up to the end of its own turn";
    free = passage.free;
  }
}

TEST(LevelPipeline, OneWithALongAccessAloneDelaysItByWhatItsLatencyDoesNotCover) {
  LevelPipeline level;
  const StagePassage passage = level.pass(0, 0, access(1000, 400), 400);
  EXPECT_EQ(passage.delay, 600);
  EXPECT_FALSE(passage.waits_turn) << "nothing was there before it";
}

TEST(LevelPipeline, WhatIsReleasedNoLongerDelays) {
  LevelPipeline level;
  level.pass(0, 0, access(300, 400), 400);  // released at 400
  EXPECT_EQ(level.pass(399, 300, access(0, 400), 400).delay, 100);
  EXPECT_EQ(level.pass(400, 300, access(0, 400), 400).delay, 0);
  EXPECT_EQ(level.pass(399, 300, access(0, 400), 400).delay, 0) << "it has left for good";
}

}  // namespace
}  // namespace warpipe
