#include "warpipe/latency_tables/table_parameter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_models.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;

Device memory_device() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "issue": {"warp_interval": 1}, "group_launch_latency": 200,
    "pipelines": {"lsu": {}, "dram": {"scope": "device"}},
    "ops": {
      "load": {"pipeline": "lsu", "issue": 2, "completion": [[1, 100], [11, 200]], "transactions": 4,
               "per_conflict": {"issue": 1, "completion": 2}, "per_transaction": {"issue": 0.5, "completion": 3},
               "then": [{"pipeline": "dram", "issue": 8, "after": 10, "per_transaction": 2}]},
      "load.l1": {"pipeline": "lsu", "issue": 2, "completion": 30},
      "store": {"pipeline": "lsu", "issue": 2, "completion": 2, "retires_at": "issue"}}
  })",
                          "d.json");
}

std::vector<std::string> names_of(const std::vector<TableParameter>& parameters) {
  std::vector<std::string> names;
  for (const auto& parameter : parameters) names.push_back(parameter.name);
  return names;
}

TEST(TableParameter, NamesEveryNumberOfAnOp) {
  EXPECT_THAT(names_of(parameters_of(memory_device(), {"load"})),
              ElementsAre("load.issue", "load.completion@1", "load.completion@11", "load.per_conflict.issue",
                          "load.per_conflict.completion", "load.per_transaction.issue",
                          "load.per_transaction.completion", "load.dram", "warp_interval", "group_launch_latency",
                          "group_dispatch_interval", "launch_begin_s", "launch_end_s"));
}

TEST(TableParameter, ReadsAndChangesItsNumberAlone) {
  for (const TableParameter& parameter : parameters_of(memory_device(), {"load", "load.l1", "store"})) {
    Device device = memory_device();
    const double before = value_of(parameter, device);
    set_value(parameter, before + 7, device);
    EXPECT_EQ(value_of(parameter, device), before + 7) << parameter.name;
    EXPECT_NE(device, memory_device()) << parameter.name;
    set_value(parameter, before, device);
    EXPECT_EQ(device, memory_device()) << parameter.name;
  }
}

Device levels_device() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "memory": {"levels": [
      {"name": "l1", "scope": "compute_unit", "bytes": 65536, "latency": 30, "cycles_per_line": 0.5, "bytes_per_cycle": 64},
      {"name": "l2", "bytes": 1048576, "latency_s": 2e-7},
      {"name": "dram", "latency_s": 5e-7, "read_bytes_per_s": 4e11}]},
    "pipelines": {"lsu": {}, "alu": {}},
    "ops": {"iadd": {"pipeline": "alu", "issue": 1, "completion": 4},
            "global.load": {"pipeline": "lsu", "issue": 1}}})",
                          "d.json");
}

// A latency in seconds, 0 on all levels, is tried from a cycle on.
TEST(TableParameter, ThatIsZeroBeginsAtACycle) {
  Device device = levels_device();
  device.clock.count = 2e9;
  auto parameters = parameters_of(device);
  std::erase_if(parameters,
                [](const TableParameter& one) { return one.key != "latency_s" && one.key != "store_latency_s"; });
  ASSERT_FALSE(parameters.empty());
  for (const TableParameter& parameter : parameters) set_value(parameter, 0, device);
  for (const TableParameter& parameter : parameters)
    EXPECT_EQ(value_above_zero(parameter, device), 0.5e-9) << parameter.name;
}

TEST(TableParameter, NamesEveryNumberOfTheLevelsThatAnAccessMayComeTo) {
  const std::vector<std::string> expected{"global.load.issue",
                                          "global.load.completion",
                                          "l1.latency",
                                          "l1.cycles_per_line",
                                          "l1.bytes_per_cycle",
                                          "l1.cycles_per_packet",
                                          "l2.latency_s",
                                          "dram.latency_s",
                                          "dram.read_bytes_per_s",
                                          "dram.write_bytes_per_s",
                                          "dram.mixed_bytes_per_s",
                                          "memory.store_latency_s",
                                          "warp_interval",
                                          "group_launch_latency",
                                          "group_dispatch_interval",
                                          "launch_begin_s",
                                          "launch_end_s"};
  EXPECT_EQ(names_of(parameters_of(levels_device(), {"global.load.128"})), expected);
  EXPECT_THAT(names_of(parameters_of(levels_device(), {"iadd"})),
              ElementsAre("iadd.issue", "iadd.completion", "warp_interval", "group_launch_latency",
                          "group_dispatch_interval", "launch_begin_s", "launch_end_s"));
}

TEST(TableParameter, ReadsAndChangesTheNumbersOfLevels) {
  for (const TableParameter& parameter : parameters_of(levels_device())) {
    Device device = levels_device();
    set_value(parameter, 0.25, device);
    EXPECT_EQ(value_of(parameter, device), 0.25) << parameter.name;
    EXPECT_NE(device, levels_device()) << parameter.name;
  }
}

TEST(TableParameter, WritesGoAsFastAsReadsUntilTheyAreGivenARate) {
  Device device = levels_device();
  const TableParameter writes = parse_fit({"dram.write_bytes_per_s"}, device).parameters.at(0);
  EXPECT_EQ(value_of(writes, device), 4e11);
  set_value(writes, 3e11, device);
  EXPECT_EQ(device.memory->levels[2].read_rate, BytesPerSecond{4e11});
  EXPECT_EQ(device.memory->levels[2].write_rate, BytesPerSecond{3e11});
}

