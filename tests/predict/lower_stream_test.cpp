#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/scoreboard.hpp"
#include "small_models.hpp"

/// Lowering the instructions of a warp: rule 3 of the model.

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

InstructionStream stream_of(std::string_view items, int warps = 1) {
  return lowered(kernel_with(items, {.warps = warps}), two_ops()).streams.at(0);
}

/// A warp slot.
struct Place {
  explicit Place(const InstructionStream& stream) : scoreboard(1, {stream}) {
    warp.stream = &stream;
    warp.cells = scoreboard.cells(0);
    warp.counters = scoreboard.counters(0);
  }
  Scoreboard scoreboard;
  Warp warp;
};

/// The instructions issued by a warp in the slot, from the first step to the end.
std::vector<std::uint32_t> walk(Warp& warp) {
  const InstructionStream& stream = *warp.stream;
  const Step* const end = stream.steps.data() + stream.steps.size();
  std::vector<std::uint32_t> instructions;
  for (start(warp); warp.step != end; warp.step = step_after_loops(warp, *warp.step))
    instructions.push_back(stream.instructions[static_cast<std::size_t>(warp.step - stream.steps.data())]);
  return instructions;
}

std::vector<std::uint32_t> issued(const InstructionStream& stream) {
  Place place(stream);
  return walk(place.warp);
}

/// The waits of a step.
std::vector<Wait> waits_of(const InstructionStream& stream, std::size_t step) {
  const Range range = stream.steps[step].waits;
  return {stream.waits.begin() + range.begin, stream.waits.begin() + range.end};
}

TEST(LowerStream, KeepsTheOrderOfTheProgram) {
  const InstructionStream stream =
      stream_of(R"({"id": "i", "op": "x"}, {"id": "j", "op": "y"}, {"id": "k", "op": "x"})");
  EXPECT_THAT(issued(stream), ElementsAre(0, 1, 2));
  EXPECT_THAT(stream.runs, ElementsAre(1, 1, 1));
}

TEST(LowerStream, KeepsLoopsAsLoops) {
  const InstructionStream stream =
      stream_of(R"({"loop": "l", "trip_count": 1000000000000, "body": [{"id": "i", "op": "x"}]})");
  EXPECT_THAT(stream.steps, SizeIs(1));
  EXPECT_THAT(stream.loop_ends, ElementsAre(LoopEnd{0, 0, 1'000'000'000'000}));
  EXPECT_THAT(stream.runs, ElementsAre(1'000'000'000'000));
}

TEST(LowerStream, MakesNothingOfALoopWithoutTrips) {
  const InstructionStream stream = stream_of(R"({"id": "i", "op": "x"},
      {"loop": "l", "trip_count": 0, "body": [{"id": "j", "op": "x"}]}, {"id": "k", "op": "x"})");
  EXPECT_THAT(issued(stream), ElementsAre(0, 2));
  EXPECT_THAT(stream.loop_ends, IsEmpty());
}

TEST(LowerStream, MakesABodyOfALoopWithOneTrip) {
  const InstructionStream stream = stream_of(R"({"loop": "l", "trip_count": 1, "body": [{"id": "i", "op": "x"}]})");
  EXPECT_THAT(issued(stream), ElementsAre(0));
  EXPECT_THAT(stream.loop_ends, IsEmpty());
}

TEST(LowerStream, EndsTheInnerLoopFirstWhereLoopsEndTogether) {
  const InstructionStream stream = stream_of(R"({"id": "i", "op": "x"}, {"loop": "outer", "trip_count": 2, "body": [
      {"id": "j", "op": "x"}, {"loop": "inner", "trip_count": 3, "body": [{"id": "k", "op": "x"}]}]})");
  EXPECT_THAT(issued(stream), ElementsAre(0, 1, 2, 2, 2, 1, 2, 2, 2));
  EXPECT_THAT(stream.runs, ElementsAre(1, 2, 6));
}

