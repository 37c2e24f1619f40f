#include "warpipe/predict/lower.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_models.hpp"
#include "warpipe/idg/error.hpp"

/// Lowering to the simulated program: latencies bound (rule 4), one unit or all (rule 8), refusals.

namespace warpipe {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Lower, BindsLatenciesForTheWarpsThatAreResident) {
  const Device device = device_with({{"x", "a", 1, 0, R"({"completion": [[1, 100], [5, 140]]})"}});
  const auto completion = [&](const TestLaunch& launch) {
    return lowered(kernel_with(R"({"id": "i", "op": "x"})", launch), device).streams[0].steps[0].completion;
  };
  EXPECT_EQ(completion({.warps = 1, .groups = 9, .concurrent_groups = 1}), Ticks{100'000});
  EXPECT_EQ(completion({.warps = 2, .groups = 9, .concurrent_groups = 2}), Ticks{130'000});  // 4 warps
  EXPECT_EQ(completion({.warps = 2, .groups = 1, .concurrent_groups = 2}), Ticks{110'000});  // a slot, 2 warps
}

/// x on a unit's pipeline, d on the device's, and u, which goes through both after its own; 5 units.
Program with_device_pipeline(const LaunchOptions& options, int groups = 12) {
  const Device device = device_with({{"x", "a", 3, 9},
                                     {"d", "dram", 3, 9},
                                     {"u", "a", 1, 9,
                                      R"({"then": [{"pipeline": "dram", "issue": 0.0016, "after": 7},
                                                   {"pipeline": "b", "issue": 2}]})"}},
                                    R"({"compute_units": 5, "group_dispatch_interval": 0.0016,
                                        "group_launch_latency": 20,
                                        "pipelines": {"dram": {"scope": "device", "backlog": 600}}})");
  return lowered(kernel_with(R"({"id": "i", "op": "x"}, {"id": "j", "op": "d"}, {"id": "k", "op": "u"})",
                             {.groups = groups, .concurrent_groups = 2}),
                 device, options);
}

// Its 3 groups take the time of all 12: 4 times as long each. Before, 0.0016 cycles are rounded to 0.002.
TEST(Lower, GivesOneUnitItsFairShareOfTheDevicesPipelines) {
  const Program program = with_device_pipeline({});
  const InstructionStream& stream = program.streams[0];
  EXPECT_EQ(stream.steps[0].issue, Ticks{3000});
  EXPECT_EQ(stream.steps[1].issue, Ticks{3000 * 4});
  EXPECT_EQ(stream.steps[1].completion, Ticks{9000});
  EXPECT_EQ(stream.stages[0].issue, Ticks{2 * 4});
  EXPECT_EQ(stream.stages[0].after, Ticks{7000});
  EXPECT_EQ(stream.stages[1].issue, Ticks{2000});
  EXPECT_EQ(program.machine.pipelines.back().backlog, Ticks{600'000});
}

TEST(Lower, GivesOneUnitItsShareOfTheGroups) {
  const Machine machine = with_device_pipeline({}).machine;
  EXPECT_EQ(machine.units, 1);
  EXPECT_EQ(machine.groups, 3);  // ceil(12 / 5)
  EXPECT_EQ(machine.group_slots, 2);
  EXPECT_EQ(machine.group_dispatch_interval, Ticks{2 * 4});
  EXPECT_EQ(machine.group_launch_latency, Ticks{20'000});
}

// Three groups for five units: each works with a third of the device, not with a fifth.
TEST(Lower, SharesTheDeviceAmongTheUnitsThatHaveAGroup) {
  const Program program = with_device_pipeline({}, 3);
  EXPECT_EQ(program.machine.groups, 1);
  EXPECT_EQ(program.streams[0].steps[1].issue, Ticks{3000 * 3});
  EXPECT_EQ(program.streams[0].stages[0].issue, Ticks{2 * 3});
}

// 7 groups for 5 units: 2 on the unit standing for all, 3000 x 7 / 2 and 2 x 7 / 2, halves rounded up.
TEST(Lower, RoundsTheShareOnce) {
  const Program program = with_device_pipeline({}, 7);
  EXPECT_EQ(program.machine.groups, 2);
  EXPECT_EQ(program.streams[0].steps[1].issue, Ticks{10500});
  EXPECT_EQ(program.streams[0].stages[0].issue, Ticks{7});
  EXPECT_EQ(program.machine.group_dispatch_interval, Ticks{7});
}

TEST(Lower, LeavesAllUnitsTheWholeDevice) {
  const Program program = with_device_pipeline(all_units());
  EXPECT_EQ(program.streams[0].steps[1].issue, Ticks{3000});
  EXPECT_EQ(program.streams[0].stages[0].issue, Ticks{2});
  EXPECT_EQ(program.machine.units, 5);
  EXPECT_EQ(program.machine.groups, 12);
  EXPECT_EQ(program.machine.group_slots, 2);
  EXPECT_EQ(program.machine.group_dispatch_interval, Ticks{2});
}

TEST(Lower, TakesTheIssueLimitsOfTheDevice) {
  const Device device = device_with({{"x", "a", 1, 1, R"({"issue_slots": 3})"}},
                                    R"({"issue": {"schedulers": 4, "interval": 0.0015, "warp_interval": 2,
                                                  "policy": "oldest"}})");
  const Program program = lowered(kernel_with(R"({"id": "i", "op": "x"})"), device);
  EXPECT_EQ(program.machine.schedulers, 4);
  EXPECT_EQ(program.machine.warp_interval, Ticks{2000});
  EXPECT_EQ(program.machine.policy, Policy::Oldest);
  EXPECT_EQ(program.streams[0].steps[0].scheduler_busy, Ticks{5});  // 0.0045 rounded once, not 3 x 0.002
  EXPECT_EQ(lowered(kernel_with(R"({"id": "i", "op": "x"})"), two_ops()).machine.schedulers, 0);
}

TEST(Lower, NeedsNoMoreMemoryForLongerLoopsAndMoreGroups) {
  const auto program = [](std::int64_t count) {
    const Kernel kernel =
        kernel_file(R"("parameters": {"n": 2}, "launch": {"group_size": 32, "groups": "n", "concurrent_groups": 1},)",
                    R"({"loop": "l", "trip_count": "n", "body": [{"id": "i", "op": "x", "after": ["i"]}]})");
    LaunchOptions options;
    options.parameters = {{"n", static_cast<double>(count)}};
    return lowered(kernel, two_ops(), options);
  };
  constexpr std::int64_t kMany = std::int64_t{1} << 50;
  const Program few = program(2), many = program(kMany);
  EXPECT_EQ(many.machine.groups, kMany);
  EXPECT_EQ(many.streams[0].runs[0], kMany);
  EXPECT_EQ(many.streams[0].loop_ends[0].trips, kMany);
  EXPECT_EQ(many.machine.group_slots, few.machine.group_slots);
  EXPECT_EQ(many.streams[0].steps, few.streams[0].steps);
  EXPECT_EQ(many.streams[0].cells, few.streams[0].cells);
  EXPECT_EQ(many.streams[0].loop_ends.size(), few.streams[0].loop_ends.size());
}

/// The message of the refusal of a body with the parameter n.
template <class Exception>
std::string refusal(std::string_view items, const LaunchOptions& options = {}) {
  const Kernel kernel = kernel_file(
      R"("parameters": {"n": 1}, "launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},)", items);
  return message_of<Exception>([&] { lowered(kernel, two_ops(), options); });
}

TEST(Lower, BlamesTheFileForExpressionsThatFailWithItsOwnValues) {
  EXPECT_THAT(refusal<InputError>(R"({"loop": "l", "trip_count": "n - 2", "body": [{"id": "i", "op": "x"}]})"),
              AllOf(HasSubstr("k.json: /body/0/trip_count"), HasSubstr("n - 2")));
  EXPECT_THAT(refusal<InputError>(R"({"id": "i", "op": "x"}, {"when": "1 / (n - 1) > 0", "body": [
                                      {"id": "j", "op": "x"}]})"),
              HasSubstr("k.json: /body/1/when"));
  EXPECT_THAT(refusal<InputError>(R"({"id": "i", "op": "x", "after": [{"id": "i", "back": "n - 1"}]})"),
              HasSubstr("k.json: /body/0/after/0/back"));
}

TEST(Lower, BlamesTheModelForExpressionsThatFailWithTheCommandLinesValues) {
  LaunchOptions options;
  options.parameters = {{"n", 1.5}};
  EXPECT_THAT(refusal<ModelError>(R"({"loop": "l", "trip_count": "n", "body": [{"id": "i", "op": "x"}]})", options),
              AllOf(HasSubstr("k.json: /body/0/trip_count"), HasSubstr("1.5")));
}

TEST(Lower, LetsAConditionBeAnyNumberButZero) {
  LaunchOptions options;
  options.parameters = {{"n", 0.25}};
  const Kernel kernel =
      kernel_file(R"("parameters": {"n": 1}, "launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},)",
                  R"({"when": "n", "body": [{"id": "i", "op": "x"}]})");
  EXPECT_THAT(lowered(kernel, two_ops(), options).streams[0].steps, SizeIs(1));
  options.parameters = {{"n", 0}};
  EXPECT_THAT(lowered(kernel, two_ops(), options).streams[0].steps, IsEmpty());
}

TEST(Lower, RefusesMoreTripsThan64BitsCount) {
  const auto nested = [](const char* trips) {
    return refusal<ModelError>(fmt::format(R"({{"loop": "l", "trip_count": "{0}", "body": [
        {{"loop": "m", "trip_count": "{0}", "body": [{{"id": "i", "op": "x"}}]}}]}})",
                                           trips));
  };
  EXPECT_EQ(nested("2147483648"), "");  // 2^31 x 2^31
  EXPECT_THAT(nested("4294967296"), HasSubstr("\"i\""));
}

