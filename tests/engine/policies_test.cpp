#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "models.hpp"
#include "simulators.hpp"

/// Rule 6 of the model: who goes first.

namespace warpipe {
namespace {

using PolicyOfSimulator = std::tuple<Simulator, Policy>;

std::string name_of_both(const testing::TestParamInfo<PolicyOfSimulator>& tested) {
  std::string policy = to_string(std::get<Policy>(tested.param));
  std::erase(policy, '-');
  return to_string(std::get<Simulator>(tested.param)) + "_" + policy;
}

std::string cycles_under(const PolicyOfSimulator& tested, const Kernel& kernel, Device device) {
  device.policy = std::get<Policy>(tested);
  return cycles(std::get<Simulator>(tested), kernel, device);
}

/// Promises kept by every policy.
class AnyPolicy : public testing::TestWithParam<PolicyOfSimulator> {};

std::vector<Policy> all_policies() {
  std::vector<Policy> policies;
  for (const PolicyRow& row : kPolicies) policies.push_back(row.policy);
  return policies;
}

INSTANTIATE_TEST_SUITE_P(Simulators, AnyPolicy, testing::Combine(both_simulators(), testing::ValuesIn(all_policies())),
                         name_of_both);

// Warp 0 is ready at 5, warp 1 at 4, both for x; then warp 0 takes 100 more. Warp 1 has a from 4 to 14, warp 0 from 14
// to 24, until 124.
TEST_P(AnyPolicy, TheOneThatCanIssueEarlierGoesFirst) {
  const Device device = device_with({{"v", "b", 0, 5}, {"w", "b", 0, 4}, {"x", "a", 10, 10}, {"y", "c", 0, 100}});
  const Kernel kernel = kernel_with(R"(
      {"when": "warp == 0", "body": [{"id": "v", "op": "v"}]}, {"when": "warp == 1", "body": [{"id": "w", "op": "w"}]},
      {"id": "x", "op": "x", "after": ["v", "w"]},
      {"when": "warp == 0", "body": [{"id": "y", "op": "y", "after": ["x"]}]})",
                                    {.warps = 2});
  EXPECT_EQ(cycles_under(GetParam(), kernel, device), "124");
}

// Where all criteria are equal, warp 0 goes before warp 1 and an older group before a younger: x at 0 and 10, and only
// the last has y, from 20 to 120.
TEST_P(AnyPolicy, FullTiesGoToTheLowerWarp) {
  const Device device = device_with({{"x", "a", 10, 10}, {"y", "c", 0, 100}});
  const auto with_y_in = [&](int warp) {
    return kernel_with(fmt::format(R"({{"id": "x", "op": "x"}},
        {{"when": "warp == {}", "body": [{{"id": "y", "op": "y", "after": ["x"]}}]}})",
                                   warp),
                       {.warps = 2});
  };
  EXPECT_EQ(cycles_under(GetParam(), with_y_in(0), device), "110");
  EXPECT_EQ(cycles_under(GetParam(), with_y_in(1), device), "120");
}

// A pipeline that always has work: 3 warps x 4 times x, lambda 10, the last from 110 to 117.
TEST_P(AnyPolicy, NoPipelineIdlesWhileAWarpCouldUseIt) {
  const Kernel kernel =
      kernel_with(R"({"loop": "l", "trip_count": 4, "body": [{"id": "x", "op": "x"}]})", {.warps = 3});
  EXPECT_EQ(cycles_under(GetParam(), kernel, device_with({{"x", "a", 10, 7}})), "117");
}

// A warp alone has no other to give way to: 0..10, 10..20, 20..30.
TEST_P(AnyPolicy, AWarpAloneTakesTheLengthOfItsChain) {
  const Kernel kernel =
      kernel_with(R"({"loop": "l", "trip_count": 3, "body": [{"id": "x", "op": "x", "after": ["x"]}]})");
  EXPECT_EQ(cycles_under(GetParam(), kernel, device_with({{"x", "a", 1, 10}})), "30");
}

/// A launch whose cycles differ between the policies.
struct Expected {
  Policy policy;
  std::string cycles;
};

class OrderOfIssue : public testing::TestWithParam<Simulator> {
 protected:
  static void expect(const Kernel& kernel, const Device& device, const std::vector<Expected>& all) {
    for (const auto& [policy, expected] : all)
      EXPECT_EQ(cycles_under({GetParam(), policy}, kernel, device), expected) << to_string(policy);
  }
};