TEST(LowerStream, CountsTripsAnewEachTimeThatALoopBegins) {
  const InstructionStream stream = stream_of(R"({"loop": "outer", "trip_count": 2, "body": [
      {"loop": "inner", "trip_count": 2, "body": [{"id": "i", "op": "x"}]},
      {"loop": "next", "trip_count": 3, "body": [{"id": "j", "op": "x"}]}]})");
  Place place(stream);
  for (const char* warp : {"first", "second"})  // the next warp in the slot starts from the same counters
    EXPECT_THAT(walk(place.warp), ElementsAre(0, 0, 1, 1, 1, 0, 0, 1, 1, 1)) << warp;
}

TEST(LowerStream, StartsLoopsThatBeginTogetherAtTheSameStep) {
  const InstructionStream stream = stream_of(R"({"loop": "outer", "trip_count": 2, "body": [
      {"loop": "inner", "trip_count": 2, "body": [{"id": "i", "op": "x"}]}, {"id": "j", "op": "x"}]},
      {"id": "k", "op": "x"})");
  EXPECT_THAT(issued(stream), ElementsAre(0, 0, 1, 0, 0, 1, 2));
}

TEST(LowerStream, EndsALoopAtItsLastInstructionThatRuns) {
  const InstructionStream stream = stream_of(R"({"loop": "l", "trip_count": 3, "body": [{"id": "i", "op": "x"},
      {"loop": "never", "trip_count": 0, "body": [{"id": "j", "op": "x"}]},
      {"when": "0", "body": [{"id": "k", "op": "x"}]}]})");
  EXPECT_THAT(issued(stream), ElementsAre(0, 0, 0));
}

TEST(LowerStream, MakesNothingOfLoopsInWhichNothingRuns) {
  const InstructionStream stream = stream_of(R"({"id": "i", "op": "x"}, {"loop": "l", "trip_count": 1000, "body": [
      {"when": "0", "body": [{"id": "j", "op": "x"}]}]}, {"id": "k", "op": "x"})");
  EXPECT_THAT(issued(stream), ElementsAre(0, 2));
  EXPECT_THAT(lowered(kernel_with(R"({"when": "0", "body": [{"id": "i", "op": "x"}]})"), two_ops()).streams,
              ElementsAre(InstructionStream{}));
}

TEST(LowerStream, GivesWarpsTheirOwnStreamsWhereTheyDiffer) {
  const Program program =
      lowered(kernel_with(R"({"id": "i", "op": "x"}, {"when": "warp < warps / 2", "body": [{"id": "j", "op": "x"}]})",
                          {.warps = 4}),
              two_ops());
  ASSERT_THAT(program.streams, SizeIs(2));
  EXPECT_THAT(program.kinds.front(), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(issued(program.streams[0]), ElementsAre(0, 1));
  EXPECT_THAT(issued(program.streams[1]), ElementsAre(0));
}

TEST(LowerStream, GivesWarpsTheirOwnTripsAndDistances) {
  const Program trips = lowered(
      kernel_with(R"({"loop": "l", "trip_count": "warp", "body": [{"id": "i", "op": "x"}]})", {.warps = 3}), two_ops());
  EXPECT_THAT(trips.kinds.front(), ElementsAre(0, 1, 2));
  EXPECT_THAT(issued(trips.streams[2]), ElementsAre(0, 0));
  const Program distances = lowered(kernel_with(R"({"loop": "l", "trip_count": 9, "body": [
      {"id": "i", "op": "x", "after": [{"id": "i", "back": "warp + 1"}]}]})",
                                                {.warps = 2}),
                                    two_ops());
  EXPECT_EQ(distances.streams.at(0).steps[0].score.depth, 1u);
  EXPECT_EQ(distances.streams.at(1).steps[0].score.depth, 2u);
}

TEST(LowerStream, GivesWarpsTheirOwnConflictDegrees) {
  const Device device = device_with({{"x", "a", 1, 10, R"({"per_conflict": {"issue": 2}})"}});
  const Program program =
      lowered(kernel_with(R"({"id": "i", "op": "x", "conflict_degree": "1 + warp"})", {.warps = 2}), device);
  ASSERT_THAT(program.streams, SizeIs(2));
  EXPECT_EQ(program.streams[0].steps[0].issue, Ticks{1000});
  EXPECT_EQ(program.streams[1].steps[0].issue, Ticks{3000});
}

