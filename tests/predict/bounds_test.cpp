#include "warpipe/predict/bounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "small_models.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "support/reference_engine.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"

/// Rules 10.2, 10.3 and 10.7 of the model, and Little's law.

namespace warpipe {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

/// Five independent executions of x.
Kernel five(const TestLaunch& launch = {}) {
  return kernel_with(R"({"loop": "l", "trip_count": 5, "body": [{"id": "i", "op": "x"}]})", launch);
}

/// Five executions of x, each after its predecessor.
Kernel chain_of_five(const TestLaunch& launch = {}) {
  return kernel_with(R"({"loop": "l", "trip_count": 5, "body": [{"id": "i", "op": "x", "after": ["i"]}]})", launch);
}

using Named = std::map<std::string, std::string>;

/// Cycles by name.
Named bounds_of(const Kernel& kernel, const Device& device, const LaunchOptions& options = {}) {
  Named named;
  for (const Bound& bound : lower_bounds(lowered(kernel, device, options), device).bounds)
    named[bound.name] = format_cycles(bound.cycles);
  return named;
}

double warps_needed(const Kernel& kernel, const Device& device, const LaunchOptions& options = {}) {
  return lower_bounds(lowered(kernel, device, options), device).warps_needed.at(0).warps;
}

/// x on a pipeline of its own scope: lambda 3, Lambda 10.
Device device_of_scope(std::string_view scope, std::string_view more = "") {
  return device_with({{"x", "p", 3, 10}},
                     fmt::format(R"({{"pipelines": {{"p": {{"scope": "{}"}}}} {}}})", scope, more));
}

// 3 groups of 4 warps, each 5 x 3.
TEST(PipelineBound, OfAUnitIsTheIssueLatencyOfAllItsWarps) {
  const Named bounds = bounds_of(five({.warps = 4, .groups = 3}), device_of_scope("compute_unit"));
  EXPECT_EQ(bounds.at("pipeline p"), "180");
  EXPECT_EQ(bounds.size(), 2u);  // and the latency; idle pipelines have none
}

// ceil(10 / 4) = 3 groups, whether the unit stands for all or is one of four.
TEST(PipelineBound, OfAUnitCountsTheGroupsOfTheUnitThatGetsMost) {
  const Device device = device_of_scope("compute_unit", R"(, "compute_units": 4)");
  EXPECT_EQ(bounds_of(five({.groups = 10}), device).at("pipeline p"), "45");
  EXPECT_EQ(bounds_of(five({.groups = 10}), device, all_units()).at("pipeline p"), "45");
}

/// Loads, each after its predecessor, half of them served by l1 (10 cycles) and half by l2 (100; 4 sectors take 4).
Kernel chain_of_loads(int trips, const TestLaunch& launch) {
  Kernel kernel = kernel_with(fmt::format(R"({{"loop": "l", "trip_count": {}, "body": [
                                               {{"id": "i", "op": "global.load", "after": ["i"]}}]}})",
                                          trips),
                              launch);
  kernel.instructions[0].levels = {{"l1", Expression(0.5), {}}, {"l2", Expression(0.5), {}}};
  return kernel;
}

Device device_with_levels(std::string_view more = "") {
  return device_with({{"global.load", "a", 0, 0}}, fmt::format(R"({{"memory": {{"levels": [
                       {{"name": "l1", "scope": "compute_unit", "bytes": 4096, "ways": 1, "latency": 10}},
                       {{"name": "l2", "latency_s": 100e-9, "read_bytes_per_s": 32e9}}]}} {}}})",
                                                               more));
}

// Five executions of the even groups: l1, l2, l1, l2, l1; of the odd groups: l2, l1, l2, l1, l2.
TEST(PipelineBound, OfALevelCountsTheExecutionsThatComeToIt) {
  EXPECT_EQ(bounds_of(chain_of_loads(5, {.groups = 2}), device_with_levels()).at("pipeline l2"), "20");
  EXPECT_EQ(bounds_of(chain_of_loads(5, {.groups = 3}), device_with_levels()).at("pipeline l2"), "28");
}

