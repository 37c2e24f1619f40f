#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "calibration_models.hpp"
#include "warpipe/accuracy/calibrate.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A single warp waits for each addition, 24 cycles; of 16 with 4 chains each addition takes the pipeline 4 cycles.
constexpr Cell kWaiting{1, "chains", 1}, kFull{16, "chains", 4};

/// A chain of additions on the known device, measured for numbers.
Measurement probe(const Cell& cell, std::vector<std::string> fits) {
  Measurement row = simulated(chains_kernel(), {cell}, 0).front();
  row.fits = std::move(fits);
  return row;
}

Calibration fitted(const std::vector<Measurement>& rows, const Device& start = wrong_device(),
                   const Kernel& kernel = chains_kernel()) {
  return fit_probes(
      rows, [&](const std::string&) { return kernel; }, start, request({}));
}

double number(const std::string& name, const Device& device) {
  return value_of(parse_fit({name}, device).parameters.at(0), device);
}

Device known_but(const std::string& name, double value) {
  Device device = known_device();
  set_value(parse_fit({name}, device).parameters.at(0), value, device);
  return device;
}

TEST(FitProbes, SetsEachNumberSoThatItsRowIsPredicted) {
  const auto result = fitted({probe(kWaiting, {"add.completion"}), probe(kFull, {"add.issue"})});
  ASSERT_THAT(result.values, SizeIs(2));
  EXPECT_EQ(result.values[0].name, "add.completion");
  EXPECT_EQ(result.values[0].start, 15);
  EXPECT_NEAR(result.values[0].value, 24, 0.01);
  EXPECT_NEAR(number("add.issue", result.device), 4, 0.01);
  EXPECT_EQ(number("load.completion", result.device), 650);  // no row is for it
  EXPECT_THAT(result.untold, IsEmpty());
  EXPECT_EQ(result.fitted.after.rows.size(), 2u);
  EXPECT_LT(result.fitted.after.predicted.at(0).mean_absolute_percent, 0.01);
}

// A row goes with its number, and has an error of 1 %: 1.645 % to both sides are 90 of 100 cases.
TEST(FitProbes, WritesIntoTheSourceWhatIsFittedAndHowWell) {
  const auto result = fitted({probe(kWaiting, {"add.completion"}), probe(kFull, {"add.issue"})});
  const auto& source = result.device.find_op("add")->source;
  ASSERT_TRUE(source);
  EXPECT_EQ(source->kind, SourceKind::Fitted);
  EXPECT_THAT(source->reference, HasSubstr("m.csv"));
  EXPECT_EQ(source->uncalibrated.at("issue"), 7);
  EXPECT_EQ(source->uncalibrated.at("completion"), 15);
  EXPECT_NEAR(source->intervals.at("completion").low, 24 / 1.0165, 0.05);
  EXPECT_NEAR(source->intervals.at("completion").high, 24 * 1.0165, 0.05);
  EXPECT_FALSE(result.device.find_op("load")->source);
}

TEST(FitProbes, HoldsOutTheRowsWithoutANumber) {
  Measurement check = probe({4, "chains", 1}, {});
  check.value *= 1.1;  // no fit sees it
  const auto result = fitted({probe(kWaiting, {"add.completion"}), check}, known_but("add.completion", 15));
  EXPECT_NEAR(number("add.completion", result.device), 24, 0.01);
  ASSERT_THAT(result.held_out.after.rows, SizeIs(1));
  EXPECT_NEAR(result.held_out.after.predicted.at(0).bias_percent, 100 / 1.1 - 100, 0.1);
  EXPECT_EQ(result.fitted.after.rows.size(), 1u);
}

TEST(FitProbes, TakesRowsOfSeveralQuantities) {
  const Measurement waiting = probe(kWaiting, {});
  const auto csv = fmt::format(
      "kernel,device,group_size,chains,cycles,time_us,fits\n"
      "k,known,32,1,{0},,add.completion\n"
      "k,known,32,1,,{1},clock_hz\n",
      waiting.value, waiting.value / 500);  // at half of the 1 GHz of the table
  const auto result = fitted(read_measurements_csv(csv, "m.csv", {}));
  EXPECT_NEAR(number("add.completion", result.device), 24, 0.01);
  EXPECT_NEAR(result.device.clock.count, 0.5e9, 1e5);
  EXPECT_EQ(result.device.sources.at("clock_hz").kind, SourceKind::Fitted);
  EXPECT_EQ(result.device.sources.at("clock_hz").uncalibrated.at("clock_hz"), 1e9);
}

TEST(FitProbes, LeavesAndNamesANumberThatItsRowsHardlyDependOn) {
  const auto result = fitted({probe(kWaiting, {"add.completion", "add.issue"})});
  ASSERT_THAT(result.untold, SizeIs(1));
  EXPECT_EQ(result.untold[0].name, "add.issue");
  EXPECT_THAT(result.untold[0].reason, HasSubstr("its rows hardly depend on it"));
  EXPECT_THAT(result.untold[0].advice, HasSubstr("more resident warps"));
  EXPECT_EQ(number("add.issue", result.device), 7);
  ASSERT_THAT(result.values, SizeIs(1));
  EXPECT_NEAR(number("add.completion", result.device), 24, 0.01);
}

