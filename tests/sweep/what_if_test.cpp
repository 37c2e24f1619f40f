#include "warpipe/sweep/what_if.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "../predict/cached_models.hpp"
#include "small_models.hpp"
#include "trial_runs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kExact = 1e-9;  ///< of an elasticity, whose step is a difference of doubles

/// Tries all changes, also where a bound proves them useless.
WhatIf asked(const Kernel& kernel, const Device& device, const LaunchOptions& options = {}, double step = 0.01) {
  WhatIfOptions all;
  all.step = step;
  all.leave_out = false;
  return what_if(kernel, device, options, all, 1);
}

const Elasticity& row(const std::vector<Elasticity>& rows, std::string_view name, std::string_view latency) {
  const auto found =
      std::ranges::find_if(rows, [&](const Elasticity& each) { return each.name == name && each.latency == latency; });
  if (found == rows.end()) throw std::runtime_error(fmt::format("no row {} {}", name, latency));
  return *found;
}

const Change& change(const WhatIf& result, std::string_view name) {
  const auto found = std::ranges::find(result.changes, name, &Change::name);
  if (found == result.changes.end()) throw std::runtime_error(fmt::format("no change {}", name));
  return *found;
}

/// A memory behind a unit of its own, with conflicts and transactions: lambda 4, Lambda 100, 8 more a conflict and 2
/// more a transaction beyond 4; each access takes a further 5 cycles of the DRAM.
Device memory_device(std::string_view patch = "{}") {
  return device_with({{"global.load", "a", 4, 100,
                       R"({"per_conflict": {"issue": 8, "completion": 8}, "transactions": 4,
                           "per_transaction": {"issue": 2, "completion": 2},
                           "then": [{"pipeline": "c", "issue": 5}]})"},
                      {"x", "b", 1, 10}},
                     patch);
}

/// x, then y after it: 10 + 4 cycles for a single warp.
Kernel chain_of_two() {
  return kernel_with(R"({"id": "first", "op": "x"}, {"id": "second", "op": "y", "after": ["first"]})");
}

