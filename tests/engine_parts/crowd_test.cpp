#include "core/crowd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/issue_queue.hpp"
#include "support/property.hpp"

namespace warpipe {
namespace {

/// Warps whose rank is their number.
std::vector<Warp> warps_in_order(std::size_t count) {
  std::vector<Warp> warps(count);
  for (std::size_t i = 0; i < count; ++i) {
    warps[i].order = static_cast<std::int64_t>(i);
    warps[i].index = static_cast<std::uint32_t>(count - 1 - i);
  }
  return warps;
}

TEST(Crowd, BeginsWithTheWarpThatIsReadyFirstThenByRank) {
  std::vector<Warp> warps = warps_in_order(3);
  Crowd crowd(false);
  for (const auto& [warp, ready] : {std::pair{0, 30}, {2, 10}, {1, 10}}) {
    warps[static_cast<std::size_t>(warp)].ready = ready;
    crowd.insert(warps[static_cast<std::size_t>(warp)]);
  }
  EXPECT_EQ(crowd.front(), &warps[1]);
  crowd.remove(warps[1]);
  EXPECT_EQ(crowd.front(), &warps[2]);
}

// Index and order run the other way round.
TEST(Crowd, RanksByIndexOrByOrder) {
  for (const bool by_index : {false, true}) {
    std::vector<Warp> warps = warps_in_order(3);
    Crowd crowd(by_index);
    for (Warp& warp : warps) crowd.insert(warp);
    EXPECT_EQ(crowd.front(), &warps[by_index ? 2 : 0]);
  }
}

// Ready at 5, 6 and 9; at 6 the first two are only told apart by rank, and so is a warp inserted then, ready at 1.
TEST(Crowd, ReleasedWarpsAreToldApartByRankAlone) {
  std::vector<Warp> warps = warps_in_order(4);
  Crowd crowd(false);
  warps[3].ready = 5;
  warps[1].ready = 6;
  warps[0].ready = 9;
  warps[2].ready = 1;
  for (const int i : {3, 1, 0}) crowd.insert(warps[static_cast<std::size_t>(i)]);
  crowd.release(6);
  crowd.insert(warps[2]);
  const Crowd::Front front(crowd);
  EXPECT_EQ(front.smallest(), 1);
  EXPECT_EQ(front.at_or_after(2), 2);
  EXPECT_EQ(front.at_or_after(4), std::nullopt);
  EXPECT_EQ(front.of_rank(3), &warps[3]);
  EXPECT_EQ(front.next_ready(), 9);
}

/// Times that move on keep the first ready warp; ranks count on.
TEST(Crowd, IsInOrderAgainAfterTimesHaveMoved) {
  std::vector<Warp> warps = warps_in_order(3);
  Crowd crowd(false);
  for (Warp& warp : warps) {
    warp.ready = 10 - warp.order;
    crowd.insert(warp);
  }
  crowd.release(9);
  for (Warp& warp : warps) {
    warp.ready += 1000;
    warp.order += 30;
  }
  crowd.sort_again();
  EXPECT_EQ(crowd.front(), &warps[2]);
  crowd.release(1009);
  EXPECT_EQ(crowd.front(), &warps[1]);
  for (Warp& warp : warps) crowd.remove(warp);
  EXPECT_TRUE(crowd.is_empty());
}

// More warps than a list holds come and go; times move on as in an engine.
TEST(Crowd, OfAQueueHasTheFirstOfASortAfterAnyComingAndGoing) {
  check_property(100, [] {
    constexpr std::size_t kWarps = 3 * IssueQueue::kMostListed;
    std::vector<Warp> warps = warps_in_order(kWarps);
    IssueQueue queue;
    queue.most_listed = IssueQueue::kMostListed;
    const auto ready = *rc::gen::container<std::vector<std::int64_t>>(kWarps, rc::gen::inRange<std::int64_t>(0, 50));
    for (std::size_t i = 0; i < kWarps; ++i) warps[i].ready = ready[i];
    for (Warp& warp : warps) queue.insert(warp);
    std::vector<Warp*> waiting;
    for (Warp& warp : warps) waiting.push_back(&warp);
    const auto is_before = [](const Warp* a, const Warp* b) {
      return std::tie(a->ready, a->order) < std::tie(b->ready, b->order);
    };
    const auto moves = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, kWarps));
    for (const std::size_t move : moves) {
      if (waiting.empty()) break;
      const auto leaves = waiting.begin() + static_cast<std::ptrdiff_t>(move % waiting.size());
      queue.remove(**leaves);
      waiting.erase(leaves);
      RC_ASSERT(queue.is_empty() == waiting.empty());
      if (!waiting.empty()) RC_ASSERT(queue.head == *std::ranges::min_element(waiting, is_before));
    }
  });
}

}  // namespace
}  // namespace warpipe
