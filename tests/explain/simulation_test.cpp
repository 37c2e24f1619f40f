#include "warpipe/explain/simulation.hpp"

#include <gtest/gtest.h>

#include "conformance_cases.hpp"
#include "small_models.hpp"
#include "warpipe/engine/simulated.hpp"

namespace warpipe {
namespace {

constexpr Questions kAll{.stalls = true, .occupancy_history = true, .critical_path = true, .timeline = true};

LoweredLaunch lowered(const ConformanceCase& one) {
  LaunchOptions options;
  options.units = one.units;
  options.ignore_limits = true;
  return lower_launch(one.kernel, one.device, options);
}

/// Warp instructions that an action makes the engine simulate or skip.
template <class Action>
std::int64_t simulated_by(const Action& action) {
  const SimulatedInstructions before = simulated_so_far();
  action();
  const SimulatedInstructions after = simulated_so_far();
  return after.issued + after.skipped - before.issued - before.skipped;
}

TEST(Simulation, AnswersTheSameWhetherAskedTogetherOrOneByOne) {
  for (const ConformanceCase& one : conformance_cases()) {
    Simulation together(lowered(one), kAll), apart(lowered(one));
    EXPECT_EQ(together.prediction().cycles, one.cycles) << one.name;
    EXPECT_EQ(apart.prediction().cycles, one.cycles) << one.name;
    EXPECT_EQ(together.explanation().times, apart.explanation().times) << one.name;
    EXPECT_EQ(together.occupancy_history().residency.total, apart.occupancy_history().residency.total) << one.name;
    EXPECT_EQ(together.critical_path().links, apart.critical_path().links) << one.name;
    EXPECT_EQ(together.critical_path().cycles, one.cycles) << one.name;
    EXPECT_EQ(together.timeline().rows.size(), apart.timeline().rows.size()) << one.name;
  }
}

TEST(Simulation, FindsEachAnswerOnce) {
  Simulation simulation(lower_launch(kernel_with(R"({"id": "i", "op": "x"})"), two_ops(), {}), kAll);
  const auto ask = [&] {
    simulation.prediction();
    simulation.explanation();
    simulation.occupancy_history();
    simulation.critical_path();
    simulation.timeline();
  };
  EXPECT_GT(simulated_by(ask), 0);
  EXPECT_EQ(simulated_by(ask), 0);
}

TEST(Simulation, PredictsAndExplainsInOneRun) {
  Simulation simulation(lower_launch(kernel_with(R"({"id": "i", "op": "x"})"), two_ops(), {}), {.stalls = true});
  EXPECT_EQ(simulated_by([&] { simulation.prediction(); }), 1);
  EXPECT_EQ(simulated_by([&] { simulation.explanation(); }), 0);
}

}  // namespace
}  // namespace warpipe
