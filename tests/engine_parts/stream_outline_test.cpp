#include "fast/stream_outline.hpp"

#include <gmock/gmock.h>

namespace warpipe {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t kNone = StreamOutline::kNoLoop;

// a; loop 1 { b; loop 0 { c; d } }; e; loop 2 { f }: both loops 0 and 1 end at d.
InstructionStream nested_loops() {
  InstructionStream stream;
  stream.steps.resize(6);
  stream.trips = {2, 3, 4};
  stream.loop_ends = {{0, 2, 2}, {1, 1, 3}, {2, 5, 4}};
  stream.steps[3].loop_ends = {0, 2};
  stream.steps[4].loop_ends = stream.steps[0].loop_ends = {2, 2};
  stream.steps[5].loop_ends = {2, 3};
  return stream;
}

TEST(StreamOutline, HasTheInnermostLoopAroundEachStepAndTheLoopsAroundLoops) {
  const StreamOutline outline(nested_loops());
  EXPECT_THAT(outline.loop_at, ElementsAre(kNone, 1, 0, 0, kNone, 2));
  EXPECT_THAT(outline.loop_around, ElementsAre(1, kNone, kNone));
}

TEST(StreamOutline, HasTheStepsThatOthersWaitFor) {
  InstructionStream stream = nested_loops();
  stream.steps[1].score.depth = 1;
  stream.steps[4].score.depth = 3;
  EXPECT_THAT(StreamOutline(stream).producers, ElementsAre(1, 4));
}

}  // namespace
}  // namespace warpipe
