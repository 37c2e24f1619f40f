#include "warpipe/sweep/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "chain_model.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Variation> parsed(const std::vector<std::string>& texts) {
  std::vector<Variation> variations;
  for (const std::string& text : texts) variations.push_back(parse_variation(text, chain_kernel(), chain_device()));
  return variations;
}

std::vector<SweepPoint> sweep(const std::vector<std::string>& texts, const LaunchOptions& options = {},
                              std::size_t threads = 1) {
  return run_sweep(chain_kernel(), chain_device(), options, parsed(texts), threads);
}

/// The cycles of each point, or its error.
std::vector<std::string> shown(const std::vector<SweepPoint>& points) {
  std::vector<std::string> all;
  for (const SweepPoint& point : points) {
    all.push_back(point.prediction ? format_cycles(point.prediction->cycles) : point.error);
  }
  return all;
}

TEST(OptionsAt, ReplaceWhatTheLaunchOptionsSay) {
  LaunchOptions options;
  options.group_size = 1;
  options.groups = 1;
  options.concurrent_groups = 1;
  options.parameters = {{"trips", 1}};
  options.conflict_degree = {{"next", 1}};
  options.transactions = {{"next", 1}};
  const auto variations = parsed(
      {"group_size=2", "groups=3", "concurrent_groups=4", "trips=5", "next.conflict_degree=6", "next.transactions=7"});
  const LaunchOptions at = options_at(options, variations, {2, 3, 4, 5, 6, 7}, chain_kernel(), chain_device());
  EXPECT_EQ(at.group_size, 2);
  EXPECT_EQ(at.groups, 3);
  EXPECT_EQ(at.concurrent_groups, 4);
  EXPECT_EQ(at.parameters.at("trips"), 5);
  EXPECT_EQ(at.conflict_degree.at("next"), 6);
  EXPECT_EQ(at.transactions.at("next"), 7);
}

TEST(OptionsAt, TurnAnOccupancyIntoGroupsOfTheSizeAtThatPoint) {
  const LaunchOptions none;
  // The kernel's own 64 threads are 2 warps.
  EXPECT_EQ(options_at(none, parsed({"occupancy=8"}), {8}, chain_kernel(), chain_device()).concurrent_groups, 4);
  // 96 threads are 3 warps, in whatever order the two are varied.
  EXPECT_EQ(options_at(none, parsed({"occupancy=6", "group_size=96"}), {6, 96}, chain_kernel(), chain_device())
                .concurrent_groups,
            2);
  // 33 threads are 2 warps.
  LaunchOptions options;
  options.group_size = 33;
  options.concurrent_groups = 7;
  EXPECT_EQ(options_at(options, parsed({"occupancy=2"}), {2}, chain_kernel(), chain_device()).concurrent_groups, 1);
}

TEST(OptionsAt, RefuseAnOccupancyThatIsNoWholeNumberOfGroups) {
  try {
    options_at({}, parsed({"occupancy=3"}), {3}, chain_kernel(), chain_device());
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("found 3 warps, a group has 2"));
    EXPECT_THAT(error.what(), HasSubstr("multiple of 2"));
  }
}

TEST(Sweep, PredictsEachPoint) {
  // (trips - 1) max(10, 2 x 2) + 2 + 10
  EXPECT_THAT(shown(sweep({"trips=1:4"})), ElementsAre("12", "22", "32", "42"));
  // 2 max(10, 2 W) + (W - 1) 2 + 10 for W = 1, 4, 8
  EXPECT_THAT(shown(sweep({"groups=1", "group_size=32,128,256"})), ElementsAre("30", "36", "56"));
}

TEST(Sweep, TakesAllCombinationsTheLastVariationFastest) {
  const auto points = sweep({"trips=1,3", "step.one.issue=1,2,4"});
  ASSERT_THAT(points, SizeIs(6));
  EXPECT_THAT(points[0].values, ElementsAre(1, 1));
  EXPECT_THAT(points[1].values, ElementsAre(1, 2));
  EXPECT_THAT(points[3].values, ElementsAre(3, 1));
  // (trips - 1) max(10, 2 lambda) + lambda + 10
  EXPECT_THAT(shown(points), ElementsAre("11", "12", "14", "31", "32", "34"));
}

TEST(Sweep, OfNothingIsTheLaunchItself) { EXPECT_THAT(shown(sweep({})), ElementsAre("32")); }

TEST(Sweep, OfALatencyReplacesSetAndScaleOfThatLatencyAlone) {
  LaunchOptions options;
  options.set = {{"step.one.issue", 50}, {"step.one.completion", 20}};
  options.scale = {{"step.one", 3}};
  // lambda = 4 as varied, Lambda = 20 x 3: 2 x 60 + 4 + 60.
  EXPECT_THAT(shown(sweep({"step.one.issue=4"}, options)), ElementsAre("184"));
  // lambda = 50 x 3, Lambda = 160 as varied: 2 max(160, 300) + 150 + 160.
  EXPECT_THAT(shown(sweep({"step.one.completion=160"}, options)), ElementsAre("910"));
}

