#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chain_model.hpp"
#include "small_models.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// An op "load": issue 4, completion 400 with one resident warp, 430 with 16.
Device device_with_points() {
  return device_with({{"load", "a", 4, 0, R"({"completion": [[1, 400], [16, 430]]})"}, {"add", "b", 1, 6}});
}

Op load_with(const LaunchOptions& options) { return *with_options(device_with_points(), options).find_op("load"); }

std::string usage_error(const LaunchOptions& options) {
  return message_of<UsageError>([&] {
    with_options(chain_kernel(), options);
    with_options(device_with_points(), options);
  });
}

TEST(Options, ThatSayNothingChangeNothing) {
  EXPECT_EQ(with_options(chain_kernel(), {}), chain_kernel());
  EXPECT_EQ(with_options(device_with_points(), {}), device_with_points());
}

TEST(Options, ParamReplacesTheDefault) {
  LaunchOptions options;
  options.parameters = {{"trips", 7}};
  EXPECT_THAT(with_options(chain_kernel(), options).parameters, ElementsAre(Pair("trips", 7.0)));
}

TEST(Options, ParamThatTheKernelLacksIsAUsageErrorWithTheNearestName) {
  LaunchOptions options;
  options.parameters = {{"tripz", 7}};
  EXPECT_THAT(usage_error(options),
              AllOf(HasSubstr("`parameters`"), HasSubstr("\"tripz\""), HasSubstr("did you mean \"trips\"?")));
}

TEST(Options, AClockThatNoDeviceHasIsAUsageError) {
  for (const double hertz : {-5.0, 0.0, 1e5, 1e11, std::nan("")}) {
    LaunchOptions options;
    options.clock = Hertz{hertz};
    EXPECT_THROW(with_options(Device{}, options), UsageError) << hertz;
  }
}

TEST(Options, FactorsReplaceThoseOfTheInstruction) {
  Kernel kernel = chain_kernel();
  kernel.instructions[0].conflict_degree = Expression(2);
  LaunchOptions options;
  options.conflict_degree = {{"next", 8}};
  options.transactions = {{"next", 16}};
  const Kernel changed = with_options(kernel, options);
  EXPECT_EQ(changed.instructions[0].conflict_degree, Expression(8));
  EXPECT_EQ(changed.instructions[0].transactions, Expression(16));
}

TEST(Options, FactorOfAnInstructionThatTheKernelLacksIsAUsageErrorWithTheNearestName) {
  LaunchOptions degree, transactions;
  degree.conflict_degree = {{"nxt", 8}};
  transactions.transactions = {{"nexd", 8}};
  EXPECT_THAT(usage_error(degree),
              AllOf(HasSubstr("`conflict_degree`"), HasSubstr("\"nxt\""), HasSubstr("did you mean \"next\"?")));
  EXPECT_THAT(usage_error(transactions),
              AllOf(HasSubstr("`transactions`"), HasSubstr("\"nexd\""), HasSubstr("did you mean \"next\"?")));
}

TEST(Options, SetReplacesPointsByTheValueAndNoOtherField) {
  LaunchOptions options;
  options.set = {{"load.completion", 7}};
  for (const int residents : {1, 8, 16, 64}) EXPECT_EQ(latency_at(load_with(options).completion, residents), Cycles{7});
  EXPECT_EQ(load_with(options).issue, device_with_points().find_op("load")->issue);
  EXPECT_EQ(*with_options(device_with_points(), options).find_op("add"), *device_with_points().find_op("add"));
}

TEST(Options, LaterSetWins) {
  LaunchOptions options;
  options.set = {{"load.issue", 7}, {"load.issue", 9}};
  EXPECT_EQ(latency_at(load_with(options).issue, 1), Cycles{9});
}

TEST(Options, ScaleMultipliesBothFieldsPointByPoint) {
  LaunchOptions options;
  options.scale = {{"load", 1.5}};
  EXPECT_THAT(load_with(options).issue.points, ElementsAre(Pair(1, 6.0)));
  EXPECT_THAT(load_with(options).completion.points, ElementsAre(Pair(1, 600.0), Pair(16, 645.0)));
}

TEST(Options, ScalesOfOneOpMultiply) {
  LaunchOptions options;
  options.scale = {{"load", 2}, {"load", 3}};
  EXPECT_EQ(latency_at(load_with(options).issue, 1), Cycles{24});
}

