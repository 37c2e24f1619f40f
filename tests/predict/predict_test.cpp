#include "warpipe/predict/predict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_models.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

/// The worked example of the rules.
Kernel example(const TestLaunch& launch = {}) {
  return kernel_with(R"({"id": "index", "op": "imad"},
      {"id": "load_x", "op": "load", "after": ["index"]}, {"id": "load_y", "op": "load", "after": ["index"]},
      {"id": "fma", "op": "ffma", "after": ["load_x", "load_y"]}, {"id": "store", "op": "store", "after": ["fma"]})",
                     launch);
}

constexpr auto kMeasured = R"({"source": {"kind": "measured", "reference": "r"}})";
constexpr auto kEstimated = R"({"source": {"kind": "estimated", "reference": "r"}})";

/// index on a, the multiply-add on b, loads and stores on c.
Device example_device(std::string_view patch = "{}") {
  return device_with({{"imad", "a", 1, 6, kMeasured},
                      {"load", "c", 8, 400, kMeasured},
                      {"ffma", "b", 1, 18, kEstimated},
                      {"store", "c", 8, 400, R"({"retires_at": "issue"})"}},
                     patch);
}

TEST(Predict, GivesTheWorkedExampleItsCycles) {
  const Prediction prediction = predict(example(), example_device(), {});
  EXPECT_EQ(format_cycles(prediction.cycles), "440");  // 6 + 8 + 400 + 18 + 8
  EXPECT_EQ(prediction.instructions_issued, 5);
}

TEST(Predict, TurnsCyclesIntoSecondsByTheClockAndAddsTheLaunchOverhead) {
  const Prediction prediction =
      predict(example(), example_device(R"({"clock_hz": 2e9, "launch_overhead_s": 4e-6})"), {});
  EXPECT_DOUBLE_EQ(prediction.time.count, 220e-9);
  EXPECT_DOUBLE_EQ(prediction.total_time.count, 4.22e-6);
}

TEST(Predict, LetsTheClockChangeTheSecondsAlone) {
  LaunchOptions faster;
  faster.clock = Hertz{4e9};
  const Prediction prediction = predict(example(), example_device(), faster);
  EXPECT_EQ(format_cycles(prediction.cycles), "440");
  EXPECT_EQ(prediction.clock, Hertz{4e9});
  EXPECT_DOUBLE_EQ(prediction.time.count, 110e-9);
}

TEST(Predict, SaysHowPipelinesWereUsed) {
  const Prediction prediction = predict(example(), example_device(), {});
  ASSERT_THAT(prediction.pipelines, SizeIs(3));  // not control
  EXPECT_EQ(prediction.pipelines[0].name, "a");
  const PipelineUse& memory = prediction.pipelines[2];
  EXPECT_EQ(memory.name, "c");
  EXPECT_EQ(memory.instances, 1);
  EXPECT_EQ(memory.busy, Ticks{24'000});  // two loads and a store
  EXPECT_DOUBLE_EQ(memory.utilization, 24.0 / 440);
}

// Two units with a group each, twice the work on twice the instances.
TEST(Predict, SumsTheUseOfAllInstances) {
  const Device device = example_device(R"({"compute_units": 2, "issue": {"schedulers": 3, "interval": 0},
                                           "pipelines": {"a": {"scope": "scheduler"}}})");
  const Prediction all = predict(example({.groups = 2}), device, all_units());
  EXPECT_EQ(all.instructions_issued, 10);
  EXPECT_EQ(all.pipelines[0].instances, 6);
  EXPECT_EQ(all.pipelines[0].busy, Ticks{2000});
  EXPECT_DOUBLE_EQ(all.pipelines[0].utilization, 2.0 / (6 * 440));
  EXPECT_EQ(all.pipelines[2].instances, 2);
  EXPECT_DOUBLE_EQ(all.pipelines[2].utilization, 48.0 / (2 * 440));
  const Prediction one = predict(example({.groups = 2}), device, {});
  EXPECT_EQ(one.instructions_issued, 5);
  EXPECT_EQ(one.pipelines[0].instances, 3);
  EXPECT_DOUBLE_EQ(one.pipelines[2].utilization, 24.0 / 440);
}

TEST(Predict, CountsTheSourcesOfTheOpsThatRun) {
  const LatencySources sources = predict(example(), example_device(), {}).sources;
  EXPECT_EQ(sources.ops, 4);  // two loads share an op
  EXPECT_THAT(sources.by_kind, ElementsAre(Pair(SourceKind::Measured, 2), Pair(SourceKind::Estimated, 1)));
  EXPECT_EQ(sources.without_source, 1);
  EXPECT_THAT(sources.not_measured, ElementsAre("ffma", "store"));
}

TEST(Predict, CountsNoSourceOfAnOpThatDoesNotRun) {
  const Kernel kernel = kernel_with(R"({"id": "i", "op": "imad"}, {"when": "0", "body": [{"id": "j", "op": "ffma"}]},
      {"when": "warp == 1", "body": [{"id": "k", "op": "load"}]})",
                                    {.warps = 2});
  const LatencySources sources = predict(kernel, example_device(), {}).sources;
  EXPECT_EQ(sources.ops, 2);
  EXPECT_THAT(sources.not_measured, IsEmpty());
}

