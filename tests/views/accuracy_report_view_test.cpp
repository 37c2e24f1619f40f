#include "warpipe/views/accuracy_report_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;

Comparison row_of_report(std::size_t line, double measured, double predicted, double bound_only) {
  Comparison comparison;
  comparison.measurement.line = line;
  comparison.measurement.kernel = "sgemm";
  comparison.measurement.device = "example";
  comparison.measurement.quantity = Quantity::TimeUs;
  comparison.measurement.value = measured;
  comparison.predicted = predicted;
  comparison.bound_only = bound_only;
  return comparison;
}

AccuracyReport example_report() {
  AccuracyReport report;
  report.accuracy.rows = {row_of_report(2, 100, 110, 80), row_of_report(3, 200, 190, 150)};
  report.accuracy.predicted = {{"sgemm", "example", 2, 0, 7.5, 7.5, 2.5, 10, 2}};
  report.accuracy.bound_only = {{"sgemm", "example", 2, 0, 22.5, 2.5, -22.5, -25, 3}};
  report.trends = {{"sgemm", "example", 2, Line{1.25, Seconds{-37.5e-6}}, 1.0, 0.0}};
  report.worst = {{0, 10, Suggestion{"ffma.issue", 2, 1.8, -0.5}}, {1, -5, {}}};
  return report;
}

TEST(AccuracyReportView, TextReadsAsInTheGoldenFile) {
  expect_golden("accuracy_report.txt", write_text(example_report()));
}

TEST(AccuracyReportView, JsonReadsAsInTheGoldenFile) {
  expect_golden("accuracy_report.json", write_json(example_report()));
}

TEST(AccuracyReportView, SaysThatNoNumberAloneMendsARow) {
  EXPECT_THAT(write_text(example_report()), HasSubstr("line 3: sgemm on example -5.0 %, no number alone mends it"));
}

}  // namespace
}  // namespace warpipe::test