// 10 x 3, though the options keep no order between the two.
TEST(Options, SetComesBeforeScale) {
  LaunchOptions options;
  options.scale = {{"load", 3}};
  options.set = {{"load.completion", 10}};
  EXPECT_EQ(latency_at(load_with(options).completion, 16), Cycles{30});
}

TEST(Options, WhatASweepVariesReplacesWhatSetAndScaleGave) {
  LaunchOptions options;
  options.set = {{"load.completion", 10}};
  options.scale = {{"load", 3}};
  options.final_set = {{"load.completion", 5}};
  EXPECT_EQ(latency_at(load_with(options).completion, 16), Cycles{5});
  EXPECT_EQ(latency_at(load_with(options).issue, 16), Cycles{12});  // 4 x 3
}

TEST(Options, OpThatTheDeviceLacksIsAUsageErrorWithTheNearestName) {
  LaunchOptions set, scale, varied;
  set.set = {{"laod.issue", 1}};
  scale.scale = {{"loads", 2}};
  varied.final_set = {{"lod.issue", 1}};
  EXPECT_THAT(usage_error(set), AllOf(HasSubstr("`set`"), HasSubstr("did you mean \"load.issue\"?")));
  EXPECT_THAT(usage_error(scale), AllOf(HasSubstr("`scale`"), HasSubstr("did you mean \"load\"?")));
  EXPECT_THAT(usage_error(varied), AllOf(HasSubstr("`vary`"), HasSubstr("did you mean \"load.issue\"?")));
}

TEST(Options, SetTakesLatenciesFromZeroToTheLargestOfADeviceFile) {
  const auto error = [](double cycles) {
    LaunchOptions options;
    options.set = {{"load.issue", cycles}};
    return usage_error(options);
  };
  EXPECT_EQ(error(0), "");
  EXPECT_EQ(error(1e9), "");
  for (const double wrong :
       {-0.001, 1e9 + 1, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THAT(error(wrong), HasSubstr("from 0 to 1e9")) << wrong;
}

TEST(Options, ScaleMayNotLeaveTheRangeOfLatencies) {
  const auto error = [](double factor) {
    LaunchOptions options;
    options.scale = {{"load", factor}};
    return usage_error(options);
  };
  EXPECT_EQ(error(0), "");
  EXPECT_EQ(error(1e9 / 430), "");
  // The longest point decides: 430 x 2.4e6 is above 1e9, 400 x 2.4e6 is not.
  for (const double wrong : {2.4e6, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THAT(error(wrong), AllOf(HasSubstr("`scale load="), HasSubstr("between 0 and 1e9"))) << wrong;
}

TEST(Options, APolicyOfTheKernelGoesBeforeTheDevicesAndAnOptionBeforeBoth) {
  Device device = two_ops();
  device.policy = Policy::RoundRobin;
  Kernel kernel = kernel_with(R"({"id": "x", "op": "x"})");
  EXPECT_EQ(lowered(kernel, device).machine.policy, Policy::RoundRobin);
  kernel.policy = Policy::GreedyOldest;
  EXPECT_EQ(lowered(kernel, device).machine.policy, Policy::GreedyOldest);
  LaunchOptions options;
  options.policy = Policy::Oldest;
  EXPECT_EQ(lowered(kernel, device, options).machine.policy, Policy::Oldest);
}

TEST(Options, PolicyAndClockReplaceThoseOfTheDevice) {
  LaunchOptions options;
  options.policy = Policy::RoundRobin;
  options.clock = Hertz{2e9};
  Device expected = device_with_points();
  expected.policy = Policy::RoundRobin;
  expected.clock = Hertz{2e9};
  EXPECT_EQ(with_options(device_with_points(), options), expected);
}

/// An op "load" whose lambda is 4 in a unit's pipeline and 10 in a pipeline of the device, with additions for conflicts
/// and transactions; an op "atomic" of its own pipeline there.
Device device_with_memory() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "d", "compute_units": 2, "clock_hz": 1e9, "warp_size": 32,
    "pipelines": {"lsu": {"backlog": 6}, "dram": {"scope": "device", "backlog": 40}},
    "ops": {
      "load": {"pipeline": "lsu", "issue": 4, "completion": 400, "per_conflict": {"issue": 1, "completion": 2},
               "per_transaction": {"issue": 1, "completion": 2}, "transactions": 4,
               "then": [{"pipeline": "dram", "issue": 10, "after": 100, "per_conflict": 3, "per_transaction": 2}]},
      "atomic": {"pipeline": "dram", "issue": [[1, 8], [16, 4]], "completion": 500,
                 "per_conflict": {"issue": 5, "completion": 7}}}
  })",
                          "d.json");
}