// In a slot 230 for the even groups, 320 for the odd groups: exactly the time of the run. In two slots at least half.
TEST(LatencyBound, CountsEachExecutionAtItsOwnLevel) {
  EXPECT_EQ(bounds_of(chain_of_loads(5, {.groups = 1}), device_with_levels()).at("latency"), "230");
  EXPECT_EQ(bounds_of(chain_of_loads(5, {.groups = 3}), device_with_levels()).at("latency"), "780");
  EXPECT_EQ(bounds_of(chain_of_loads(5, {.groups = 3, .concurrent_groups = 2}), device_with_levels()).at("latency"),
            "460")
      << "two waves of at least 230";
}

// 8 warps are 2 a scheduler: 3 groups x 2 x 15.
TEST(PipelineBound, OfASchedulerTakesItsShareOfTheWarps) {
  const Device device = device_of_scope("scheduler", R"(, "issue": {"schedulers": 4})");
  EXPECT_EQ(bounds_of(five({.warps = 8, .groups = 3}), device).at("pipeline p"), "90");
  EXPECT_EQ(bounds_of(five({.warps = 8, .groups = 3, .concurrent_groups = 3}), device).at("pipeline p"), "90");
}

// 6 warps on 4 schedulers. In one slot schedulers 0 and 1 always have two of them: 3 groups x 2 x 15. In the second
// slot these are schedulers 2 and 3, and only the mean is sure: 3 groups x 6 x 15 / 4.
TEST(PipelineBound, OfASchedulerThatWarpsDoNotDivideByDependsOnTheSlots) {
  const Device device = device_of_scope("scheduler", R"(, "issue": {"schedulers": 4})");
  EXPECT_EQ(bounds_of(five({.warps = 6, .groups = 3}), device).at("pipeline p"), "90");
  EXPECT_EQ(bounds_of(five({.warps = 6, .groups = 3, .concurrent_groups = 2}), device).at("pipeline p"), "67.5");
}

// Only warp 1 of 4 issues x: its scheduler has all the work.
TEST(PipelineBound, OfASchedulerIsThatOfTheBusiestOne) {
  const Kernel kernel = kernel_with(R"({"when": "warp == 1", "body": [{"loop": "l", "trip_count": 5, "body": [
      {"id": "i", "op": "x"}]}]})",
                                    {.warps = 4, .groups = 2, .concurrent_groups = 2});
  EXPECT_EQ(bounds_of(kernel, device_of_scope("scheduler", R"(, "issue": {"schedulers": 4})")).at("pipeline p"), "30");
}

// 10 groups x 15 for the device. A unit standing for all has 3 groups and 10 / 3 of the lambda: 3 x 50, and the last
// lambda of 10 does not stand out over its Lambda of 10.
TEST(PipelineBound, OfTheDeviceCountsAllGroups) {
  const Device device = device_of_scope("device", R"(, "compute_units": 4)");
  EXPECT_EQ(bounds_of(five({.groups = 10}), device, all_units()).at("pipeline p"), "150");
  EXPECT_EQ(bounds_of(five({.groups = 10}), device).at("pipeline p"), "150");
}

// lambda 10, Lambda 4: the last of five issues at 40 and ends at 44, 6 before its pipeline is free.
TEST(PipelineBound, LeavesOutWhatStandsOutOverTheLastEnd) {
  const Device device = device_with({{"x", "a", 10, 4}});
  EXPECT_EQ(bounds_of(five(), device).at("pipeline a"), "44");
  EXPECT_EQ(format_cycles(predict(five(), device, {}).cycles), "44");
}

TEST(PipelineBound, CountsAllOfWhatRetiresAtItsIssueLatency) {
  const Device device = device_with({{"x", "a", 10, 4, R"({"retires_at": "issue"})"}});
  EXPECT_EQ(bounds_of(five(), device).at("pipeline a"), "50");
}

// Two entries on b, each 7: 5 x 14. The last of them may still drain when all has ended, and counts as well.
TEST(PipelineBound, OfAFurtherPipelineAddsAllEntries) {
  const Device device =
      device_with({{"x", "a", 1, 2, R"({"then": [{"pipeline": "b", "issue": 7}, {"pipeline": "b", "issue": 7}]})"}});
  const Named bounds = bounds_of(five(), device);
  EXPECT_EQ(bounds.at("pipeline b"), "70");
  EXPECT_EQ(bounds.at("pipeline a"), "5");
}

