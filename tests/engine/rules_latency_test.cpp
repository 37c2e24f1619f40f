#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models.hpp"
#include "simulators.hpp"

/// Rules 2 to 4 of the model: time, a warp's instruction stream, binding latencies.

namespace warpipe {
namespace {

class LatencyRules : public testing::TestWithParam<Simulator> {
 protected:
  static std::string cycles_of(const Kernel& kernel, const Device& device, Units units = Units::One) {
    return cycles(GetParam(), kernel, device, units);
  }
};

INSTANTIATE_TEST_SUITE_P(Simulators, LatencyRules, both_simulators(), name_of_simulator);

constexpr auto kOneXOfLatency = R"({"id": "x", "op": "x"})";

// Rule 10: index 0..6, loads 6..406 and 14..414, multiply-add 414..432, store 432..440.
TEST_P(LatencyRules, TheWorkedExampleTakes440Cycles) {
  const Device device = device_with({{"index", "a", 1, 6},
                                     {"load", "b", 8, 400},
                                     {"fma", "c", 1, 18},
                                     {"store", "b", 8, 400, R"({"retires_at": "issue"})"}});
  const Kernel kernel = kernel_with(R"(
      {"id": "i", "op": "index"}, {"id": "x", "op": "load", "after": ["i"]}, {"id": "y", "op": "load", "after": ["i"]},
      {"id": "f", "op": "fma", "after": ["x", "y"]}, {"id": "s", "op": "store", "after": ["f"]})");
  EXPECT_EQ(cycles_of(kernel, device), "440");
}

// Rule 2: floor(1000 x + 0.5).
TEST_P(LatencyRules, HalfAMilliCycleIsRoundedUp) {
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfLatency), device_with({{"x", "a", 0, 0.0005}})), "0.001");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfLatency), device_with({{"x", "a", 0, 0.00049}})), "0");
}

// x: 0..10, 10..20, 20..30; y of each trip waits for the x of the trip before.
TEST_P(LatencyRules, ALoopCarriedDependenceWaitsForThePreviousTrip) {
  const Device device = device_with({{"x", "a", 1, 10}, {"y", "b", 1, 1}});
  const auto loop = [](int back) {
    return kernel_with(fmt::format(R"({{"loop": "l", "trip_count": 3, "body": [
        {{"id": "y", "op": "y", "after": [{{"id": "x", "back": {}}}]}}, {{"id": "x", "op": "x"}}]}})",
                                   back));
  };
  EXPECT_EQ(cycles_of(loop(1), device), "30");
  // The first two trips wait for nothing: y 0, x 0..10, y 1, x 1..11; then y 10, x 10..20.
  EXPECT_EQ(cycles_of(loop(2), device), "20");
  // No trip waits: y 0, 1, 2 and x 0, 1, 2..12.
  EXPECT_EQ(cycles_of(loop(3), device), "12");
}

// Warp 0 does not run x: its y issues at 0. Warp 1: x 0..10, y 10..11.
TEST_P(LatencyRules, AProducerThatWasNotTakenIsNotWaitedFor) {
  const Device device = device_with({{"x", "a", 1, 10}, {"y", "b", 1, 1}});
  const auto kernel = [](int warps) {
    return kernel_with(
        R"({"when": "warp == 1", "body": [{"id": "x", "op": "x"}]}, {"id": "y", "op": "y", "after": ["x"]})",
        {.warps = warps});
  };
  EXPECT_EQ(cycles_of(kernel(1), device), "1");
  EXPECT_EQ(cycles_of(kernel(2), device), "11");
}

// x 0..10, y 10..11; z waits for nothing but may not overtake y: 10..30.
TEST_P(LatencyRules, AWarpNeverIssuesAheadOfProgramOrder) {
  const Device device = device_with({{"x", "a", 1, 10}, {"y", "b", 1, 1}, {"z", "c", 1, 20}});
  const Kernel kernel =
      kernel_with(R"({"id": "x", "op": "x"}, {"id": "y", "op": "y", "after": ["x"]}, {"id": "z", "op": "z"})");
  EXPECT_EQ(cycles_of(kernel, device), "30");
}

// lambda = 2 + 3 x 1 = 5, Lambda = 10 + 3 x 3 = 19: the second warp issues at 5 and completes at 24.
TEST_P(LatencyRules, EachFurtherWayOfAConflictAddsToBothLatencies) {
  const Device device = device_with({{"x", "a", 2, 10, R"({"per_conflict": {"issue": 1, "completion": 3}})"}});
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "x", "op": "x", "conflict_degree": 4})", {.warps = 2}), device), "24");
  // Without a degree there are no further ways: 2 + 10.
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfLatency, {.warps = 2}), device), "12");
}