TEST(Lower, AcceptsAnyNumberOfTripsInWhichNothingRuns) {
  EXPECT_EQ(refusal<ModelError>(R"({"loop": "l", "trip_count": "4294967296", "body": [
      {"loop": "m", "trip_count": "4294967296", "body": [{"when": "0", "body": [{"id": "i", "op": "x"}]}]}]})"),
            "");
}

TEST(Lower, RefusesScoreboardsOfMoreThanAGigabyte) {
  // A ring of 2^24 and its counter for each of the warps; 2^27 cells hold seven of them.
  const auto refusal_of = [](int warps, const char* back) {
    const Kernel kernel = kernel_with(fmt::format(R"({{"loop": "l", "trip_count": 100000000, "body": [
        {{"id": "i", "op": "x", "after": [{{"id": "i", "back": {}}}]}}]}})",
                                                  back),
                                      {.warps = warps});
    return message_of<ModelError>([&] { lowered(kernel, two_ops()); });
  };
  EXPECT_EQ(refusal_of(7, "16777216"), "");
  EXPECT_THAT(refusal_of(8, "16777216"), HasSubstr("8 warps"));
  EXPECT_THAT(refusal_of(1, "16777217"), HasSubstr("/back"));
}

}  // namespace
}  // namespace warpipe