// An interval of 2 for each of 3 slots, five times; the last interval stands out by 6 - 4 over the end.
TEST(SchedulerBound, IsTheTimeThatSchedulersNeedToIssue) {
  const Device device =
      device_with({{"x", "a", 0, 4, R"({"issue_slots": 3})"}}, R"({"issue": {"schedulers": 2, "interval": 2}})");
  EXPECT_EQ(bounds_of(five(), device).at("schedulers"), "28");
  EXPECT_EQ(bounds_of(five({.warps = 4}), device).at("schedulers"), "58");  // two warps each: 60 - 2
  EXPECT_EQ(format_cycles(predict(five({.warps = 4}), device, {}).cycles), "58");
}

TEST(SchedulerBound, IsNoneWithoutSchedulers) {
  EXPECT_THAT(bounds_of(five(), device_with({{"x", "a", 1, 4}})), Not(Contains(Key("schedulers"))));
}

TEST(DispatchBound, IsOneIntervalForEachGroupButTheFirst) {
  const Device device = device_with({{"x", "a", 1, 4}}, R"({"compute_units": 4, "group_dispatch_interval": 2.5})");
  EXPECT_EQ(bounds_of(five({.groups = 9}), device, all_units()).at("group dispatch"), "20");
  // Ceil(9 / 4) = 3 groups on a unit are placed every 2.5 x 9 / 3 cycles.
  EXPECT_EQ(bounds_of(five({.groups = 9}), device).at("group dispatch"), "15");
  EXPECT_THAT(bounds_of(five(), device_with({{"x", "a", 1, 4}})), Not(Contains(Key("group dispatch"))));
}

// A hundred groups of a single add, placed every 50 cycles, are as slow as their placement.
TEST(DispatchBound, LimitsSmallGroups) {
  const Kernel one = kernel_with(R"({"id": "i", "op": "x"})", {.groups = 100, .concurrent_groups = 8});
  const Prediction found = predict(one, device_with({{"x", "a", 1, 4}}, R"({"group_dispatch_interval": 50})"), {});
  EXPECT_EQ(limiter_name(found), "group dispatch");
  EXPECT_EQ(format_cycles(found.cycles), "4954");
}

// The launch begins 7 cycles before the first group, and its store arrives 5 after the last. Of three lambdas of 1 the
// last has a Lambda of 10.
TEST(Bounds, HaveTheLaunchsBeginAndThatOfLatencyItsEnd) {
  const Device device = device_with({{"global.store", "a", 1, 10}},
                                    R"({"clock_hz": 1e9, "launch_begin_s": 7e-9, "launch_end_s": 5e-9,
                                        "group_dispatch_interval": 2})");
  const auto bounds =
      bounds_of(kernel_with(R"({"id": "i", "op": "global.store"})", {.groups = 3, .concurrent_groups = 3}), device);
  EXPECT_EQ(bounds.at("latency"), "22");
  EXPECT_EQ(bounds.at("group dispatch"), "11");
  EXPECT_EQ(bounds.at("pipeline a"), "10");
}

// 5 groups through 2 slots are 3 waves of 5 x 10, with 2 launches in between.
TEST(LatencyBound, IsTheWavesOfOneWarpAloneAndTheLaunchesBetweenThem) {
  const Device device = device_with({{"x", "a", 1, 10}}, R"({"group_launch_latency": 200})");
  EXPECT_EQ(bounds_of(chain_of_five({.groups = 5, .concurrent_groups = 2}), device).at("latency"), "550");
  EXPECT_EQ(bounds_of(chain_of_five({.groups = 4, .concurrent_groups = 2}), device).at("latency"), "300");
  EXPECT_EQ(bounds_of(chain_of_five({.groups = 1, .concurrent_groups = 9}), device).at("latency"), "50");
}

// Two groups of 10 and two of 30 in turn, with 3 launches in between.
TEST(LatencyBound, SumsGroupsThatDiffer) {
  const Kernel kernel = kernel_file(
      R"("launch": {"group_size": 32, "groups": 4}, "kinds": {"of_group": [[0, 1], [1, 1]], "values": {"t": [1, 3]}},)",
      R"({"loop": "l", "trip_count": "t", "body": [{"id": "i", "op": "x", "after": ["i"]}]})");
  LaunchOptions options;
  options.concurrent_groups = 1;
  const Device device = device_with({{"x", "a", 1, 10}}, R"({"group_launch_latency": 200})");
  EXPECT_EQ(bounds_of(kernel, device, options).at("latency"), "680");
}

