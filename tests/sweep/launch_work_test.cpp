#include "warpipe/predict/launch_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_models.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto kBody = R"({"id": "a", "op": "x"})";

/// Lambda 1 and Lambda 10, in a unit of 8 groups.
Device one_unit() { return device_with({{"x", "a", 1, 10}}, R"({"limits": {"groups_per_unit": 8}})"); }

/// 1024 elements, a thread each, two operations an element.
Kernel elements(const std::string& groups = "ceil(n / group_size)", const std::string& flops = "2 * n") {
  return kernel_file(R"("parameters": {"n": 1024}, "launch": {"group_size": 64, "groups": ")" + groups +
                         R"("}, "work": {"flops": ")" + flops + R"(", "bytes": "12 * n"},)",
                     kBody);
}

LaunchOptions groups_of(std::optional<std::int64_t> groups, std::optional<std::int64_t> size = {}) {
  LaunchOptions options;
  options.groups = groups;
  options.group_size = size;
  return options;
}

Launch launch_of(const Kernel& kernel, const LaunchOptions& options) {
  return predict(kernel, one_unit(), options).launch;
}

TEST(GroupSize, ChangesTheWorkWhereTheNumberOfGroupsDoesNotFollow) {
  EXPECT_EQ(why_groups_stay(elements(), {}), "");
  EXPECT_EQ(why_groups_stay(elements("n / (32 * warps)"), {}), "");
  EXPECT_THAT(why_groups_stay(elements("n / 64"), {}), HasSubstr("does not follow"));
  EXPECT_THAT(why_groups_stay(elements(), groups_of(4)), HasSubstr("is given"));
  EXPECT_THAT(why_groups_stay(kernel_file("", kBody), {}), HasSubstr("does not follow"));
}

TEST(GroupSize, IsNotVariedWhereItChangesTheWork) {
  const auto refusal = [](const Kernel& kernel, const LaunchOptions& options, std::vector<std::string> texts) {
    std::vector<Variation> variations;
    for (const auto& text : texts) variations.push_back(parse_variation(text, kernel, one_unit()));
    return message_of<UsageError>([&] { run_sweep(kernel, one_unit(), options, variations, 1); });
  };
  EXPECT_EQ(refusal(elements(), {}, {"group_size=32,64"}), "");
  EXPECT_THAT(refusal(elements("16"), {}, {"group_size=32,64"}), HasSubstr("smaller groups would do less work"));
  EXPECT_THAT(refusal(elements(), groups_of(4), {"group_size=32,64"}), HasSubstr("leave `groups` out"));
  // A user who varies both may compare points of equal work.
  EXPECT_EQ(refusal(elements("16"), {}, {"group_size=32,64", "groups=16,32"}), "");
}

TEST(Work, IsLeftOutWhereOtherGroupsRanThanItIsOf) {
  const Launch other = launch_of(elements(), groups_of(1000000));
  EXPECT_FALSE(other.flops || other.bytes);
  EXPECT_THAT(other.work_of_others, HasSubstr("16 groups of 64 threads"));
  const Launch smaller = launch_of(elements("16"), groups_of({}, 32));
  EXPECT_FALSE(smaller.flops || smaller.bytes);
}

TEST(Work, StaysWhereItGrowsWithTheGroups) {
  EXPECT_EQ(launch_of(elements("16", "2 * group_size * groups"), groups_of(1000000)).flops, 128e6);
  EXPECT_EQ(launch_of(elements("16", "7 * groups"), groups_of(32, 32)).flops, 224);
}

TEST(Work, StaysWhereTheSameThreadsRan) {
  EXPECT_EQ(launch_of(elements(), {}).flops, 2048);
  EXPECT_EQ(launch_of(elements(), groups_of({}, 128)).flops, 2048);
  EXPECT_EQ(launch_of(elements(), groups_of(8, 128)).flops, 2048);
  EXPECT_EQ(launch_of(elements(), groups_of(16)).flops, 2048);
  EXPECT_EQ(launch_of(elements(), groups_of({}, 96)).flops, 2048);  // 11 groups, 1056 threads: rounded up
  EXPECT_THAT(launch_of(elements(), groups_of({}, 96)).work_of_others, IsEmpty());
}

/// The number of points of equal work, and the fastest of them, as "2: group_size=64 ...".
std::vector<std::string> works(const Kernel& kernel, std::vector<std::string> texts) {
  std::vector<Variation> variations;
  for (const auto& text : texts) variations.push_back(parse_variation(text, kernel, one_unit()));
  const auto points = run_sweep(kernel, one_unit(), {}, variations, 1);
  std::vector<std::string> all;
  for (const auto& work : equal_work(variations, points)) {
    std::string text = fmt::format("{}:", work.points);
    for (const auto& value : work.fastest->values) text += " " + to_string(value);
    all.push_back(text);
  }
  return all;
}

// A unit, lambda 1: the fastest point has the fewest warps, or the smallest lambda.
TEST(EqualWork, IsThatOfPointsThatDifferOnTheDevice) {
  EXPECT_THAT(works(elements(), {"x.issue=4,1,2", "concurrent_groups=4"}), ElementsAre("3: 1 4"));
}

TEST(EqualWork, IsThatOfGroupsWhoseNumberFollowsTheirSize) {
  EXPECT_THAT(works(elements(), {"group_size=32,64,96"}), SizeIs(1));
}

TEST(EqualWork, DiffersWithAParameterThatChangesIt) {
  EXPECT_THAT(works(elements(), {"n=1024,2048", "x.issue=2,1"}), ElementsAre("2: 1024 1", "2: 2048 1"));
}

TEST(EqualWork, IsThatOfTheSameThreadsWhereSizeAndNumberVary) {
  EXPECT_THAT(works(elements("16", "2 * group_size * groups"), {"group_size=32,64", "groups=8,16"}), SizeIs(3));
  const Kernel silent = kernel_file(R"("launch": {"group_size": 32, "groups": 1},)", kBody);
  EXPECT_THAT(works(silent, {"group_size=32,64", "groups=8,16"}), SizeIs(3));
}

// Who does not tell the work may do more of it with any other parameter.
TEST(EqualWork, IsNotKnownOfParametersOfAKernelThatTellsNone) {
  const Kernel silent = kernel_file(R"("parameters": {"n": 1}, "launch": {"group_size": 32, "groups": 1},)", kBody);
  EXPECT_THAT(works(silent, {"n=1,2"}), SizeIs(2));
}

TEST(EqualWork, CountsThePointsBehindOneThatFailed) {
  const auto issue = parse_variation("x.issue=4,2,1", elements(), one_unit());
  auto points = run_sweep(elements(), one_unit(), {}, {issue}, 1);
  points[1].prediction.reset();
  const auto all = equal_work({issue}, points);
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].points, 2U);
  EXPECT_EQ(all[0].fastest, &points[2]);
}

TEST(HighestThroughput, IsAlsoSoughtBehindPointsThatFailed) {
  const auto n = parse_variation("n=1024,65536", elements(), one_unit());
  auto points = run_sweep(elements(), one_unit(), {}, {n}, 1);
  points[0].prediction.reset();
  EXPECT_EQ(highest_throughput(points, {n}), &points[1]);
}

TEST(HighestThroughput, IsThatOfTheMostWorkInASecond) {
  const Kernel kernel = elements();
  const auto n = parse_variation("n=1024,65536", kernel, one_unit());
  const auto points = run_sweep(kernel, one_unit(), {}, {n}, 1);
  EXPECT_EQ(highest_throughput(points, {n}), &points[1]);  // the latency of 10 cycles counts once for more
}

}  // namespace
}  // namespace warpipe
