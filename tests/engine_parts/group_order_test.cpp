#include "warpipe/engine/group_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/property.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;

TEST(GroupOrder, RepeatsTheList) {
  const GroupOrder order({{2, 2}, {0, 1}});
  std::vector<std::uint32_t> kinds;
  for (std::int64_t age = 0; age < 7; ++age) kinds.push_back(order.kind_of(age));
  EXPECT_THAT(kinds, ElementsAre(2, 2, 0, 2, 2, 0, 2));
}

TEST(GroupOrder, CountsTheGroupsOfEachKind) {
  EXPECT_THAT(GroupOrder({{2, 2}, {0, 1}}).counts(3, 8), ElementsAre(2, 0, 6));
  EXPECT_THAT(GroupOrder().counts(1, 5), ElementsAre(5));
}

TEST(GroupOrder, MergesNeighboursOfOneKind) {
  EXPECT_EQ(GroupOrder({{1, 2}, {1, 3}, {0, 1}}), GroupOrder({{1, 5}, {0, 1}}));
}

// As it is defined, group by group.
std::int64_t repeats_one_by_one(const GroupOrder& order, std::int64_t first, std::int64_t distance, std::int64_t most) {
  std::int64_t agreed = 0;
  while (agreed < most && order.kind_of(first + agreed) == order.kind_of(first + agreed - distance)) ++agreed;
  return agreed;
}

GroupOrder any_order() {
  const auto runs = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange(1, 5))));
  std::vector<GroupOrder::Run> list;
  for (const auto& [kind, groups] : runs) list.push_back({static_cast<std::uint32_t>(kind), groups});
  return GroupOrder(list);
}

TEST(GroupOrder, CountsTheGroupsOfEachKindAndAge) {
  check_property(1000, [] {
    const GroupOrder order = any_order();
    const std::int64_t groups = *rc::gen::inRange(0, 300), modulus = *rc::gen::inRange(1, 20);
    std::vector<std::vector<std::int64_t>> counted(3, std::vector<std::int64_t>(static_cast<std::size_t>(modulus), 0));
    for (std::int64_t age = 0; age < groups; ++age)
      ++counted[order.kind_of(age)][static_cast<std::size_t>(age % modulus)];
    RC_ASSERT(order.counts_by_age(3, groups, modulus) == counted);
  });
}

TEST(GroupOrder, SaysHowLongGroupsRepeatThoseBefore) {
  check_property(5000, [] {
    const GroupOrder order = any_order();
    const std::int64_t distance = *rc::gen::inRange(1, 30);
    const std::int64_t first = distance + *rc::gen::inRange(0, 50);
    const std::int64_t most = *rc::gen::inRange(0, 200);
    RC_ASSERT(order.repeats(first, distance, most) == repeats_one_by_one(order, first, distance, most));
  });
}

}  // namespace
}  // namespace warpipe
