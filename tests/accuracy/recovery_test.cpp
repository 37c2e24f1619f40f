#include <gtest/gtest.h>

#include "calibration_models.hpp"

/// Data are simulated from a known table with 2 % noise, and calibrated from another table: the known values lie within
/// their intervals in at least 95 of 100 trials. The intervals of a calibration together promise 99.

namespace warpipe {
namespace {

constexpr unsigned kTrials = 100;
constexpr int kLeast = 95;
constexpr double kNoise = 0.02;

/// @return trials in which all values of the known table lie within their intervals
int recovered(const Kernel& kernel, const std::vector<Cell>& launches, const std::vector<std::string>& fit) {
  const Device known = known_device();
  const auto parameters = parse_fit(fit, known).parameters;
  int count = 0;
  for (unsigned seed = 1; seed <= kTrials; ++seed) {
    const auto result = calibrated(kernel, simulated(kernel, launches, kNoise, seed), request(fit));
    bool all = true;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double truth = value_of(parameters[i], known);
      const Interval& interval = result.values[i].interval;
      all = all && interval.low <= truth && truth <= interval.high;
      EXPECT_LT(interval.high / interval.low, 1.5) << "an interval that holds everything tells nothing";
    }
    count += all ? 1 : 0;
  }
  return count;
}

TEST(Recovery, OfChainsInClosedForm) {
  EXPECT_GE(
      recovered(chains_kernel(), cells({1, 2, 4, 8, 16}, "chains", {1, 2, 3, 4}), {"add.issue", "add.completion"}),
      kLeast);
}

TEST(Recovery, OfAMixOfTwoOpsBySearch) {
  EXPECT_GE(recovered(mix_kernel(), cells({1, 2, 4, 16}, "adds", {1, 8, 32}),
                      {"add.issue", "add.completion", "load.completion"}),
            kLeast);
}

}  // namespace
}  // namespace warpipe
