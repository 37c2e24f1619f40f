#include "warpipe/explain/simulation.hpp"

#include <gtest/gtest.h>

#include "conformance_cases.hpp"
#include "small_models.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/engine/simulated.hpp"
#include "warpipe/explain/explain.hpp"

namespace warpipe {
namespace {

constexpr Questions kAll{.stalls = true, .occupancy_history = true, .critical_path = true, .timeline = true};

LoweredLaunch lowered(const ConformanceCase& one) {
  LaunchOptions options;
  options.units = one.units;
  options.ignore_limits = true;
  return lower_launch(one.kernel, one.device, options);
}

/// Warp instructions simulated or skipped by the engine during an action.
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

/// Forty waves of loads with awaited results, told by shorter runs.
LoweredLaunch long_launch(double tolerance) {
  LaunchOptions options;
  options.groups = 401;  // the last alone: much of a short run, next to nothing of this run
  options.concurrent_groups = 10;
  options.tolerance = tolerance;
  options.skipping = Skipping::Off;  // else a period is found, and nothing is long
  return lower_launch(kernel_with(R"({"loop": "i", "trip_count": 2000, "body": [
                        {"id": "load", "op": "y"}, {"id": "use", "op": "x", "after": ["load"]}]})"),
                      two_ops(), options);
}

TEST(Simulation, StallsOfAnExtendedRunAddUpToItsTime) {
  Simulation asked_first(long_launch(0.005), {.stalls = true}), asked_later(long_launch(0.005));
  const Prediction& prediction = asked_first.prediction();
  ASSERT_GT(prediction.off, 0) << "or nothing is extended here";
  EXPECT_EQ(asked_later.prediction().cycles, prediction.cycles) << "one launch has one time";
  Simulation exact(long_launch(0), {.stalls = true});
  for (const Explanation* found : {&asked_first.explanation(), &asked_later.explanation()}) {
    EXPECT_EQ(found->cycles, prediction.cycles);
    EXPECT_EQ(found->total.count, 10 * prediction.cycles.count) << "ten slots of one warp";
    for (std::size_t i = 0; i < found->instructions.size(); ++i)
      EXPECT_EQ(found->instructions[i].executions, exact.explanation().instructions[i].executions);
    for (std::size_t state = 0; state < kStalls; ++state)
      EXPECT_NEAR(to_cycles(found->times[state]).count / to_cycles(found->total).count,
                  to_cycles(exact.explanation().times[state]).count / to_cycles(exact.explanation().total).count, 0.01)
          << to_string(static_cast<Stall>(state));
  }
}

TEST(Simulation, IsExactWhereAnAnswerNeedsTheWholeRun) {
  const Ticks exact = simulate(long_launch(0).program, Skipping::Off).cycles;
  for (const Questions& questions : {Questions{.occupancy_history = true}, Questions{.critical_path = true}}) {
    Simulation simulation(long_launch(0.005), questions);
    EXPECT_EQ(simulation.prediction().off, 0);
    EXPECT_EQ(simulation.prediction().cycles, exact);
  }
}

TEST(Simulation, PredictsAndExplainsInOneRun) {
  Simulation simulation(lower_launch(kernel_with(R"({"id": "i", "op": "x"})"), two_ops(), {}), {.stalls = true});
  EXPECT_EQ(simulated_by([&] { simulation.prediction(); }), 1);
  EXPECT_EQ(simulated_by([&] { simulation.explanation(); }), 0);
}

}  // namespace
}  // namespace warpipe
