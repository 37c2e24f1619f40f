#include "core/pipeline_instances.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/state.hpp"
#include "shared_pipelines.hpp"

/// The schedulers that share an instance of a pipeline (rule 5 of the model).

namespace warpipe {
namespace {

std::int64_t& port_free(EngineState& state, std::size_t scheduler, std::uint32_t issue_port) {
  return *state.schedulers[scheduler].queues[issue_port].pipeline_free;
}

std::int64_t opens_at(const EngineState& state, std::size_t scheduler, std::uint32_t issue_port) {
  return std::max(state.schedulers[scheduler].free, state.schedulers[scheduler].queues[issue_port].opens_at());
}

TEST(Instances, AreOnePerUnitOnePerSchedulerOrOne) {
  const Machine machine = program_with(3, 4).machine;
  EXPECT_EQ(instances(machine, Scope::ComputeUnit), 3);
  EXPECT_EQ(instances(machine, Scope::Scheduler), 12);
  EXPECT_EQ(instances(machine, Scope::Device), 1);
}

TEST(Instances, OfASchedulerPipelineAreOnePerUnitWhereThereAreNoSchedulers) {
  EXPECT_EQ(instances(program_with(3, 0).machine, Scope::Scheduler), 3);
}

// Schedulers 0 and 1 belong to unit 0, schedulers 2 and 3 to unit 1.
TEST(PipelineInstances, AUnitsPipelineIsSharedByItsSchedulersOnly) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  port_free(state, 1, kUnit) = 70;
  EXPECT_EQ(opens_at(state, 0, kUnit), 70);
  EXPECT_EQ(opens_at(state, 1, kUnit), 70);
  EXPECT_EQ(opens_at(state, 2, kUnit), 0);
  EXPECT_EQ(opens_at(state, 3, kUnit), 0);
  EXPECT_EQ(opens_at(state, 0, kScheduler), 0);
}

TEST(PipelineInstances, ASchedulersPipelineIsNotShared) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  port_free(state, 2, kScheduler) = 70;
  EXPECT_EQ(opens_at(state, 2, kScheduler), 70);
  for (const std::size_t other : {0u, 1u, 3u}) EXPECT_EQ(opens_at(state, other, kScheduler), 0) << other;
}

TEST(PipelineInstances, TheDevicesPipelineIsSharedByAll) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  port_free(state, 3, kDevice) = 70;
  for (const std::size_t scheduler : {0u, 1u, 2u, 3u}) EXPECT_EQ(opens_at(state, scheduler, kDevice), 70) << scheduler;
}

TEST(PipelineInstances, APipelineIsTheSameThroughItsIssuePortAndThroughItsNumber) {
  const Program program = program_with(2, 2);
  EngineState state(program);
  state.pipeline_free(kScheduler, 3) = 11;
  state.pipeline_free(kUnit, 2) = 12;
  EXPECT_EQ(port_free(state, 3, kScheduler), 11);
  EXPECT_EQ(port_free(state, 3, kUnit), 12);
}

TEST(PipelineInstances, ASchedulerThatIsNotFreeClosesAllItsIssuePorts) {
  const Program program = program_with(1, 2);
  EngineState state(program);
  state.schedulers[0].free = 9;
  port_free(state, 0, kUnit) = 4;
  EXPECT_EQ(opens_at(state, 0, kUnit), 9);
  EXPECT_EQ(opens_at(state, 0, kScheduler), 9);
  EXPECT_EQ(opens_at(state, 1, kUnit), 4);
}

TEST(PipelineInstances, WithoutSchedulersEachUnitHasItsOwnPipelines) {
  const Program program = program_with(2, 0);
  EngineState state(program);
  port_free(state, 1, kScheduler) = 5;
  EXPECT_EQ(opens_at(state, 1, kScheduler), 5);
  EXPECT_EQ(opens_at(state, 0, kScheduler), 0);
}

// Work for 30 waits at the device's pipeline: an issue port with a slack of 20 opens at 10, a port with a slack of 40
// at once.
TEST(PipelineInstances, ABacklogClosesAnIssuePortUntilTheQueueIsShortEnough) {
  Program program = program_with(1, 0);
  program.issue_ports = {{kUnit, {{kDevice, Ticks{20}}}}, {kUnit, {{kDevice, Ticks{40}}}}};
  EngineState state(program);
  state.pipeline_free(kDevice, 0) = 30;
  EXPECT_EQ(opens_at(state, 0, 0), 10);
  EXPECT_EQ(opens_at(state, 0, 1), 0);
  port_free(state, 0, 0) = 15;
  EXPECT_EQ(opens_at(state, 0, 0), 15);
}

}  // namespace
}  // namespace warpipe
