#include "core/scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "support/property.hpp"

namespace warpipe {
namespace {

using Numbers = std::vector<std::int64_t>;

/// A scheduler with queues and warps of its own; a warp's order is its number.
struct Waiting {
  Waiting(std::size_t number_of_warps, std::size_t issue_ports) : warps(number_of_warps), queues(issue_ports) {
    scheduler.queues = queues;
    for (std::size_t i = 0; i < warps.size(); ++i) warps[i].order = static_cast<std::int64_t>(i);
  }

  void insert(std::uint32_t issue_port, std::size_t warp, std::int64_t ready) {
    warps[warp].ready = ready;
    scheduler.insert(warps[warp], issue_port);
  }
  void remove(std::size_t warp) { scheduler.remove(warps[warp]); }

  std::vector<Warp> warps;
  std::vector<IssueQueue> queues;
  Scheduler scheduler;
};

/// The warps of a queue from its head on, with the links backwards checked on the way.
Numbers queue(const Waiting& waiting, std::size_t issue_port) {
  Numbers numbers;
  const Warp* previous = nullptr;
  for (const Warp* warp = waiting.queues[issue_port].head; warp != nullptr; warp = warp->next) {
    EXPECT_EQ(warp->previous, previous);
    previous = warp;
    numbers.push_back(warp->order);
  }
  EXPECT_EQ(waiting.queues[issue_port].tail, previous);
  return numbers;
}

/// The issue ports whose queues are visited.
Numbers issue_ports(const Waiting& waiting) {
  Numbers visited;
  waiting.scheduler.for_each_queue([&](const IssueQueue& queue) { visited.push_back(&queue - waiting.queues.data()); });
  std::ranges::sort(visited);
  return visited;
}

TEST(IssueQueue, TheWarpThatIsReadyFirstComesFirstThenTheOlder) {
  Waiting waiting(4, 1);
  waiting.insert(0, 0, 30);
  waiting.insert(0, 2, 10);
  waiting.insert(0, 1, 10);  // as ready as warp 2, and older
  waiting.insert(0, 3, 20);
  EXPECT_EQ(queue(waiting, 0), (Numbers{1, 2, 3, 0}));
}

TEST(IssueQueue, LeaveFromTheHeadTheMiddleAndTheTail) {
  Waiting waiting(4, 1);
  for (std::size_t warp = 0; warp < 4; ++warp) waiting.insert(0, warp, static_cast<std::int64_t>(warp));
  waiting.remove(2);
  EXPECT_EQ(queue(waiting, 0), (Numbers{0, 1, 3}));
  waiting.remove(0);
  EXPECT_EQ(queue(waiting, 0), (Numbers{1, 3}));
  waiting.remove(3);
  EXPECT_EQ(queue(waiting, 0), (Numbers{1}));
  waiting.insert(0, 0, 5);
  EXPECT_EQ(queue(waiting, 0), (Numbers{1, 0}));
}

// The mask has 64 bits; issue ports of the same number modulo 64, as 0, 64 and 128, share a bit.
TEST(Scheduler, VisitsTheQueuesThatHoldAWarpAndNoOthers) {
  Waiting waiting(6, 130);
  const std::vector<std::uint32_t> some{128, 0, 64, 63, 127};
  for (std::uint32_t warp = 0; warp < some.size(); ++warp) waiting.insert(some[warp], warp, 0);
  waiting.insert(64, 5, 0);
  EXPECT_EQ(issue_ports(waiting), (Numbers{0, 63, 64, 127, 128}));
  waiting.remove(2);  // of two at issue port 64
  EXPECT_EQ(issue_ports(waiting), (Numbers{0, 63, 64, 127, 128}));
  waiting.remove(5);  // the other
  waiting.remove(0);
  EXPECT_EQ(issue_ports(waiting), (Numbers{0, 63, 127}));
}

/// The content of the queues, by sorting.
class SortedQueues {
 public:
  using Key = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;  ///< ready, order, warp

  void insert(std::size_t issue_port, std::uint32_t warp, std::int64_t ready) {
    port_of_[warp] = issue_port;
    queues_[issue_port].emplace_back(ready, warp, warp);
  }
  bool holds(std::uint32_t warp) const { return port_of_.contains(warp); }
  void remove(std::uint32_t warp) {
    std::erase_if(queues_[port_of_.at(warp)], [&](const Key& key) { return std::get<2>(key) == warp; });
    port_of_.erase(warp);
  }
  Numbers queue(std::size_t issue_port) {
    std::sort(queues_[issue_port].begin(), queues_[issue_port].end());
    Numbers warps;
    for (const Key& key : queues_[issue_port]) warps.push_back(std::get<2>(key));
    return warps;
  }

 private:
  std::map<std::size_t, std::vector<Key>> queues_;
  std::map<std::uint32_t, std::size_t> port_of_;
};

// A waiting warp leaves, a warp not waiting comes; few different times, so the older often decides.
TEST(IssueQueue, StandInTheOrderOfASortAfterAnyComingAndGoing) {
  check_property(300, [] {
    constexpr std::uint32_t kWarps = 12, kPorts = 3;
    Waiting waiting(kWarps, kPorts);
    SortedQueues sorted;
    const auto moves = *rc::gen::container<std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>>>(
        rc::gen::tuple(rc::gen::inRange<std::uint32_t>(0, kWarps), rc::gen::inRange<std::uint32_t>(0, kPorts),
                       rc::gen::inRange<std::int64_t>(0, 6)));
    for (const auto& [warp, issue_port, ready] : moves) {
      if (sorted.holds(warp)) {
        waiting.remove(warp);
        sorted.remove(warp);
      } else {
        waiting.insert(issue_port, warp, ready);
        sorted.insert(issue_port, warp, ready);
      }
      for (std::size_t each = 0; each < kPorts; ++each) RC_ASSERT(queue(waiting, each) == sorted.queue(each));
    }
  });
}

}  // namespace
}  // namespace warpipe
