#include "warpipe/predict/group_kinds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "small_models.hpp"
#include "support/property.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint32_t> kinds_of(const GroupOrder& order, std::int64_t groups) {
  std::vector<std::uint32_t> kinds;
  for (std::int64_t age = 0; age < groups; ++age) kinds.push_back(order.kind_of(age));
  return kinds;
}

/// A kernel whose groups make as many trips as the `trips` of their kind say.
Kernel kernel_of_kinds(std::string_view kinds, std::int64_t groups) {
  return kernel_file(
      fmt::format(R"("launch": {{"group_size": 64, "groups": {}, "concurrent_groups": 2}}, "kinds": {{{}}},)", groups,
                  kinds),
      R"({"loop": "l", "trip_count": "trips", "body": [{"id": "i", "op": "x"}]})");
}

TEST(LaunchKinds, FollowAnExpressionOfTheGroup) {
  const Kernel kernel = kernel_of_kinds(R"x("of_group": "floor(group * 2 / groups)", "values": {"trips": [3, 5]})x", 7);
  const LaunchKinds kinds = launch_kinds(kernel, {{"group_size", 64}, {"warps", 2}}, 7);
  EXPECT_THAT(kinds.numbers, ElementsAre(0, 1));
  EXPECT_THAT(kinds_of(kinds.order, 7), ElementsAre(0, 0, 0, 0, 1, 1, 1));
}

TEST(LaunchKinds, FollowATableThatRepeats) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[4, 1], [2, 2]], "values": {"trips": [1, 2, 3, 4, 5]})", 7);
  const LaunchKinds kinds = launch_kinds(kernel, {}, 7);
  EXPECT_THAT(kinds.numbers, ElementsAre(2, 4));
  EXPECT_THAT(kinds_of(kinds.order, 7), ElementsAre(1, 0, 0, 1, 0, 0, 1));
}

TEST(LaunchKinds, LeaveOutWhatALaunchDoesNotGetTo) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[0, 5], [1, 5]], "values": {"trips": [1, 2]})", 4);
  EXPECT_THAT(launch_kinds(kernel, {}, 4).numbers, ElementsAre(0));
}

TEST(LaunchKinds, RefuseToEvaluateForBillionsOfGroups) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": "group", "values": {"trips": [1]})", 1'000'000'000);
  EXPECT_THAT(message_of<ModelError>([&] { lowered(kernel, two_ops()); }), HasSubstr("give the kinds as a table"));
}

TEST(Lower, SaysOfWhichGroupAnExpressionHasNoKind) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": "group / 2", "values": {"trips": [1, 2]})", 3);
  EXPECT_THAT(message_of<ModelError>([&] { lowered(kernel, two_ops()); }),
              HasSubstr("k.json: /kinds/of_group: \"group / 2\" = 0.5 is not a whole number for group 1"));
}

TEST(Lower, RefusesAGroupOfAKindWithoutValues) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": "group", "values": {"trips": [1, 2]})", 3);
  EXPECT_THAT(message_of<ModelError>([&] { lowered(kernel, two_ops()); }),
              HasSubstr("k.json: /kinds/values/trips: kind 2 has no value; there are values for kinds 0 to 1"));
}

TEST(Lower, RefusesAsManyNumbersAsThereAreNotWarps) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": 0, "values": {"trips": [[1, 2, 3]]})", 3);
  EXPECT_THAT(
      message_of<ModelError>([&] { lowered(kernel, two_ops()); }),
      HasSubstr(
          "k.json: /kinds/values/trips/0: a kind must have one number, or one for each of the 2 warps of a group"));
}

TEST(Lower, GivesEachKindAndWarpItsStream) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[0, 1], [1, 1], [2, 1]],
                                           "values": {"trips": [[1, 4], 4, [4, 1]]})",
                                        6);
  const Program program = lowered(kernel, two_ops(), all_units());
  ASSERT_EQ(program.streams.size(), 2u);  // one trip, four trips
  EXPECT_THAT(program.kinds, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 1), ElementsAre(1, 0)));
  EXPECT_THAT(kinds_of(program.order, 4), ElementsAre(0, 1, 2, 0));
}

// Kinds that do the same are one, and then one unit simulates as if groups were alike.
TEST(Lower, MergesKindsThatDoTheSame) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[0, 1], [1, 1]], "values": {"trips": [3, 3]})", 6);
  const Program program = lowered(kernel, two_ops());
  EXPECT_EQ(program.kinds.size(), 1u);
  EXPECT_EQ(program.order, GroupOrder());
}

