#include "warpipe/views/calibration_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Rows of 100 us, with the given predictions, a bound of 90 us each.
Accuracy accuracy_of(std::size_t first_line, const std::vector<double>& predicted) {
  Accuracy accuracy;
  for (const double each : predicted) {
    Comparison& row = accuracy.rows.emplace_back();
    row.measurement.line = first_line + 2 * (accuracy.rows.size() - 1);
    row.measurement.kernel = "chains";
    row.measurement.device = "example";
    row.measurement.quantity = Quantity::TimeUs;
    row.measurement.value = 100;
    row.predicted = each;
    row.bound_only = 90;
  }
  accuracy.predicted = summarize(accuracy.rows, &Comparison::predicted);
  accuracy.bound_only = summarize(accuracy.rows, &Comparison::bound_only);
  return accuracy;
}

Calibration example_calibration() {
  Calibration calibration;
  calibration.device.name = "example";
  calibration.values = {{"ffma.issue", 2, 4.012, {3.981, 4.043}}, {"ffma.completion", 10, 18.2, {17.1, 19.37}}};
  calibration.simulations = 250;
  calibration.fitted = {accuracy_of(2, {80, 120, 90}), accuracy_of(2, {101, 99, 102})};
  calibration.held_out = {accuracy_of(3, {70, 130}), accuracy_of(3, {107, 98})};
  return calibration;
}

TEST(CalibrationView, TextReadsAsInTheGoldenFile) {
  expect_golden("calibration.txt", write_text(example_calibration()));
}
TEST(CalibrationView, JsonReadsAsInTheGoldenFile) {
  expect_golden("calibration.json", write_json(example_calibration()));
}

TEST(CalibrationView, NamesRowsThatTheFittedValuesDoNotExplain) {
  EXPECT_THAT(write_text(example_calibration()), HasSubstr("line 3: chains +7.0 %"));
  EXPECT_THAT(write_text(example_calibration()), Not(HasSubstr("line 5: chains")));
}

TEST(CalibrationView, SaysWhereValuesWereSolved) {
  auto solved = example_calibration();
  solved.closed_form = true;
  solved.held_out = {};
  EXPECT_THAT(write_text(solved), HasSubstr("2 values from 3 rows, in closed form\n"));
}

}  // namespace
}  // namespace warpipe::test
