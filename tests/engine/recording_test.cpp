#include "warpipe/engine/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "conformance_cases.hpp"
#include "models.hpp"
#include "simulators.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "support/reference_engine.hpp"
#include "warpipe/engine/observe.hpp"
#include "warpipe/predict/bounds.hpp"

namespace warpipe {
namespace {

using testing::ElementsAre;

constexpr random_model::Shape kShape{.most_trips = 3, .most_groups = 8, .most_issues = 300};

Ticks cycles(std::int64_t count) { return Ticks{1000 * count}; }

Recording record(const Program& program, const Window& window) {
  return observe(program, {.window = window}).recording.value();
}

/// (issue, group, warp, instruction), sorted.
using Issues = std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::size_t>>;

Issues issues_of(const Program& program, const Recording& recording) {
  Issues issues;
  for (const Execution& execution : recording.executions)
    issues.emplace_back(execution.issue.count, execution.group,
                        static_cast<std::int64_t>(warp_slot_of(program, execution.warp_slot).warp),
                        stream_of(program, execution).instructions[execution.step]);
  std::ranges::sort(issues);
  return issues;
}

Issues issues_by_the_rules(const Kernel& kernel, const Device& device, Units units) {
  const auto mode = units == Units::All ? reference::Mode::AllUnits : reference::Mode::OneUnit;
  Issues issues;
  for (const auto& issued : reference::simulate(kernel, device, reference::launch_of(kernel, device, mode)).timeline)
    issues.emplace_back(issued.time.count, issued.group, issued.warp, issued.instruction);
  std::ranges::sort(issues);
  return issues;
}

TEST(Recording, HasEveryIssueOfTheRulesOnAllConformanceCases) {
  for (const ConformanceCase& one : conformance_cases()) {
    const Program program = program_of(one.kernel, one.device, one.units);
    EXPECT_EQ(issues_of(program, record(program, {})), issues_by_the_rules(one.kernel, one.device, one.units))
        << one.name;
  }
}

TEST(Recording, HasEveryIssueOfTheRulesOnRandomModels) {
  check_property(500, [] {
    const random_model::Model model = *random_model::models_with_any_memory(kShape);
    const Kernel kernel = random_model::read_kernel(model);
    const Device device = random_model::read_device(model);
    const Units units = model.all_units ? Units::All : Units::One;
    const Program program = program_of(kernel, device, units);
    RC_ASSERT(issues_of(program, record(program, {})) == issues_by_the_rules(kernel, device, units));
  });
}

/// Times by stream, step and state; drain apart, since it is charged to the last instruction to end.
std::vector<std::vector<StallTimes>> stall_times(const Program& program, const Recording& recording, Ticks& drain) {
  std::vector<std::vector<StallTimes>> times(program.streams.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i].resize(program.streams[i].steps.size());
  for (const Execution& execution : recording.executions) {
    const InstructionStream& stream = stream_of(program, execution);
    const auto number = static_cast<std::size_t>(&stream - program.streams.data());
    std::vector<StallInterval> stretches = waits_of(execution);
    for (const StallInterval& stretch : intervals_from_issue(execution, stream.steps[execution.step]))
      stretches.push_back(stretch);
    for (const StallInterval& stretch : stretches) {
      Ticks& time = stretch.stall == Stall::Drain
                        ? drain
                        : times[number][execution.step][static_cast<std::size_t>(stretch.stall)];
      time.count += stretch.to.count - stretch.from.count;
    }
  }
  return times;
}

// Two observers of the same run without shared arithmetic: the accountant adds up as it goes, the recorder keeps all.
TEST(Recording, ItsStretchesAddUpToTheStallTimesOfEveryInstruction) {
  check_property(500, [] {
    const Program program = program_of(*random_model::models_of_any_kind(kShape));
    RC_PRE(comes_to_an_end(program));
    const Stalls stalls = observe(program, {.stalls = true}).stalls.value();
    Ticks drain, charged_drain;
    const auto times = stall_times(program, record(program, {}), drain);
    for (std::size_t i = 0; i < times.size(); ++i)
      for (std::size_t j = 0; j < times[i].size(); ++j) {
        StallTimes charged = stalls.steps[i][j].times;
        Ticks& draining = charged[static_cast<std::size_t>(Stall::Drain)];
        charged_drain.count += draining.count;
        draining = {};
        RC_ASSERT(times[i][j] == charged);
      }
    RC_ASSERT(drain == charged_drain);
  });
}

/// The time of a wait, and the level's service of the awaited execution.
Ticks waited_for(const Program& program, const Recording& recording, const Execution& execution,
                 std::uint32_t& service) {
  for (const StallInterval& stretch : waits_of(execution)) {
    if (stretch.stall != Stall::Result) continue;
    const Step& step = stream_of(program, execution).steps[execution.step];
    const std::size_t operand = recording.operands[execution.first_operand + execution.last_wait - step.waits.begin];
    service = recording.executions[operand].service;
    return Ticks{stretch.to.count - stretch.from.count};
  }
  return {};
}

// The recorder keeps the awaited execution, the accountant is told its service.
TEST(Recording, AWaitIsChargedToTheLevelThatServedTheExecution) {
  check_property(500, [] {
    const Program program =
        program_of(*random_model::models({.most_trips = 3, .most_groups = 8, .most_issues = 300, .levels = true}));
    const Recording recording = record(program, {});
    std::map<std::tuple<const Step*, std::uint32_t, std::uint32_t>, std::int64_t> waits;
    for (const Execution& execution : recording.executions) {
      std::uint32_t service = kNoService;
      const Ticks time = waited_for(program, recording, execution, service);
      const Step* step = &stream_of(program, execution).steps[execution.step];
      if (service != kNoService) waits[{step, execution.last_wait, service}] += time.count;
    }
    const Stalls stalls = observe(program, {.stalls = true}).stalls.value();
    for (std::size_t i = 0; i < stalls.steps.size(); ++i)
      for (std::size_t j = 0; j < stalls.steps[i].size(); ++j) {
        const InstructionStream& stream = program.streams[i];
        const Step& step = stream.steps[j];
        for (std::uint32_t k = 0; k < step.waits.end - step.waits.begin; ++k) {
          const Step& producer = stream.steps[stream.producers[step.waits.begin + k]];
          for (std::uint32_t s = 0; s < services_of(stream, producer).size(); ++s) {
            const std::uint32_t service = stream.rotations[producer.stages.begin].services.begin + s;
            RC_ASSERT(stalls.steps[i][j].services[k][s].count == (waits[{&step, step.waits.begin + k, service}]));
          }
        }
      }
  });
}

TEST(Recording, HasTheTimesOfEachStageThatAnExecutionGoesThrough) {
  check_property(300, [] {
    const Program program = program_of(*random_model::models_with_any_memory(kShape));
    const Recording recording = record(program, {});
    std::size_t stages_before = 0;
    std::vector<std::int64_t> busy(program.machine.pipelines.size(), 0);
    for (const Execution& execution : recording.executions) {
      const InstructionStream& stream = stream_of(program, execution);
      const Range stages = stages_of(stream, execution);
      RC_ASSERT(execution.first_stage_times == stages_before);
      for (std::uint32_t i = stages.begin; i < stages.end; ++i) {
        const StageTimes& times = recording.stage_times[stages_before++];
        RC_ASSERT(times.arrival.count >= execution.issue.count + stream.stages[i].after.count);
        RC_ASSERT(times.start >= times.arrival);
        const Ticks taken{times.free.count - times.start.count};
        const Stage& stage = stream.stages[i];
        RC_ASSERT(taken == stage.issue || (program.machine.pipelines[stage.pipeline].latency && taken == stage.mixed));
        busy[stage.pipeline] += stage.issue.count;
      }
      const Step& step = stream.steps[execution.step];
      busy[step.pipeline] += step.issue.count;
    }
    RC_ASSERT(stages_before == recording.stage_times.size());
    for (std::size_t i = 0; i < busy.size(); ++i) RC_ASSERT(warpipe::busy(program, i).count == busy[i]);
  });
}

// The last operand to come (with its edge's adjustment) comes when the operands are ready.
TEST(Recording, AnOperandIsTheExecutionWhoseResultIsWaitedFor) {
  check_property(300, [] {
    const Program program = program_of(*random_model::models_with_any_memory(kShape));
    const Recording recording = record(program, {});
    for (const Execution& execution : recording.executions) {
      const InstructionStream& stream = stream_of(program, execution);
      const Step& step = stream.steps[execution.step];
      Ticks latest = execution.earliest;
      for (std::uint32_t i = step.waits.begin; i < step.waits.end; ++i) {
        const std::size_t operand = recording.operands[execution.first_operand + i - step.waits.begin];
        if (operand == kNotRecorded) continue;
        const Execution& producer = recording.executions[operand];
        RC_ASSERT(producer.warp_slot == execution.warp_slot && producer.group == execution.group);
        RC_ASSERT(producer.step == stream.producers[i]);
        latest = std::max(latest, Ticks{producer.completion.count + stream.waits[i].adjust.count});
      }
      RC_ASSERT(latest == execution.ready);
    }
  });
}

bool lies_in(const Execution& execution, const Program& program, const Window& window) {
  const auto warp = static_cast<std::int64_t>(warp_slot_of(program, execution.warp_slot).warp);
  return execution.since < window.to && execution.end >= window.from && execution.group >= window.first_group &&
         execution.group <= window.last_group && warp >= window.first_warp && warp <= window.last_warp;
}

TEST(Recording, OfAWindowHasWhatLiesInItAndNothingElse) {
  check_property(500, [] {
    const Program program = program_of(*random_model::models_with_any_memory(kShape));
    Window window;
    window.from.count = *rc::gen::inRange<std::int64_t>(0, 60'000);
    window.to.count = window.from.count + *rc::gen::inRange<std::int64_t>(1, 40'000);
    window.first_group = *rc::gen::inRange(0, 2);
    window.last_group = window.first_group + *rc::gen::inRange(0, 4);
    window.first_warp = *rc::gen::inRange(0, 2);
    window.last_warp = window.first_warp + *rc::gen::inRange(0, 2);
    Recording expected = record(program, {});
    std::erase_if(expected.executions,
                  [&](const Execution& execution) { return !lies_in(execution, program, window); });
    Recording recorded = record(program, window);
    // An execution that holds its pipeline beyond its end is still in the window.
    std::erase_if(recorded.executions, [&](const Execution& execution) { return execution.end < window.from; });
    RC_ASSERT(issues_of(program, recorded) == issues_of(program, expected));
  });
}

// The second of three instructions of 10 cycles each: [10, 20); at 10 the first still completes, at 20 the third
// begins.
TEST(Recording, AWindowIsHalfOpenAndTakesWhatTouchesItsStart) {
  const auto program = program_of(kernel_with(R"({"loop": "l", "trip_count": 3, "body": [
                                      {"id": "i", "op": "x", "after": ["i"]}]})"),
                                  device_with({{"x", "a", 1, 10}}));
  const auto issues = [&](Ticks from, Ticks to) {
    Window window;
    window.from = from;
    window.to = to;
    std::vector<std::int64_t> times;
    for (const Execution& execution : record(program, window).executions) times.push_back(execution.issue.count);
    return times;
  };
  EXPECT_THAT(issues(cycles(11), cycles(20)), ElementsAre(10'000, 20'000));  // the warp comes to the third at 10
  EXPECT_THAT(issues(Ticks{10'001}, Ticks{10'002}), ElementsAre(10'000, 20'000));
  EXPECT_THAT(issues(cycles(10), cycles(11)), ElementsAre(0, 10'000, 20'000));
  EXPECT_THAT(issues(cycles(0), cycles(0)), ElementsAre());
}

// Three instructions of 10^9 trips, in a chain: the run would take minutes.
TEST(Recording, EndsTheRunWhereTheWindowEnds) {
  const auto program = program_of(kernel_with(R"({"loop": "l", "trip_count": 1000000000, "body": [
                                      {"id": "i", "op": "x", "after": ["i"]}]})"),
                                  device_with({{"x", "a", 1, 10}}));
  Window window;
  window.to = cycles(100);
  EXPECT_EQ(record(program, window).executions.size(), 11U);  // issued at 0, 10, ..., 90; another waits at 90
  EXPECT_FALSE(record(program, window).is_cut);
  window.to = Window{}.to;
  window.most_executions = 5;
  const Recording cut = record(program, window);
  EXPECT_TRUE(cut.is_cut);
  EXPECT_EQ(cut.window.to, cycles(40));  // the fifth issues
  EXPECT_EQ(cut.executions.size(), 5U);
}

// A slot, two groups of 7 cycles; the launch latency is 20.
TEST(Recording, HasTheGroupsThatResideInTheWindow) {
  const auto program = program_of(kernel_with(R"({"id": "i", "op": "x"})", {.groups = 3, .concurrent_groups = 1}),
                                  device_with({{"x", "a", 1, 7}}, R"({"group_launch_latency": 20})"));
  Window window;
  window.from = cycles(10);
  window.to = cycles(28);
  const auto groups = record(program, window).groups;
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].group, 1);
  EXPECT_EQ(groups[0].placed, cycles(27));
  EXPECT_EQ(groups[0].ended, cycles(34));
}

}  // namespace
}  // namespace warpipe