TEST(Predict, NamesTheHighestBound) {
  const Prediction prediction = predict(example(), example_device(), {});
  EXPECT_EQ(limiter_name(prediction), "latency");  // all 440 of a single warp
  EXPECT_DOUBLE_EQ(ratio_to_bound(prediction), 1);
  // 100 groups at a time, each 24 on c: 2400. The latency is still 440.
  const Prediction crowded = predict(example({.groups = 100, .concurrent_groups = 100}), example_device(), {});
  EXPECT_EQ(limiter_name(crowded), "pipeline c");
  EXPECT_DOUBLE_EQ(ratio_to_bound(crowded), to_cycles(crowded.cycles).count / 2400);
}

// x takes 10 on a, and the latency is 10 as well: pipelines come first.
TEST(Predict, NamesTheFirstOfEqualBounds) {
  const Prediction prediction =
      predict(kernel_with(R"({"id": "i", "op": "x"})"), device_with({{"x", "b", 10, 10}}), {});
  EXPECT_EQ(limiter_name(prediction), "pipeline b");
}

TEST(Predict, OfNothingTakesNoTime) {
  const Kernel kernel = kernel_with(R"({"when": "0", "body": [{"id": "i", "op": "imad"}]})", {.groups = 3});
  const Prediction prediction = predict(kernel, example_device(), {});
  EXPECT_EQ(prediction.cycles, Ticks{0});
  EXPECT_EQ(prediction.instructions_issued, 0);
  EXPECT_THAT(prediction.pipelines, IsEmpty());
  EXPECT_EQ(prediction.sources.ops, 0);
  EXPECT_DOUBLE_EQ(ratio_to_bound(prediction), 1);
}

// Something runs, but in no time: nothing is divided by its 0 cycles.
TEST(Predict, OfWhatTakesNoTimeUsesNothing) {
  const Prediction prediction = predict(kernel_with(R"({"id": "i", "op": "x"})"), device_with({{"x", "a", 4, 0}}), {});
  EXPECT_EQ(prediction.cycles, Ticks{0});
  ASSERT_THAT(prediction.pipelines, SizeIs(1));
  EXPECT_EQ(prediction.pipelines[0].utilization, 0);
  EXPECT_DOUBLE_EQ(ratio_to_bound(prediction), 1);
}

/// x with a Lambda of its own; lambda is the table's.
Kernel with_override() { return kernel_with(R"({"id": "slow", "op": "imad", "completion_latency": 50})"); }

std::vector<std::string> warnings_of(const LaunchOptions& options) {
  return predict(with_override(), example_device(), options).warnings;
}

TEST(Predict, WarnsWhereAnOverrideBeatsAnOption) {
  LaunchOptions set, varied, scaled;
  set.set = {{"imad.completion", 7}};
  varied.final_set = set.set;
  scaled.scale = {{"imad", 2}};
  for (const LaunchOptions& options : {set, varied, scaled}) {
    EXPECT_EQ(format_cycles(predict(with_override(), example_device(), options).cycles), "50");
    EXPECT_THAT(warnings_of(options),
                ElementsAre(AllOf(HasSubstr("\"slow\""), HasSubstr("completion latency of 50"), HasSubstr("imad"))));
  }
}

TEST(Predict, WarnsOfNoOverrideThatNoOptionMeets) {
  LaunchOptions other_field, other_op;
  other_field.set = {{"imad.issue", 7}};
  other_op.set = {{"ffma.completion", 7}};
  other_op.scale = {{"load", 2}};
  EXPECT_THAT(warnings_of({}), IsEmpty());
  EXPECT_THAT(warnings_of(other_field), IsEmpty());
  EXPECT_THAT(warnings_of(other_op), IsEmpty());
}