// Twice as many cycles of a clock twice as fast take as long. All other times are counted in cycles.
TEST(Options, ClockLeavesTheRatesOfWhatTheDeviceHasOnceInSeconds) {
  LaunchOptions options;
  options.clock = Hertz{2e9};
  Device expected = device_with_memory();
  expected.clock = Hertz{2e9};
  expected.pipelines[1].backlog = Cycles{80};
  Then& dram = expected.ops[0].then[0];
  dram.issue = Latency{{{1, 20.0}}};
  dram.per_conflict = Cycles{6};
  dram.per_transaction = Cycles{4};
  Op& atomic = expected.ops[1];
  atomic.issue = Latency{{{1, 16.0}, {16, 8.0}}};
  atomic.per_conflict->issue = Cycles{10};
  EXPECT_EQ(with_options(device_with_memory(), options), expected);
  options.clock = Hertz{1e9};
  EXPECT_EQ(with_options(device_with_memory(), options), device_with_memory());
}

TEST(Options, SetIsInCyclesOfTheClockThatIsGiven) {
  LaunchOptions options;
  options.clock = Hertz{2e9};
  options.set = {{"load.dram", 7}};
  const Then dram = with_options(device_with_memory(), options).ops[0].then[0];
  EXPECT_EQ(dram.issue.points.front().second, 7);
  EXPECT_DOUBLE_EQ(dram.per_transaction->count, 1.4);  // in proportion: 4 / 20 of it
}

TEST(Options, SetTakesTheNamesOfAllNumbers) {
  LaunchOptions options;
  options.set = {{"load.per_transaction.issue", 3}, {"atomic.issue@16", 6}, {"group_launch_latency", 200}};
  const Device changed = with_options(device_with_memory(), options);
  EXPECT_EQ(changed.ops[0].per_transaction->issue, Cycles{3});
  EXPECT_THAT(changed.ops[1].issue.points, ElementsAre(Pair(1, 8.0), Pair(16, 6.0)));
  EXPECT_EQ(changed.group_launch_latency, Cycles{200});
}

Device device_of_three_levels() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "memory": {"levels": [{"name": "l1", "scope": "compute_unit", "bytes": 65536, "latency": 30},
                          {"name": "dram", "latency_s": 4e-7, "read_bytes_per_s": 1e11}]},
    "pipelines": {"lsu": {}},
    "ops": {"global.load": {"pipeline": "lsu", "issue": 1},
            "global.atomic": {"pipeline": "lsu", "issue": 1, "then": [{"pipeline": "dram", "issue": 2}]}}})",
                          "d");
}

// Half the clock while `dram`, which only loads reach, is used: as if it had been asked for.
TEST(Options, APipelineLimitsTheClockOfKernelsThatUseIt) {
  Device device = device_with_memory();
  device.pipelines[1].clock = Hertz{5e8};
  device.pipelines[0].clock = Hertz{3e9};
  LaunchOptions half;
  half.clock = Hertz{5e8};
  const Kernel load = kernel_with(R"({"id": "x", "op": "load"})"), none = kernel_with(R"({"id": "x", "op": "wait"})");
  device.ops.push_back(device.ops[0]);
  device.ops.back().name = "wait";
  device.ops.back().then.clear();
  EXPECT_EQ(device_of_run(device, load, {}), with_options(device, half));
  EXPECT_EQ(device_of_run(device, none, {}), device);
  LaunchOptions asked;
  asked.clock = Hertz{8e8};
  EXPECT_EQ(device_of_run(device, load, asked).clock, asked.clock);
  EXPECT_EQ(predict(load, device, {}).clock_limit, "dram");
  EXPECT_EQ(predict(load, device, asked).clock_limit, "");
  EXPECT_EQ(predict(none, device, {}).clock_limit, "");
}

