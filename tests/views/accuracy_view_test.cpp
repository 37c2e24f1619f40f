#include "warpipe/views/accuracy_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;

Comparison row_of_accuracy(std::size_t line, double measured, std::optional<double> predicted,
                           std::optional<double> bound_only) {
  Comparison comparison;
  comparison.measurement.line = line;
  comparison.measurement.kernel = "sgemm";
  comparison.measurement.device = "example";
  comparison.measurement.options.group_size = 256;
  comparison.measurement.quantity = Quantity::TimeUs;
  comparison.measurement.value = measured;
  comparison.measurement.source = "bench, first run";
  comparison.predicted = predicted;
  comparison.bound_only = bound_only;
  if (!predicted) comparison.error = "group does not fit";
  return comparison;
}

Accuracy example_accuracy() {
  Accuracy accuracy;
  accuracy.rows = {row_of_accuracy(2, 100, 110, 80), row_of_accuracy(3, 200, 190, 150),
                   row_of_accuracy(4, 50, std::nullopt, std::nullopt)};
  // Errors +10 % and -5 %: mean |error| 7.5, bias 2.5, deviation 7.5; bounds alone -20 % and -25 %.
  accuracy.predicted = {{"sgemm", "example", 3, 1, 7.5, 7.5, 2.5, 10, 2}};
  accuracy.bound_only = {{"sgemm", "example", 3, 1, 22.5, 2.5, -22.5, -25, 3}};
  return accuracy;
}

TEST(AccuracyView, TextReadsAsInTheGoldenFile) { expect_golden("accuracy.txt", write_text(example_accuracy())); }
TEST(AccuracyView, JsonReadsAsInTheGoldenFile) { expect_golden("accuracy.json", write_json(example_accuracy())); }
TEST(AccuracyView, CsvReadsAsInTheGoldenFile) { expect_golden("accuracy.csv", write_csv(example_accuracy())); }

TEST(AccuracyView, TellsWhyARowHasNoPrediction) {
  EXPECT_THAT(write_text(example_accuracy()), HasSubstr("line 4: sgemm on example: group does not fit"));
}

TEST(AccuracyView, GroupWithoutAnyPredictionHasNoErrors) {
  Accuracy accuracy;
  accuracy.rows = {row_of_accuracy(2, 50, std::nullopt, std::nullopt)};
  accuracy.predicted = {{"sgemm", "example", 1, 1, 0, 0, 0, 0, 0}};
  accuracy.bound_only = accuracy.predicted;
  EXPECT_THAT(write_json(accuracy), HasSubstr("\"mean_absolute_error_percent\": null"));
}

}  // namespace
}  // namespace warpipe::test
