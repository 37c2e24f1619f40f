#include "warpipe/latency_tables/occupancy.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "published_limits.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kGroupLimit = OccupancyLimit::Groups;
constexpr auto kWarpLimit = OccupancyLimit::Warps;
constexpr auto kRegisterLimit = OccupancyLimit::Registers;
constexpr auto kSharedLimit = OccupancyLimit::SharedMemory;

/// Compute capability 6.1.
Limits pascal() { return limits_of(kPublishedLimits[9]); }

std::vector<Diagnostic> misfits(const GroupNeeds& needs, const Limits& limits) {
  try {
    occupancy(needs, limits, 32);
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

/// A single problem, with the key, the limit and the advice.
auto one_problem(const std::string& key, const std::string& limit, const std::string& advice) {
  return ElementsAre(AllOf(Field(&Diagnostic::where, key), Field(&Diagnostic::problem, HasSubstr(limit)),
                           Field(&Diagnostic::advice, advice)));
}

TEST(Occupancy, GivesEveryLimitThatBindsAndTheWayToTheNextGroup) {
  const Occupancy result = occupancy({256, 40, 8192}, pascal(), 32);
  EXPECT_EQ(result.warps_per_group, 8);
  EXPECT_EQ(result.groups, 6);
  EXPECT_THAT(result.limiters, ElementsAre(kRegisterLimit));
  EXPECT_THAT(result.bounds,
              ElementsAre(LimitBound{kGroupLimit, 32, std::nullopt},
                          LimitBound{kWarpLimit, 8, 224},        // nine groups: 64 / 9 = 7 warps
                          LimitBound{kRegisterLimit, 6, 32},     // seven: 14 warps a part, 16384 / 14 = 1170 -> 1024
                          LimitBound{kSharedLimit, 12, 7424}));  // thirteen: 98304 / 13 = 7561 -> 29 x 256
}

TEST(Occupancy, LimitsThatTieAreAllLimiters) {
  EXPECT_THAT(occupancy({64, 0, 3072}, pascal(), 32).limiters, ElementsAre(kGroupLimit, kWarpLimit, kSharedLimit));
}

TEST(Occupancy, WhatIsMissingOrZeroDoesNotBind) {
  const Occupancy free = occupancy({1000, 255, 49152}, Limits{}, 32);
  EXPECT_EQ(free.groups, std::nullopt);
  EXPECT_THAT(free.bounds, IsEmpty());
  EXPECT_THAT(free.limiters, IsEmpty());
  EXPECT_EQ(free.warps_per_group, 32);

  Limits zero = pascal();
  zero.groups_per_unit = zero.warps_per_unit = zero.threads_per_group = 0;
  zero.registers_per_unit = zero.registers_per_thread = 0;
  zero.shared_memory_per_unit = zero.shared_memory_per_group = 0;
  EXPECT_EQ(occupancy({100000, 1000, 1 << 30}, zero, 32).groups, std::nullopt);
}

TEST(Occupancy, AGroupWithoutSharedMemoryDoesNotTakeTheReservedPart) {
  Limits limits;
  limits.shared_memory_per_unit = 1024;
  limits.shared_memory_reserved_per_group = 1024;
  EXPECT_EQ(occupancy({32, 0, 0}, limits, 32).groups, std::nullopt);
  EXPECT_THAT(misfits({32, 0, 1}, limits),
              one_problem("shared_memory_per_group", "shared_memory_per_unit", "use 0 or less"));
}

TEST(Occupancy, PartOfAWarpIsAWarp) {
  EXPECT_EQ(occupancy({1, 0, 0}, pascal(), 32).warps_per_group, 1);
  EXPECT_EQ(occupancy({32, 0, 0}, pascal(), 32).warps_per_group, 1);
  EXPECT_EQ(occupancy({33, 0, 0}, pascal(), 32).warps_per_group, 2);
  EXPECT_EQ(occupancy({33, 0, 0}, pascal(), 64).warps_per_group, 1);
}

TEST(Occupancy, RefusesAGroupAboveALimitOfItsOwn) {
  EXPECT_THAT(misfits({1024, 0, 0}, pascal()), IsEmpty());
  EXPECT_THAT(misfits({1025, 0, 0}, pascal()),
              one_problem("group_size", "threads_per_group = 1024", "use 1024 or less"));
  EXPECT_THAT(misfits({32, 255, 0}, pascal()), IsEmpty());
  EXPECT_THAT(misfits({32, 256, 0}, pascal()),
              one_problem("registers_per_thread", "registers_per_thread = 255", "use 255 or less"));
  EXPECT_THAT(misfits({32, 0, 49152}, pascal()), IsEmpty());
  EXPECT_THAT(misfits({32, 0, 49153}, pascal()),
              one_problem("shared_memory_per_group", "shared_memory_per_group = 49152", "use 49152 or less"));
}

TEST(Occupancy, RefusesAGroupThatFillsMoreThanAUnit) {
  // 32 warps: 8 a part, 16384 / 8 = 2048 a warp, 64 a thread.
  EXPECT_THAT(misfits({1024, 64, 0}, pascal()), IsEmpty());
  EXPECT_THAT(misfits({1024, 65, 0}, pascal()),
              one_problem("registers_per_thread", "registers_per_unit = 65536", "use 64 or less"));

  Limits small = pascal();
  small.warps_per_unit = 16;
  EXPECT_THAT(misfits({512, 0, 0}, small), IsEmpty());
  EXPECT_THAT(misfits({513, 0, 0}, small), one_problem("group_size", "warps_per_unit = 16", "use 512 or less"));

  small.shared_memory_per_unit = 40000;  // 156 x 256 = 39936
  EXPECT_THAT(misfits({32, 0, 39936}, small), IsEmpty());
  EXPECT_THAT(misfits({32, 0, 39937}, small),
              one_problem("shared_memory_per_group", "shared_memory_per_unit = 40000", "use 39936 or less"));
}

TEST(Occupancy, AdvisesAValueThatMeetsBothLimits) {
  Limits small = pascal();
  small.shared_memory_per_unit = 32768;  // less than a group may take by itself
  EXPECT_THAT(misfits({32, 0, 50000}, small),
              one_problem("shared_memory_per_group", "shared_memory_per_group = 49152", "use 32768 or less"));
  small.shared_memory_per_unit = 60000;  // more than a group may take by itself
  EXPECT_THAT(misfits({32, 0, 70000}, small),
              one_problem("shared_memory_per_group", "shared_memory_per_group = 49152", "use 49152 or less"));
}

TEST(Occupancy, ReportsEveryResourceThatDoesNotFit) {
  const auto found = misfits({2048, 300, 100000}, pascal());
  std::vector<std::string> places;
  for (const Diagnostic& problem : found) places.push_back(problem.where);
  EXPECT_THAT(places, ElementsAre("group_size", "registers_per_thread", "shared_memory_per_group"));
}

TEST(Occupancy, SaysWhereNoValueFits) {
  Limits tiny;
  tiny.registers_per_unit = 512;  // a register for each of 512 threads
  EXPECT_THAT(misfits({1024, 1, 0}, tiny), one_problem("registers_per_thread", "registers_per_unit = 512",
                                                       "no value fits with groups of this size"));
}

TEST(Occupancy, BearsValuesAtTheEdge) {
  Limits huge;
  huge.warps_per_unit = huge.groups_per_unit = huge.registers_per_unit = huge.shared_memory_per_unit = kLargestWhole;
  huge.register_allocation = huge.shared_memory_allocation = huge.warp_allocation = kLargestWhole;
  huge.shared_memory_reserved_per_group = kLargestWhole;
  EXPECT_THROW(occupancy({kLargestWhole, kLargestWhole, kLargestWhole}, huge, 1), ModelError);
  EXPECT_THROW(occupancy({kLargestWhole, kLargestWhole, kLargestWhole}, huge, kLargestWhole), ModelError);
  huge.register_allocation = huge.shared_memory_allocation = huge.warp_allocation = 1;
  huge.shared_memory_reserved_per_group = 0;
  EXPECT_EQ(occupancy({1, 1, 1}, huge, 1).groups, kLargestWhole);
  EXPECT_EQ(occupancy({kLargestWhole, 1, kLargestWhole}, huge, 1).groups, 1);
  EXPECT_EQ(occupancy({1, 0, 1}, huge, kLargestWhole).groups, kLargestWhole);
}

TEST(OccupancyLimit, HasAName) {
  EXPECT_EQ(to_string(kGroupLimit), "groups");
  EXPECT_EQ(to_string(kWarpLimit), "warps");
  EXPECT_EQ(to_string(kRegisterLimit), "registers");
  EXPECT_EQ(to_string(kSharedLimit), "shared memory");
}

/// Groups allowed by a limit alone, for a need that may not fit; empty where it does not bind.
std::optional<std::int64_t> groups_by(OccupancyLimit limit, GroupNeeds needs, const Limits& limits,
                                      std::int64_t warp_size) {
  Limits alone;
  alone.register_allocation = limits.register_allocation;
  alone.warp_allocation = limits.warp_allocation;
  alone.shared_memory_allocation = limits.shared_memory_allocation;
  alone.shared_memory_reserved_per_group = limits.shared_memory_reserved_per_group;
  if (limit == kWarpLimit) alone.warps_per_unit = limits.warps_per_unit;
  if (limit == kRegisterLimit) alone.registers_per_unit = limits.registers_per_unit;
  if (limit == kSharedLimit) alone.shared_memory_per_unit = limits.shared_memory_per_unit;
  try {
    return occupancy(needs, alone, warp_size).groups;
  } catch (const ModelError&) {
    return 0;
  }
}

GroupNeeds with(OccupancyLimit limit, std::int64_t value, GroupNeeds needs) {
  if (limit == kWarpLimit) needs.group_size = value;
  if (limit == kRegisterLimit) needs.registers_per_thread = value;
  if (limit == kSharedLimit) needs.shared_memory_per_group = value;
  return needs;
}

RC_GTEST_PROP(Occupancy, OneMoreGroupFitsAtTheNextStepAndNotBeyond, ()) {
  const auto upto = [](std::int64_t most) { return *rc::gen::inRange<std::int64_t>(1, most + 1); };
  Limits limits;
  limits.warps_per_unit = upto(100);
  limits.registers_per_unit = upto(100000);
  limits.register_allocation = upto(300);
  limits.warp_allocation = upto(5);
  limits.shared_memory_per_unit = upto(100000);
  limits.shared_memory_allocation = upto(300);
  limits.shared_memory_reserved_per_group = upto(2000) - 1;
  const std::int64_t warp_size = upto(64);
  const GroupNeeds needs{upto(500), upto(100), upto(20000)};

  Occupancy result;
  try {
    result = occupancy(needs, limits, warp_size);
  } catch (const ModelError&) {
    RC_DISCARD("does not fit");
  }
  RC_ASSERT(result.bounds.size() == 3U);
  for (const auto& [limit, groups, next_step] : result.bounds) {
    const auto groups_at = [&, limit = limit](std::int64_t value) {
      return groups_by(limit, with(limit, value, needs), limits, warp_size).value_or(kLargestWhole);
    };
    if (next_step) RC_ASSERT(groups_at(*next_step) > groups);
    RC_ASSERT(groups_at(next_step.value_or(0) + 1) <= groups);
  }
}

}  // namespace
}  // namespace warpipe
