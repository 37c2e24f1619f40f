#include "warpipe/parallel/hand_out.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "virtual_ranks.hpp"

namespace warpipe {
namespace {

using test::run_on;
using test::VirtualRanks;
using testing::Optional;

constexpr HandOutLimits kOneByOne{.window = 1000};
constexpr HandOutLimits kTenMilliseconds{.window = 100'000, .seconds = 0.01};

auto is_range(std::size_t first, std::size_t end) { return Optional(IndexRange{first, end}); }

TEST(HandOut, GivesOneIndexAtATimeWhileNothingIsKnown) {
  HandOut hand_out({5, 8}, kTenMilliseconds);
  EXPECT_THAT(hand_out.ask(1), is_range(5, 6));
  EXPECT_THAT(hand_out.ask(2), is_range(6, 7));
  EXPECT_THAT(hand_out.ask(3), is_range(7, 8));
  EXPECT_EQ(hand_out.ask(4), std::nullopt);
  EXPECT_EQ(hand_out.finished(), 5u);
}

// 10 ms at 1 ms an index are 10 indices; at 20 ms an index a single index.
TEST(HandOut, GivesAsManyAsAreDoneInTheTimeOfARange) {
  HandOut quick({0, 10'000}, kTenMilliseconds);
  quick.ask(1);
  quick.done(1, 1, 0.001);
  EXPECT_THAT(quick.ask(1), is_range(1, 11));
  HandOut slow({0, 10'000}, kTenMilliseconds);
  slow.ask(1);
  slow.done(1, 1, 0.02);
  EXPECT_THAT(slow.ask(1), is_range(1, 2));
}

// 5 ms and 1 ms for each of 5 workers are 10 ms.
TEST(HandOut, GivesMoreAtATimeToMoreWorkers) {
  HandOut hand_out({0, 10'000}, {.window = 100'000, .seconds = 0.005, .seconds_per_worker = 0.001});
  for (HandOut::Worker worker = 0; worker < 5; ++worker) hand_out.ask(worker);
  hand_out.done(0, 1, 0.001);
  EXPECT_THAT(hand_out.ask(0), is_range(5, 15));
}

// Four workers: each gets a sixteenth of the rest, 84 / 16 = 5.25 and 79 / 16 = 4.9.
TEST(HandOut, GivesLessTowardsTheEnd) {
  HandOut hand_out({0, 88}, kTenMilliseconds);
  for (HandOut::Worker worker = 0; worker < 4; ++worker) hand_out.ask(worker);
  hand_out.done(0, 1, 1e-6);
  hand_out.done(1, 1, 1e-6);
  EXPECT_THAT(hand_out.ask(0), is_range(4, 9));
  EXPECT_THAT(hand_out.ask(1), is_range(9, 13));
}

// The first index may take long: results behind it wait, three at most.
TEST(HandOut, GoesNoFurtherThanTheWindow) {
  HandOut hand_out({0, 10}, {.window = 3});
  for (HandOut::Worker worker = 0; worker < 3; ++worker) hand_out.ask(worker);
  EXPECT_EQ(hand_out.ask(3), std::nullopt);
  hand_out.done(1, 1, 1);
  EXPECT_EQ(hand_out.finished(), 0u);
  EXPECT_EQ(hand_out.ask(1), std::nullopt);
  hand_out.done(0, 1, 1);
  EXPECT_EQ(hand_out.finished(), 2u);
  EXPECT_THAT(hand_out.ask(0), is_range(3, 4));
}

TEST(HandOut, GivesWhatALostWorkerHadToTheNextOne) {
  HandOut hand_out({0, 3}, kOneByOne);
  hand_out.ask(1);
  hand_out.ask(2);
  hand_out.lost(1);
  EXPECT_EQ(hand_out.done(1, 1, 1), std::nullopt) << "its results come too late";
  EXPECT_THAT(hand_out.ask(3), is_range(0, 1));
  hand_out.done(2, 1, 1);
  EXPECT_EQ(hand_out.finished(), 0u);
  hand_out.done(3, 1, 1);
  EXPECT_EQ(hand_out.finished(), 2u);
  EXPECT_FALSE(hand_out.is_over());
}

TEST(HandOut, TakesAPartOfARangeAndGivesTheRestToTheNextOne) {
  HandOut hand_out({0, 1000}, kTenMilliseconds);
  hand_out.ask(1);
  hand_out.done(1, 1, 0.001);
  hand_out.ask(1);
  EXPECT_THAT(hand_out.done(1, 3, 0.5), is_range(1, 4));
  EXPECT_EQ(hand_out.finished(), 4u);
  EXPECT_THAT(hand_out.ask(2), Optional(testing::Field(&IndexRange::first, 4u)));
}

TEST(HandOut, OfNothingIsOverAtOnce) { EXPECT_TRUE(HandOut({7, 7}, kOneByOne).is_over()); }

// Whatever the order of the answers, whichever workers are lost, whatever part of a range is done: each index is done
// once, and at no time are more than the window ahead of the first index not done.
RC_GTEST_PROP(HandOutProperty, EveryIndexIsDoneOnceWithinTheWindow, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 200);
  const auto window = *rc::gen::inRange<std::size_t>(1, 40);
  const auto workers = *rc::gen::inRange<std::size_t>(1, 9);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());  // how much it is asked for is not known before
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  HandOut hand_out({0, count}, {.window = window, .seconds = 0.01});
  std::vector<int> times_done(count, 0);
  std::vector<std::optional<IndexRange>> at_work(workers);
  while (!hand_out.is_over()) {
    const auto worker = below(workers);
    auto& range = at_work[worker];
    if (!range) {
      range = hand_out.ask(worker);
      if (range) RC_ASSERT(range->size() > 0 && range->end <= hand_out.finished() + window);
    } else if (below(6) == 0) {
      hand_out.lost(worker);
      range.reset();
    } else {
      const auto part = below(range->size() + 1);
      const auto done = hand_out.done(worker, part, std::array{0.0, 1e-4, 1e-3, 1.0}[below(4)]);
      RC_ASSERT(done == std::optional(IndexRange{range->first, range->first + part}));
      for (std::size_t i = done->first; i < done->end; ++i) ++times_done[i];
      range.reset();
    }
    const auto finished = static_cast<std::ptrdiff_t>(hand_out.finished());
    RC_ASSERT(std::all_of(times_done.begin(), times_done.begin() + finished, [](int times) { return times == 1; }));
  }
  RC_ASSERT(hand_out.finished() == count);
}

/// From a shortest time to three times as long, in no order.
std::vector<double> uneven(std::size_t count, double shortest) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i)
    seconds.push_back(shortest * (1 + 2 * static_cast<double>(i * 7919 % 1000) / 1000));
  return seconds;
}

// Graham (1969): whoever is free takes the next point, so all are busy until the last point begins, and no run is
// longer than an even share and the longest point.
TEST(VirtualRanks, AreNoLongerAtWorkThanAnEvenShareAndTheLongestPoint) {
  constexpr HandOutLimits kLimits{.window = 100'000, .seconds = 0.01, .seconds_per_worker = 1e-4};
  for (const std::size_t ranks : {1u, 2u, 4u, 64u, 1000u}) {
    const auto points = uneven(20 * ranks, 0.1);
    const double share = std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(ranks);
    const VirtualRanks all{.count = ranks};
    const double messages = 2 * 20 * (2 * all.latency + all.service) + static_cast<double>(ranks) * all.service;
    EXPECT_LT(run_on(all, points, kLimits).seconds, share + 0.3 + messages) << ranks;
  }
}

/// CPU seconds of the points of `warpipe sweep mmul16 --device gtx1060 --vary n=256:1024:64 concurrent_groups=1:8`.
constexpr std::array kMeasuredSeconds{
    0.024, 0.029, 0.033, 0.034, 0.034, 0.034, 0.034, 0.034, 0.075, 0.077, 0.076, 0.072, 0.076, 0.071, 0.074,
    0.067, 0.107, 0.123, 0.129, 0.128, 0.129, 0.130, 0.126, 0.127, 0.157, 0.184, 0.184, 0.193, 0.193, 0.187,
    0.187, 0.192, 0.208, 0.208, 0.260, 0.266, 0.259, 0.265, 0.267, 0.249, 0.305, 0.351, 0.373, 0.361, 0.355,
    0.357, 0.347, 0.317, 0.285, 0.252, 0.314, 0.281, 0.388, 0.353, 0.356, 0.339, 0.286, 0.257, 0.436, 0.388,
    0.459, 0.428, 0.424, 0.418, 0.296, 0.274, 0.347, 0.321, 0.490, 0.512, 0.467, 0.499, 0.296, 0.273, 0.314,
    0.427, 0.559, 0.570, 0.549, 0.562, 0.297, 0.265, 0.295, 0.362, 0.649, 0.636, 0.612, 0.659, 0.292, 0.259,
    0.332, 0.329, 0.736, 0.741, 0.719, 0.725, 0.288, 0.258, 0.586, 0.275, 0.391, 0.880, 0.847, 0.855};

/// A study of `count` points: the measured points again and again, in an order drawn by a seed.
std::vector<double> measured_points(std::size_t count) {
  std::mt19937_64 generator(1);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) seconds.push_back(kMeasuredSeconds[generator() % kMeasuredSeconds.size()]);
  return seconds;
}

// The longest takes 2.8 times as long as the mean. Were it the last to begin, 20 of 22.8 would be left: 0.88.
TEST(VirtualRanks, AreBusyForNineTenthsOfTheTimeWithTwentyMeasuredPointsEach) {
  constexpr HandOutLimits kLimits{.window = 1 << 18, .seconds = 0.01, .seconds_per_worker = 1e-4};
  for (const std::size_t ranks : {64u, 1000u}) {
    const auto run = run_on({.count = ranks}, measured_points(20 * ranks), kLimits);
    EXPECT_GE(run.efficiency, 0.9) << ranks;
    std::cout << "efficiency of " << ranks << " ranks with 20 points each: " << run.efficiency << "\n";
  }
}

// 10^6 points of 0.1 ms on 64 ranks: with a message of 20 us for each point, whoever reads them would be busy for
// 20 s, and the ranks work for 1.6.
TEST(VirtualRanks, SendManyShortPointsAtATime) {
  const std::vector<double> points(1'000'000, 1e-4);
  constexpr HandOutLimits kLimits{.window = 100'000, .seconds = 0.01, .seconds_per_worker = 1e-4};
  const auto run = run_on({.count = 64}, points, kLimits);
  EXPECT_LT(run.messages, points.size() / 20);
  EXPECT_GT(run.efficiency, 0.9);
}

// A single point takes as long as 10,000 further points.
TEST(VirtualRanks, KeepNoMoreResultsThanTheWindow) {
  std::vector<double> points(20'000, 0.01);
  points[10] = 100;
  const auto run = run_on({.count = 8}, points, {.window = 500, .seconds = 0.01});
  EXPECT_LT(run.most_kept, 500u);
}

}  // namespace
}  // namespace warpipe