// Worked by hand: the sorted work is 1 1 2 3 5 8, its parts of two send what is nearest to their means 1, 2.5, 6.5 with
// what is left over: 1, then 2 or 3 are as near to 2.5 and the lesser goes, then 7 is wanted and 8 is nearest. That is
// 11 where 10 are wanted: the 2 is exchanged for a 1, the second of the two.
TEST(SampleGroups, SendsOneGroupFromEachPartOfTheSortedGroups) {
  const GroupOrder order({{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}});
  const std::vector<std::int64_t> work{8, 1, 5, 1, 3, 2};
  EXPECT_THAT(kinds_of(sample_groups(order, 6, work, 3), 3), ElementsAre(0, 1, 3));
}

// Nine tenths of the work in one of a hundred groups, as in a tree: the parts of the sorted groups send too little, 99
// and 1 of 100 wanted cannot be met, so one of the light ones is exchanged. 50 groups: 48 light ones, 10 and 42 make
// 100.
TEST(SampleGroups, ExchangesGroupsWhereTheirPartsSendTooLittle) {
  std::vector<GroupOrder::Run> runs{{0, 97}, {1, 1}, {2, 1}, {3, 1}};
  const std::vector<std::int64_t> work{1, 10, 42, 51};  // 200 in all, 100 wanted
  const GroupOrder sample = sample_groups(GroupOrder(runs), 100, work, 50);
  double sum = 0;
  const auto counts = sample.counts(work.size(), 50);
  for (std::size_t kind = 0; kind < work.size(); ++kind) sum += static_cast<double>(counts[kind] * work[kind]);
  EXPECT_NEAR(sum, 100, 0.5) << counts[0] << " " << counts[1] << " " << counts[2] << " " << counts[3];
}

// One of 64 groups works, and one is picked: an idle one is nearer to the mean, 15 of 1000, but the run lasts as long
// as the one that works. Of ten it is one of them, and 990 are too many by less than all.
TEST(SampleGroups, AreNotIdleOnesAlone) {
  const GroupOrder order({{0, 1}, {1, 63}});
  const std::vector<std::int64_t> work{1000, 0};
  EXPECT_THAT(kinds_of(sample_groups(order, 64, work, 1), 1), ElementsAre(0));
  EXPECT_EQ(sample_groups(order, 64, work, 10).counts(2, 10), (std::vector<std::int64_t>{1, 9}));
}

// 101 of the 1000 that ten average groups have: no tenth is missing.
TEST(SampleGroups, StayAsTheyAreWhereTheyDoATenth) {
  const GroupOrder order({{0, 1}, {1, 99}});
  const std::vector<std::int64_t> work{9001, 1010};
  EXPECT_THAT(kinds_of(sample_groups(order, 100, work, 1), 1), ElementsAre(1));
}

TEST(SampleGroups, TakesAllOfThemWhereAllAreSimulated) {
  const GroupOrder order({{0, 1}, {1, 2}});
  EXPECT_EQ(sample_groups(order, 6, {1, 2}, 6), order);
}

double mean_work(const GroupOrder& order, const std::vector<std::int64_t>& work, std::int64_t groups) {
  double sum = 0;
  const auto counts = order.counts(work.size(), groups);
  for (std::size_t i = 0; i < work.size(); ++i) sum += static_cast<double>(counts[i] * work[i]);
  return sum / static_cast<double>(groups);
}

// Triangular work of 128 kinds, as causal attention has it, for any number of groups: within half a per cent.
TEST(SampleGroups, DoTheWorkOfAverageGroups) {
  std::vector<std::int64_t> work;
  std::vector<GroupOrder::Run> runs;
  for (std::uint32_t kind = 0; kind < 128; ++kind) {
    work.push_back(100 + 50 * static_cast<std::int64_t>(kind / 4));
    runs.push_back({kind, 1});
  }
  const GroupOrder order(runs);
  for (std::int64_t total = 12280; total < 12300; ++total) {
    const std::int64_t picked = (total + 131) / 132;
    const double of_sample = mean_work(sample_groups(order, total, work, picked), work, picked);
    EXPECT_NEAR(of_sample / mean_work(order, work, total), 1, 0.005) << total;
  }
}

}  // namespace
}  // namespace warpipe