INSTANTIATE_TEST_SUITE_P(Simulators, OrderOfIssue, both_simulators(), name_of_simulator);

// Warp 2 has a from 0 to 20. Then warp 0, ready since 5, and warp 1, ready since 4, want it; warp 1 takes 100 more
// after its x. Warp 1 first: until 20 + 20 + 100. Warp 0 first, as it is older, comes after warp 2 in the
// circle, and neither issued last: until 40 + 20 + 100.
TEST_P(OrderOfIssue, FirstReadyTakesTheOneThatHasWaitedLongest) {
  const Device device = device_with({{"v", "b", 0, 5}, {"w", "b", 0, 4}, {"x", "a", 20, 20}, {"y", "c", 0, 100}});
  const Kernel kernel = kernel_with(R"(
      {"when": "warp == 0", "body": [{"id": "v", "op": "v"}]}, {"when": "warp == 1", "body": [{"id": "w", "op": "w"}]},
      {"id": "x", "op": "x", "after": ["v", "w"]},
      {"when": "warp == 1", "body": [{"id": "y", "op": "y", "after": ["x"]}]})",
                                    {.warps = 3});
  expect(kernel, device,
         {{Policy::FirstReady, "140"},
          {Policy::Oldest, "160"},
          {Policy::GreedyOldest, "160"},
          {Policy::RoundRobin, "160"}});
}

// Warp 1 has a from 0 to 10. Then warp 0, ready since 5, wants it twice, and warp 1, ready since 0, once more; warp 1
// takes 100 more afterwards. Warp 1 goes on: until 20 + 100. Warp 0 twice first: until 40 + 100. In turn: until 30 +
// 100.
TEST_P(OrderOfIssue, GreedyStaysOldestReturnsRoundRobinAlternates) {
  const Device device = device_with({{"v", "b", 0, 5}, {"x", "a", 10, 10}, {"y", "c", 0, 100}});
  const Kernel kernel = kernel_with(R"(
      {"when": "warp == 0", "body": [{"id": "v", "op": "v"}]},
      {"id": "x1", "op": "x", "after": ["v"]}, {"id": "x2", "op": "x"},
      {"when": "warp == 1", "body": [{"id": "y", "op": "y", "after": ["x2"]}]})",
                                    {.warps = 2});
  expect(kernel, device,
         {{Policy::FirstReady, "120"},
          {Policy::Oldest, "140"},
          {Policy::GreedyOldest, "120"},
          {Policy::RoundRobin, "130"}});
}

// The barrier of warp 1 issues last, and the greedy order stays with warp 1: at 5 it has a first and is done at 5 + 10
// +
// 100. In all other orders warp 0 goes first: until 15 + 10 + 100.
TEST_P(OrderOfIssue, ABarrierCountsAsAnIssue) {
  const Device device = device_with({{"x", "a", 10, 10}, {"y", "c", 0, 100}});
  const Kernel kernel = kernel_with(R"({"id": "b", "op": "barrier"}, {"id": "x", "op": "x"},
      {"when": "warp == 1", "body": [{"id": "y", "op": "y", "after": ["x"]}]})",
                                    {.warps = 2});
  expect(kernel, device,
         {{Policy::FirstReady, "125"},
          {Policy::Oldest, "125"},
          {Policy::GreedyOldest, "115"},
          {Policy::RoundRobin, "125"}});
}

// With a scheduler for each warp, each remembers its own warp, so both warps are greedy: the lower goes on. Warp 0 has
// a from 10 to 30 after warp 1's first, and warp 1 is done at 40 + 100.
TEST_P(OrderOfIssue, EachSchedulerRemembersItsOwnWarp) {
  const Device device = device_with({{"v", "b", 0, 5}, {"x", "a", 10, 10}, {"y", "c", 0, 100}},
                                    R"({"issue": {"schedulers": 2, "interval": 0}})");
  const Kernel kernel = kernel_with(R"(
      {"when": "warp == 0", "body": [{"id": "v", "op": "v"}]},
      {"id": "x1", "op": "x", "after": ["v"]}, {"id": "x2", "op": "x"},
      {"when": "warp == 1", "body": [{"id": "y", "op": "y", "after": ["x2"]}]})",
                                    {.warps = 2});
  expect(kernel, device, {{Policy::GreedyOldest, "140"}});
}

}  // namespace
}  // namespace warpipe
