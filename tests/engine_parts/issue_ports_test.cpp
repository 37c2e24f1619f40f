#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/time.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;

Step step_on(std::uint16_t pipeline, Range stages = {}) {
  Step step;
  step.pipeline = pipeline;
  step.stages = stages;
  return step;
}

/// Pipeline 2 has a backlog of 50.
Program program_of(std::vector<Step> steps, std::vector<Stage> stages) {
  Program program;
  program.machine.pipelines = {{}, {}, {Scope::Device, Ticks{50}}};
  program.streams.emplace_back();
  program.streams[0].steps = std::move(steps);
  program.streams[0].stages = std::move(stages);
  program.kinds = {{0}};
  assign_issue_ports(program);
  return program;
}

std::vector<std::uint32_t> ports_of(const Program& program) {
  std::vector<std::uint32_t> issue_ports;
  for (const Step& step : program.streams[0].steps) issue_ports.push_back(step.issue_port);
  return issue_ports;
}

TEST(IssuePorts, StepsOnTheSamePipelineShareOne) {
  const Program program = program_of({step_on(1), step_on(0), step_on(1)}, {});
  EXPECT_THAT(ports_of(program), ElementsAre(0, 1, 0));
  EXPECT_THAT(program.issue_ports, ElementsAre(IssuePort{1, {}}, IssuePort{0, {}}));
}

// Rule 5 holds an instruction back until (pipeline free) - backlog - after.
TEST(IssuePorts, KnowHowLongBeforeAFullQueueIsFreeAnInstructionMayIssue) {
  const Program program = program_of({step_on(0, {0, 1})}, {{2, Ticks{7}, Ticks{150}}});
  EXPECT_THAT(program.issue_ports, ElementsAre(IssuePort{0, {{2, Ticks{200}}}}));
}

TEST(IssuePorts, FurtherPipelinesWithoutABacklogHoldNothingBack) {
  const Program program = program_of({step_on(0, {0, 1}), step_on(0)}, {{1, Ticks{7}, Ticks{150}}});
  EXPECT_THAT(ports_of(program), ElementsAre(0, 0));
  EXPECT_THAT(program.issue_ports, ElementsAre(IssuePort{0, {}}));
}

TEST(IssuePorts, DifferForDifferentWaysToTheSameQueue) {
  const Program program = program_of({step_on(0, {0, 1}), step_on(0, {1, 2}), step_on(0, {2, 3})},
                                     {{2, Ticks{7}, Ticks{150}}, {2, Ticks{9}, Ticks{150}}, {2, Ticks{7}, Ticks{1}}});
  EXPECT_THAT(ports_of(program), ElementsAre(0, 0, 1));  // the time it takes there does not matter, its arrival does
}

TEST(IssuePorts, RefuseATimeThatDoesNotFit) {
  EXPECT_THROW(program_of({step_on(0, {0, 1})}, {{2, Ticks{}, Ticks{INT64_MAX - 49}}}), ModelError);
  EXPECT_NO_THROW(program_of({step_on(0, {0, 1})}, {{2, Ticks{}, Ticks{INT64_MAX - 50}}}));
}

TEST(TimeSum, IsExactUpToTheLastMilliCycleAndRefusesTheNext) {
  EXPECT_EQ(time_sum(INT64_MAX - 1, 1), INT64_MAX);
  EXPECT_THROW(time_sum(INT64_MAX, 1), ModelError);
}

}  // namespace
}  // namespace warpipe
