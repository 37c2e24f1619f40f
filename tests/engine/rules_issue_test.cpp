#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models.hpp"
#include "simulators.hpp"

/// Rule 5 of the model: when an instruction may issue.

namespace warpipe {
namespace {

class IssueRules : public testing::TestWithParam<Simulator> {
 protected:
  static std::string cycles_of(const Kernel& kernel, const Device& device, Units units = Units::One) {
    return cycles(GetParam(), kernel, device, units);
  }
};

INSTANTIATE_TEST_SUITE_P(Simulators, IssueRules, both_simulators(), name_of_simulator);

constexpr auto kOneXOfIssue = R"({"id": "x", "op": "x"})";
// In a warp of its own, z shows when x issued: it follows at once and ends last.
constexpr auto kXThenZ = R"({"id": "x", "op": "x"}, {"id": "z", "op": "z"})";
// y starts when x is complete.
constexpr auto kYAfterX = R"({"id": "x", "op": "x"}, {"id": "y", "op": "y", "after": ["x"]})";

// w keeps pipeline b until `busy`; x is complete at 10; y needs both and takes 1.
TEST_P(IssueRules, AnInstructionIssuesWhenPipelineAndProducersAreThereAndNotAMilliCycleEarlier) {
  const auto with = [](double busy) {
    return cycles_of(kernel_with(R"({"id": "w", "op": "w"}, {"id": "x", "op": "x"},
                                    {"id": "y", "op": "y", "after": ["x"]})"),
                     device_with({{"w", "b", busy, 0}, {"x", "a", 1, 10}, {"y", "b", 0, 1}}));
  };
  EXPECT_EQ(with(9.999), "11");
  EXPECT_EQ(with(10), "11");
  EXPECT_EQ(with(10.001), "11.001");
}

// x at 0; y at 3, complete at 13. Another warp has an interval of its own.
TEST_P(IssueRules, AWarpKeepsAnIntervalBetweenItsOwnInstructions) {
  const Device device = device_with({{"x", "a", 0, 10}}, R"({"issue": {"warp_interval": 3}})");
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "x", "op": "x"}, {"id": "y", "op": "x"})"), device), "13");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfIssue, {.warps = 2}), device), "10");
}

// x at 0; y at the larger of 3 and the stall of x, complete 10 later. y's own stall holds nothing back, nor x's another
// warp. A barrier opens at 5, and its stall goes on to 7.
TEST_P(IssueRules, AStallHoldsBackTheNextInstructionOfItsWarp) {
  const Device device = device_with({{"x", "a", 0, 10}}, R"({"issue": {"warp_interval": 3}})");
  const auto with = [&](int stall) {
    return cycles_of(kernel_with(fmt::format(
                         R"({{"id": "x", "op": "x", "stall": {}}}, {{"id": "y", "op": "x", "stall": 200}})", stall)),
                     device);
  };
  EXPECT_EQ(with(0), "13");
  EXPECT_EQ(with(3), "13");
  EXPECT_EQ(with(4), "14");
  EXPECT_EQ(with(255), "265");
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "x", "op": "x", "stall": 9})", {.warps = 2}), device), "10");
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "b", "op": "barrier", "stall": 7}, {"id": "x", "op": "x"})"), device),
            "17");
}

// x issues at 0 with Lambda 10; y takes 20 from l on.
TEST_P(IssueRules, AnEdgeMayGiveTheResultEarlierOrLater) {
  const Device device = device_with({{"x", "a", 1, 10}, {"y", "b", 1, 20}});
  const auto with = [&](double latency) {
    return cycles_of(
        kernel_with(fmt::format(
            R"({{"id": "x", "op": "x"}}, {{"id": "y", "op": "y", "after": [{{"id": "x", "latency": {}}}]}})", latency)),
        device);
  };
  EXPECT_EQ(with(4), "24");
  EXPECT_EQ(with(10), "30");
  EXPECT_EQ(with(15), "35");
}

