#include "warpipe/explain/difference.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conformance_cases.hpp"
#include "models.hpp"
#include "small_models.hpp"
#include "warpipe/explain/result_json.hpp"
#include "warpipe/explain/simulation.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Outcome outcome(const Kernel& kernel, const Device& device) {
  LaunchOptions options;
  options.ignore_limits = true;
  Simulation simulation(lower_launch(kernel, device, options), {.stalls = true});
  return {simulation.prediction(), simulation.explanation()};
}

/// "j: result of i +3": the changes, in cycles of 1 ns.
std::vector<std::string> changes(const Difference& difference) {
  const auto id = [&](std::size_t match) {
    const InstructionMatch& each = difference.instructions[match];
    return each.b ? difference.b.explanation.instructions[*each.b].id
                  : difference.a.explanation.instructions[*each.a].id;
  };
  std::vector<std::string> all;
  for (const Contribution& part : difference.contributions) {
    if (std::abs(part.change()) < 1e-15) continue;
    all.push_back(fmt::format("{}{}{} {:+g}", part.match ? id(*part.match) + ": " : "", to_string(part.stall),
                              part.producer ? " of " + id(*part.producer) : "",
                              std::round(part.change() * 1e12) / 1e3));
  }
  return all;
}

/// Ids of A and B side by side.
std::vector<std::string> matches(const Difference& difference) {
  std::vector<std::string> all;
  for (const auto& [a, b] : difference.instructions)
    all.push_back(fmt::format("{}-{}", a ? difference.a.explanation.instructions[*a].id : "",
                              b ? difference.b.explanation.instructions[*b].id : ""));
  return all;
}

constexpr std::string_view kTwoInChain = R"({"id": "i", "op": "x"}, {"id": "j", "op": "x", "after": ["i"]})";

// j waits from 2 to 7 for i, in B from 2 to 12; the last result is waited for as long.
TEST(Difference, NamesTheInstructionThatWaitsLongerAndForWhat) {
  const auto kernel = kernel_with(kTwoInChain);
  const auto found =
      difference(outcome(kernel, device_with({{"x", "a", 2, 7}})), outcome(kernel, device_with({{"x", "a", 2, 12}})));
  EXPECT_THAT(changes(found), ElementsAre("j: result of i +5", "j: drain +5"));
  EXPECT_NEAR(slowdown(found), 10.0 / 14, 1e-12);
}

// In A a warp alone takes 10; in B two share the pipeline, and the mean of both waits 4 / 2 cycles for it and 4 / 2 for
// the other warp's end.
TEST(Difference, ComparesRunsOfAnotherOccupancyByTheMeanWarp) {
  const auto device = device_with({{"x", "a", 4, 10}});
  const auto found = difference(outcome(kernel_with(R"({"id": "i", "op": "x"})"), device),
                                outcome(kernel_with(R"({"id": "i", "op": "x"})", {.warps = 2}), device));
  EXPECT_THAT(changes(found), ElementsAre("warp ended +2", "i: pipeline +2"));
}

TEST(Difference, MatchesInstructionsByIdThenByOpInOrder) {
  const auto device = device_with({{"x", "a", 1, 2}, {"y", "b", 1, 2}, {"z", "c", 1, 2}});
  const auto a = kernel_with(
      R"({"id": "k", "op": "x"}, {"id": "p", "op": "x"}, {"id": "q", "op": "x"}, {"id": "gone", "op": "z"})");
  const auto b = kernel_with(
      R"({"id": "r", "op": "x"}, {"id": "new", "op": "y"}, {"id": "s", "op": "x"}, {"id": "k", "op": "y"})");
  EXPECT_THAT(matches(difference(outcome(a, device), outcome(b, device))),
              ElementsAre("p-r", "-new", "q-s", "k-k", "gone-"));
}

TEST(Difference, OfARunToItselfIsNothing) {
  const auto run = outcome(kernel_with(kTwoInChain), device_with({{"x", "a", 2, 7}}));
  const auto found = difference(run, run);
  EXPECT_THAT(changes(found), IsEmpty());
  EXPECT_EQ(slowdown(found), 0);
}