TEST(Options, AnotherClockLeavesTheLevelsAlone) {
  LaunchOptions options;
  options.clock = Hertz{2e9};
  Device expected = device_of_three_levels();
  expected.clock = Hertz{2e9};
  expected.ops[1].then[0].issue.points[0].second = 4;  // cycles of the device's own memory: as many seconds as before
  EXPECT_EQ(with_options(device_of_three_levels(), options), expected);
}

TEST(Options, SetTakesTheNumbersOfLevels) {
  LaunchOptions options;
  options.set = {{"l1.latency", 40}, {"dram.write_bytes_per_s", 2e11}, {"memory.store_latency_s", 1e-7}};
  const Memory memory = *with_options(device_of_three_levels(), options).memory;
  EXPECT_EQ(memory.levels[0].latency, Cycles{40});
  EXPECT_EQ(memory.levels[1].write_rate, BytesPerSecond{2e11});
  EXPECT_EQ(memory.store_latency, Seconds{1e-7});
  const auto error = [](const char* name, double value) {
    LaunchOptions wrong;
    wrong.set = {{name, value}};
    return message_of<UsageError>([&] { with_options(device_of_three_levels(), wrong); });
  };
  EXPECT_THAT(error("dram.latency_s", 400), HasSubstr("from 0 to 1 s"));
  EXPECT_THAT(error("dram.read_bytes_per_s", 0), HasSubstr("a rate must be above 0"));
  EXPECT_THAT(error("l1.latency_s", 1e-7), HasSubstr("did you mean \"l1.latency\"?"));
}

TEST(Options, NumbersOfTheFileComeFirstAndVariedOnesLast) {
  LaunchOptions options;
  options.set_device = {{"memory/levels/dram/latency_s", 6e-7}, {"/compute_units", 3}};
  EXPECT_EQ(with_options(device_of_three_levels(), options).compute_units, 3);
  EXPECT_EQ(with_options(device_of_three_levels(), options).memory->levels[1].latency_s, Seconds{6e-7});
  options.set = {{"dram.latency_s", 7e-7}};
  EXPECT_EQ(with_options(device_of_three_levels(), options).memory->levels[1].latency_s, Seconds{7e-7});
  options.final_set = {{"memory/levels/dram/latency_s", 8e-7}};
  EXPECT_EQ(with_options(device_of_three_levels(), options).memory->levels[1].latency_s, Seconds{8e-7});
}

TEST(Options, ANumberThatTheFileCannotHaveIsNamedWithItsPath) {
  LaunchOptions options;
  options.set_device = {{"memory/levels/dram/latency_s", 6}};
  const auto text = message_of<UsageError>([&] { with_options(device_of_three_levels(), options); });
  EXPECT_THAT(text, AllOf(HasSubstr("`set_device memory/levels/dram/latency_s`"), HasSubstr("a number from 0")));
}

TEST(Options, ASizeThatTheKernelRoundsIsWhole) {
  const auto error = [](const char* head, const char* body, double value) {
    LaunchOptions options;
    options.parameters = {{"n", value}};
    return message_of<ModelError>([&] { with_options(kernel_file(head, body), options); });
  };
  const char* const add = R"({"id": "a", "op": "x"})";
  const char* const of_groups = R"-("parameters": {"n": 4}, "launch": {"group_size": 32, "groups": "ceil(n / 4)"},)-";
  EXPECT_THAT(error(of_groups, add, 0.5), AllOf(HasSubstr("0.5 is not whole"), HasSubstr("/launch/groups")));
  EXPECT_EQ(error(of_groups, add, 8), "");
  const char* const of_trips = R"-({"loop": "l", "trip_count": "floor(n)", "body": [{"id": "a", "op": "x"}]})-";
  EXPECT_THAT(error(R"("parameters": {"n": 4},)", of_trips, 2.5), HasSubstr("trips"));
  // A parameter that is itself a fraction, or only decides the executed body, is no error.
  EXPECT_EQ(error(R"-("parameters": {"n": 0.5}, "launch": {"groups": "ceil(8 * n)"},)-", add, 0.25), "");
  EXPECT_EQ(error(R"("parameters": {"n": 4},)", R"({"when": "n > 1", "body": [{"id": "a", "op": "x"}]})", 0.5), "");
}

}  // namespace
}  // namespace warpipe