// Two schedulers, two warps each: the second of each issues 3 later and completes 1 after its issue.
TEST_P(IssueRules, ASchedulerIssuesOncePerInterval) {
  const auto with = [](const char* issue, int slots) {
    return cycles_of(kernel_with(kOneXOfIssue, {.warps = 4}),
                     device_with({{"x", "a", 0, 1, fmt::format(R"({{"issue_slots": {}}})", slots)}}, issue));
  };
  EXPECT_EQ(with(R"({"issue": {"schedulers": 2, "interval": 3}})", 1), "4");
  EXPECT_EQ(with(R"({"issue": {"schedulers": 2, "interval": 3}})", 2), "7");
  EXPECT_EQ(with(R"({"issue": {"schedulers": 2, "interval": 3}})", 0), "1");
  EXPECT_EQ(with(R"({"issue": {"interval": 3}})", 1), "1");
  // The interval is 1 where nothing is said: four warps at 0, 1, 2, 3.
  EXPECT_EQ(with(R"({"issue": {"schedulers": 1}})", 1), "4");
  // Rounded once, after multiplying: 3 x 0.0004 = 0.0012 gives 0.001, three times for four warps.
  EXPECT_EQ(with(R"({"issue": {"schedulers": 1, "interval": 0.0004}})", 3), "1.003");
}

// Groups of a single warp in two slots: index 0 and 1, an index for each scheduler.
TEST_P(IssueRules, SchedulersTakeWarpsByTheirIndexInTheUnit) {
  const auto with = [](int schedulers) {
    return cycles_of(kernel_with(kOneXOfIssue, {.warps = 1, .groups = 2, .concurrent_groups = 2}),
                     device_with({{"x", "a", 0, 1}},
                                 fmt::format(R"({{"issue": {{"schedulers": {}, "interval": 3}}}})", schedulers)));
  };
  EXPECT_EQ(with(1), "4");
  EXPECT_EQ(with(2), "1");
}

// Four warps, lambda 5. A single instance: 0, 5, 10, 15. Two: 0, 0, 5, 5. Each completes 6 later.
TEST_P(IssueRules, AScopeSaysWhoSharesAPipeline) {
  const auto with = [](const char* scope, const char* issue) {
    return cycles_of(
        kernel_with(kOneXOfIssue, {.warps = 4}),
        device_with({{"x", "a", 5, 6}},
                    fmt::format(R"({{"pipelines": {{"a": {{"scope": "{}"}}}}, "issue": {}}})", scope, issue)));
  };
  EXPECT_EQ(with("compute_unit", R"({"schedulers": 2, "interval": 0})"), "21");
  EXPECT_EQ(with("scheduler", R"({"schedulers": 2, "interval": 0})"), "11");
  EXPECT_EQ(with("scheduler", "{}"), "21");
}

// Three units, a group of two warps each, lambda 4, Lambda 7. A unit alone has a third of the pipeline: 0 and 12,
// complete at 19. All six warps in turn: the last issues at 20, complete at 27.
TEST_P(IssueRules, OneUnitHasItsShareOfAPipelineOfTheDevice) {
  const Device device =
      device_with({{"x", "a", 4, 7}}, R"({"compute_units": 3, "pipelines": {"a": {"scope": "device"}}})");
  const Kernel kernel = kernel_with(kOneXOfIssue, {.warps = 2, .groups = 3});
  EXPECT_EQ(cycles_of(kernel, device, Units::One), "19");
  EXPECT_EQ(cycles_of(kernel, device, Units::All), "27");
}

// Both warps issue x at 0 and arrive in b at 4. The second waits 6 for the first (D = 6): complete at 0 + 10 + 6,
// y from 16 to 19.
TEST_P(IssueRules, WaitingInAFurtherPipelineAddsToTheCompletion) {
  const auto with = [](int warps) {
    return cycles_of(
        kernel_with(kYAfterX, {.warps = warps}),
        device_with({{"x", "a", 0, 10, R"({"then": [{"pipeline": "b", "issue": 6, "after": 4}]})"}, {"y", "c", 0, 3}}));
  };
  EXPECT_EQ(with(1), "13");
  EXPECT_EQ(with(2), "19");
}

