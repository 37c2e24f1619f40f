#include "warpipe/engine/resources.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "shared_pipelines.hpp"
#include "warpipe/engine/engine_state.hpp"

/// Who shares which instance of a pipeline (rule 5 of the model).

namespace warpipe {
namespace {

std::int64_t& gate_free(EngineState& state, std::size_t chooser, std::uint32_t issue_port) {
  return *state.choosers[chooser].queues[issue_port].pipeline_free;
}

std::int64_t opens_at(const EngineState& state, std::size_t chooser, std::uint32_t issue_port) {
  return std::max(state.choosers[chooser].free, state.choosers[chooser].queues[issue_port].opens_at());
}

TEST(Instances, AreOneAUnitOneASchedulerOrOne) {
  const Machine machine = program_with(3, 4).machine;
  EXPECT_EQ(instances(machine, Scope::ComputeUnit), 3);
  EXPECT_EQ(instances(machine, Scope::Scheduler), 12);
  EXPECT_EQ(instances(machine, Scope::Device), 1);
}

TEST(Instances, OfASchedulerPipelineAreOneAUnitWhereThereAreNoSchedulers) {
  EXPECT_EQ(instances(program_with(3, 0).machine, Scope::Scheduler), 3);
}

// Choosers 0 and 1 are the schedulers of unit 0, choosers 2 and 3 those of unit 1.
TEST(Resources, AUnitsPipelineIsSharedByItsSchedulersOnly) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  gate_free(state, 1, kUnit) = 70;
  EXPECT_EQ(opens_at(state, 0, kUnit), 70);
  EXPECT_EQ(opens_at(state, 1, kUnit), 70);
  EXPECT_EQ(opens_at(state, 2, kUnit), 0);
  EXPECT_EQ(opens_at(state, 3, kUnit), 0);
  EXPECT_EQ(opens_at(state, 0, kScheduler), 0);
}

TEST(Resources, ASchedulersPipelineIsSharedWithNobody) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  gate_free(state, 2, kScheduler) = 70;
  EXPECT_EQ(opens_at(state, 2, kScheduler), 70);
  for (const std::size_t other : {0u, 1u, 3u}) EXPECT_EQ(opens_at(state, other, kScheduler), 0) << other;
}

TEST(Resources, TheDevicesPipelineIsSharedByAll) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  gate_free(state, 3, kDevice) = 70;
  for (const std::size_t chooser : {0u, 1u, 2u, 3u}) EXPECT_EQ(opens_at(state, chooser, kDevice), 70) << chooser;
}

TEST(Resources, APipelineIsTheSameThroughItsGateAndThroughItsNumber) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  state.resources.pipeline_free(kScheduler, 3) = 11;
  state.resources.pipeline_free(kUnit, 2) = 12;
  EXPECT_EQ(gate_free(state, 3, kScheduler), 11);
  EXPECT_EQ(gate_free(state, 3, kUnit), 12);
}

TEST(Resources, ASchedulerThatIsNotFreeClosesAllItsGates) {
  const Program program = program_with(1, 2);
  EngineState state(program);
  state.choosers[0].free = 9;
  gate_free(state, 0, kUnit) = 4;
  EXPECT_EQ(opens_at(state, 0, kUnit), 9);
  EXPECT_EQ(opens_at(state, 0, kScheduler), 9);
  EXPECT_EQ(opens_at(state, 1, kUnit), 4);
}

TEST(Resources, WithoutSchedulersEachUnitHasItsOwnPipelines) {
  const Program program = program_with(2, 0);
  EngineState state(program);
  gate_free(state, 1, kScheduler) = 5;
  EXPECT_EQ(opens_at(state, 1, kScheduler), 5);
  EXPECT_EQ(opens_at(state, 0, kScheduler), 0);
}

// Work for 30 waits at the device's pipeline: a issue port with a slack of 20 opens at 10, one with a slack of 40 at
// once.
TEST(Resources, ABacklogClosesAGateUntilTheQueueIsShortEnough) {
  Program program = program_with(1, 0);
  program.issue_ports = {{kUnit, {{kDevice, Ticks{20}}}}, {kUnit, {{kDevice, Ticks{40}}}}};
  EngineState state(program);
  state.resources.pipeline_free(kDevice, 0) = 30;
  EXPECT_EQ(opens_at(state, 0, 0), 10);
  EXPECT_EQ(opens_at(state, 0, 1), 0);
  gate_free(state, 0, 0) = 15;
  EXPECT_EQ(opens_at(state, 0, 0), 15);
}

}  // namespace
}  // namespace warpipe