TEST(Predict, SaysWhatWasSimulated) {
  LaunchOptions options = all_units();
  options.policy = Policy::RoundRobin;
  const Prediction prediction =
      predict(example(), example_device(R"({"compute_units": 7, "title": "T", "issue": {"schedulers": 2}})"), options);
  EXPECT_EQ(prediction.kernel, "test");
  EXPECT_EQ(prediction.device, "test");
  EXPECT_EQ(prediction.device_title, "T");
  EXPECT_EQ(prediction.policy, Policy::RoundRobin);
  EXPECT_EQ(prediction.units, Units::All);
  EXPECT_EQ(prediction.compute_units, 7);
  EXPECT_EQ(prediction.schedulers, 2);
}

TEST(Predict, ListsAllOpsThatTheDeviceLacks) {
  const Kernel kernel =
      kernel_with(R"({"id": "i", "op": "ffmb"}, {"id": "j", "op": "imad"}, {"id": "k", "op": "stores"})");
  EXPECT_THAT(message_of<ModelError>([&] { predict(kernel, example_device(), {}); }),
              AllOf(HasSubstr("did you mean \"ffma\"?"), HasSubstr("did you mean \"store\"?")));
}

TEST(Predict, RefusesRunsOfYearsAtOnce) {
  const auto refusal = [](std::string_view items, const TestLaunch& launch = {}) {
    return message_of<ModelError>([&] { predict(kernel_with(items, launch), example_device(), {}); });
  };
  constexpr auto kTooLong = "at most 1e+12 instructions";
  EXPECT_THAT(refusal(R"({"loop": "l", "trip_count": 1125899906842624, "body": [{"id": "i", "op": "imad"}]})"),
              HasSubstr(kTooLong));  // 2^50
  EXPECT_THAT(refusal(R"({"loop": "l", "trip_count": 1048576, "body": [{"loop": "m", "trip_count": 1048576, "body": [
                  {"id": "i", "op": "imad"}]}]})"),
              HasSubstr(kTooLong));  // 2^40
  EXPECT_THAT(
      refusal(R"({"loop": "l", "trip_count": 1000000, "body": [{"id": "i", "op": "imad"}]})", {.groups = 1'000'001}),
      HasSubstr(kTooLong));
  // Groups take time to place, also without instructions.
  LaunchOptions many;
  many.groups = std::int64_t{1} << 50;
  const Kernel nothing = kernel_with(R"({"when": "0", "body": [{"id": "i", "op": "imad"}]})");
  EXPECT_THAT(message_of<ModelError>([&] { predict(nothing, example_device(), many); }), HasSubstr(kTooLong));
}

TEST(Predict, GivesTheSameForTheSame) {
  const Prediction first = predict(example({.warps = 3, .groups = 7, .concurrent_groups = 2}), example_device(), {});
  const Prediction second = predict(example({.warps = 3, .groups = 7, .concurrent_groups = 2}), example_device(), {});
  EXPECT_EQ(first.cycles, second.cycles);
  EXPECT_EQ(first.instructions_issued, second.instructions_issued);
  EXPECT_EQ(first.limiter, second.limiter);
  ASSERT_EQ(first.bounds.size(), second.bounds.size());
  for (std::size_t i = 0; i < first.bounds.size(); ++i) EXPECT_EQ(first.bounds[i].cycles, second.bounds[i].cycles);
  ASSERT_EQ(first.pipelines.size(), second.pipelines.size());
  for (std::size_t i = 0; i < first.pipelines.size(); ++i)
    EXPECT_EQ(first.pipelines[i].utilization, second.pipelines[i].utilization);
}

// Options change copies: the next prediction is none the wiser.
TEST(Predict, LeavesKernelAndDeviceAsTheyWere) {
  const Kernel kernel = example();
  const Device device = example_device();
  LaunchOptions options;
  options.set = {{"load.completion", 10}};
  EXPECT_EQ(format_cycles(predict(kernel, device, options).cycles), "50");  // 6 + 8 + 10 + 18 + 8
  EXPECT_EQ(format_cycles(predict(kernel, device, {}).cycles), "440");
}

}  // namespace
}  // namespace warpipe