// As above, then c, taken for 20 from 8 on by the first. The second arrives at 8 + 6 = 14 and waits 14 more: complete
// at 0 + 10 + 20, y from 30 to 130.
TEST_P(IssueRules, WaitingDelaysTheArrivalInThePipelineAfter) {
  const Device device = device_with({{"x", "a", 0, 10, R"({"then": [{"pipeline": "b", "issue": 6, "after": 4},
                                                                   {"pipeline": "c", "issue": 20, "after": 8}]})"},
                                     {"y", "d", 0, 100}},
                                    R"({"pipelines": {"d": {}}})");
  EXPECT_EQ(cycles_of(kernel_with(kYAfterX, {.warps = 2}), device), "130");
}

// Warp 0 issues p first, which takes b from 10 to 15; q of warp 1 would be there at 0 but waits until 15: complete at 0
// + 2 + 15, y from 17 to 47.
TEST_P(IssueRules, PlacesInAFurtherPipelineAreTakenInOrderOfIssue) {
  const Device device = device_with({{"p", "a", 0, 10, R"({"then": [{"pipeline": "b", "issue": 5, "after": 10}]})"},
                                     {"q", "c", 0, 2, R"({"then": [{"pipeline": "b", "issue": 5}]})"},
                                     {"y", "control", 0, 30}});
  const Kernel kernel = kernel_with(R"({"when": "warp == 0", "body": [{"id": "p", "op": "p"}]},
      {"when": "warp == 1", "body": [{"id": "q", "op": "q"}, {"id": "y", "op": "y", "after": ["q"]}]})",
                                    {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device), "47");
}

// The second warp's x waits D = 6; y may start at 0 + 6 + 2 and takes 30.
TEST_P(IssueRules, AnEdgeLatencyReplacesLambdaButNotTheWaiting) {
  const Device device =
      device_with({{"x", "a", 0, 10, R"({"then": [{"pipeline": "b", "issue": 6, "after": 4}]})"}, {"y", "c", 0, 30}});
  const Kernel kernel = kernel_with(
      R"({"id": "x", "op": "x"}, {"id": "y", "op": "y", "after": [{"id": "x", "latency": 2}]})", {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device), "38");
}

// The first warp's x holds b from 4 to 10. The second issues at 10 - backlog - 4, if not before 0.
TEST_P(IssueRules, AFullQueueHoldsTheInstructionBackAndNotAMilliCycleLonger) {
  const auto with = [](const char* pipeline, int warps) {
    return cycles_of(
        kernel_with(kXThenZ, {.warps = warps}),
        device_with({{"x", "a", 0, 10, R"({"then": [{"pipeline": "b", "issue": 6, "after": 4}]})"}, {"z", "c", 0, 100}},
                    fmt::format(R"({{"pipelines": {{"b": {}}}}})", pipeline)));
  };
  EXPECT_EQ(with("{}", 2), "100");
  EXPECT_EQ(with(R"({"backlog": 6})", 2), "100");
  EXPECT_EQ(with(R"({"backlog": 5.999})", 2), "100.001");
  // The second at 1 holds b until 16, the third issues at 16 - 5 - 4 = 7.
  EXPECT_EQ(with(R"({"backlog": 5})", 3), "107");
}

// lambda 3 x 2 units keeps b from 4 to 10; backlog and after stay as they are: the second warp issues at 10 - 5 - 4
// = 1.
TEST_P(IssueRules, TheShareOfADevicePipelineChangesNeitherBacklogNorAfter) {
  const Device device =
      device_with({{"x", "a", 0, 10, R"({"then": [{"pipeline": "b", "issue": 3, "after": 4}]})"}, {"z", "c", 0, 100}},
                  R"({"compute_units": 2, "pipelines": {"b": {"scope": "device", "backlog": 5}}})");
  EXPECT_EQ(cycles_of(kernel_with(kXThenZ, {.warps = 2, .groups = 2}), device), "101");
}

// A degree of 3 makes b take 6 + 2 x 2: the second warp waits 10 from 4 on and is complete at 20; y until 50.
TEST_P(IssueRules, ConflictsAddToAFurtherPipelineToo) {
  const Device device =
      device_with({{"x", "a", 0, 10, R"({"then": [{"pipeline": "b", "issue": 6, "after": 4, "per_conflict": 2}]})"},
                   {"y", "c", 0, 30}});
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "x", "op": "x", "conflict_degree": 3},
                                     {"id": "y", "op": "y", "after": ["x"]})",
                                  {.warps = 2}),
                      device),
            "50");
}

}  // namespace
}  // namespace warpipe