TEST(WhatIf, ElasticityOfAChainIsTheShareOfEachLatency) {
  const WhatIf result = asked(chain_of_two(), two_ops());
  ASSERT_EQ(result.base.cycles, Ticks{14'000});
  for (const auto* rows : {&result.ops, &result.instructions}) {
    const bool of_ops = rows == &result.ops;
    EXPECT_NEAR(row(*rows, of_ops ? "x" : "first", "completion").central, 10.0 / 14, kExact);
    EXPECT_NEAR(row(*rows, of_ops ? "y" : "second", "completion").central, 4.0 / 14, kExact);
    EXPECT_EQ(row(*rows, of_ops ? "x" : "first", "issue").central, 0) << "nobody else wants the pipeline";
  }
  EXPECT_EQ(result.ops.front().name, "x") << "strongest first";
}

// Two groups, and places for four: a third place stays empty.
TEST(WhatIf, SaysHowManyGroupsAUnitHas) {
  const WhatIf result =
      asked(kernel_with(R"({"id": "i", "op": "x"})", {.groups = 2, .concurrent_groups = 4}), two_ops());
  EXPECT_THAT(change(result, "one more resident group").why_not, HasSubstr("more than 2 groups per unit"));
}

TEST(WhatIf, StepIsTheOneThatIsAskedFor) {
  const Elasticity x = row(asked(chain_of_two(), two_ops(), {}, 0.1).ops, "x", "completion");
  // 10 cycles, 10 % to either side: runs of 9 + 4 and 11 + 4 cycles.
  EXPECT_EQ(x.less, Cycles{9});
  EXPECT_EQ(x.more, Cycles{11});
  EXPECT_EQ(x.cycles_less, Ticks{13'000});
  EXPECT_EQ(x.cycles_more, Ticks{15'000});
}

TEST(WhatIf, StepIsAtLeastAMilliCycle) {
  // 1 % of 0.02 cycles is less than the resolution of time.
  const Device device = device_with({{"x", "a", 0.02, 10}});
  const Elasticity x = row(asked(kernel_with(R"({"id": "i", "op": "x"})"), device).ops, "x", "issue");
  EXPECT_DOUBLE_EQ(x.less.count, 0.019);
  EXPECT_DOUBLE_EQ(x.more.count, 0.021);
}

TEST(WhatIf, LatencyOfNoneHasNoElasticity) {
  const Device device = device_with({{"x", "a", 0, 10}});
  EXPECT_THAT(asked(kernel_with(R"({"id": "i", "op": "x"})"), device).ops, SizeIs(1));
}

TEST(WhatIf, SidesDifferAtAKink) {
  // Two producers, both there at 10 (issued at 0 on pipelines of their own), and y after both: 10 + 4. Shortening x
  // leaves the other, lengthening x counts in full.
  const Device device = device_with({{"x", "a", 1, 10}, {"z", "c", 1, 10}, {"y", "b", 2, 4}});
  const WhatIf result = asked(
      kernel_with(R"({"id": "p", "op": "x"}, {"id": "q", "op": "z"}, {"id": "r", "op": "y", "after": ["p", "q"]})"),
      device);
  const Elasticity& x = row(result.ops, "x", "completion");
  EXPECT_EQ(x.below, 0);
  EXPECT_NEAR(x.above, 10.0 / 14, kExact);
  EXPECT_NEAR(x.central, 5.0 / 14, kExact);
  EXPECT_FALSE(sides_disagree(x)) << "a side of 0 has no sense to disagree with";
}

TEST(WhatIf, SidesDisagreeWhereBothLengthenOrBothShortenTheRun) {
  Elasticity row;
  row.below = -0.1;
  row.above = 0.2;
  EXPECT_TRUE(sides_disagree(row));
  row.below = 0.1;
  EXPECT_FALSE(sides_disagree(row));
}

TEST(WhatIf, ElasticityIsTheDifferenceThatSetMakes) {
  const Kernel kernel = kernel_with(
      R"({"loop": "l", "trip_count": 5, "body": [{"id": "i", "op": "x"}, {"id": "j", "op": "y", "after": ["i"]}]})",
      {2, 6, 3});
  const WhatIf result = asked(kernel, two_ops());
  for (const Elasticity& each : result.ops) {
    LaunchOptions options;
    const auto name = each.name + "." + each.latency;
    options.set = {{name, each.less.count}};
    EXPECT_EQ(predict(kernel, two_ops(), options).cycles, each.cycles_less);
    options.set = {{name, each.more.count}};
    EXPECT_EQ(predict(kernel, two_ops(), options).cycles, each.cycles_more);
  }
}

TEST(WhatIf, ElasticityOfAnInstructionIsTheDifferenceThatItsOwnLatencyMakes) {
  Kernel kernel = kernel_with(
      R"({"loop": "l", "trip_count": 5, "body": [{"id": "i", "op": "x"}, {"id": "j", "op": "y", "after": ["i"]},
                                                  {"id": "k", "op": "x", "after": ["j"]}]})",
      {3, 6, 2});
  const WhatIf result = asked(kernel, two_ops());
  ASSERT_THAT(result.instructions, SizeIs(6));
  for (const Elasticity& each : result.instructions) {
    Instruction& instruction = *std::ranges::find(kernel.instructions, each.name, &Instruction::id);
    auto& own = each.latency == "issue" ? instruction.issue_latency : instruction.completion_latency;
    own = each.less;
    EXPECT_EQ(predict(kernel, two_ops(), {}).cycles, each.cycles_less) << each.name;
    own = each.more;
    EXPECT_EQ(predict(kernel, two_ops(), {}).cycles, each.cycles_more) << each.name;
    own.reset();
  }
}

TEST(WhatIf, PerfectMemoryIsWhatADeviceWithoutItsLatenciesGives) {
  const Kernel kernel = kernel_with(
      R"({"loop": "l", "trip_count": 3, "body": [{"id": "i", "op": "global.load", "transactions": 9},
                                                  {"id": "j", "op": "x", "after": ["i"]}]})",
      {3, 6, 2});
  const std::string_view perfect = R"({"ops": {"global.load": {
      "completion": 0, "per_conflict": {"issue": 8}, "per_transaction": {"issue": 2},
      "then": [{"pipeline": "c", "issue": 0}]}}})";
  Device device = memory_device(perfect);
  for (Op& op : device.ops) {  // a merge patch leaves fields that it does not name
    if (op.per_conflict) op.per_conflict->completion = Cycles{0};
    if (op.per_transaction) op.per_transaction->completion = Cycles{0};
  }
  EXPECT_EQ(change(asked(kernel, memory_device()), "perfect global memory").cycles, predict(kernel, device, {}).cycles);
}

TEST(WhatIf, StartsFromWhatTheOptionsSay) {
  LaunchOptions options;
  options.scale = {{"x", 2}};
  // 20 + 4 cycles: the scale counts once.
  const WhatIf result = asked(chain_of_two(), two_ops(), options);
  EXPECT_EQ(result.base.cycles, Ticks{24'000});
  EXPECT_NEAR(row(result.ops, "x", "completion").central, 20.0 / 24, kExact);
}

TEST(WhatIf, InstructionsWithALatencyOfTheirOwnMoveWithIt) {
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "x", "completion_latency": 30})");
  const WhatIf result = asked(kernel, two_ops());
  EXPECT_NEAR(row(result.instructions, "i", "completion").central, 1, kExact);
  EXPECT_EQ(row(result.ops, "x", "completion").central, 0) << "`set` does not reach it either";
}

