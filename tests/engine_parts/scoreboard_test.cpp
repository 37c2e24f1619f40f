#include "warpipe/engine/scoreboard.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/property.hpp"

namespace warpipe {
namespace {

/// One step whose last `depth` executions are remembered, and one wait for each of them: wait k is for back = k + 1.
Stream remembering(std::uint32_t depth) {
  Stream stream;
  stream.steps.emplace_back().score = {0, depth};
  stream.cells = depth > 1 ? depth + 1 : depth;
  for (std::uint32_t back = 1; back <= depth; ++back) stream.waits.push_back({{0, depth}, back, {}});
  return stream;
}

/// When a warp that asks for that execution, and could go on at 0, may go on.
std::int64_t ready(const Scoreboard& scoreboard, const Stream& stream, std::uint32_t back, std::size_t warp = 0) {
  return scoreboard.operands_ready(warp, stream, {back - 1, back}, 0);
}

Scoreboard cleared(std::size_t warps, const Stream& stream) {
  Scoreboard scoreboard(warps, {stream});
  for (std::size_t warp = 0; warp < warps; ++warp) scoreboard.clear(warp, stream);
  return scoreboard;
}

TEST(Scoreboard, NobodyWaitsForWhatHasNotRun) {
  for (const std::uint32_t depth : {1u, 2u, 5u}) {
    const Stream stream = remembering(depth);
    const Scoreboard scoreboard = cleared(1, stream);
    for (std::uint32_t back = 1; back <= depth; ++back) EXPECT_EQ(ready(scoreboard, stream, back), 0);
  }
}

TEST(Scoreboard, OneCellHoldsTheLatestExecution) {
  const Stream stream = remembering(1);
  Scoreboard scoreboard = cleared(1, stream);
  scoreboard.record(0, {0, 1}, 40);
  EXPECT_EQ(ready(scoreboard, stream, 1), 40);
  scoreboard.record(0, {0, 1}, 30);  // the most recent, not the latest to complete
  EXPECT_EQ(ready(scoreboard, stream, 1), 30);
}

TEST(Scoreboard, ARingHoldsAsManyExecutionsAsSomebodyAsksFor) {
  const Stream stream = remembering(3);
  Scoreboard scoreboard = cleared(1, stream);
  scoreboard.record(0, {0, 3}, 10);
  scoreboard.record(0, {0, 3}, 20);
  EXPECT_EQ(ready(scoreboard, stream, 1), 20);
  EXPECT_EQ(ready(scoreboard, stream, 2), 10);
  EXPECT_EQ(ready(scoreboard, stream, 3), 0);
  scoreboard.record(0, {0, 3}, 30);
  scoreboard.record(0, {0, 3}, 40);
  EXPECT_EQ(ready(scoreboard, stream, 1), 40);
  EXPECT_EQ(ready(scoreboard, stream, 2), 30);
  EXPECT_EQ(ready(scoreboard, stream, 3), 20);
}

TEST(Scoreboard, KeepsNothingThatNobodyAsksFor) {
  Stream stream = remembering(1);
  Scoreboard scoreboard = cleared(1, stream);
  scoreboard.record(0, {0, 0}, 99);
  EXPECT_EQ(ready(scoreboard, stream, 1), 0);
}

TEST(Scoreboard, WarpsDoNotSeeEachOthersExecutions) {
  const Stream stream = remembering(2);
  Scoreboard scoreboard = cleared(2, stream);
  scoreboard.record(1, {0, 2}, 50);
  EXPECT_EQ(ready(scoreboard, stream, 1, 0), 0);
  EXPECT_EQ(ready(scoreboard, stream, 1, 1), 50);
}

TEST(Scoreboard, ANewGroupsWarpHasSeenNothing) {
  const Stream stream = remembering(2);
  Scoreboard scoreboard = cleared(1, stream);
  scoreboard.record(0, {0, 2}, 50);
  scoreboard.clear(0, stream);
  EXPECT_EQ(ready(scoreboard, stream, 1), 0);
  EXPECT_EQ(ready(scoreboard, stream, 2), 0);
}

TEST(Scoreboard, OperandsAreReadyWithTheLastOfThemAndNotBeforeTheWarp) {
  const Stream stream = remembering(2);
  Scoreboard scoreboard = cleared(1, stream);
  scoreboard.record(0, {0, 2}, 90);
  scoreboard.record(0, {0, 2}, 60);
  EXPECT_EQ(scoreboard.operands_ready(0, stream, {0, 2}, 5), 90);
  EXPECT_EQ(scoreboard.operands_ready(0, stream, {0, 1}, 5), 60);
  EXPECT_EQ(scoreboard.operands_ready(0, stream, {0, 2}, 91), 91);
  EXPECT_EQ(scoreboard.operands_ready(0, stream, {0, 0}, 5), 5);
}

TEST(Scoreboard, AConsumersOwnLatencyMovesTheCompletionButNotWhatNeverRan) {
  Stream stream = remembering(1);
  stream.waits = {{{0, 1}, 1, Ticks{-6}}, {{0, 1}, 1, Ticks{1'000'000'000'000}}};
  Scoreboard scoreboard = cleared(1, stream);
  EXPECT_EQ(ready(scoreboard, stream, 1), 0);
  EXPECT_EQ(ready(scoreboard, stream, 2), 0);
  scoreboard.record(0, {0, 1}, 40);
  EXPECT_EQ(ready(scoreboard, stream, 1), 34);
  EXPECT_EQ(ready(scoreboard, stream, 2), 1'000'000'000'040);
}

TEST(Scoreboard, ARingAnswersAsAFullHistoryWould) {
  check_property(200, [] {
    const auto depth = *rc::gen::inRange<std::uint32_t>(1, 9);
    const auto completions = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 1000));
    const Stream stream = remembering(depth);
    Scoreboard scoreboard = cleared(1, stream);
    for (std::size_t run = 0; run < completions.size(); ++run) {
      scoreboard.record(0, {0, depth}, completions[run]);
      for (std::uint32_t back = 1; back <= depth; ++back)
        RC_ASSERT(ready(scoreboard, stream, back) == (back <= run + 1 ? completions[run + 1 - back] : 0));
    }
  });
}

}  // namespace
}  // namespace warpipe
