#include "warpipe/engine/waiting_warps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "support/property.hpp"

namespace warpipe {
namespace {

using Warps = std::vector<std::uint32_t>;

/// The warps of a queue from its head on, with the links backwards checked on the way.
Warps queue(const WaitingWarps& waiting, std::size_t chooser, std::size_t gate) {
  Warps warps;
  std::uint32_t previous = WaitingWarps::kNone;
  for (std::uint32_t warp = waiting.head(chooser, gate); warp != WaitingWarps::kNone; warp = waiting[warp].next) {
    EXPECT_EQ(waiting[warp].previous, previous);
    previous = warp;
    warps.push_back(warp);
  }
  return warps;
}

std::vector<std::size_t> gates(const WaitingWarps& waiting, std::size_t chooser) {
  std::vector<std::size_t> visited;
  waiting.for_each_gate(chooser, [&](std::size_t gate) { visited.push_back(gate); });
  return visited;
}

TEST(WaitingWarps, WhoIsReadyFirstComesFirstThenTheOlder) {
  WaitingWarps waiting(4, 1, 1);
  waiting.insert(0, 0, 0, 30, 0);
  waiting.insert(0, 0, 1, 10, 5);
  waiting.insert(0, 0, 2, 10, 4);  // as ready as warp 1, and older
  waiting.insert(0, 0, 3, 20, 1);
  EXPECT_EQ(queue(waiting, 0, 0), (Warps{2, 1, 3, 0}));
}

TEST(WaitingWarps, LeaveFromTheHeadTheMiddleAndTheTail) {
  WaitingWarps waiting(4, 1, 1);
  for (std::uint32_t warp = 0; warp < 4; ++warp) waiting.insert(0, 0, warp, warp, warp);
  waiting.remove(0, 2);
  EXPECT_EQ(queue(waiting, 0, 0), (Warps{0, 1, 3}));
  waiting.remove(0, 0);
  EXPECT_EQ(queue(waiting, 0, 0), (Warps{1, 3}));
  waiting.remove(0, 3);
  EXPECT_EQ(queue(waiting, 0, 0), (Warps{1}));
  waiting.insert(0, 0, 0, 5, 0);
  EXPECT_EQ(queue(waiting, 0, 0), (Warps{1, 0}));
}

TEST(WaitingWarps, OfOneChooserAreNotThoseOfAnother) {
  WaitingWarps waiting(2, 2, 2);
  waiting.insert(0, 1, 0, 5, 0);
  waiting.insert(1, 1, 1, 5, 1);
  EXPECT_EQ(queue(waiting, 0, 1), (Warps{0}));
  EXPECT_EQ(queue(waiting, 1, 1), (Warps{1}));
  EXPECT_EQ(queue(waiting, 0, 0), Warps{});
}

// A word of the mask holds 64 gates: the borders are 63, 64, 127 and 128.
TEST(WaitingWarps, GatesWithSomebodyAreVisitedAndNoOthers) {
  WaitingWarps waiting(6, 2, 130);
  const std::vector<std::uint32_t> some{128, 0, 64, 63, 127};
  for (std::uint32_t warp = 0; warp < some.size(); ++warp) waiting.insert(1, some[warp], warp, 0, warp);
  waiting.insert(1, 64, 5, 0, 5);
  EXPECT_EQ(gates(waiting, 1), (std::vector<std::size_t>{0, 63, 64, 127, 128}));
  EXPECT_EQ(gates(waiting, 0), std::vector<std::size_t>{});
  waiting.remove(1, 2);  // one of two at gate 64
  EXPECT_EQ(gates(waiting, 1), (std::vector<std::size_t>{0, 63, 64, 127, 128}));
  waiting.remove(1, 5);  // the other
  waiting.remove(1, 0);
  EXPECT_EQ(gates(waiting, 1), (std::vector<std::size_t>{0, 63, 127}));
}

/// What stands in the queues, by sorting.
class SortedQueues {
 public:
  using Key = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;  ///< ready, order, warp

  void insert(std::size_t gate, std::uint32_t warp, std::int64_t ready) {
    gate_of_[warp] = gate;
    queues_[gate].emplace_back(ready, warp, warp);
  }
  bool holds(std::uint32_t warp) const { return gate_of_.contains(warp); }
  void remove(std::uint32_t warp) {
    std::erase_if(queues_[gate_of_.at(warp)], [&](const Key& key) { return std::get<2>(key) == warp; });
    gate_of_.erase(warp);
  }
  Warps queue(std::size_t gate) {
    std::sort(queues_[gate].begin(), queues_[gate].end());
    Warps warps;
    for (const Key& key : queues_[gate]) warps.push_back(std::get<2>(key));
    return warps;
  }

 private:
  std::map<std::size_t, std::vector<Key>> queues_;
  std::map<std::uint32_t, std::size_t> gate_of_;
};

// A warp that waits leaves, one that does not comes; few different times, so that the older often decides.
TEST(WaitingWarps, StandInTheOrderOfASortAfterAnyComingAndGoing) {
  check_property(300, [] {
    constexpr std::uint32_t kWarps = 12, kGates = 3;
    WaitingWarps waiting(kWarps, 1, kGates);
    SortedQueues sorted;
    const auto moves = *rc::gen::container<std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>>>(
        rc::gen::tuple(rc::gen::inRange<std::uint32_t>(0, kWarps), rc::gen::inRange<std::uint32_t>(0, kGates),
                       rc::gen::inRange<std::int64_t>(0, 6)));
    for (const auto& [warp, gate, ready] : moves) {
      if (sorted.holds(warp)) {
        waiting.remove(0, warp);
        sorted.remove(warp);
      } else {
        waiting.insert(0, gate, warp, ready, warp);
        sorted.insert(gate, warp, ready);
      }
      for (std::size_t each = 0; each < kGates; ++each) RC_ASSERT(queue(waiting, 0, each) == sorted.queue(each));
    }
  });
}

}  // namespace
}  // namespace warpipe
