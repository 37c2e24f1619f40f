#include "warpipe/engine/residency.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "models.hpp"
#include "players.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "warpipe/engine/recording.hpp"
#include "warpipe/engine/run.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;

Ticks cycles(std::int64_t count) { return Ticks{1000 * count}; }

constexpr std::string_view kOneX = R"({"id": "i", "op": "x"})";

// Two slots, three groups of 10 cycles on pipelines of no lambda: two to 10, one to 20.
TEST(Residency, CountsTheTimeOfGroupsByBucket) {
  const auto program =
      program_of(kernel_with(kOneX, {.groups = 3, .concurrent_groups = 2}), device_with({{"x", "a", 0, 10}}));
  const Residency residency = follow_groups(program, cycles(20), 4);
  EXPECT_EQ(residency.width, cycles(5));
  EXPECT_THAT(residency.occupied, ElementsAre(cycles(10), cycles(10), cycles(5), cycles(5)));
  EXPECT_EQ(residency.total, cycles(30));
  EXPECT_EQ(residency.peak, 2);
  EXPECT_EQ(residency.tail, cycles(10));
}

// 20 cycles in at most 3 buckets of whole cycles: 7, 7 and 6.
TEST(Residency, TheLastBucketEndsWithTheRun) {
  const auto program = program_of(kernel_with(kOneX), device_with({{"x", "a", 0, 20}}));
  const Residency residency = follow_groups(program, cycles(20), 3);
  EXPECT_THAT(residency.occupied, ElementsAre(cycles(7), cycles(7), cycles(6)));
  EXPECT_EQ(residency.tail, cycles(0));
}

// A group ends at 10, the next one comes 30 later: then nobody is there.
TEST(Residency, NobodyResidesWhileAGroupIsLaunched) {
  const auto program = program_of(kernel_with(kOneX, {.groups = 2, .concurrent_groups = 1}),
                                  device_with({{"x", "a", 0, 10}}, R"({"group_launch_latency": 30})"));
  EXPECT_THAT(follow_groups(program, cycles(50), 5).occupied,
              ElementsAre(cycles(10), cycles(0), cycles(0), cycles(0), cycles(10)));
}

/// Straight from what is recorded.
Residency counted(const Program& program, Ticks run, Ticks width) {
  Residency residency{width, {}, {}, 0, {}};
  residency.occupied.resize(static_cast<std::size_t>((run.count + width.count - 1) / width.count));
  for (const GroupResidency& group : record(program, {}).groups) {
    residency.total.count += group.ended->count - group.placed.count;
    for (std::size_t i = 0; i < residency.occupied.size(); ++i) {
      const std::int64_t begin = width.count * static_cast<std::int64_t>(i);
      residency.occupied[i].count += std::max<std::int64_t>(
          std::min(group.ended->count, begin + width.count) - std::max(group.placed.count, begin), 0);
    }
  }
  return residency;
}

TEST(Residency, IsWhatTheGroupsOfARecordingSay) {
  check_property(300, [] {
    const Program program = program_of(*random_model::models({.most_trips = 3, .most_groups = 8, .most_issues = 300}));
    const Ticks run = warpipe::run(program).cycles;
    const Residency followed = follow_groups(program, run, 7, Skipping::Off);
    const Residency expected = counted(program, run, followed.width);
    RC_ASSERT(followed.occupied == expected.occupied);
    RC_ASSERT(followed.total == expected.total);
  });
}

/// The furthest that a bucket of the one is from that of the other.
std::int64_t difference(const Residency& a, const Residency& b) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < a.occupied.size(); ++i)
    most = std::max(most, std::abs(a.occupied[i].count - b.occupied[i].count));
  return most;
}

TEST(Residency, LosesNothingWhereTheRunIsLeaptOver) {
  std::int64_t leapt = 0;
  check_property(300, [&] {
    const Program program =
        program_of(*random_model::models({.most_trips = 100, .most_groups = 2000, .most_issues = 30'000}));
    const RunResult run = warpipe::run(program);
    leapt += run.skipped > 0 ? 1 : 0;
    const Residency played = follow_groups(program, run.cycles, 5, Skipping::Off);
    const Residency skipped = follow_groups(program, run.cycles, 5, Skipping::On);
    RC_ASSERT(skipped.total == played.total);
    RC_ASSERT(skipped.peak == played.peak);
    RC_ASSERT(skipped.tail == played.tail);
    // no bucket holds more than its time in every slot
    const std::int64_t slots = program.machine.group_slots * program.machine.units;
    for (const Ticks occupied : skipped.occupied) RC_ASSERT(occupied.count <= slots * skipped.width.count + 1);
  });
  std::cout << "leapt in " << leapt << " of 300\n";
}

// A million groups of 10 cycles, each 5 after the other: two thirds of every bucket.
TEST(Residency, OfASteadyStateIsTheSameInEveryBucket) {
  const auto program = program_of(kernel_with(kOneX, {.groups = 1'000'000, .concurrent_groups = 1}),
                                  device_with({{"x", "a", 0, 10}}, R"({"group_launch_latency": 5})"));
  const RunResult run = warpipe::run(program);
  ASSERT_EQ(run.cycles, cycles(15'000'000 - 5));
  const Residency played = follow_groups(program, run.cycles, 10, Skipping::Off);
  const Residency skipped = follow_groups(program, run.cycles, 10, Skipping::On);
  EXPECT_EQ(skipped.total, cycles(10'000'000));
  EXPECT_LE(difference(played, skipped), cycles(10).count);  // of 10^6 cycles in a bucket
}

}  // namespace
}  // namespace warpipe