TEST(WhatIf, LeavesOutWhatDoesNotRun) {
  const WhatIf result =
      asked(kernel_with(R"({"id": "i", "op": "x"}, {"when": "0", "body": [{"id": "never", "op": "y"}]})"), two_ops());
  EXPECT_THAT(result.instructions, SizeIs(2));
  EXPECT_THAT(result.ops, SizeIs(2));
}

TEST(WhatIf, PipelineBehindAnOpHasAnElasticityOfItsOwn) {
  // 40 warps, a load each, lambda 4 on the unit and 5 behind it: the DRAM is always busy, from the first arrival at 0,
  // 40 x 5 cycles; the last waits 195 less its later issue by 39 x 4, and completes 100 later: 195 + 100 cycles.
  const WhatIf result = asked(kernel_with(R"({"id": "i", "op": "global.load"})", {40, 1, 1}), memory_device());
  ASSERT_EQ(result.base.cycles, Ticks{295'000});
  EXPECT_NEAR(row(result.ops, "global.load", "c").central, 195.0 / 295, kExact);
  EXPECT_NEAR(row(result.instructions, "i", "c").central, 195.0 / 295, kExact) << "the only one with that op";
}

TEST(WhatIf, PipelineBehindAnOpIsOneThroughputWithItsTransactions) {
  // 8 transactions where 4 are included, 1 cycle more for each further transaction: 4 + 4 = 8 cycles of the pipeline
  // behind, whose lambda and increment grow together: 40 loads take 39 x 8 cycles until the last starts, + 100.
  const Device device = device_with({{"global.load", "a", 1, 100,
                                      R"({"transactions": 4, "then": [{"pipeline": "c", "issue": 4,
                                          "per_transaction": 1}]})"}});
  const WhatIf result =
      asked(kernel_with(R"({"id": "i", "op": "global.load", "transactions": 8})", {40, 1, 1}), device);
  ASSERT_EQ(result.base.cycles, Ticks{412'000});
  EXPECT_NEAR(row(result.ops, "global.load", "c").central, 312.0 / 412, kExact);
  EXPECT_NEAR(row(result.instructions, "i", "c").central, 312.0 / 412, kExact);
}

TEST(WhatIf, ConflictFreeAccessHasDegreeOne) {
  // Lambda 100 + 3 x 8 with a 4-way conflict, 100 without.
  const WhatIf result =
      asked(kernel_with(R"({"id": "i", "op": "global.load", "conflict_degree": 4})"), memory_device());
  EXPECT_EQ(result.base.cycles, Ticks{124'000});
  const Change& free = change(result, "conflict-free access");
  EXPECT_EQ(free.cycles, Ticks{100'000});
  EXPECT_DOUBLE_EQ(free.saved, 24.0 / 124);
  EXPECT_THAT(free.options, testing::ElementsAre("set", "i.conflict_degree=1"));
}

TEST(WhatIf, CoalescedAccessHasTheTransactionsOfTheOp) {
  // Lambda 100 + (32 - 4) x 2 with 32 transactions.
  const WhatIf result = asked(kernel_with(R"({"id": "i", "op": "global.load", "transactions": 32})"), memory_device());
  EXPECT_EQ(result.base.cycles, Ticks{156'000});
  EXPECT_EQ(change(result, "coalesced access").cycles, Ticks{100'000});
  EXPECT_THAT(change(result, "conflict-free access").why_not, HasSubstr("no access has bank conflicts"));
}

// Lanes 32 bytes apart reach 32 sectors; as neighbours their words of 4 bytes lie in 4: the time is that of a kernel
// with these addresses.
TEST(WhatIf, CoalescedAccessToLevelsHasTheAddressesOfNeighbours) {
  const auto apart = kernel_with_array(access("x", "global.load", "32 * lane + 1024 * group"));
  const auto beside = kernel_with_array(access("x", "global.load", "4 * lane + 128 * group"));
  const auto result = asked(apart, device_with_caches());
  const auto as_written = asked(beside, device_with_caches());
  const Change& coalesced = change(result, "coalesced access");
  ASSERT_TRUE(coalesced.cycles) << coalesced.why_not;
  EXPECT_EQ(coalesced.cycles, as_written.base.cycles);
  EXPECT_GT(coalesced.saved, 0);
  EXPECT_THAT(change(as_written, "coalesced access").why_not, HasSubstr("no access has more"));
}

TEST(WhatIf, PerfectMemoryLeavesTheLambdaOnTheUnit) {
  // 100 cycles, then x 10. Perfect: the load is there at once, x goes on at 0 on a pipeline of its own.
  const WhatIf result = asked(
      kernel_with(R"({"id": "i", "op": "global.load"}, {"id": "j", "op": "x", "after": ["i"]})"), memory_device());
  EXPECT_EQ(result.base.cycles, Ticks{110'000});
  EXPECT_EQ(change(result, "perfect global memory").cycles, Ticks{10'000});
  EXPECT_THAT(change(result, "perfect global memory").options, IsEmpty()) << "no option reaches a further pipeline";
  EXPECT_FALSE(change(result, "perfect shared memory").cycles);
}

/// 8 groups of a single warp with registers for 4 of 64 registers per thread: 8192 = 4 x 64 x 32.
Device register_limited() {
  return device_with({{"x", "a", 1, 10}, {"y", "b", 2, 4}}, R"({"limits": {"registers_per_unit": 8192}})");
}
constexpr std::string_view kEightGroups = R"("launch": {"group_size": 32, "groups": 8},)";
constexpr std::string_view kSixtyFour = R"("resources": {"registers_per_thread": 64},)";
constexpr std::string_view kChain =
    R"({"loop": "l", "trip_count": 4, "body": [{"id": "i", "op": "x", "after": ["i"]}]})";

TEST(WhatIf, NextOccupancyStepSaysWhatMustShrinkAndGivesWhatTheEditedKernelGives) {
  const Kernel kernel = kernel_file(std::string(kEightGroups) + std::string(kSixtyFour), kChain);
  const WhatIf result = asked(kernel, register_limited());
  ASSERT_EQ(result.base.launch.slots, 4);
  const Change& step = change(result, "next occupancy step");
  // 8192 / (5 x 32) = 51.2.
  EXPECT_EQ(step.needs, "at most 51 registers per thread (now 64)");
  Kernel edited = kernel;
  edited.resources.registers_per_thread = Expression(51.0);
  const Prediction prediction = predict(edited, register_limited(), {});
  EXPECT_EQ(prediction.launch.slots, 5);
  EXPECT_EQ(prediction.cycles, step.cycles);
}

TEST(WhatIf, OptionsOfAChangeOfGroupsGiveItsCycles) {
  const Kernel kernel = kernel_file(std::string(kEightGroups) + std::string(kSixtyFour), kChain);
  const WhatIf result = asked(kernel, register_limited());
  LaunchOptions options;
  options.concurrent_groups = 3;
  EXPECT_EQ(predict(kernel, register_limited(), options).cycles, change(result, "one fewer resident group").cycles);
  options.concurrent_groups = 5;
  options.ignore_limits = true;
  EXPECT_EQ(predict(kernel, register_limited(), options).cycles, change(result, "next occupancy step").cycles);
}

TEST(WhatIf, NoEffectNamesTheLimiterThatHidesIt) {
  // A group of 40 warps, one x each: the pipeline of lambda 4 takes 160 cycles, 39 x 4 + 4. Lambda 4 stands for the
  // memory's latency, which only counts once the pipeline is no limit: then all of 4 cycles is saved.
  const Device device = device_with({{"global.load", "a", 4, 4}});
  const WhatIf result = asked(kernel_with(R"({"id": "i", "op": "global.load"})", {40, 1, 1}), device);
  ASSERT_EQ(result.base.cycles, Ticks{160'000});
  // With the latency 0 the last warp still issues at 156: 4 cycles of 160 are saved, an effect.
  EXPECT_EQ(change(result, "perfect global memory").cycles, Ticks{156'000});
  // Whoever goes first, the pipeline takes as long; without its lambda all issue at 0, without the latency none is
  // left.
  EXPECT_THAT(change(result, "policy oldest").remark, HasSubstr("no effect, not even without the limit of pipeline a"));
}

TEST(WhatIf, NoEffectSaysWhatItWouldBringWithoutTheLimiter) {
  // 1000 trips; a on pipeline a (lambda 20) and a load of Lambda 15 on b, the next trip of a after it: the pipeline is
  // never idle with two warps, so a load without latency saves nothing until pipeline a is no limit.
  const Device device = device_with({{"x", "a", 20, 1}, {"global.load", "b", 1, 15}});
  const Kernel kernel = kernel_with(
      R"({"loop": "l", "trip_count": 1000, "body": [{"id": "i", "op": "x", "after": ["j"]},
                                                    {"id": "j", "op": "global.load", "after": ["i"]}]})",
      {2, 1, 1});
  EXPECT_THAT(change(asked(kernel, device), "perfect global memory").remark,
              HasSubstr("no effect until pipeline a is no limit; then it saves"));
  // The same where x holds a for a cycle and the pipeline behind it for 20.
  const Device behind =
      device_with({{"x", "a", 1, 1, R"({"then": [{"pipeline": "c", "issue": 20}]})"}, {"global.load", "b", 1, 15}});
  EXPECT_THAT(change(asked(kernel, behind), "perfect global memory").remark,
              HasSubstr("no effect until pipeline c is no limit; then it saves"));
}

// Two groups of 32 threads: 1000 cycles, the second from 0.4 on. As part of groups of 256 it starts after an eighth of
// the interval, which saves 0.35 of 1000.4 cycles, and 7/8 of the rest without the latency, though a source gives the
// interval of the latency.
TEST(WhatIf, LimitsOfNumbersWithSourcesAreTakenAway) {
  constexpr std::string_view kSource =
      R"({"source": {"kind": "measured", "reference": "r", "intervals": {"completion": [999, 1001]}}})";
  const Device device = device_with({{"x", "a", 0, 1000, kSource}}, R"({"group_dispatch_interval": 0.4})");
  const WhatIf result = asked(kernel_with(R"({"id": "i", "op": "x"})", {.groups = 2, .concurrent_groups = 2}), device);
  const Change& more_work = change(result, "more work per group");
  EXPECT_EQ(more_work.cycles, Ticks{1'000'050}) << more_work.why_not;
  EXPECT_EQ(more_work.remark, "no effect until latency is no limit; then it saves 87.5 %");
}

TEST(WhatIf, TakesNoLimitAwayTwice) {
  // A lone warp: 1 + 2 cycles of lambda are left of its time when no result takes any. Nothing is left in the end.
  const std::string remark = change(asked(chain_of_two(), two_ops()), "policy oldest").remark;
  EXPECT_THAT(remark, HasSubstr("not even without the limit of latency"));
  EXPECT_THAT(remark, testing::Not(HasSubstr("latency and latency")));
}

// Each of two units reads 24 KiB of its own again and again. The first level holds 16 KiB, or 32; the second all of it,
// or with half of its 64 KiB not.
TEST(WhatIf, CachesOfAnotherSizeHoldMoreOrLess) {
  const Kernel kernel = kernel_with_array(
      R"({"loop": "again", "trip_count": "trips", "body": [{"loop": "line", "trip_count": 192, "body": [)" +
          access("i", "global.load", "24576 * group + 128 * line + 4 * lane", R"(, "after": ["i"])") + "]}]}",
      2);
  const WhatIf result = asked(kernel, device_with_caches());
  EXPECT_GT(change(result, "l1 of twice the size").saved, 0.5);
  EXPECT_LT(change(result, "l2 of half the size").saved, -0.5);
  EXPECT_EQ(change(result, "l2 of twice the size").remark, "no effect: it serves the same accesses");
  LaunchOptions options;
  options.set_device = {{"memory/levels/l1/bytes", 32768}};
  EXPECT_EQ(predict(kernel, device_with_caches(), options).cycles, change(result, "l1 of twice the size").cycles);
  EXPECT_THAT(change(result, "l1 of twice the size").options,
              testing::ElementsAre("set", "memory/levels/l1/bytes=32768"));
}

TEST(WhatIf, SaysWhyNoCacheIsTried) {
  EXPECT_EQ(change(asked(chain_of_two(), two_ops()), "caches of another size").why_not, "the device has no caches");
  for (const char* access : {"", R"(, "access": {"width_bytes": 4, "pattern": "broadcast"})"}) {
    const Kernel without = kernel_with_array(fmt::format(R"({{"id": "i", "op": "global.load"{}}})", access));
    EXPECT_EQ(change(asked(without, device_with_caches()), "caches of another size").why_not,
              "no access says its addresses");
  }
}

TEST(WhatIf, ChangesAreRankedAndThoseThatCannotBeComeLast) {
  const WhatIf result = asked(kernel_with(R"({"id": "i", "op": "global.load", "transactions": 32})"), memory_device());
  bool possible = true;
  std::pair<ChangePart, Ticks> last{};
  for (const Change& each : result.changes) {
    EXPECT_TRUE(possible || !each.cycles);
    possible = each.cycles.has_value();
    if (each.cycles) {
      const std::pair now(each.part, *each.cycles);
      EXPECT_TRUE(last <= now) << each.name;
      last = now;
    }
    EXPECT_NE(each.cycles.has_value(), !each.why_not.empty());
  }
}

TEST(WhatIf, IsTheSameOnAnyNumberOfThreads) {
  const Kernel kernel = kernel_file(std::string(kEightGroups) + std::string(kSixtyFour), kChain);
  const auto shown = [&](std::size_t threads) {
    std::string text;
    const WhatIf result = what_if(kernel, register_limited(), {}, {}, threads);
    for (const Change& each : result.changes)
      text += fmt::format("{} {} {}\n", each.name, each.cycles.value_or(Ticks{}).count, each.remark);
    for (const auto* rows : {&result.ops, &result.instructions})
      for (const Elasticity& each : *rows) text += fmt::format("{} {} {}\n", each.name, each.latency, each.central);
    return text;
  };
  EXPECT_EQ(shown(1), shown(2));
  EXPECT_EQ(shown(1), shown(0));
}

/// 4096 groups of 8 warps on 20 units, whose accesses go through one pipeline: 4 cycles each of global memory, 1 of
/// shared memory. So each warp keeps it busy for 10 cycles, 16400 in all, but for changes by `more`.
Device whole_numbers(std::string_view more = "{}") {
  const std::string text = R"({
    "format": "warpipe-device", "version": 1, "name": "whole", "compute_units": 20, "clock_hz": 1e9, "warp_size": 32,
    "limits": {"warps_per_unit": 64, "groups_per_unit": 8}, "issue": {"schedulers": 1, "interval": 1},
    "pipelines": {"alu": {}, "lsu": {}, "bar": {}},
    "ops": {"imad": {"pipeline": "alu", "issue": 1, "completion": 6},
            "ffma": {"pipeline": "alu", "issue": 1, "completion": 6},
            "global.load": {"pipeline": "lsu", "issue": 4, "completion": 100},
            "global.store": {"pipeline": "lsu", "issue": 4, "completion": 20},
            "shared.load": {"pipeline": "lsu", "issue": 1, "completion": 24},
            "shared.store": {"pipeline": "lsu", "issue": 1, "completion": 24},
            "barrier": {"pipeline": "bar", "issue": 1, "completion": 10, "kind": "barrier"}}})";
  auto patched = nlohmann::json::parse(text);
  patched.merge_patch(nlohmann::json::parse(more));
  return read_device_json(patched.dump(), "whole.json");
}

const std::string kSeven = R"({"id": "index", "op": "imad"}, {"id": "load", "op": "global.load", "after": ["index"]},
    {"id": "keep", "op": "shared.store", "after": ["load"]}, {"id": "wait", "op": "barrier", "after": ["keep"]},
    {"id": "fetch", "op": "shared.load", "after": ["wait"]}, {"id": "fma", "op": "ffma", "after": ["fetch"]},
    {"id": "store", "op": "global.store", "after": ["fma"]})";

// The pipeline is busy for 98 % and more of the time: the two accesses to global memory take 0.8 of it, so the time
// grows by 0.4 x 98 % of the growth of either. Warps in step hide the growth from a step of one per cent.
TEST(WhatIf, ElasticityRanksThePipelineThatIsAlwaysBusyFirstWhereLatenciesAreWhole) {
  const Kernel kernel = kernel_file(R"("launch": {"group_size": 256, "groups": 4096},)", kSeven);
  for (const auto* more : {"{}", R"({"issue": {"schedulers": 4, "policy": "oldest"}})",
                           R"({"issue": {"schedulers": 2, "policy": "greedy-oldest"}})"}) {
    const Device device = whole_numbers(more);
    WhatIfOptions ops;
    ops.parts = {WhatIfPart::Ops};
    const WhatIf result = what_if(kernel, device, {}, ops, 1);
    const double busy = 16400 / to_cycles(result.base.cycles).count;
    ASSERT_GT(busy, 0.95) << more;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_THAT(result.ops[i].name, testing::StartsWith("global.")) << more;
      EXPECT_EQ(result.ops[i].latency, "issue") << more;
      EXPECT_NEAR(result.ops[i].central, 0.4 * busy, 0.06) << more;
    }
    for (std::size_t i = 2; i < result.ops.size(); ++i)
      EXPECT_LT(std::abs(result.ops[i].central), 0.2) << more << " " << result.ops[i].name;
  }
}

/// Warps wait for their loads in turn, in waves of 16 groups of 4 warps.
Kernel long_loads(int waves = 100) {
  return kernel_with(R"({"loop": "l", "trip_count": 100, "body": [{"id": "i", "op": "global.load", "after": ["j"]},
                                                                  {"id": "j", "op": "x", "after": ["i"]}]})",
                     {4, 16 * waves, 16});
}
Device long_device(double completion = 400) {
  return device_with({{"global.load", "a", 4, completion}, {"x", "b", 1, 10}});
}

LaunchOptions within(double tolerance) {
  LaunchOptions options;
  options.skipping = Skipping::Off;  // else the period of the loop is found, and nothing is long
  options.tolerance = tolerance;
  return options;
}

// 1600 x 4 x 200 instructions are too many to be simulated to their end.
TEST(WhatIfWithin, ClaimsNothingBelowTheTolerance) {
  constexpr double kTolerance = 0.005;
  const WhatIf exact = asked(long_loads(), long_device(), within(0), 0.2);
  const WhatIf result = asked(long_loads(), long_device(), within(kTolerance), 0.2);
  ASSERT_GT(result.base.off, 0);
  int compared = 0;
  for (const Change& each : result.changes) {
    if (!each.cycles) continue;
    EXPECT_GE(each.off, kTolerance) << each.name;
    EXPECT_NEAR(each.saved, change(exact, each.name).saved, 2 * kTolerance) << each.name << ": both times may be off";
    EXPECT_EQ(is_told(each), std::abs(each.saved) >= kTolerance) << each.name;
    ++compared;
  }
  EXPECT_GE(compared, 2);
  for (const Elasticity& each : result.ops) {
    // Of a step of 20 % to either side, each time may be off by the tolerance.
    EXPECT_NEAR(each.central, row(exact.ops, each.name, each.latency).central, 2 * kTolerance / 0.4) << each.name;
    for (const double one : {each.below, each.above})
      EXPECT_TRUE(one == 0 || std::abs(one) * 0.2 >= kTolerance * (1 - kExact)) << each.name << " " << one;
  }
  EXPECT_NEAR(row(result.ops, "global.load", "completion").central, 400.0 / 410, 0.03) << "what the warps wait for";
}

// Where only most of a launch told its time, a change is simulated whole: its cycles have all digits.
TEST(WhatIfWithin, ComparesRunsOfTheSameSizes) {
  const LoweredLaunch launch = lower_launch(long_loads(), long_device(), within(0.005));
  RunWithin run = run_within(launch);
  ASSERT_TRUE(is_extended(run));
  const Device device = long_device(301.7);
  const Program changed = lower(launch.kernel, device, launch.launch, launch.options);
  const auto cycles = [&] { return TrialRuns(launch, run).run(changed, device).cycles; };
  const Ticks whole = simulate(changed).cycles;
  EXPECT_NE(cycles(), whole);
  run.sizes = {90, 50};  // of 100 waves and 100 trips
  EXPECT_EQ(cycles(), whole);
}

// 64 warps, each loading for 4 cycles, keep the pipeline busy: 1 % more of each load's time is 1 % more of the
// launch's, and is not simulated. A launch that waits for its loads is simulated.
TEST(WhatIfWithin, TimeMovesWithABoundThatItTakes) {
  const auto times = [](const Device& device) {
    const LoweredLaunch launch = lower_launch(long_loads(), device, within(0.005));
    const RunWithin run = run_within(launch);
    EXPECT_TRUE(is_extended(run));
    Device changed = device;
    std::ranges::find(changed.ops, "global.load", &Op::name)->issue = Latency{{{1, 4.04}}};
    TrialRuns runs(launch, run);
    const Program program = lower(launch.kernel, changed, launch.launch, launch.options);
    const double with_bound = 1.01 * to_cycles(runs.cycles()).count;
    return std::pair(to_cycles(runs.run_with_latency(program, changed).cycles).count, with_bound);
  };
  const auto [bound, with_bound] = times(long_device(20));
  EXPECT_NEAR(bound, with_bound, 1e-4 * with_bound);
  const auto [waiting, not_with_it] = times(long_device(2000));
  EXPECT_LT(waiting, 0.995 * not_with_it);
}

// Of the 410 cycles of a trip, a fifth of 10 is 0.49 %, less than the tolerance, and a fifth of 400 is 19.5 %.
TEST(WhatIfWithin, OneInstructionOfAnOpWithoutEffectHasNone) {
  const WhatIf result = asked(long_loads(), long_device(), within(0.005), 0.2);
  ASSERT_NE(row(result.ops, "x", "completion").cycles_more, result.base.cycles) << "or nothing is left out";
  EXPECT_EQ(row(result.instructions, "j", "completion").cycles_more, result.base.cycles);
  EXPECT_EQ(row(result.instructions, "i", "completion").cycles_more,
            row(result.ops, "global.load", "completion").cycles_more);
}

// 40 warps on a pipeline of lambda 4 take 160 cycles in any order, 39 x 4 + 4: no policy saves anything.
TEST(WhatIfLeftOut, IsWhatABoundSaysSavesNothing) {
  const Device device = device_with({{"global.load", "a", 4, 4}});
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "global.load"})", {40, 1, 1});
  const Change left_out = change(what_if(kernel, device, {}, {}, 1), "policy oldest");
  EXPECT_FALSE(left_out.cycles);
  EXPECT_EQ(left_out.why_not, "saves nothing: the bound of pipeline a is 160 cycles");
  EXPECT_EQ(change(asked(kernel, device), "policy oldest").cycles, Ticks{160'000});
}

// 39 x 4 + 7 = 163 cycles; the pipeline alone is busy for 160, which would save 1.8 %.
TEST(WhatIfLeftOut, IsNotWhatMaySaveEnoughToBeSeen) {
  const Device device = device_with({{"global.load", "a", 4, 7}});
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "global.load"})", {40, 1, 1});
  EXPECT_EQ(change(what_if(kernel, device, {}, {}, 1), "policy oldest").cycles, Ticks{163'000});
}

TEST(WhatIf, TriesFirstWhatMaySaveMost) {
  const Kernel kernel = kernel_file(std::string(kEightGroups) + std::string(kSixtyFour), kChain);
  WhatIfStudy study(kernel, register_limited(), {}, {});
  std::vector<std::size_t> certain;
  const auto pending = study.result().pending;
  study.run(1, [&](std::size_t, std::size_t) { certain.push_back(study.result().certain); });
  EXPECT_FALSE(pending.changes.empty());
  EXPECT_TRUE(pending.ops && pending.instructions);
  EXPECT_TRUE(std::ranges::is_sorted(certain)) << "a row that is certain stays";
  const WhatIf whole = study.result();
  EXPECT_TRUE(whole.pending.changes.empty() || whole.pending.ops || whole.pending.instructions);
  EXPECT_EQ(whole.certain, static_cast<std::size_t>(std::ranges::count_if(
                               whole.changes, [](const Change& each) { return each.cycles.has_value(); })));
}

TEST(WhatIf, RefusesAStepThatIsNoneOrAll) {
  EXPECT_THROW(asked(chain_of_two(), two_ops(), {}, 0), UsageError);
  EXPECT_THROW(asked(chain_of_two(), two_ops(), {}, 1), UsageError);
}

TEST(WhatIf, DoesOnlyThePartsThatAreAskedFor) {
  const WhatIf result = what_if(chain_of_two(), two_ops(), {}, {0.01, {WhatIfPart::Ops}}, 1);
  EXPECT_THAT(result.changes, IsEmpty());
  EXPECT_THAT(result.instructions, IsEmpty());
  EXPECT_THAT(result.ops, SizeIs(4));
}

// The latencies of ops come after the changes, in the order of their trials.
TEST(WhatIfStudy, TellsWhatHasBeenFoundSoFar) {
  const WhatIf whole = asked(chain_of_two(), two_ops());
  WhatIfOptions options;
  options.step = whole.step;
  options.leave_out = false;
  WhatIfStudy study(chain_of_two(), two_ops(), {}, options);
  const auto tried = [](const WhatIf& result) {
    return std::ranges::count_if(result.changes, [](const Change& each) { return each.cycles.has_value(); });
  };
  EXPECT_EQ(study.result().changes.size() + static_cast<std::size_t>(tried(whole)), whole.changes.size());
  std::size_t simulations = 0;
  study.run(1, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(done, ++simulations);
    EXPECT_EQ(total, study.simulations());
    const WhatIf so_far = study.result();
    EXPECT_EQ(tried(so_far), std::min<std::ptrdiff_t>(tried(whole), static_cast<std::ptrdiff_t>(done)));
    const auto of_latencies = std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(done) - tried(whole), 0);
    EXPECT_EQ(so_far.ops.size() + so_far.instructions.size(), static_cast<std::size_t>(of_latencies / 2))
        << "both sides";
    for (const Elasticity& each : so_far.ops) EXPECT_EQ(each.central, row(whole.ops, each.name, each.latency).central);
  });
  EXPECT_EQ(simulations, study.simulations());
  EXPECT_EQ(study.result().ops.size(), whole.ops.size());
  EXPECT_EQ(study.result().instructions.size(), whole.instructions.size());
}

/// 64 groups read 128 bytes each, all from the memory: 8192 bytes at 100 GB/s beside 500 ns, and a cycle per load.
WhatIf of_a_stream() {
  const Kernel kernel = kernel_with_array(access("x", "global.load", "4 * (32 * group + lane)"));
  return asked(kernel, device_with_caches());
}

TEST(WhatIfLevels, APerfectMemoryHasNoneOfTheirLatenciesAndRates) {
  const WhatIf result = of_a_stream();
  const Change& perfect = change(result, "perfect global memory");
  EXPECT_LT(perfect.cycles->count, 100'000);
  EXPECT_THAT(perfect.options, IsEmpty());
}

TEST(WhatIfLevels, TheTimeHangsOnTheLevelThatServes) {
  const WhatIf result = of_a_stream();
  EXPECT_EQ(row(result.ops, "dram", "latency").value, Cycles{500});
  EXPECT_GT(row(result.ops, "dram", "latency").central, 0.5);
  EXPECT_EQ(row(result.ops, "l2", "latency").central, 0);
  EXPECT_EQ(row(result.ops, "l1", "latency").central, 0);
  EXPECT_DOUBLE_EQ(row(result.ops, "dram", "sector").value.count, 0.32);
  EXPECT_GE(row(result.ops, "dram", "sector").central, 0);
}

}  // namespace
}  // namespace warpipe