// Each conformance case against the next: other kernels, devices, occupancies and policies.
TEST(Difference, ContributionsAddUpToTheChangeOnAllConformanceCases) {
  const auto& cases = conformance_cases();
  for (std::size_t i = 0; i + 1 < cases.size(); ++i) {
    const auto found =
        difference(outcome(cases[i].kernel, cases[i].device), outcome(cases[i + 1].kernel, cases[i + 1].device));
    double a = 0, b = 0, change = 0;
    for (const Contribution& part : found.contributions) {
      EXPECT_GE(part.a.count, 0) << cases[i].name;
      EXPECT_GE(part.b.count, 0) << cases[i].name;
      a += part.a.count;
      b += part.b.count;
      change += part.change();
    }
    const double larger = std::max(found.a.prediction.time.count, found.b.prediction.time.count);
    EXPECT_NEAR(a, found.a.prediction.time.count, 1e-12 * larger) << cases[i].name;
    EXPECT_NEAR(b, found.b.prediction.time.count, 1e-12 * larger) << cases[i].name;
    EXPECT_NEAR(change, found.b.prediction.time.count - found.a.prediction.time.count, 1e-12 * larger) << cases[i].name;
  }
}

TEST(Difference, StatesAloneAreComparedWhereOneRunDoesNotNameItsInstructions) {
  const auto kernel = kernel_with(kTwoInChain);
  auto a = outcome(kernel, device_with({{"x", "a", 2, 7}}));
  a.explanation.instructions.clear();
  const auto found = difference(a, outcome(kernel, device_with({{"x", "a", 2, 12}})));
  EXPECT_THAT(changes(found), ElementsAre("result +5", "drain +5"));
}

TEST(Difference, SaysNothingOfCausesWhereARunWasNotAccountedFor) {
  auto a = outcome(kernel_with(kTwoInChain), device_with({{"x", "a", 2, 7}}));
  const auto b = a;
  a.explanation.units.clear();
  EXPECT_THAT(difference(a, b).contributions, IsEmpty());
}

TEST(Difference, ARunOfNoTimeIsNoMeasure) {
  Outcome none, some;
  some.prediction.time = Seconds{1};
  EXPECT_EQ(slowdown(difference(none, none)), 0);
  EXPECT_EQ(slowdown(difference(none, some)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(slowdown(difference(some, none)), -1);
}

std::string result_with(std::string_view more) {
  return fmt::format(R"({{"format": "warpipe-result", "version": 1, "kernel": "k", "device": "d", "policy": "oldest",
    "units": "one", "launch": {{"group_size": {{"value": 32, "from": "kernel"}}, "groups": {{"value": 1, "from": "kernel"}},
    "concurrent_groups": {{"value": 1, "from": "kernel"}}, "parameters": {{"n": {{"value": 5, "from": "kernel"}}}}}},
    "cycles": 14, "time_s": 14e-9, "total_time_s": 14e-9, "clock_hz": 1e9, "groups_per_unit": 1,
    "concurrent_groups": 1, "resident_warps": 1, "instructions_issued": 2,
    "pipelines": [{{"name": "a", "utilization": 0.5}}], "bounds": [{{"name": "latency", "cycles": 14}}],
    "limiter": "latency", "limits_ignored": false{}}})",
                     more);
}

std::string times_with(double result, double drain) {
  return fmt::format(R"({{"issuing_cycles": 0, "warp_interval_cycles": 0, "result_cycles": {}, "pipeline_cycles": 0,
    "queue_full_cycles": 0, "scheduler_cycles": 0, "barrier_cycles": 0, "drain_cycles": {}, "warp_ended_cycles": 0,
    "slot_empty_cycles": 0}})",
                     result, drain);
}