TEST(LatencyBound, CountsTheGroupsOfTheUnitThatGetsMost) {
  const Device device = device_with({{"x", "a", 1, 10}}, R"({"compute_units": 4})");
  for (const LaunchOptions& options : {LaunchOptions{}, all_units()})
    EXPECT_EQ(bounds_of(chain_of_five({.groups = 10}), device, options).at("latency"), "150");  // 3 waves
}

// Warp 2 runs three times through the chain of 10.
TEST(LatencyBound, IsThatOfTheSlowestWarp) {
  const Kernel kernel = kernel_with(
      R"({"loop": "l", "trip_count": "1 + warp", "body": [{"id": "i", "op": "x", "after": ["i"]}]})", {.warps = 3});
  EXPECT_EQ(bounds_of(kernel, device_with({{"x", "a", 1, 10}})).at("latency"), "30");
}

// Rule 10.3: every D and backlog hold as 0, the drain left out. On b the five take 500.
TEST(LatencyBound, LeavesOutTheQueuesOfFurtherPipelines) {
  const Device device = device_with({{"x", "a", 1, 10, R"({"then": [{"pipeline": "b", "issue": 100, "after": 3}]})"}},
                                    R"({"pipelines": {"b": {"backlog": 20}}})");
  EXPECT_EQ(bounds_of(chain_of_five(), device).at("latency"), "50");
}

TEST(LatencyBound, IsAllThereIsWhereNothingTakesTime) {
  EXPECT_THAT(bounds_of(five(), device_with({{"x", "a", 0, 0}})), ElementsAre(Pair("latency", "0")));
  const Kernel nothing = kernel_with(R"({"when": "0", "body": [{"id": "i", "op": "x"}]})", {.groups = 3});
  EXPECT_THAT(bounds_of(nothing, device_with({{"x", "a", 1, 1}})), ElementsAre(Pair("latency", "0")));
}

/// Dependent adds on a pipeline a scheduler.
Device adder(double completion) {
  Device device = device_with({{"x", "p", 1, completion}}, R"({"issue": {"schedulers": 4},
                                                               "pipelines": {"p": {"scope": "scheduler"}}})");
  return device;
}

// Volkov, "Understanding Latency Hiding on GPUs" (2016), Maxwell: latency 6 x 4 adds a cycle = 24 warps.
TEST(WarpsNeeded, ForAddsOfSixCyclesOnFourSchedulersAreTwentyFour) {
  EXPECT_DOUBLE_EQ(warps_needed(chain_of_five({.warps = 4}), adder(6)), 24);
  EXPECT_DOUBLE_EQ(warps_needed(chain_of_five({.warps = 1, .groups = 4, .concurrent_groups = 4}), adder(6)), 24);
}

// NVIDIA's examples for compute capability 7.x: 4 cycles x 4 a cycle = 16 warps, 200 cycles x 1 / 20 = 10.
TEST(WarpsNeeded, AreLatencyTimesThroughput) {
  EXPECT_DOUBLE_EQ(warps_needed(chain_of_five({.warps = 8}), adder(4)), 16);
  EXPECT_DOUBLE_EQ(warps_needed(chain_of_five(), device_with({{"x", "a", 20, 200}})), 10);
}

// On 5 units a device's pipeline with lambda 4 serves a unit once in 20 cycles: 200 / 20, in either mode.
TEST(WarpsNeeded, OfADevicesPipelineAreThoseOfOneUnit) {
  const Device device =
      device_with({{"x", "p", 4, 200}}, R"({"compute_units": 5, "pipelines": {"p": {"scope": "device"}}})");
  EXPECT_DOUBLE_EQ(warps_needed(chain_of_five({.groups = 5}), device), 10);
  EXPECT_DOUBLE_EQ(warps_needed(chain_of_five({.groups = 5}), device, all_units()), 10);
}

TEST(WarpsNeeded, AreSaidOfEveryBoundButLatency) {
  const Device device = device_with({{"x", "a", 1, 10}}, R"({"issue": {"schedulers": 2}})");
  const Bounds found = lower_bounds(lowered(five(), device), device);
  ASSERT_EQ(found.bounds.size(), found.warps_needed.size() + 1);
  for (std::size_t i = 0; i < found.warps_needed.size(); ++i)
    EXPECT_EQ(found.warps_needed[i].name, found.bounds[i].name);
  EXPECT_EQ(found.bounds.back().name, "latency");
}

