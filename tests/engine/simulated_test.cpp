#include "warpipe/engine/simulated.hpp"

#include <gtest/gtest.h>

#include "core/simulated_counter.hpp"
#include "models.hpp"
#include "simulators.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/engine/stopping.hpp"

namespace warpipe {
namespace {

// A chain that is soon skipped; without skipping, far more instructions than are counted at once.
Program long_chain() {
  return program_of(
      kernel_with(R"({"loop": "l", "trip_count": 1000000, "body": [{"id": "i", "op": "x", "after": ["i"]}]})"),
      device_with({{"x", "a", 1, 10}}));
}

TEST(SimulatedSoFar, GrowsByWhatARunIssuesAndSkips) {
  const Program program = long_chain();
  for (const Skipping skipping : {Skipping::Off, Skipping::On}) {
    const SimulatedInstructions before = simulated_so_far();
    const SimulationResult result = simulate(program, skipping);
    const SimulatedInstructions after = simulated_so_far();
    EXPECT_EQ(after.issued - before.issued, result.issued - result.skipped);
    EXPECT_EQ(after.skipped - before.skipped, result.skipped);
    EXPECT_EQ(result.skipped > 0, skipping == Skipping::On);
  }
}

TEST(SimulatedSoFar, GrowsWhileARunGoesOn) {
  constexpr std::int64_t kSome = 1 << 20, kStep = 1 << 18;
  SimulatedCounter counter;
  const auto before = simulated_so_far().issued;
  for (std::int64_t issued = 0; issued <= kSome; ++issued) counter.note(issued, 0);
  EXPECT_LE(before + kSome - kStep, simulated_so_far().issued);
  EXPECT_LE(simulated_so_far().issued, before + kSome);
}

TEST(ResumableSimulation, GoesOnFromWhereItStopped) {
  const Program program = long_chain();
  const auto before = simulated_so_far().issued;
  ResumableSimulation simulation(program, false);
  EXPECT_FALSE(simulation.up_to(100'000));
  const auto some = simulated_so_far().issued;
  EXPECT_FALSE(simulation.up_to(200'000));
  EXPECT_EQ(simulated_so_far().issued, some) << "it has simulated more than these before";
  EXPECT_FALSE(simulation.up_to(500'000));
  const auto result = simulation.up_to(INT64_MAX);
  ASSERT_TRUE(result);
  EXPECT_EQ(simulated_so_far().issued - before, result->issued) << "each instruction is simulated once";
  EXPECT_EQ(*result, simulate(program, Skipping::Off));
}

TEST(ResumableSimulation, EndsWhereTheRestIsSkipped) {
  const Program program = long_chain();
  const auto result = ResumableSimulation(program, true).up_to(500'000);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, simulate(program, Skipping::On));
}

TEST(Stopping, EndsARunSoonAfterItsFlagIsSet) {
  const Program program = long_chain();  // of a million instructions
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  const auto result = [&] {
    const StoppableBy stoppable(stop);
    return simulate(program, Skipping::Off);
  }();
  *stop = true;
  const auto before = simulated_so_far().issued;
  {
    const StoppableBy stoppable(stop);
    EXPECT_THROW(simulate(program, Skipping::Off), Stopped);
  }
  EXPECT_LT(simulated_so_far().issued - before, result.issued / 2);
  EXPECT_EQ(simulate(program, Skipping::Off).issued, result.issued) << "nobody stops this one";
}

}  // namespace
}  // namespace warpipe