TEST(ReadResult, ReadsWhatWasSaved) {
  const auto read = read_result_json(
      result_with(fmt::format(R"(, "stalls": {{"warp_cycles": 14, "by_state": {}}}, "instructions": [{{"id": "i",
          "op": "x", "issue_cycles": 2, "completion_cycles": 7.5, "executions": 1, "times": {}, "waits_for":
          [{{"id": "j", "cycles": 3}}]}}])",
                              times_with(7, 7), times_with(6, 0))),
      "saved.json");
  EXPECT_EQ(read.prediction.kernel, "k");
  EXPECT_EQ(read.prediction.cycles, Ticks{14'000});
  EXPECT_EQ(read.prediction.policy, Policy::Oldest);
  EXPECT_EQ(limiter_name(read.prediction), "latency");
  EXPECT_EQ(read.prediction.launch.values.at("n"), 5);
  const Explanation& explanation = read.explanation;
  EXPECT_EQ(explanation.total, Ticks{14'000});
  ASSERT_EQ(explanation.instructions.size(), 1);
  EXPECT_EQ(explanation.instructions[0].completion, Ticks{7'500});
  EXPECT_EQ(explanation.instructions[0].waits_for[0].second, Ticks{3'000});
}

TEST(ReadResult, IsTheRunThatWasSaved) {
  const auto run = outcome(kernel_with(kTwoInChain, {.warps = 2}), device_with({{"x", "a", 2, 7}}));
  const auto read =
      read_result_json(write_result_json(run.prediction, {{"stalls", stalls_json(run.explanation)},
                                                          {"instructions", instructions_json(run.explanation)}}),
                       "saved.json");
  EXPECT_THAT(changes(difference(run, read)), IsEmpty());
  EXPECT_EQ(read.explanation.times, run.explanation.times);
  EXPECT_EQ(read.explanation.units, run.explanation.units);
  ASSERT_EQ(read.explanation.instructions.size(), 2);
  EXPECT_EQ(read.explanation.instructions[1].waits_for, run.explanation.instructions[1].waits_for);
  EXPECT_EQ(read.prediction.launch.resident_warps, 2);
  EXPECT_EQ(read.prediction.launch.occupancy, run.prediction.launch.occupancy);
}

TEST(ReadResult, HasARangeAroundItsTime) {
  const std::string range = R"(, "range": {{"cycles": [{}, {}], "time_s": [{}, {}]}})";
  const auto cycles = to_cycles(read_result_json(result_with(""), "saved.json").prediction.cycles).count;
  const auto time = read_result_json(result_with(""), "saved.json").prediction.time.count;
  const auto with = [&](double low, double high) {
    return result_with(fmt::format(fmt::runtime(range), low * cycles, high * cycles, low * time, high * time));
  };
  const auto read = read_result_json(with(0.5, 2), "saved.json").prediction.range;
  ASSERT_TRUE(read);
  EXPECT_EQ(read->cycles.low, 0.5 * cycles);
  EXPECT_EQ(read->time.high, 2 * time);
  EXPECT_THAT(message_of<InputError>([&] { read_result_json(with(1.5, 2), "saved.json"); }),
              HasSubstr("its value lies between them"));
  EXPECT_THAT(message_of<InputError>([&] { read_result_json(with(0.5, 0.9), "saved.json"); }),
              HasSubstr("its value lies between them"));
}

TEST(ReadResult, KnowsASavedResultFromOtherFiles) {
  EXPECT_TRUE(is_saved_result(result_with("")));
  EXPECT_FALSE(is_saved_result(R"({"format": "warpipe-kernel"})"));
  EXPECT_FALSE(is_saved_result(R"({"format": 5})"));
  EXPECT_FALSE(is_saved_result("[]"));
  EXPECT_FALSE(is_saved_result(".version 7.0"));
  EXPECT_FALSE(is_saved_result(""));
}

std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { read_result_json(text, "saved.json"); });
}

TEST(ReadResult, RefusesWhatDoesNotAddUp) {
  EXPECT_THAT(
      refusal(result_with(fmt::format(R"(, "stalls": {{"warp_cycles": 15, "by_state": {}}})", times_with(7, 7)))),
      HasSubstr("the times of all states must add up to warp_cycles"));
  const auto with_instruction = [](double result, double wait) {
    return result_with(fmt::format(R"(, "stalls": {{"warp_cycles": 14, "by_state": {}}}, "instructions": [{{"id": "i",
          "op": "x", "issue_cycles": 2, "completion_cycles": 7, "executions": 1, "times": {}, "waits_for":
          [{{"id": "i", "cycles": {}}}]}}])",
                                   times_with(7, 7), times_with(result, 0), wait));
  };
  EXPECT_EQ(refusal(with_instruction(7, 7)), "");
  EXPECT_THAT(refusal(with_instruction(8, 7)), HasSubstr("must be at most that of the state"));
  EXPECT_THAT(refusal(with_instruction(7, 7.5)), HasSubstr("the waits for all producers must be at most"));
}

TEST(ReadResult, RefusesWhatIsNoResult) {
  EXPECT_THAT(refusal(R"({"format": "warpipe-result", "version": 2})"), HasSubstr("version"));
  EXPECT_THAT(refusal(R"({"format": "warpipe-result", "version": 1})"), HasSubstr("kernel"));
  std::string negative = result_with("");
  negative.replace(negative.find("\"cycles\": 14"), 12, "\"cycles\": -1");
  EXPECT_THAT(refusal(negative), HasSubstr("/cycles"));
  std::string listed = result_with("");
  listed.replace(listed.find("\"bounds\": ["), 11, "\"bounds\": 5, \"bound\": [");
  EXPECT_THAT(refusal(listed), HasSubstr("/bounds"));
}

}  // namespace
}  // namespace warpipe
