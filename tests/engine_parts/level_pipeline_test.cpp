#include "core/level_pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace warpipe {
namespace {

struct Access {
  std::int64_t issue = 300;  ///< lambda
  std::int64_t waits = 400;
  bool is_write = false;
  std::int64_t mixed = 0;  ///< lambda, where it is larger
};

/// A level with the pipeline in front of it.
class Level {
 public:
  explicit Level(std::int64_t latency) { level_.set_latency(latency); }

  LevelDelay add(std::int64_t arrival, const Access& access = {}) {
    const Stage stage{
        0, Ticks{access.issue}, {}, Ticks{access.waits}, Ticks{std::max(access.issue, access.mixed)}, access.is_write};
    return level_.take(arrival, free_, stage);
  }

  std::int64_t free() const { return free_; }
  void forget(std::int64_t now) { level_.forget(now); }

 private:
  LevelPipeline level_;
  std::int64_t free_ = 0;
};

// *idle* = 400. The first access finds the level idle and is released at 1400. At 1300 it was there for 300 of 400: the
// load is 300 x 300 / 400 = 225, and a third of it delays. At 1400: (225 x 300 + 100 x (300 + 300)) / 400 = 318.
TEST(LevelPipeline, IsSlowerByAThirdOfWhatWasInFlightOnAverageOverOneLatency) {
  Level level(400);
  EXPECT_EQ(level.add(1000).time, 0);
  const LevelDelay second = level.add(1300);
  EXPECT_EQ(second.time, 75);
  EXPECT_FALSE(second.is_late);
  EXPECT_EQ(level.add(1400, {.issue = 0}).time, 106);
}

// 1000 in flight for the whole of a latency of 400: longer than the latency, so a result takes as long as its turn.
TEST(LevelPipeline, ALoadOfMoreThanTheLatencyIsTheLatency) {
  Level level(400);
  level.add(0, {.issue = 1000});
  const LevelDelay second = level.add(400, {.issue = 0, .waits = 400});
  EXPECT_EQ(second.time, 600) << "max(400 + 1000 / 3, 1000) - 400";
  EXPECT_FALSE(second.is_late) << "its turn ends at 1000, only 200 behind the latency";
}

TEST(LevelPipeline, NobodyIsLateWhereNobodyWaits) { EXPECT_FALSE(Level(400).add(0).is_late); }

TEST(LevelPipeline, ABurstDoesNotSlowItself) {
  Level level(400);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(level.add(0, {.issue = 100}).time, 0);
  EXPECT_EQ(level.add(0, {.issue = 100}).time, 100) << "its turn ends at 500";
}

TEST(LevelPipeline, AQueueThatIsLongerThanTheLatencyDecides) {
  Level level(400);
  for (int i = 0; i < 4; ++i) level.add(0, {.issue = 1000});
  const LevelDelay fifth = level.add(0, {.issue = 1000});
  EXPECT_EQ(fifth.time, 4600) << "free - arrival - idle";
  EXPECT_TRUE(fifth.is_late);
}

TEST(LevelPipeline, AStoreWaitsForItsShareOfTheDelay) {
  Level level(400);
  EXPECT_EQ(level.add(0).time, 0);
  EXPECT_EQ(level.add(300, {.waits = 100}).time, 18) << "75 x 100 / 400";
  EXPECT_EQ(level.add(300, {.waits = 0}).time, 0) << "nobody waits for a write-back";
}

TEST(LevelPipeline, TakesLongerForEachKindWhileTheOtherIsInFlight) {
  Level level(400);
  level.add(0, {.issue = 10, .is_write = true, .mixed = 15});
  EXPECT_EQ(level.free(), 10);
  level.add(10, {.issue = 20, .is_write = true, .mixed = 25});
  EXPECT_EQ(level.free(), 30) << "the same kind";
  level.add(30, {.issue = 20, .mixed = 25});
  EXPECT_EQ(level.free(), 55) << "a read among writes";
  level.add(55, {.issue = 20, .is_write = true, .mixed = 26});
  EXPECT_EQ(level.free(), 81) << "a write beside that read";
  level.add(1000, {.issue = 20, .mixed = 25});
  EXPECT_EQ(level.free(), 1020) << "all have left";
}

TEST(LevelPipeline, WithoutALatencyItIsAQueue) {
  Level level(0);
  for (const std::int64_t delay : {300, 600, 900})
    EXPECT_EQ(level.add(0, {.waits = 5}).time, delay) << "to its own end";
}

TEST(LevelPipeline, DelaysAnAccessByWhatItTakesBeyondTheLatency) {
  EXPECT_EQ(Level(400).add(0, {.issue = 1000}).time, 600);
}

// At 600 the first access, released at 400, was there for the first half of the last latency; at 800 it was not.
TEST(LevelPipeline, WhatWasReleasedOneLatencyAgoDelaysNoLonger) {
  Level level(400);
  level.add(0);
  Level other = level;
  EXPECT_EQ(level.add(600, {.issue = 0}).time, 50) << "300 x 200 / 400 / 3";
  EXPECT_EQ(other.add(800, {.issue = 0}).time, 0);
}

// In time order; an arrival with an earlier time finds the load as it is.
TEST(LevelPipeline, AnArrivalBeforeTheLatestOneChangesNoMean) {
  Level level(400);
  level.add(0);
  EXPECT_EQ(level.add(400, {.issue = 0}).time, 100);
  EXPECT_EQ(level.add(399, {.issue = 300}).time, 100);
  EXPECT_EQ(level.add(400, {.issue = 0}).time, 100);
}

TEST(LevelPipeline, ForgetsNothingThatMatters) {
  for (std::int64_t forgotten = 0; forgotten <= 1000; forgotten += 50)
    for (std::int64_t next = forgotten; next <= 1500; next += 50) {
      Level level(400);
      level.add(0);
      level.add(100, {.issue = 200, .is_write = true});
      Level same = level;
      same.forget(forgotten);
      EXPECT_EQ(same.add(next, {.mixed = 500}).time, level.add(next, {.mixed = 500}).time) << forgotten << " " << next;
      EXPECT_EQ(same.free(), level.free());
    }
}

}  // namespace
}  // namespace warpipe