// The latencies stand for 4 transactions; 2 of them take 4 - 2 x 1 and 400 - 2 x 8: 2 + 384.
TEST_P(LatencyRules, FewerTransactionsThanTheTableStandsForTakeLess) {
  const Device device =
      device_with({{"x", "a", 4, 400, R"({"transactions": 4, "per_transaction": {"issue": 1, "completion": 8}})"}});
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "x", "op": "x", "transactions": 2})", {.warps = 2}), device), "386");
  EXPECT_EQ(cycles_of(kernel_with(kOneXOfLatency, {.warps = 2}), device), "404");
}

// An override of 7 and 20 grows by 2 x 1 and 2 x 2: the second warp 9..33.
TEST_P(LatencyRules, IncrementsComeOnTopOfAnOverride) {
  const Device device = device_with({{"x", "a", 2, 10, R"({"per_conflict": {"issue": 1, "completion": 2}})"}});
  const Kernel kernel = kernel_with(
      R"({"id": "x", "op": "x", "issue_latency": 7, "completion_latency": 20, "conflict_degree": 3})", {.warps = 2});
  EXPECT_EQ(cycles_of(kernel, device), "33");
}

// 10 at 2 resident warps, 30 at 6, a line between, constant outside.
TEST_P(LatencyRules, ALatencyOfPointsGrowsWithTheResidentWarps) {
  const Device device = device_with({{"x", "a", 0, 0, R"({"completion": [[2, 10], [6, 30]]})"}});
  const auto at = [&](const TestLaunch& launch) { return cycles_of(kernel_with(kOneXOfLatency, launch), device); };
  EXPECT_EQ(at({.warps = 1}), "10");
  EXPECT_EQ(at({.warps = 3}), "15");
  EXPECT_EQ(at({.warps = 6}), "30");
  EXPECT_EQ(at({.warps = 8}), "30");
  // Two groups of two warps are resident.
  EXPECT_EQ(at({.warps = 2, .groups = 2, .concurrent_groups = 2}), "20");
  // Only as many as there are: slots = min(M, ceil(Ntotal / P)).
  EXPECT_EQ(at({.warps = 4, .groups = 1, .concurrent_groups = 9}), "20");
}

// 32 lanes of 4 bytes, 32 banks of 4 bytes, segments of 32 bytes; 20 cycles and 10 for each further way.
TEST_P(LatencyRules, LaneAddressesGiveTheConflictDegree) {
  const Device device = device_with({{"x", "a", 0, 20, R"({"per_conflict": {"completion": 10}})"}},
                                    R"({"memory": {"transaction_bytes": 32, "banks": 32, "bank_bytes": 4}})");
  const auto with = [&](const char* access) {
    return cycles_of(kernel_with(fmt::format(R"({{"id": "x", "op": "x", "access": {}}})", access)), device);
  };
  // Every second bank takes two words.
  EXPECT_EQ(with(R"({"width_bytes": 4, "stride_bytes": 8})"), "30");
  EXPECT_EQ(with(R"({"width_bytes": 4, "pattern": "broadcast"})"), "20");
  // All 32 words in bank 0: 31 further ways.
  EXPECT_EQ(with(R"({"width_bytes": 4, "stride_bytes": 128})"), "330");
  // Four parts of 8 lanes, each in 32 different banks: four times degree 1, less 3.
  EXPECT_EQ(with(R"({"width_bytes": 16, "stride_bytes": 16})"), "20");
}

// Lanes 8 bytes apart touch 256 bytes, 8 segments, 4 more than the latency stands for: 20 + 4 x 2.
TEST_P(LatencyRules, LaneAddressesGiveTheTransactions) {
  const Device device = device_with({{"x", "a", 0, 20, R"({"transactions": 4, "per_transaction": {"completion": 2}})"}},
                                    R"({"memory": {"transaction_bytes": 32, "banks": 32, "bank_bytes": 4}})");
  EXPECT_EQ(
      cycles_of(kernel_with(R"({"id": "x", "op": "x", "access": {"width_bytes": 4, "stride_bytes": 8}})"), device),
      "28");
  // An explicit value wins.
  EXPECT_EQ(cycles_of(kernel_with(R"({"id": "x", "op": "x", "transactions": 5,
                                      "access": {"width_bytes": 4, "stride_bytes": 8}})"),
                      device),
            "22");
}

}  // namespace
}  // namespace warpipe
