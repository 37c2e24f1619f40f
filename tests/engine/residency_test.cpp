#include "warpipe/engine/residency.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "models.hpp"
#include "simulators.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "warpipe/engine/observe.hpp"
#include "warpipe/engine/simulate.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;

Ticks whole_cycles(std::int64_t count) { return Ticks{1000 * count}; }

Residency residency_of(const Program& program, std::size_t buckets, Skipping skipping = Skipping::On) {
  return observe(program, {.residency_buckets = buckets}, skipping).residency.value();
}

constexpr std::string_view kOneX = R"({"id": "i", "op": "x"})";

// Two slots, three groups of 10 cycles on pipelines of no lambda: two until 10, the third until 20.
TEST(Residency, CountsTheTimeOfGroupsByBucket) {
  const auto program =
      program_of(kernel_with(kOneX, {.groups = 3, .concurrent_groups = 2}), device_with({{"x", "a", 0, 10}}));
  const Residency residency = residency_of(program, 4);
  EXPECT_EQ(residency.width, whole_cycles(5));
  EXPECT_THAT(residency.occupied, ElementsAre(whole_cycles(10), whole_cycles(10), whole_cycles(5), whole_cycles(5)));
  EXPECT_EQ(residency.total, whole_cycles(30));
  EXPECT_EQ(residency.peak, 2);
  EXPECT_EQ(residency.tail, whole_cycles(10));
}

// 20 cycles in at most 3 buckets of whole cycles: 7, 7 and 6.
TEST(Residency, TheLastBucketEndsWithTheRun) {
  const auto program = program_of(kernel_with(kOneX), device_with({{"x", "a", 0, 20}}));
  const Residency residency = residency_of(program, 3);
  EXPECT_THAT(residency.occupied, ElementsAre(whole_cycles(7), whole_cycles(7), whole_cycles(6)));
  EXPECT_EQ(residency.tail, whole_cycles(0));
}

// A group ends at 10, the next comes 30 later: in between the slot is empty.
TEST(Residency, NoGroupResidesWhileTheNextIsLaunched) {
  const auto program = program_of(kernel_with(kOneX, {.groups = 2, .concurrent_groups = 1}),
                                  device_with({{"x", "a", 0, 10}}, R"({"group_launch_latency": 30})"));
  EXPECT_THAT(residency_of(program, 5).occupied,
              ElementsAre(whole_cycles(10), whole_cycles(0), whole_cycles(0), whole_cycles(0), whole_cycles(10)));
}

/// Straight from the recording.
Residency counted(const Program& program, Ticks run, Ticks width) {
  Residency residency{width, {}, {}, 0, {}};
  residency.occupied.resize(static_cast<std::size_t>((run.count + width.count - 1) / width.count));
  const Recording recording = observe(program, {.window = Window{}}).recording.value();
  for (const GroupResidency& group : recording.groups) {
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
    const Ticks run = simulate(program).cycles;
    const Residency followed = residency_of(program, 7, Skipping::Off);
    const Residency expected = counted(program, run, followed.width);
    RC_ASSERT(followed.occupied == expected.occupied);
    RC_ASSERT(followed.total == expected.total);
  });
}

/// The largest difference between buckets of a and b.
std::int64_t difference(const Residency& a, const Residency& b) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < a.occupied.size(); ++i)
    most = std::max(most, std::abs(a.occupied[i].count - b.occupied[i].count));
  return most;
}

TEST(Residency, LosesNothingWherePeriodsAreSkipped) {
  std::int64_t with_a_period = 0;
  check_property(300, [&] {
    const Program program =
        program_of(*random_model::models({.most_trips = 100, .most_groups = 2000, .most_issues = 30'000}));
    const SimulationResult run = simulate(program);
    with_a_period += run.skipped > 0 ? 1 : 0;
    const Residency full = residency_of(program, 5, Skipping::Off);
    const Residency skipped = residency_of(program, 5, Skipping::On);
    RC_ASSERT(skipped.total == full.total);
    RC_ASSERT(skipped.peak == full.peak);
    RC_ASSERT(skipped.tail == full.tail);
    // no bucket holds more than its time in every slot
    const std::int64_t slots = program.machine.group_slots * program.machine.units;
    for (const Ticks occupied : skipped.occupied) RC_ASSERT(occupied.count <= slots * skipped.width.count + 1);
  });
  std::cout << "periods were skipped in " << with_a_period << " of 300\n";
}

// A million groups of 10 cycles, each 5 after the other: two thirds of every bucket.
TEST(Residency, OfASteadyStateIsTheSameInEveryBucket) {
  const auto program = program_of(kernel_with(kOneX, {.groups = 1'000'000, .concurrent_groups = 1}),
                                  device_with({{"x", "a", 0, 10}}, R"({"group_launch_latency": 5})"));
  const SimulationResult run = simulate(program);
  ASSERT_EQ(run.cycles, whole_cycles(15'000'000 - 5));
  const Residency full = residency_of(program, 10, Skipping::Off);
  const Residency skipped = residency_of(program, 10, Skipping::On);
  EXPECT_EQ(skipped.total, whole_cycles(10'000'000));
  EXPECT_LE(difference(full, skipped), whole_cycles(10).count);  // of 10^6 cycles in a bucket
}

}  // namespace
}  // namespace warpipe
