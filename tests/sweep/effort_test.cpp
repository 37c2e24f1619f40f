#include "warpipe/sweep/effort.hpp"
#include "warpipe/predict/run_within.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "small_models.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using testing::Optional;

RemainingTime remaining(const std::vector<double>& instructions, double untold = 0) {
  return {instructions.size(), 0, [&](std::size_t index) { return instructions[index]; }, untold};
}

// n = 512:4096:x2 of a kernel whose work grows with the cube of n: by their number, half of the pieces would be half of
// the work.
TEST(RemainingTime, IsOfTheInstructionsThatAreLeft) {
  auto time = remaining({1, 8, 64, 512});
  time.note_done(2, {.issued = 9});
  EXPECT_THAT(time.left({.issued = 9}, 9), Optional(64.0 + 512.0));
}

TEST(RemainingTime, CountsWhatIsDoneOfAPieceUnderWay) {
  auto time = remaining({100});
  EXPECT_THAT(time.left({.issued = 25}, 5), Optional(15.0));
  EXPECT_THAT(time.left({.issued = 25, .skipped = 50}, 6), Optional(2.0)) << "75 took 6 s, 25 are left";
}

// 10^12 instructions, of which a steady state will leave a few million: after two seconds and 10^7 of them it is not
// known whether the rest takes 55 hours or no time.
TEST(RemainingTime, IsNotToldWhereTheNextPeriodMayBeSkipped) {
  auto time = remaining({1e12}, kWithoutAPeriod);
  EXPECT_EQ(time.left({.issued = 10'000'000}, 2), std::nullopt);
  EXPECT_THAT(remaining({1e12}).left({.issued = 10'000'000}, 2), Optional(testing::DoubleNear(2e5, 10)));
  EXPECT_THAT(time.left({.issued = 10'000'000, .skipped = 990'000'000'000}, 2), Optional(testing::Lt(0.1)));
  EXPECT_EQ(time.left({.issued = 49'000'000'000}, 3600), std::nullopt);
  EXPECT_THAT(time.left({.issued = 50'000'000'000}, 3600), Optional(19 * 3600.0)) << "no period in all that time";
}

TEST(RemainingTime, OfPiecesIsNotToldBeforeOneHasShownWhatItSkips) {
  auto time = remaining({1e12, 1e12}, kWithoutAPeriod);
  EXPECT_EQ(time.left({.issued = 10'000'000}, 2), std::nullopt);
  const SimulatedInstructions simulated{.issued = 10'000'000, .skipped = 990'000'000'000};
  time.note_done(1, simulated);
  EXPECT_THAT(time.left(simulated, 2), Optional(2.0));
}

// Each of the first three simulates a thousand instructions and skips the rest, so the last will, too.
TEST(RemainingTime, OfPiecesThatSkipIsThatOfThoseBeforeThem) {
  auto time = remaining({1e3, 8e3, 64e3, 512e3});
  const SimulatedInstructions simulated{.issued = 3000, .skipped = 70'000};
  time.note_done(3, simulated);
  EXPECT_THAT(time.left(simulated, 3), Optional(1.0));
}

TEST(RemainingTime, WithoutInstructionsGoesByThePiecesOfThisRun) {
  RemainingTime time(10, 5, {}, kWithoutAPeriod);
  EXPECT_EQ(time.left({}, 4), std::nullopt);
  time.note_done(7, {});
  EXPECT_THAT(time.left({}, 4), Optional(6.0));
}

TEST(RemainingTime, IsUnknownBeforeAnythingIsSimulated) { EXPECT_EQ(remaining({100}).left({}, 1), std::nullopt); }

// The work of the first half is a quarter of all. A thousand times as many pieces are looked at no more often.
TEST(RemainingTime, LooksAtFewOfManyPieces) {
  constexpr std::size_t kPieces = 100'000;
  std::size_t looks = 0;
  const auto instructions = [&](std::size_t index) {
    ++looks;
    return static_cast<double>(index);
  };
  RemainingTime time(kPieces, 0, instructions, 0);
  EXPECT_LE(looks, 256U);
  const SimulatedInstructions quarter{.issued = static_cast<std::int64_t>(kPieces) * kPieces / 8};
  time.note_done(kPieces / 2, quarter);
  EXPECT_NEAR(time.left(quarter, 1).value(), 3, 0.01);
}

constexpr std::string_view kTwice = R"({"loop": "l", "trip_count": 2, "body": [{"id": "i", "op": "x"}]})";

// Two warps of two instructions in each of ten groups, and a single warp for the latency bound.
TEST(Effort, IsWhatARunAndItsBoundsIssue) {
  const Kernel kernel = kernel_with(kTwice, {.warps = 2, .groups = 10});
  const Effort effort = effort_of(kernel, two_ops(), {});
  EXPECT_EQ(effort.run, 40 + 2);
  EXPECT_EQ(effort.full, 40 + 2);
  const auto before = simulated_so_far();
  predict(kernel, two_ops(), {});
  const auto after = simulated_so_far();
  EXPECT_EQ(after.issued + after.skipped - before.issued - before.skipped, 40 + 2);
}

// Four units with ten groups: two of them simulate three, two simulate two, and a unit of each kind stands for both.
TEST(Effort, OfUnitsThatDoTheSameIsThatOfOneOfThem) {
  const Kernel kernel = kernel_with(kTwice, {.warps = 2, .groups = 10});
  const Device device = device_with({{"x", "a", 1, 10}}, R"({"compute_units": 4})");
  const Effort effort = effort_of(kernel, device, all_units());
  EXPECT_EQ(effort.run, 20 + 2);
  EXPECT_EQ(effort.full, 40 + 2);
  LaunchOptions every_one = all_units();
  every_one.skipping = Skipping::Off;
  EXPECT_EQ(effort_of(kernel, device, every_one).run, 40 + 2);
}

// All units wait for the same memory.
TEST(Effort, OfUnitsThatShareAPipelineIsThatOfAll) {
  const Kernel kernel = kernel_with(kTwice, {.warps = 2, .groups = 10});
  const Device device =
      device_with({{"x", "a", 1, 10}}, R"({"compute_units": 4, "pipelines": {"a": {"scope": "device"}}})");
  EXPECT_EQ(effort_of(kernel, device, all_units()).run, 40 + 2);
}

// A million groups are many times the eight waves of the shortest run tried, a single group is not.
TEST(UntoldShare, IsWhatShorterRunsMayTakeWhereTheyMayStandIn) {
  LaunchOptions options;
  options.tolerance = kUsualTolerance;
  const Kernel many = kernel_with(kTwice, {.warps = 2, .groups = 1'000'000}),
               one = kernel_with(kTwice, {.warps = 2, .groups = 1});
  EXPECT_EQ(untold_share(many, two_ops(), options), kMostOfExtension);
  EXPECT_EQ(untold_share(one, two_ops(), options), kWithoutAPeriod);
  options.tolerance = 0;
  EXPECT_EQ(untold_share(many, two_ops(), options), kWithoutAPeriod);
  options.skipping = Skipping::Off;
  EXPECT_EQ(untold_share(many, two_ops(), options), 0);
}

TEST(Effort, OfWhatMakesNoModelIsNone) {
  EXPECT_EQ(effort_of(kernel_with(R"({"id": "i", "op": "nothing"})"), two_ops(), {}).run, 0);
}

}  // namespace
}  // namespace warpipe