// 1e9 groups in turn, 1e9 cycles each: 1e21 milli-cycles, and 64 bits hold 9.2e18.
TEST(LowerBounds, FindAnOverflowBeforeTheRun) {
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "x"})", {.groups = 1'000'000'000});
  EXPECT_THAT(message_of<ModelError>([&] {
                predict(kernel, device_with({{"x", "a", 0, 1e9}}), {});
              }),
              HasSubstr("lower bound"));
  EXPECT_THAT(message_of<ModelError>([&] {
                predict(kernel, device_with({{"x", "a", 1e9, 0}}), {});
              }),
              HasSubstr("lower bound"));
}

TEST(LowerBounds, FindAnOverflowOfOneWarpAlone) {
  const Kernel kernel =
      kernel_with(R"({"loop": "l", "trip_count": 100000000, "body": [{"id": "i", "op": "x", "after": ["i"]}]})");
  EXPECT_THROW(predict(kernel, device_with({{"x", "a", 1, 1e9}}), {}), ModelError);
}

constexpr random_model::Shape kShape{.most_trips = 3, .most_groups = 8, .most_issues = 300};

struct Scene {
  Kernel kernel;
  Device device;
  LaunchOptions options;
  reference::Launch launch;
};

Scene any_scene() {
  const auto model = *random_model::models_with_any_memory(kShape);
  Scene scene{random_model::read_kernel(model), random_model::read_device(model), {}, {}};
  scene.options.units = model.all_units ? Units::All : Units::One;
  scene.options.ignore_limits = true;
  scene.launch = reference::launch_of(scene.kernel, scene.device,
                                      model.all_units ? reference::Mode::AllUnits : reference::Mode::OneUnit);
  return scene;
}

TEST(LowerBounds, AreNeverAboveTheSimulatedTime) {
  check_property(500, [] {
    const Scene scene = any_scene();
    const Prediction prediction = predict(scene.kernel, scene.device, scene.options);
    for (const Bound& bound : prediction.bounds) RC_ASSERT(bound.cycles <= prediction.cycles);
  });
}

// A run with the slowest services spares the runs of all turns only where latency is not the highest.
TEST(HighestBound, IsTheHighestOfAll) {
  check_property(500, [] {
    const Scene scene = any_scene();
    const Program program = lowered(scene.kernel, scene.device, scene.options);
    const Bound found = highest_bound(program, scene.device);
    const Bounds all = lower_bounds(program, scene.device);
    RC_ASSERT(found.name == highest(all.bounds).name);
    RC_ASSERT(found.cycles == highest(all.bounds).cycles);
  });
}

// The bounds state before the run the numbers counted by the reference engine while it runs.
TEST(Busy, IsWhatTheReferenceEngineCounts) {
  check_property(200, [] {
    const Scene scene = any_scene();
    const auto outcome = reference::simulate(scene.kernel, scene.device, scene.launch);
    const Program program = lowered(scene.kernel, scene.device, scene.options);
    std::vector<std::int64_t> counted(scene.device.pipelines.size());
    for (const auto& instance : outcome.instances) counted[instance.pipeline] += instance.busy.count;
    for (std::size_t i = 0; i < counted.size(); ++i) RC_ASSERT(busy(program, i) == (Ticks{counted[i]}));
    RC_ASSERT(instructions_issued(program) == static_cast<std::int64_t>(outcome.timeline.size()));
  });
}

// A bound may know less than the busiest instance, never more.
TEST(PipelineBound, IsAtMostTheTimeOfTheBusiestInstance) {
  check_property(300, [] {
    const Scene scene = any_scene();
    const auto outcome = reference::simulate(scene.kernel, scene.device, scene.launch);
    std::map<std::string, Ticks> busiest;
    for (const auto& instance : outcome.instances) {
      Ticks& most = busiest["pipeline " + scene.device.pipelines[instance.pipeline].name];
      most = std::max(most, instance.busy);
    }
    const Program program = lowered(scene.kernel, scene.device, scene.options);
    for (const Bound& bound : lower_bounds(program, scene.device).bounds)
      if (bound.name.starts_with("pipeline "))
        RC_ASSERT(bound.cycles <= checked_add(program.machine.launch_begin, busiest.at(bound.name)));
  });
}

}  // namespace
}  // namespace warpipe