TEST(Sweep, OfAConflictDegreeAddsTheIncrements) {
  // lambda = 2 + (d - 1) 1, Lambda = 10 + (d - 1) 5: 32, then 2 x 15 + 3 + 15.
  EXPECT_THAT(shown(sweep({"next.conflict_degree=1,2"})), ElementsAre("32", "48"));
}

TEST(Sweep, OfAnOccupancyHoldsSoManyWarps) {
  LaunchOptions options;
  options.groups = 4;
  const auto points = sweep({"occupancy=8,4"}, options);
  // All 8 warps resident: 2 x 16 + 14 + 10. With 4, the first two groups issue at 0, 2, 10, ..., 22 and 4, 6, ..., 26
  // and end at 32 and 36; the next two do the same from there, so they end at 64 and 68.
  EXPECT_THAT(shown(points), ElementsAre("56", "68"));
  ASSERT_TRUE(points[1].prediction);
  EXPECT_EQ(points[1].prediction->launch.concurrent_groups.value, 2);
  EXPECT_EQ(points[1].prediction->launch.resident_warps, 4);
}

TEST(Sweep, KeepsPointsThatFailWithTheReason) {
  LaunchOptions options;
  options.groups = 100;
  const auto points = sweep({"occupancy=2,3,18"}, options);
  ASSERT_THAT(points, SizeIs(3));
  EXPECT_TRUE(points[0].prediction);
  EXPECT_THAT(points[0].error, IsEmpty());
  EXPECT_FALSE(points[1].prediction);
  EXPECT_THAT(points[1].error, HasSubstr("whole number of groups"));
  // 18 warps are 9 groups, and the device holds 8.
  EXPECT_FALSE(points[2].prediction);
  EXPECT_THAT(points[2].error, HasSubstr("9"));
}

TEST(Sweep, FailsAsAWholeForAnOptionThatTheFilesDoNotKnow) {
  LaunchOptions options;
  options.parameters = {{"tripz", 1}};
  EXPECT_THROW(sweep({"groups=1"}, options), UsageError);
  LaunchOptions other;
  other.set = {{"step.two.issue", 1}};
  EXPECT_THROW(sweep({"groups=1"}, other), UsageError);
}

TEST(Sweep, VariesEachThingOnce) {
  EXPECT_THROW(sweep({"groups=1", "groups=2"}), UsageError);
  EXPECT_THROW(sweep({"occupancy=2", "concurrent_groups=1"}), UsageError);
  EXPECT_THAT(sweep({"step.one.issue=1", "step.one.completion=8"}), SizeIs(1));
}

TEST(Sweep, HasAtMostTenMillionPoints) { EXPECT_THROW(sweep({"groups=1:10000", "trips=1:1001"}), UsageError); }

TEST(Sweep, GivesTheSameOnAnyNumberOfThreads) {
  const std::vector<std::string> variations{"groups=1:6", "occupancy=1:4", "step.one.issue=1:3:0.5"};
  const auto alone = sweep(variations, {}, 1);
  ASSERT_THAT(alone, SizeIs(6 * 4 * 5));
  for (const std::size_t threads : {2u, 7u, 0u}) {
    const auto points = sweep(variations, {}, threads);
    EXPECT_EQ(shown(points), shown(alone)) << threads;
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i].values, alone[i].values) << threads;
  }
}

TEST(Sweep, HandsOverPointsInOrderFromWhereItStarts) {
  for (const std::size_t threads : {1u, 2u, 7u}) {
    std::vector<SweepPoint> points;
    for_each_point(chain_kernel(), chain_device(), {}, parsed({"trips=1:200"}), 150, threads,
                   [&](SweepPoint point) { points.push_back(std::move(point)); });
    const auto all = sweep({"trips=1:200"});
    EXPECT_EQ(shown(points), shown({all.begin() + 150, all.end()})) << threads;
  }
}

TEST(Sweep, EndsWithWhatTheTakerThrows) {
  const auto refuse = [](const SweepPoint& point) {
    if (point.values.front() == 3) throw OutputError(Diagnostic{"the disk", "is full", "", ""});
  };
  EXPECT_THROW(for_each_point(chain_kernel(), chain_device(), {}, parsed({"trips=1:200"}), 0, 2, refuse), OutputError);
}

TEST(Sweep, TellsItsProgressOneCallAtATime) {
  std::vector<std::size_t> done;
  run_sweep(chain_kernel(), chain_device(), {}, parsed({"trips=1:5"}), 3, [&](std::size_t finished, std::size_t total) {
    done.push_back(finished);
    EXPECT_EQ(total, 5u);
  });
  EXPECT_THAT(done, ElementsAre(1, 2, 3, 4, 5));
}

}  // namespace
}  // namespace warpipe
