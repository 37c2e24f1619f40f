#include "warpipe/explain/follow_path.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance_cases.hpp"
#include "models.hpp"
#include "path_gathering.hpp"
#include "small_models.hpp"
#include "warpipe/explain/simulation.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

FollowedPath followed(const Kernel& kernel, const Device& device) {
  return Simulation(lower_launch(kernel, device, {})).critical_path();
}

/// "result of i 7": a part's edge, pipeline, instruction and cycles.
std::vector<std::string> parts(const FollowedPath& path) {
  std::vector<std::string> all;
  for (const PathPart& part : path.parts)
    all.push_back(fmt::format("{}{} of {} {}", to_string(part.edge), part.pipeline.empty() ? "" : " " + part.pipeline,
                              part.instruction, format_cycles(part.time)));
  return all;
}

constexpr std::string_view kTwoAfterEachOther = R"({"id": "i", "op": "x"}, {"id": "j", "op": "x", "after": ["i"]})";

// i issues at 0, its result comes at 7; j issues then, its result ends the run at 7 + 7.
TEST(FollowPath, FollowsResultsDownToTheStart) {
  const auto path = followed(kernel_with(kTwoAfterEachOther), device_with({{"x", "a", 2, 7}}));
  EXPECT_THAT(parts(path), ElementsAre("result of i 7", "drain of j 7"));
  ASSERT_EQ(path.chain.size(), 2);
  EXPECT_EQ(path.chain[0].cause, "i");
  EXPECT_EQ(path.chain[0].effect, "j");
  EXPECT_EQ(path.chain[1].from, Ticks{7000});
  EXPECT_EQ(path.chain[1].to, Ticks{14000});
}

// Three warps at 0 issue at 0, 4 and 8; the last result comes at 18.
TEST(FollowPath, GoesThroughABusyPipelineToAnotherWarp) {
  const auto path = followed(kernel_with(R"({"id": "i", "op": "x"})", {.warps = 3}), device_with({{"x", "a", 4, 10}}));
  EXPECT_THAT(parts(path), ElementsAre("drain of i 10", "pipeline a of i 8"));
  EXPECT_EQ(path.warp_changes[static_cast<std::size_t>(PathEdge::Pipeline)], 2);
}

// i's result comes at 2, then warp 1 comes to the barrier, which opens 5 cycles later.
TEST(FollowPath, GoesThroughABarrierToWhoCameLast) {
  const auto kernel = kernel_with(
      R"({"when": "warp == 1", "body": [{"id": "i", "op": "x"}]}, {"id": "sync", "op": "barrier", "after": ["i"]})",
      {.warps = 2});
  EXPECT_THAT(parts(followed(kernel, device_with({{"x", "a", 2, 2}}))),
              ElementsAre("barrier of sync 5", "result of i 2"));
}

// A scheduler, a pipeline each: i of both warps at 0 and 1, then j at 2 and 3; the last result comes at 3 + 3.
TEST(FollowPath, GoesThroughTheSchedulerToWhoWasChosen) {
  const auto kernel = kernel_with(R"({"id": "i", "op": "x"}, {"id": "j", "op": "y"})", {.warps = 2});
  const auto device = device_with({{"x", "a", 0, 3}, {"y", "b", 0, 3}}, R"({"issue": {"schedulers": 1}})");
  EXPECT_THAT(parts(followed(kernel, device)), ElementsAre("drain of j 3", "scheduler of i 2", "scheduler of j 1"));
}

// Behind its pipeline the first takes b from 0 to 10, the second from 10 to 20, the end of the run.
TEST(FollowPath, FollowsAQueueThroughTheFurtherPipeline) {
  const auto device = device_with({{"x", "a", 1, 3, R"({"then": [{"pipeline": "b", "issue": 10}]})"}},
                                  R"({"pipelines": {"b": {"backlog": 4}}})");
  EXPECT_THAT(parts(followed(kernel_with(R"({"id": "i", "op": "x"})", {.warps = 2}), device)),
              ElementsAre("pipeline b of i 20"));
}

