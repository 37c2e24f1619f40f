#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>

#include "conformance_cases.hpp"
#include "simulators.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

class Conformance : public testing::TestWithParam<Simulator> {};

// Exact cycles: 200 cases were made apart from this program, some derived by hand, the rest agreed on by both
// simulators (tests/conformance/README.md).
TEST_P(Conformance, GivesTheCyclesOfEveryCaseToTheLastDigit) {
  EXPECT_GE(conformance_cases().size(), 600U);
  for (const ConformanceCase& one : conformance_cases())
    EXPECT_EQ(simulated_cycles(GetParam(), one.kernel, one.device, one.units), one.cycles) << one.name;
}

TEST(ConformanceCases, AreAtLeastTenForEachRuleThatIsNotAboutCaches) {
  std::map<int, int> cases_of_rule;
  for (const ConformanceCase& one : conformance_cases())
    if (one.rules.size() == 1) ++cases_of_rule[one.rules.front()];  // a list may name more rules than a case shows
  for (int rule = 1; rule <= 10; ++rule) EXPECT_GE(cases_of_rule[rule], 10) << "rule " << rule;
}

/// Room for a steady state: fifty times the groups.
Program with_many_groups(const ConformanceCase& one) {
  LaunchOptions options;
  options.units = one.units;
  options.ignore_limits = true;
  Launch launch = resolve_launch(one.kernel, one.device, options);
  options.groups = 50 * launch.groups.value;
  launch = resolve_launch(one.kernel, one.device, options);
  return lower(one.kernel, one.device, launch, options);
}

// Skipping must give the result of a full simulation; in many cases there must be periods to skip.
TEST(Skipping, ChangesNothingInTheCasesWithFiftyTimesTheGroups) {
  std::size_t cases_with_periods = 0;
  for (const ConformanceCase& one : conformance_cases()) {
    const Program program = with_many_groups(one);
    const SimulationResult full = simulate(program, Skipping::Off);
    const SimulationResult skipping = simulate(program, Skipping::On);
    EXPECT_EQ(skipping.cycles, full.cycles) << one.name;
    EXPECT_EQ(skipping.issued, full.issued) << one.name;
    EXPECT_EQ(full.skipped, 0) << one.name;
    if (skipping.skipped > 0) ++cases_with_periods;
  }
  EXPECT_GT(cases_with_periods, conformance_cases().size() / 2);
}

// A chain of 2^30 dependent instructions of Lambda 4: 2^30 x 4 cycles, hardly any of them simulated.
TEST(Skipping, SimulatesNextToNothingOfALongChain) {
  const Kernel kernel = read_kernel_json(R"({"format": "warpipe-kernel", "version": 1, "name": "chain",
      "launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},
      "body": [{"loop": "l", "trip_count": 1073741824, "body": [{"id": "a", "op": "x", "after": ["a"]}]}]})",
                                         "chain.json");
  const Device device = read_device_json(R"({"format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1,
      "clock_hz": 1e9, "warp_size": 32, "pipelines": {"p": {}},
      "ops": {"x": {"pipeline": "p", "issue": 1, "completion": 4}}})",
                                         "d.json");
  const SimulationResult result = simulate(lower(kernel, device, resolve_launch(kernel, device, {}), {}));
  EXPECT_EQ(result.cycles, Ticks{4'294'967'296'000});
  EXPECT_EQ(result.issued, 1'073'741'824);
  EXPECT_LT(result.issued - result.skipped, 1000);
}

INSTANTIATE_TEST_SUITE_P(Simulators, Conformance, both_simulators(), name_of_simulator);

}  // namespace
}  // namespace warpipe
