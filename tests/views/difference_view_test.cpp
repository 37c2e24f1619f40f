#include "warpipe/views/difference_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

StallTimes times(Stall one, std::int64_t cycles, Stall other, std::int64_t other_cycles) {
  StallTimes all{};
  all[static_cast<std::size_t>(one)] = Ticks{1000 * cycles};
  all[static_cast<std::size_t>(other)] = Ticks{1000 * other_cycles};
  return all;
}

InstructionTimes instruction(const std::string& id, const std::string& op, std::int64_t issue, std::int64_t completion,
                             const StallTimes& times = {}) {
  InstructionTimes instruction;
  instruction.id = id;
  instruction.op = op;
  instruction.issue = Ticks{1000 * issue};
  instruction.completion = Ticks{1000 * completion};
  instruction.executions = 64;
  instruction.times = times;
  return instruction;
}

PipelineUse use(const std::string& name, double utilization) {
  PipelineUse use;
  use.name = name;
  use.utilization = utilization;
  return use;
}

void set_parameter(Launch& launch, const std::string& name, double value) {
  launch.values[name] = value;
  launch.parameter_origins[name] = Origin::Kernel;
}

/// 2000 cycles at 1 GHz: 1600 for the pipeline, 400 for a result.
Outcome naive() {
  Outcome run;
  Prediction& prediction = run.prediction;
  prediction.kernel = "naive";
  prediction.device = "tiny";
  prediction.cycles = Ticks{2'000'000};
  prediction.time = Seconds{2e-6};
  prediction.clock = Hertz{1e9};
  prediction.limiter = 0;
  set_parameter(prediction.launch, "n", 64);
  prediction.launch.group_size.value = 256;
  prediction.launch.groups.value = 8;
  prediction.launch.concurrent_groups.value = 4;
  prediction.launch.groups_per_unit = 4;
  prediction.launch.resident_warps = 32;
  prediction.instructions_issued = 192;
  prediction.bounds = {{"pipeline memory", Ticks{1'900'000}}, {"latency", Ticks{440'000}}};
  prediction.pipelines = {use("memory", 0.95), use("fp", 0.1)};
  Explanation& explanation = run.explanation;
  explanation.total = Ticks{2'000'000};
  explanation.times = times(Stall::Pipeline, 1600, Stall::Result, 400);
  explanation.units = {explanation.times};
  explanation.instructions = {
      instruction("load", "global.load", 8, 400, times(Stall::Pipeline, 1600, Stall::Result, 0)),
      instruction("fma", "ffma", 1, 18, times(Stall::Pipeline, 0, Stall::Result, 400)),
      instruction("gone", "iadd", 1, 6)};
  explanation.instructions[1].waits_for = {{"load", Ticks{400'000}}};
  return run;
}

/// 1500 cycles: two warps, 600 for the pipeline, 880 for the result, 20 for the new instruction, on the mean.
Outcome padded() {
  Outcome run = naive();
  Prediction& prediction = run.prediction;
  prediction.kernel = "padded";
  prediction.cycles = Ticks{1'500'000};
  prediction.time = Seconds{1.5e-6};
  prediction.limiter = 1;
  set_parameter(prediction.launch, "pad", 1);
  prediction.launch.resident_warps = 64;
  prediction.bounds = {{"pipeline memory", Ticks{950'000}}, {"latency", Ticks{440'000}}, {"schedulers", Ticks{64'000}}};
  prediction.pipelines[0].utilization = 0.633;
  Explanation& explanation = run.explanation;
  explanation.total = Ticks{3'000'000};
  explanation.times = times(Stall::Pipeline, 1240, Stall::Result, 1760);
  explanation.instructions[0].issue = Ticks{4'000};
  explanation.instructions[0].times = times(Stall::Pipeline, 1200, Stall::Result, 0);
  explanation.instructions[1].times = times(Stall::Pipeline, 0, Stall::Result, 1760);
  explanation.instructions[1].waits_for = {{"load", Ticks{1'760'000}}};
  explanation.instructions[2] = instruction("pad", "imad", 1, 6, times(Stall::Pipeline, 40, Stall::Result, 0));
  return run;
}

Difference example() { return difference(naive(), padded()); }

TEST(DifferenceView, TextReadsAsInTheGoldenFile) { expect_golden("difference.txt", write_text(example())); }
TEST(DifferenceView, JsonReadsAsInTheGoldenFile) { expect_golden("difference.json", write_json(example())); }

/// The run, with its time in a range.
Outcome with_range(Outcome run, double low, double high) {
  run.prediction.range = TimeRange{{1e9 * low, 1e9 * high}, {low, high}, {low, high}};
  return run;
}

TEST(DifferenceView, ShowsWhereEachTimeLies) {
  const auto both = difference(with_range(naive(), 1.9e-6, 2.1e-6), with_range(padded(), 1.4e-6, 1.6e-6));
  EXPECT_THAT(write_text(both), HasSubstr("naive on tiny: 2 us, 1.9 to 2.1 us in 9 of 10 cases, 2000 cycles"));
  EXPECT_THAT(write_text(both), HasSubstr("padded on tiny: 1.5 us, 1.4 to 1.6 us in 9 of 10 cases, 1500 cycles"));
  EXPECT_THAT(write_json(both), HasSubstr("\"range\": {"));
  EXPECT_THAT(write_text(example()), Not(HasSubstr("in 9 of 10 cases")));
  EXPECT_THAT(write_json(example()), Not(HasSubstr("range")));
}

TEST(DifferenceView, SaysHowSureTheChangeIs) {
  constexpr const char* kAlike = "is off for A and B alike: the change is surer than the times.\n";
  constexpr const char* kEither = "the ranges overlap: either may be shorter.\n";
  const auto a = with_range(naive(), 1.5e-6, 2.5e-6);
  auto b = with_range(padded(), 1.4e-6, 1.6e-6);
  EXPECT_THAT(write_text(difference(a, b)), HasSubstr("The limits differ, so that each time may be off on its own; "));
  EXPECT_THAT(write_text(difference(a, b)), HasSubstr(kEither));
  EXPECT_THAT(write_text(difference(with_range(naive(), 1.7e-6, 2.5e-6), b)), Not(HasSubstr(kEither)));

  b.prediction.limiter = a.prediction.limiter;
  EXPECT_THAT(write_text(difference(a, b)), HasSubstr(kAlike));
  b.prediction.device = "huge";
  EXPECT_THAT(write_text(difference(a, b)), HasSubstr("The devices differ, so that each time may be off on its own; "));
  b.prediction.range.reset();
  EXPECT_THAT(write_text(difference(a, b)), Not(HasSubstr("either may be")));
  EXPECT_THAT(write_text(difference(a, a)), Not(HasSubstr("alike"))) << "there is no change";
}

TEST(DifferenceView, LeavesOutWhatIsTheSame) {
  const std::string text = write_text(difference(naive(), naive()));
  EXPECT_THAT(text, HasSubstr("B takes as long as A.\n"));
  for (const char* table : {"Stalls", "Accounts for it", "Instructions", "Bounds", "Pipelines", "Launch"})
    EXPECT_THAT(text, Not(HasSubstr(table)));
}

TEST(DifferenceView, SaysWhatWasSavedWithoutStalls) {
  auto a = naive();
  a.explanation.units.clear();
  EXPECT_THAT(write_text(difference(a, padded())), HasSubstr("A was saved without stalls"));
  EXPECT_THAT(write_text(difference(a, a)), HasSubstr("Both were saved without stalls"));
  EXPECT_THAT(write_text(example()), Not(HasSubstr("saved without")));
}

TEST(DifferenceView, ARunOfNoTimeHasNoShares) {
  Outcome none;
  const std::string text = write_text(difference(none, padded()));
  EXPECT_THAT(text, HasSubstr("B takes 1.5 us more.\n"));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace warpipe::test