// Both loads take b for 10 cycles; the second starts there at 10 and completes at 10 + 3, when j issues.
TEST(FollowPath, AResultThatWaitedForAFurtherPipelineComesFromThere) {
  const auto device =
      device_with({{"x", "a", 1, 3, R"({"then": [{"pipeline": "b", "issue": 10}]})"}, {"y", "c", 1, 20}});
  const auto kernel =
      kernel_with(R"({"id": "i", "op": "x"}, {"id": "k", "op": "x"}, {"id": "j", "op": "y", "after": ["k"]})");
  EXPECT_THAT(parts(followed(kernel, device)), ElementsAre("drain of j 20", "pipeline b of i 10", "result of k 3"));
}

// A single slot: the first group ends at 3, the slot is free at 23, the second group's store drains from b at 33.
TEST(FollowPath, GoesThroughASlotToTheGroupBefore) {
  const auto device = device_with({{"x", "a", 1, 3, R"({"then": [{"pipeline": "b", "issue": 10}]})"}},
                                  R"({"group_launch_latency": 20})");
  const auto kernel = kernel_with(R"({"id": "i", "op": "x"})", {.groups = 2, .concurrent_groups = 1});
  EXPECT_THAT(parts(followed(kernel, device)),
              ElementsAre("group launch of  20", "pipeline b of i 10", "drain of i 3"));
}

// The second group is placed 50 cycles after the first.
TEST(FollowPath, GoesThroughTheDispatchToTheGroupBefore) {
  const auto device = device_with({{"x", "a", 1, 3}}, R"({"group_dispatch_interval": 50})");
  const auto kernel = kernel_with(R"({"id": "i", "op": "x"})", {.groups = 2, .concurrent_groups = 2});
  EXPECT_THAT(parts(followed(kernel, device)), ElementsAre("group dispatch of  50", "drain of i 3"));
}

// 1000 trips: i waits for the j before it, j for i. 999 times from i to i, then to the last j, then to its result.
TEST(FollowPath, FoldsALoopIntoOneStretch) {
  const auto kernel = kernel_with(R"({"loop": "l", "trip_count": 1000, "body": [
      {"id": "i", "op": "x", "after": [{"id": "j", "back": 1}]}, {"id": "j", "op": "y", "after": ["i"]}]})");
  const auto path = followed(kernel, device_with({{"x", "a", 1, 2}, {"y", "b", 1, 3}}));
  ASSERT_EQ(path.chain.size(), 3);
  EXPECT_EQ(path.chain[0].comes, 999);
  ASSERT_EQ(path.chain[0].body.size(), 2);
  EXPECT_EQ(path.chain[0].body[0].time, Ticks{2'000 * 999});
  EXPECT_EQ(path.cycles, Ticks{5'000'000});
}

TEST(FollowPath, AddsUpInEveryForm) {
  for (const ConformanceCase& one : conformance_cases()) {
    LaunchOptions options;
    options.units = one.units;
    options.ignore_limits = true;
    const auto path = Simulation(lower_launch(one.kernel, one.device, options)).critical_path();
    Ticks parts, chain;
    std::int64_t links = 0;
    for (const PathPart& part : path.parts) parts = checked_add(parts, part.time);
    for (const PathStretch& stretch : path.chain) {
      EXPECT_EQ(stretch.from, chain) << one.name;
      chain = checked_add(chain, stretch.time);
      links += stretch.links;
    }
    EXPECT_EQ(path.cycles, one.cycles) << one.name;
    EXPECT_EQ(parts, one.cycles) << one.name;
    EXPECT_EQ(chain, one.cycles) << one.name;
    EXPECT_EQ(links, path.links) << one.name;
  }
}

TEST(FollowPath, RefusesALaunchThatWouldTakeTooLong) {
  const LoweredLaunch launch = lower_launch(kernel_with(kTwoAfterEachOther), device_with({{"x", "a", 2, 7}}), {});
  EXPECT_NO_THROW(PathGathering(launch, 2));
  EXPECT_THAT(message_of<ModelError>([&] { PathGathering(launch, 1); }), HasSubstr("use fewer `groups`"));
}

}  // namespace
}  // namespace warpipe