TEST(TableParameter, WhatIsMixedGoesAsFastAsTheSlowerOfThemUntilItIsGivenARate) {
  Device device = levels_device();
  const TableParameter mixed = parse_fit({"dram.mixed_bytes_per_s"}, device).parameters.at(0);
  EXPECT_EQ(value_of(mixed, device), 4e11);
  device.memory->levels[2].write_rate = BytesPerSecond{3e11};
  EXPECT_EQ(value_of(mixed, device), 3e11);
  set_value(mixed, 2e11, device);
  EXPECT_EQ(device.memory->levels[2].mixed_rate, BytesPerSecond{2e11});
}

TEST(TableParameter, ASearchStartsAboveZero) {
  const Device device = levels_device();
  const auto start = [&](const char* name) {
    return value_above_zero(parse_fit({name}, device).parameters.at(0), device);
  };
  EXPECT_EQ(start("l1.latency"), 30);
  EXPECT_EQ(start("global.load.completion"), 1) << "a cycle";
  EXPECT_EQ(start("memory.store_latency_s"), 5e-7) << "that of the memory";
}

TEST(TableParameter, RateOfAFurtherPipelineTakesItsIncrementsAlong) {
  Device device = memory_device();
  set_value(parse_fit({"load.dram"}, device).parameters.at(0), 16, device);
  EXPECT_EQ(device.ops[0].then[0].issue.points[0].second, 16);
  EXPECT_EQ(device.ops[0].then[0].per_transaction->count, 4);
}

TEST(TableParameter, IncrementsHaveNoRatioToARateOfNothing) {
  Device device = memory_device();
  Then& dram = device.ops[0].then[0];
  dram.issue.points = {{1, 0}, {11, 3}};
  set_value(parse_fit({"load.dram"}, device).parameters.at(0), 16, device);
  EXPECT_THAT(dram.issue.points, ElementsAre(Pair(1, 16), Pair(11, 3)));
  EXPECT_EQ(dram.per_transaction->count, 2);
}

TEST(ParseFit, TakesAnOpWhoseNameHasADot) {
  EXPECT_THAT(names_of(parse_fit({"load.l1.completion"}, memory_device()).parameters),
              ElementsAre("load.l1.completion"));
}

TEST(ParseFit, TakesEachPointOfTheTable) {
  EXPECT_THAT(names_of(parse_fit({"load.completion"}, memory_device()).parameters),
              ElementsAre("load.completion@1", "load.completion@11"));
}

TEST(ParseFit, PutsPointsOnTheLineThatTheTableHas) {
  const auto plan = parse_fit({"load.completion=1,6,30"}, memory_device());
  EXPECT_THAT(plan.start.ops[0].completion.points, ElementsAre(Pair(1, 100), Pair(6, 150), Pair(30, 200)));
  EXPECT_THAT(plan.parameters, SizeIs(3));
}

TEST(ParseFit, BeginsAtNothingWithAnIncrementThatTheOpLacks) {
  const auto plan = parse_fit({"load.l1.per_conflict.issue"}, memory_device());
  ASSERT_THAT(names_of(plan.parameters), ElementsAre("load.l1.per_conflict.issue"));
  EXPECT_EQ(value_of(plan.parameters[0], plan.start), 0);
  EXPECT_EQ(memory_device().find_op("load.l1")->per_conflict, std::nullopt) << "only who asks for one gets it";
  EXPECT_EQ(plan.start.find_op("load.l1")->per_transaction, std::nullopt);
}

TEST(ParseFit, LetsAnOpWhoseCompletionIsFittedRetireThere) {
  EXPECT_FALSE(parse_fit({"store.completion"}, memory_device()).start.ops[2].retires_at_issue);
  EXPECT_TRUE(parse_fit({"store.issue"}, memory_device()).start.ops[2].retires_at_issue);
}

std::string refusal(const std::vector<std::string>& fit) {
  return message_of<UsageError>([&] { parse_fit(fit, memory_device()); });
}

TEST(ParseFit, RefusesWhatTheDeviceDoesNotHave) {
  EXPECT_THAT(refusal({"load.isue"}), HasSubstr("did you mean \"load.issue\"?"));
  EXPECT_THAT(refusal({"lod.issue"}), HasSubstr("load.issue"));
  EXPECT_THAT(refusal({"load.l1.per_conflict"}), HasSubstr("no such number in "));
}

TEST(ParseFit, RefusesPointsThatAreNone) {
  EXPECT_THAT(refusal({"load.completion=1,1"}), HasSubstr("ascending"));
  EXPECT_THAT(refusal({"load.completion=0.5"}), HasSubstr("whole"));
  EXPECT_THAT(refusal({"load.completion="}), HasSubstr("found \"\""));
  EXPECT_THAT(refusal({"load.dram=1,2"}), HasSubstr("only the issue or completion"));
}

TEST(ParseFit, RefusesANameThatStandsTwice) {
  EXPECT_THAT(refusal({"load.issue", "load.issue"}), HasSubstr("given twice"));
}

}  // namespace
}  // namespace warpipe
