#include "warpipe/parallel/desk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "warpipe/engine/stopping.hpp"
#include "warpipe/parallel/loops.hpp"

namespace warpipe {
namespace {

std::vector<std::size_t> numbers(std::size_t first, std::size_t end) {
  std::vector<std::size_t> all(end - first);
  std::iota(all.begin(), all.end(), first);
  return all;
}

TEST(Desk, TakesInOrderWhateverComesFirst) {
  std::vector<std::size_t> taken, kept;
  Desk desk({0, 3}, {.window = 10}, [&](std::size_t index) { taken.push_back(index); });
  const auto keep = [&](std::size_t index) { kept.push_back(index); };
  for (Desk::Worker worker = 0; worker < 3; ++worker) desk.ask(worker);
  desk.done(2, 1, 1, keep);
  EXPECT_THAT(taken, testing::IsEmpty());
  desk.done(0, 1, 1, keep);
  EXPECT_EQ(taken, numbers(0, 1));
  desk.done(1, 1, 1, keep);
  EXPECT_EQ(taken, numbers(0, 3));
  EXPECT_THAT(kept, testing::ElementsAre(2, 0, 1));
  EXPECT_TRUE(desk.is_over());
}

// The lost worker would never come back.
TEST(Desk, LetsAWaitingWorkerHaveWhatALostOneHad) {
  Desk desk({0, 1}, {.window = 1}, [](std::size_t) {});
  desk.ask(1);
  std::jthread waiting([&] { work_at(desk, 2, [](std::size_t) {}); });
  desk.lost(1);
  waiting.join();
  EXPECT_TRUE(desk.is_over());
}

TEST(Desk, EndsWithWhatAWorkerThrows) {
  Desk desk({0, 100}, {.window = 10}, [](std::size_t) {});
  work_at(desk, 1, [](std::size_t index) {
    if (index == 5) throw std::runtime_error("of the fifth");
  });
  EXPECT_TRUE(desk.is_over());
  EXPECT_EQ(desk.ask(2), std::nullopt);
  EXPECT_THROW(desk.rethrow(), std::runtime_error);
}

// The first range is an index, the second as long as a range may take: the rest of it goes back after twice that time.
TEST(MadeRange, EndsEarlyWhereItTakesTooLong) {
  std::size_t made = 0;
  const auto done = make_range({10, 20}, 0.001, [&](std::size_t) {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  });
  EXPECT_EQ(done.count, 1u);
  EXPECT_EQ(made, 1u);
  EXPECT_GE(done.seconds, 0.003);
}

TEST(ForEachInOrder, MakesEachOnceAndTakesThemInOrder) {
  for (const std::size_t threads : {1u, 2u, 0u}) {
    std::vector<std::size_t> taken;
    for_each_in_order(
        3, 1000, threads, [](std::size_t index) { return index; }, [&](std::size_t index) { taken.push_back(index); });
    EXPECT_EQ(taken, numbers(3, 1000)) << threads;
  }
}

TEST(Threads, StopWithTheOneThatSharesItsWorkWithThem) {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  const StoppableBy stoppable(stop);
  std::atomic<int> made = 0;
  const auto make = [&](std::size_t) {
    if (++made == 8) *stop = true;
    return 0;
  };
  EXPECT_THROW(for_each_in_order(0, 10'000, 4, make, [](int) {}), Stopped);
  EXPECT_LT(made, 8 + 4);  // each worker was at a single index at most
  *stop = false;
  made = 0;
  EXPECT_THROW(for_each_index(10'000, 4, make, {}), Stopped);
  EXPECT_LT(made, 8 + 4);
}

}  // namespace
}  // namespace warpipe
