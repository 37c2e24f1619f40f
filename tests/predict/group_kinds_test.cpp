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
  ASSERT_EQ(program.streams.size(), 2u);  // a trip, four trips
  EXPECT_THAT(program.kinds, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 1), ElementsAre(1, 0)));
  EXPECT_THAT(kinds_of(program.order, 4), ElementsAre(0, 1, 2, 0));
}

// Group 1 reads 8 bytes apart, two words in each of 16 banks. Group 0, were it of kind 1, would read outside of the
// array.
TEST(Lower, TakesTheAddressesOfAKindFromItsFirstGroup) {
  const Kernel kernel = kernel_file(
      R"("launch": {"group_size": 32, "groups": 2, "concurrent_groups": 1}, "kinds": {"of_group": "group"},
         "arrays": {"A": {"bytes": 256}},)",
      R"x({"id": "i", "op": "x", "access": {"array": "A", "width_bytes": 4,
          "address": "(4 + 4 * kind) * lane + 4096 * (kind - group)"}})x");
  const Device device = device_with({{"x", "a", 1, 10, R"({"per_conflict": {"issue": 1}})"}}, R"({"memory": {}})");
  const Program program = lowered(kernel, device, all_units());
  ASSERT_EQ(program.streams.size(), 2u);
  EXPECT_EQ(program.streams[0].steps[0].issue, Ticks{1000});
  EXPECT_EQ(program.streams[1].steps[0].issue, Ticks{2000});
}

// Kinds of equal work are merged, and then a unit simulates as if groups were alike.
TEST(Lower, MergesKindsThatDoTheSame) {
  const Kernel kernel = kernel_of_kinds(R"("of_group": [[0, 1], [1, 1]], "values": {"trips": [3, 3]})", 6);
  const Program program = lowered(kernel, two_ops());
  EXPECT_EQ(program.kinds.size(), 1u);
  EXPECT_EQ(program.order, GroupOrder());
}

// Worked by hand: the sorted work is 1 1 2 3 5 8, and the middles of three parts are the second, the fourth and the
// sixth: 1, 3 and 8. Their sum is 12 where 10 are wanted: the 3 is exchanged for the 1 left out.
TEST(SampleGroups, ChoosesTheMiddleOfEachPartOfTheSortedGroups) {
  const GroupOrder order({{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}});
  const std::vector<std::int64_t> work{8, 1, 5, 1, 3, 2};
  EXPECT_THAT(kinds_of(sample_groups(order, 6, work, 3), 3), ElementsAre(0, 1, 3));
}

// Of three groups two are chosen, the first and the last: 1 + 9 is the work of two average groups. Twice 5 would be,
// too.
TEST(SampleGroups, ChooseNoGroupTwice) {
  const GroupOrder order({{0, 1}, {1, 1}, {2, 1}});
  EXPECT_THAT(kinds_of(sample_groups(order, 3, {1, 5, 9}, 2), 2), ElementsAre(0, 2));
}

// The sorted work is 0 0 0 6 6 6 6 6 20, and 5.56 x 3 = 16.7 are wanted. The middles of three parts are 0, 6 and 6: 12.
// The 0 is exchanged for a 6, for a sum of 18, and nothing is nearer. Left out with work 6 are the first, the third and
// the fourth: the third comes, in the middle.
TEST(SampleGroups, ExchangeForTheMiddleOneOfThoseThatAreNotChosen) {
  const GroupOrder order({{0, 3}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}});
  const std::vector<std::int64_t> work{0, 6, 6, 6, 6, 6, 20};
  EXPECT_THAT(kinds_of(sample_groups(order, 9, work, 3), 3), ElementsAre(2, 3, 5));
}

// The middles of the parts are 48 of the 97 light groups, 10 and 51: 109 where 100 are wanted. 42 in the place of 51
// makes 100.
TEST(SampleGroups, ExchangesGroupsWhereTheirPartsSendTooMuch) {
  std::vector<GroupOrder::Run> runs{{0, 97}, {1, 1}, {2, 1}, {3, 1}};
  const std::vector<std::int64_t> work{1, 10, 42, 51};  // 200 in all, 100 wanted
  const GroupOrder sample = sample_groups(GroupOrder(runs), 100, work, 50);
  double sum = 0;
  const auto counts = sample.counts(work.size(), 50);
  for (std::size_t kind = 0; kind < work.size(); ++kind) sum += static_cast<double>(counts[kind] * work[kind]);
  EXPECT_NEAR(sum, 100, 0.5) << counts[0] << " " << counts[1] << " " << counts[2] << " " << counts[3];
}

// One of 64 groups works, and a single group is picked: an idle group is nearer to the mean, 15 of 1000, but the run
// lasts as long as the working group. Of ten picked it is among them, and 990 are too many by less than all.
TEST(SampleGroups, AreNotIdleOnesAlone) {
  const GroupOrder order({{0, 1}, {1, 63}});
  const std::vector<std::int64_t> work{1000, 0};
  EXPECT_THAT(kinds_of(sample_groups(order, 64, work, 1), 1), ElementsAre(0));
  EXPECT_EQ(sample_groups(order, 64, work, 10).counts(2, 10), (std::vector<std::int64_t>{1, 9}));
}

// Of a hundred groups 99 do 2. The average is 2.01 where the remaining group does 3, less than one and a half times as
// much, and 2.02 where it does 4. Of two groups 6.12 would be that much where it does 6, 6.15 where it does 7.
TEST(SampleGroups, HaveTheLargestWhereItsUnitEndsLast) {
  const GroupOrder order({{0, 1}, {1, 99}});
  EXPECT_THAT(kinds_of(sample_groups(order, 100, {3, 2}, 1), 1), ElementsAre(1));
  EXPECT_THAT(kinds_of(sample_groups(order, 100, {4, 2}, 1), 1), ElementsAre(0));
  EXPECT_THAT(kinds_of(sample_groups(order, 100, {6, 2}, 2), 2), ElementsAre(1, 1));
  EXPECT_THAT(kinds_of(sample_groups(order, 100, {7, 2}, 2), 2), ElementsAre(0, 1));
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
