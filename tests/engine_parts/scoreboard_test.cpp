#include "core/scoreboard.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/property.hpp"

namespace warpipe {
namespace {

/// A step whose last `depth` executions are remembered, and a wait for each of them: wait k is for back = k + 1.
InstructionStream remembering(std::uint32_t depth) {
  InstructionStream stream;
  stream.steps.emplace_back().score = {0, depth};
  stream.cells = depth > 1 ? depth + 1 : depth;
  for (std::uint32_t back = 1; back <= depth; ++back) stream.waits.push_back({{0, depth}, back, {}});
  return stream;
}

/// A scoreboard of started warps, each with a step of its own and the waits set by the test.
struct Started {
  Started(std::size_t number_of_warps, const InstructionStream& stream)
      : scoreboard(number_of_warps, {stream}), warps(number_of_warps) {
    for (std::size_t i = 0; i < warps.size(); ++i) {
      warps[i].stream = &stream;
      warps[i].cells = scoreboard.cells(i);
      warps[i].counters = scoreboard.counters(i);
      start(warps[i]);
    }
  }

  /// The time at which a warp with these waits may go on.
  std::int64_t ready_behind(Range waits, std::int64_t earliest, std::size_t warp = 0) {
    Step next;
    next.waits = waits;
    warps[warp].step = &next;
    return operands_ready(warps[warp], earliest);
  }

  /// The time at which a warp waiting for the execution, free to go on at 0, may go on.
  std::int64_t ready(std::uint32_t back, std::size_t warp = 0) { return ready_behind({back - 1, back}, 0, warp); }

  Scoreboard scoreboard;
  std::vector<Warp> warps;
};

TEST(Scoreboard, NoWarpWaitsForAProducerThatHasNotRun) {
  for (const std::uint32_t depth : {1u, 2u, 5u}) {
    const InstructionStream stream = remembering(depth);
    Started started(1, stream);
    for (std::uint32_t back = 1; back <= depth; ++back) EXPECT_EQ(started.ready(back), 0);
  }
}

TEST(Scoreboard, OneCellHoldsTheLatestExecution) {
  const InstructionStream stream = remembering(1);
  Started started(1, stream);
  keep_completion(started.warps[0], {0, 1}, 40);
  EXPECT_EQ(started.ready(1), 40);
  keep_completion(started.warps[0], {0, 1}, 30);  // the most recent, not the latest to complete
  EXPECT_EQ(started.ready(1), 30);
}

TEST(Scoreboard, ARingHoldsAsManyExecutionsAsConsumersAskFor) {
  const InstructionStream stream = remembering(3);
  Started started(1, stream);
  keep_completion(started.warps[0], {0, 3}, 10);
  keep_completion(started.warps[0], {0, 3}, 20);
  EXPECT_EQ(started.ready(1), 20);
  EXPECT_EQ(started.ready(2), 10);
  EXPECT_EQ(started.ready(3), 0);
  keep_completion(started.warps[0], {0, 3}, 30);
  keep_completion(started.warps[0], {0, 3}, 40);
  EXPECT_EQ(started.ready(1), 40);
  EXPECT_EQ(started.ready(2), 30);
  EXPECT_EQ(started.ready(3), 20);
}

TEST(Scoreboard, KeepsNothingThatNoConsumerAsksFor) {
  InstructionStream stream = remembering(1);
  Started started(1, stream);
  keep_completion(started.warps[0], {0, 0}, 99);
  EXPECT_EQ(started.ready(1), 0);
}

TEST(Scoreboard, WarpsDoNotSeeEachOthersExecutions) {
  const InstructionStream stream = remembering(2);
  Started started(2, stream);
  keep_completion(started.warps[1], {0, 2}, 50);
  EXPECT_EQ(started.ready(1, 0), 0);
  EXPECT_EQ(started.ready(1, 1), 50);
}

TEST(Scoreboard, ANewGroupsWarpHasSeenNothing) {
  const InstructionStream stream = remembering(2);
  Started started(1, stream);
  keep_completion(started.warps[0], {0, 2}, 50);
  start(started.warps[0]);
  EXPECT_EQ(started.ready(1), 0);
  EXPECT_EQ(started.ready(2), 0);
}

TEST(Scoreboard, OperandsAreReadyWithTheLastOfThemAndNotBeforeTheWarp) {
  const InstructionStream stream = remembering(2);
  Started started(1, stream);
  keep_completion(started.warps[0], {0, 2}, 90);
  keep_completion(started.warps[0], {0, 2}, 60);
  EXPECT_EQ(started.ready_behind({0, 2}, 5), 90);
  EXPECT_EQ(started.ready_behind({0, 1}, 5), 60);
  EXPECT_EQ(started.ready_behind({0, 2}, 91), 91);
  EXPECT_EQ(started.ready_behind({0, 0}, 5), 5);
}

TEST(Scoreboard, AConsumersOwnLatencyMovesTheCompletionButNotWhatNeverRan) {
  InstructionStream stream = remembering(1);
  stream.waits = {{{0, 1}, 1, Ticks{-6}}, {{0, 1}, 1, Ticks{1'000'000'000'000}}};
  Started started(1, stream);
  EXPECT_EQ(started.ready(1), 0);
  EXPECT_EQ(started.ready(2), 0);
  keep_completion(started.warps[0], {0, 1}, 40);
  EXPECT_EQ(started.ready(1), 34);
  EXPECT_EQ(started.ready(2), 1'000'000'000'040);
}

TEST(Scoreboard, ARingAnswersAsAFullHistoryWould) {
  check_property(200, [] {
    const auto depth = *rc::gen::inRange<std::uint32_t>(1, 9);
    const auto completions = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 1000));
    const InstructionStream stream = remembering(depth);
    Started started(1, stream);
    for (std::size_t run = 0; run < completions.size(); ++run) {
      keep_completion(started.warps[0], {0, depth}, completions[run]);
      for (std::uint32_t back = 1; back <= depth; ++back)
        RC_ASSERT(started.ready(back) == (back <= run + 1 ? completions[run + 1 - back] : 0));
    }
  });
}

}  // namespace
}  // namespace warpipe
