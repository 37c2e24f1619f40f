#include <gmock/gmock.h>

#include "golden.hpp"
#include "warpipe/views/comparison_view.hpp"
#include "warpipe/views/model_accuracy_view.hpp"
#include "warpipe/views/rates_view.hpp"

/// The views of the models people know.

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Estimate says(Model model, double cycles, const std::string& limiter = {}) {
  return {model, Cycles{cycles}, limiter, {}};
}
Estimate cannot(Model model, const std::string& why) { return {model, {}, {}, why}; }

/// Two occupancies at 1 GHz: 12 and 6.5 us; the roofline says 3 us of both, Hong and Kim's model cannot.
LaunchComparison example_comparison() {
  LaunchComparison comparison{"sgemm", "example", "An example device", Hertz{1e9}, {}};
  comparison.launches.push_back(
      {1,
       8,
       0.125,
       Ticks{12'000'000},
       {says(Model::Roofline, 3000, "bandwidth"), cannot(Model::HongKim, "there are no loads")}});
  comparison.launches.push_back(
      {2,
       16,
       0.25,
       Ticks{6'500'000},
       {says(Model::Roofline, 3000, "bandwidth"), cannot(Model::HongKim, "there are no loads")}});
  return comparison;
}

TEST(ComparisonView, ReadsAsInTheGoldenFiles) {
  expect_golden("comparison.txt", write_text(example_comparison()));
  expect_golden("comparison.json", write_json(example_comparison()));
  expect_golden("comparison.csv", write_csv(example_comparison()));
}

TEST(ComparisonView, ShowsTheRatioToTheSimulation) {
  EXPECT_THAT(write_text(example_comparison()), HasSubstr("0.250"));  // 3 of 12 us
  EXPECT_THAT(write_text(example_comparison()), HasSubstr("0.462"));  // 3 of 6.5 us
}

TEST(ComparisonView, ShowsWhereTheSimulatedTimesLie) {
  auto comparison = example_comparison();
  EXPECT_THAT(write_csv(comparison), Not(HasSubstr("low_us")));
  comparison.launches[0].range = TimeRange{{11'000, 13'500}, {11e-6, 13.5e-6}, {11e-6, 13.5e-6}};
  EXPECT_THAT(write_text(comparison), HasSubstr("simulated  in 9 of 10 cases  roofline"));
  EXPECT_THAT(write_text(comparison), HasSubstr("12 us     11 to 13.5 us"));
  EXPECT_THAT(write_csv(comparison), HasSubstr("ratio_to_simulation,limiter,why_not,low_us,high_us\r\n"));
  EXPECT_THAT(write_csv(comparison), HasSubstr("1,8,simulation,12000,12,1,,,11,13.5\r\n"));
  EXPECT_THAT(write_csv(comparison), HasSubstr("1,8,roofline,3000,3,0.25,bandwidth,,,\r\n"));
}

TEST(ComparisonView, NamesAModelThatIsNotAppliedOnceWithItsReason) {
  const auto text = write_text(example_comparison());
  EXPECT_THAT(text, HasSubstr("\nNot applied:\n  hong-kim: there are no loads\n"));
  EXPECT_EQ(text.find("there are no loads"), text.rfind("there are no loads"));
}

Comparison row_of_models(std::size_t line, double measured, double predicted) {
  Comparison comparison;
  comparison.measurement.line = line;
  comparison.measurement.kernel = "sgemm";
  comparison.measurement.device = "example";
  comparison.measurement.options.groups = 40;
  comparison.measurement.options.parameters["n"] = 64;
  comparison.measurement.quantity = Quantity::TimeUs;
  comparison.measurement.value = measured;
  comparison.predicted = predicted;
  return comparison;
}

/// Errors of +10 % and -5 % of ours, -50 % and none of the roofline's.
ModelAccuracy example_of_models() {
  ModelAccuracy accuracy;
  accuracy.simulated.rows = {row_of_models(2, 100, 110), row_of_models(3, 200, 190)};
  accuracy.simulated.predicted = {{"sgemm", "example", 2, 0, 7.5, 7.5, 2.5, 10, 2}};
  accuracy.models.push_back(
      {Model::Roofline, {50, std::nullopt}, {"", "no bytes"}, {{"sgemm", "example", 2, 1, 50, 0, -50, -50, 2}}});
  return accuracy;
}

TEST(ModelAccuracyView, ReadsAsInTheGoldenFiles) {
  expect_golden("model_accuracy.txt", write_text(example_of_models()));
  expect_golden("model_accuracy_rows.txt", write_row_text(example_of_models()));
  expect_golden("model_accuracy.json", write_json(example_of_models()));
  expect_golden("model_accuracy.csv", write_csv(example_of_models()));
}

TEST(ModelAccuracyView, CountsRowsThatAModelCannotTake) {
  EXPECT_THAT(write_text(example_of_models()), HasSubstr("50.0 (1)"));
  EXPECT_THAT(write_text(example_of_models()), HasSubstr("roofline, 1 rows: no bytes"));
}

TEST(RatesView, DeviceWithoutABandwidthHasNoRidge) {
  DeviceRates rates;
  rates.peaks = {{NumberFormat::Fp32, {32e9}, {}}};
  EXPECT_THAT(write_text(rates), HasSubstr("32 G/s"));
  EXPECT_THAT(write_text(rates), Not(HasSubstr("Bandwidth")));
}

}  // namespace
}  // namespace warpipe::test
