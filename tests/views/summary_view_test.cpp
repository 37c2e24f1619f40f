#include "warpipe/views/summary_view.hpp"

#include <gmock/gmock.h>

#include "example_prediction.hpp"
#include "golden.hpp"
#include "warpipe/explain/result_json.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SummaryView, TextReadsAsInTheGoldenFile) {
  expect_golden("summary.txt", write_text(example_prediction(), SummaryPart::All));
}

TEST(SummaryView, JsonReadsAsInTheGoldenFile) { expect_golden("result.json", write_result_json(example_prediction())); }

TEST(SummaryView, GivesTheTimeBeforeAnythingElse) {
  const auto text = write_text(example_prediction());
  EXPECT_LT(text.find("0.3763 us"), text.find("limited by"));
}

TEST(SummaryView, JsonKeepsEveryDigitOfCyclesThatNoDoubleHolds) {
  auto prediction = example_prediction();
  // 2^53 + 1 milli-cycles: the nearest doubles are 1 below and 1 above.
  prediction.cycles = Ticks{9007199254740993};
  EXPECT_THAT(write_result_json(prediction), HasSubstr("\"cycles\": 9007199254740.993,"));
}

TEST(SummaryView, JsonLeavesOutTheOccupancyThatADeviceDoesNotDefine) {
  auto prediction = example_prediction();
  EXPECT_THAT(write_result_json(prediction), HasSubstr("\"occupancy\": 0.5,"));
  prediction.launch.occupancy.reset();
  EXPECT_THAT(write_result_json(prediction), Not(HasSubstr("\"occupancy\": ")));
}

TEST(SummaryView, BoundOfZeroCyclesHasNoRatio) {
  EXPECT_THAT(write_text(example_prediction(), SummaryPart::Bounds), Not(HasSubstr("inf")));
}

TEST(SummaryView, RatioIsSimulatedOverBound) {
  // 376.299 / 350 = 1.07514; 376.299 / 32 = 11.7593.
  const auto text = write_text(example_prediction(), SummaryPart::Bounds);
  EXPECT_THAT(text, HasSubstr("1.075"));
  EXPECT_THAT(text, HasSubstr("11.759"));
}

TEST(SummaryView, RatesComeFromTheWorkAndTheTime) {
  // 20480 flop / 376.299 ns = 54.42 GFLOP/s; 122880 bytes / 376.299 ns = 326.5 GB/s.
  EXPECT_THAT(write_text(example_prediction()), HasSubstr("54.42 GFLOP/s, 326.5 GB/s"));
}

TEST(SummaryView, TellsWhatEveryLoadThatMissesCosts) {
  auto prediction = example_prediction();
  EXPECT_THAT(write_text(prediction), Not(HasSubstr("caches")));
  prediction.every_load_misses = true;
  EXPECT_THAT(write_text(prediction), HasSubstr("none: every global load goes to DRAM, 122.9 kB in all\n"));
  prediction.launch.compulsory_bytes = 999;
  EXPECT_THAT(write_text(prediction), HasSubstr("122.9 kB in all, 999 B compulsory\n"));
  EXPECT_THAT(write_result_json(prediction), HasSubstr("\"compulsory_bytes\": 999"));
}

TEST(SummaryView, JsonHasTheWarnings) {
  auto prediction = example_prediction();
  EXPECT_THAT(write_result_json(prediction), HasSubstr("\"warnings\": []"));
  prediction.warnings = {"a \"quoted\" one"};
  EXPECT_THAT(write_result_json(prediction), HasSubstr("\"a \\\"quoted\\\" one\""));
}

TEST(SummaryView, SaysThatLimitsAreIgnored) {
  auto prediction = example_prediction();
  EXPECT_THAT(write_text(prediction), Not(HasSubstr("limits are ignored")));
  prediction.launch.limits_ignored = true;
  EXPECT_THAT(write_text(prediction), HasSubstr("limits are ignored"));
}

TEST(SummaryView, NamesTheOpsThatWereNotMeasured) {
  EXPECT_THAT(write_text(example_prediction()), HasSubstr("1 of 3 ops not measured: global.load\n"));
}

TEST(SummaryView, TextEndsNoLineWithABlank) {
  EXPECT_THAT(write_text(example_prediction(), SummaryPart::All), Not(HasSubstr(" \n")));
}

}  // namespace
}  // namespace warpipe::test