TEST(LowerStream, LetsEqualWarpsShareAStream) {
  EXPECT_THAT(lowered(kernel_with(R"({"id": "i", "op": "x"})", {.warps = 3}), two_ops()).kinds.front(),
              ElementsAre(0, 0, 0));
  // The warp's index is asked for, but 0 and 2 come to the same, as do 1 and 3.
  const Program program = lowered(
      kernel_with(R"({"loop": "l", "trip_count": "warp - 2 * floor(warp / 2) + 1", "body": [{"id": "i", "op": "x"}]})",
                  {.warps = 4}),
      two_ops());
  EXPECT_THAT(program.streams, SizeIs(2));
  EXPECT_THAT(program.kinds.front(), ElementsAre(0, 1, 0, 1));
}

TEST(LowerStream, DropsWaitsForWhatNeverRuns) {
  const InstructionStream stream = stream_of(R"({"when": "0", "body": [{"id": "i", "op": "x"}]}, {"id": "j", "op": "x"},
      {"id": "k", "op": "y", "after": ["i", "j"]})");
  EXPECT_THAT(waits_of(stream, 1), ElementsAre(Wait{{0, 1}, 1, {}}));
}

// Three executions: the third most recent is the first, a fourth there is not.
TEST(LowerStream, DropsWaitsForExecutionsThatAreNotMade) {
  const auto stream = [](int back) {
    return stream_of(fmt::format(R"({{"loop": "l", "trip_count": 3, "body": [{{"id": "i", "op": "x"}}]}},
        {{"id": "j", "op": "x", "after": [{{"id": "i", "back": {}}}]}})",
                                 back));
  };
  EXPECT_THAT(waits_of(stream(3), 1), ElementsAre(Wait{{0, 3}, 3, {}}));
  EXPECT_THAT(waits_of(stream(4), 1), IsEmpty());
  EXPECT_EQ(stream(4).steps[0].score.depth, 0u);
}

// A ring as deep as the farthest look back, behind a cell that counts; a single cell where only the latest counts.
TEST(LowerStream, RemembersAsManyExecutionsAsSomebodyAsksFor) {
  const InstructionStream stream = stream_of(R"({"loop": "l", "trip_count": 9, "body": [
      {"id": "i", "op": "x", "after": ["i", {"id": "i", "back": 4}, {"id": "j", "back": 1}]},
      {"id": "j", "op": "y", "after": [{"id": "i", "back": 2}]}, {"id": "k", "op": "y"}]})");
  EXPECT_EQ(stream.steps[0].score.depth, 4u);
  EXPECT_EQ(stream.steps[1].score.depth, 1u);
  EXPECT_EQ(stream.steps[2].score.depth, 0u);
  EXPECT_EQ(stream.cells, 5u + 1u);
}

TEST(LowerStream, TurnsAnEdgesOwnLatencyIntoItsDifferenceToTheProducers) {
  const InstructionStream stream = stream_of(R"({"id": "i", "op": "x"}, {"id": "j", "op": "y", "after": [
      {"id": "i", "latency": 4}, {"id": "i", "latency": 15.5}, "i"]})");
  EXPECT_THAT(waits_of(stream, 1), ElementsAre(Wait{{0, 1}, 1, Ticks{4000 - 10000}},
                                               Wait{{0, 1}, 1, Ticks{15500 - 10000}}, Wait{{0, 1}, 1, Ticks{0}}));
}

// "the producer's completion - its Lambda + l": with Lambda = 10 + (3 - 1) 5 as bound.
TEST(LowerStream, TakesTheProducersLatencyWithItsIncrements) {
  const Device device = device_with({{"x", "a", 1, 10, R"({"per_conflict": {"completion": 5}})"}});
  const InstructionStream stream = lowered(kernel_with(R"({"id": "i", "op": "x", "conflict_degree": 3},
      {"id": "j", "op": "x", "after": [{"id": "i", "latency": 4}]})"),
                                           device)
                                       .streams[0];
  EXPECT_THAT(waits_of(stream, 1), ElementsAre(Wait{{0, 1}, 1, Ticks{4000 - 20000}}));
}

}  // namespace
}  // namespace warpipe
