#include "warpipe/accuracy/suggestions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "calibration_models.hpp"

namespace warpipe {
namespace {

using testing::SizeIs;

/// Scores rows of chains of "add" on a device and blames the worst.
std::vector<WorstRow> worst_of(const std::vector<Measurement>& rows, const Device& device, std::size_t count) {
  const Lookup<Kernel> kernels = [](const std::string&) { return chains_kernel(); };
  const Lookup<Device> devices = [&](const std::string&) { return device; };
  const auto accuracy = score(rows, kernels, devices, {}, 1);
  return worst_rows(accuracy.rows, kernels, devices, {}, count, 1);
}

Device with(const std::string& name, double cycles) {
  Device device = known_device();
  set_value(parse_fit({name}, device).parameters.at(0), cycles, device);
  return device;
}

TEST(WorstRows, BlamesTheCompletionOfALatencyBoundRow) {
  const auto worst = worst_of(simulated(chains_kernel(), cells({1}, "chains", {1}), 0), with("add.completion", 30), 1);
  ASSERT_THAT(worst, SizeIs(1));
  EXPECT_NEAR(worst[0].error_percent, 25, 0.1) << "30 instead of 24 cycles a round";
  ASSERT_TRUE(worst[0].suggestion);
  EXPECT_EQ(worst[0].suggestion->parameter, "add.completion");
  EXPECT_NEAR(worst[0].suggestion->suggested, 24, 0.1);
  EXPECT_NEAR(worst[0].suggestion->error_percent, 0, 0.5);
}

TEST(WorstRows, BlamesTheIssueOfASaturatedRow) {
  const auto worst = worst_of(simulated(chains_kernel(), cells({16}, "chains", {4}), 0), with("add.issue", 5), 1);
  ASSERT_TRUE(worst[0].suggestion);
  EXPECT_EQ(worst[0].suggestion->parameter, "add.issue");
  EXPECT_NEAR(worst[0].suggestion->suggested, 4, 0.02);
}

TEST(WorstRows, AreTheWorstFirst) {
  auto rows = simulated(chains_kernel(), cells({1}, "chains", {1, 2, 3}), 0);
  rows[0].value *= 0.9;
  rows[1].value *= 2;
  const auto worst = worst_of(rows, known_device(), 2);
  ASSERT_THAT(worst, SizeIs(2));
  EXPECT_EQ(worst[0].row, 1U);
  EXPECT_EQ(worst[1].row, 0U);
}

TEST(WorstRows, BlamesNothingForARowThatIsRight) {
  const auto worst = worst_of(simulated(chains_kernel(), cells({1}, "chains", {1}), 0), known_device(), 1);
  EXPECT_FALSE(worst.at(0).suggestion);
}

}  // namespace
}  // namespace warpipe