// The pipeline of the table alone would take 100 cycles for each addition, and the row has 24 of them.
TEST(FitProbes, PutsANumberWhereItsRowsKeepItFromOneSide) {
  const auto result = fitted({probe(kWaiting, {"add.issue"})}, known_but("add.issue", 100));
  ASSERT_THAT(result.untold, SizeIs(1));
  EXPECT_THAT(result.untold[0].reason, HasSubstr("its rows say only that it is at most 24"));
  EXPECT_NEAR(number("add.issue", result.device), 24, 0.01);
  const Interval interval = result.device.find_op("add")->source->intervals.at("issue");
  EXPECT_LT(interval.low, 1);  // the 4 of the known device are in it
  EXPECT_NEAR(interval.high, 24, 0.01);
}

/// A launch of the given time, measured for a number; 0.1 us of it is the run.
Measurement launch(double time_us, const std::string& fits) {
  Measurement row = probe(kWaiting, {fits});
  row.options.parameters["trips"] = 4;  // 96 of the 1000 cycles of a microsecond, and the launch's begin and end
  row.quantity = Quantity::TimeUs;
  row.includes_overhead = true;
  row.value = time_us;
  return row;
}

Calibration fitted_to_launches(double alone, double in_a_row, double table) {
  Device start = known_device();
  start.launch_overhead = Seconds{table * 1e-6};
  return fitted({launch(alone, "launch_overhead_s"), launch(in_a_row, "launch_interval_s")}, start);
}

// The model gives both rows the longer of the two.
TEST(FitProbes, FindsALaunchIntervalThatIsLongerThanALaunch) {
  const auto result = fitted_to_launches(2, 2.4, 2.7);
  EXPECT_NEAR(result.device.launch_interval.count, 2.4e-6, 1e-9);
  ASSERT_THAT(result.untold, SizeIs(1));
  EXPECT_EQ(result.untold[0].name, "launch_overhead_s");
  EXPECT_LT(result.device.launch_overhead.count, 2e-6);  // the table's would leave the interval without effect
}

TEST(FitProbes, DoesNotTellALaunchIntervalThatIsShorterThanALaunch) {
  const auto result = fitted_to_launches(2.4, 2, 2.7);
  EXPECT_NEAR(result.device.launch_overhead.count, 2.3e-6, 0.05e-6);
  ASSERT_THAT(result.untold, SizeIs(1));
  EXPECT_EQ(result.untold[0].name, "launch_interval_s");
  EXPECT_EQ(result.device.launch_interval.count, 0);
}

// A row of rounds of a load and eight additions: 400 + 8 x 24 cycles.
TEST(FitProbes, NamesNumbersThatMoveTogether) {
  Measurement row = simulated(mix_kernel(), {{1, "adds", 8}}, 0).front();
  row.fits = {"load.completion", "add.completion"};
  const auto result = fitted({row}, wrong_device(), mix_kernel());
  std::vector<std::string> reasons;
  for (const Untold& untold : result.untold) reasons.push_back(untold.name + ": " + untold.reason);
  EXPECT_THAT(reasons, testing::Contains(AllOf(HasSubstr("it moves together with"), HasSubstr("completion"))));
  EXPECT_NEAR(number("load.completion", result.device) + 8 * number("add.completion", result.device), 592, 1);
}

// Each row of the two kinds of rounds depends on both: the load decides the first, 32 additions most of the second.
TEST(FitProbes, SettlesNumbersThatShareRows) {
  auto rows = simulated(mix_kernel(), cells({1}, "adds", {1, 32}), 0);
  rows[0].fits = {"load.completion"};
  rows[1].fits = {"add.completion"};
  const auto result = fitted(rows, wrong_device(), mix_kernel());
  EXPECT_NEAR(number("load.completion", result.device), 400, 0.5);
  EXPECT_NEAR(number("add.completion", result.device), 24, 0.05);
  EXPECT_THAT(result.untold, IsEmpty());
}

TEST(FitProbes, FindsANumberFarFromWhereTheTableHasIt) {
  const auto result = fitted({probe(kWaiting, {"add.completion"})}, known_but("add.completion", 24 * 50));
  EXPECT_NEAR(number("add.completion", result.device), 24, 0.01);
}

TEST(FitProbes, RefusesANumberThatTheDeviceDoesNotHave) {
  EXPECT_THAT(message_of<UsageError>([] { fitted({probe(kWaiting, {"add.complation"})}); }),
              AllOf(HasSubstr("no such number in known"), HasSubstr("\"add.completion\"")));
}

TEST(FitProbes, RefusesRowsThatNameNoNumber) {
  EXPECT_THAT(message_of<ModelError>([] { fitted({probe(kWaiting, {})}); }),
              AllOf(HasSubstr("no row names a number to fit"), HasSubstr("\"fits\"")));
}

TEST(FitProbes, NamesTheLineOfARowThatCannotBePredicted) {
  Measurement row = probe(kWaiting, {"add.completion"});
  row.line = 12;
  row.options.parameters["colour"] = 1;
  EXPECT_THAT(message_of<ModelError>([&] { fitted({row}); }), AllOf(HasSubstr("line 12"), HasSubstr("colour")));
}

}  // namespace
}  // namespace warpipe
