#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "files.hpp"
#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/predict/predict.hpp"

/// T6: whole waves of groups show. A GTX 1060 Mobile has ten units; a matrix of n x n takes ceil(n / 128) squared
/// groups. So 1, 4 and 9 groups take the same time in the measurement, and nearly so in the model, and 16 a longer one.

namespace warpipe::validation {
namespace {

/// Microseconds of `sgemm_v3` at k = 1024 by n.
std::map<std::int64_t, double> measured() {
  const auto path = validation_file("reference/sgemm_gtx1060_mobile.csv");
  MeasurementFilter filter;
  filter.kernel = "sgemm_v3";
  std::map<std::int64_t, double> times;
  for (const auto& row : read_measurements_csv(read_text(path), path.string(), filter)) {
    const auto& parameters = row.options.parameters;
    if (parameters.at("k") == 1024) times[std::llround(parameters.at("n"))] = row.value;
  }
  return times;
}

double predicted_cycles(std::int64_t n) {
  LaunchOptions options;
  for (const auto* name : {"m", "n"}) options.parameters[name] = static_cast<double>(n);
  options.parameters["k"] = 1024;
  options.concurrent_groups = 2;  // what 128 registers per thread allow
  const Prediction prediction = predict(shipped_kernel("sgemm_v3"), shipped_device("gtx1060_mobile"), options);
  return to_cycles(prediction.cycles).count;
}

TEST(SgemmSteps, OneToNineGroupsTakeOneTimeOnTenUnits) {
  const auto times = measured();
  for (const std::int64_t n : {128, 192, 256, 384}) {
    EXPECT_NEAR(times.at(n) / times.at(128), 1, 0.03) << n;  // the spread of the measurement
    const double ratio = predicted_cycles(n) / predicted_cycles(128);
    EXPECT_GE(ratio, 1) << n;
    EXPECT_LE(ratio, times.at(192) / times.at(256)) << n;  // the longest and the shortest measured: 3.5 % apart
  }
}

TEST(SgemmSteps, SixteenGroupsTakeLongerThanNineButNotTwiceAsLong) {
  // Six units hold a second group beside the first, which hides some of its latency: measured 1.63.
  const auto times = measured();
  const double step = predicted_cycles(512) / predicted_cycles(384);
  EXPECT_NEAR(times.at(512) / times.at(384), 1.63, 0.005);
  EXPECT_GT(step, 1.5);
  EXPECT_LT(step, 2);
}

}  // namespace
}  // namespace warpipe::validation
