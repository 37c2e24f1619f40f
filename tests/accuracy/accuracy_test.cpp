#include "warpipe/accuracy/accuracy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "chain_model.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Kernel find_kernel(const std::string& name) {
  if (name != "chain") throw UsageError(Diagnostic{name, "is a kernel", "", ""});
  return chain_kernel();
}

Device find_device(const std::string& name) {
  Device device = chain_device();
  // The same at half the clock: as many cycles, twice the time.
  if (name == "slow") device.clock = Hertz{0.5e9};
  return device;
}

Accuracy score_csv(const std::string& csv, const LaunchOptions& options = {}, std::size_t threads = 1) {
  return score(read_measurements_csv(csv, "m.csv", {}), find_kernel, find_device, options, threads);
}

Comparison score_row(const std::string& columns, const std::string& cells, const LaunchOptions& options = {}) {
  return score_csv("kernel,device," + columns + "\nchain,line," + cells + "\n", options).rows.at(0);
}

TEST(ErrorPercent, IsOfTheMeasuredTime) {
  EXPECT_DOUBLE_EQ(error_percent(Quantity::Cycles, 150, 100), 50);
  EXPECT_DOUBLE_EQ(error_percent(Quantity::TimeUs, 50, 100), -50);
}

TEST(ErrorPercent, OfARateIsTurnedIntoTimeSoThatTooSlowIsPositive) {
  // Half the rate takes twice the time: 100 % too much; twice the rate takes half.
  EXPECT_DOUBLE_EQ(error_percent(Quantity::Gflops, 50, 100), 100);
  EXPECT_DOUBLE_EQ(error_percent(Quantity::BandwidthGbps, 200, 100), -50);
}

// The chain kernel takes 32 cycles of 1 ns, and its highest bound is the latency of 3 steps of 10 cycles (the pipeline
// is busy for 2 warps x 3 steps x 2 cycles = 12).
TEST(Score, PredictsCycles) {
  const Comparison row = score_row("cycles", "40");
  EXPECT_EQ(row.predicted, 32);
  EXPECT_EQ(row.bound_only, 30);
  EXPECT_THAT(row.error, IsEmpty());
}

TEST(Score, PredictsTimeWithTheLaunchOverheadWhereItWasMeasuredWithIt) {
  EXPECT_NEAR(score_row("time_us", "1").predicted.value(), 0.032, 1e-12);
  const Comparison row = score_row("time_us,includes_overhead", "1,1");
  EXPECT_NEAR(row.predicted.value(), 4.032, 1e-12);
  EXPECT_NEAR(row.bound_only.value(), 4.030, 1e-12);
}

TEST(Score, PredictsNoShorterTimeThanTheHostTakesToLaunch) {
  const Lookup<Device> slow_host = [](const std::string& name) {
    Device device = find_device(name);
    device.launch_interval = Seconds{5e-6};
    return device;
  };
  const auto predicted = [&](const std::string& columns, const std::string& cells) {
    const auto rows = read_measurements_csv("kernel,device," + columns + "\nchain,line," + cells + "\n", "m.csv", {});
    return score(rows, find_kernel, slow_host, {}, 1).rows.at(0).predicted.value();
  };
  EXPECT_NEAR(predicted("time_us,includes_overhead", "6,1"), 5, 1e-12);
  EXPECT_NEAR(predicted("time_us,includes_overhead", "6,0"), 0.032, 1e-12) << "that of the run alone";
}

TEST(Score, TurnsCyclesIntoTimeWithTheClockOfTheOptions) {
  LaunchOptions options;
  options.clock = Hertz{2e9};
  EXPECT_NEAR(score_row("time_us", "1", options).predicted.value(), 0.016, 1e-12);
}

TEST(Score, PredictsRatesFromTheWorkOfTheKernel) {
  // 2 x 64 threads x 3 trips = 384 flops and 4 x 64 = 256 bytes in 32 ns, or in 30 ns by the bound.
  const Comparison flops = score_row("gflops", "10");
  EXPECT_NEAR(flops.predicted.value(), 12, 1e-12);
  EXPECT_NEAR(flops.bound_only.value(), 12.8, 1e-12);
  EXPECT_NEAR(score_row("bandwidth_gbps", "10").predicted.value(), 8, 1e-12);
}

TEST(Score, SaysWhichWorkAKernelLacks) {
  const Lookup<Kernel> idle = [](const std::string&) {
    Kernel kernel = chain_kernel();
    kernel.work = {};
    return kernel;
  };
  const auto rows = read_measurements_csv("kernel,device,gflops\nchain,line,1\n", "m.csv", {});
  const Accuracy accuracy = score(rows, idle, find_device, {}, 1);
  EXPECT_FALSE(accuracy.rows.at(0).predicted);
  EXPECT_THAT(accuracy.rows.at(0).error, HasSubstr("work.flops"));
}

TEST(Score, LetsARowReplaceTheOptionsOfAllRows) {
  LaunchOptions options;
  options.group_size = 128;
  options.groups = 9;
  options.concurrent_groups = 9;
  options.parameters = {{"trips", 7}};
  // A warp of 1 step.
  EXPECT_EQ(score_row("group_size,groups,concurrent_groups,trips,cycles", "32,1,1,1,1", options).predicted, 10);
  // 16 warps of 4 in a group, 4 groups at once: (7 - 1) max(10, 32) + 15 x 2 + 10 for the first 16.
  EXPECT_EQ(score_row("groups,occupancy_warps,cycles", "4,16,1", options).predicted, 6 * 32 + 30 + 10);
}

TEST(Score, SaysWhyARowCannotBePredicted) {
  EXPECT_THAT(score_row("occupancy_warps,cycles", "3,1").error, HasSubstr("whole number of groups"));
  const Comparison row = score_row("tripz,cycles", "3,1");
  EXPECT_THAT(row.error, HasSubstr("line 2, column \"tripz\""));
  EXPECT_FALSE(row.predicted);
  EXPECT_FALSE(row.bound_only);
}

TEST(Score, SumsUpTheErrorsOfAKernelOnADevice) {
  // Errors of the predicted 32 cycles: -20 %, +28 %, 0 %.
  const Accuracy accuracy = score_csv("kernel,device,cycles\nchain,line,40\nchain,line,25\nchain,line,32\n");
  ASSERT_THAT(accuracy.predicted, SizeIs(1));
  const ErrorSummary& summary = accuracy.predicted[0];
  EXPECT_EQ(summary.kernel, "chain");
  EXPECT_EQ(summary.device, "line");
  EXPECT_EQ(summary.rows, 3u);
  EXPECT_EQ(summary.failed, 0u);
  EXPECT_NEAR(summary.mean_absolute_percent, 48.0 / 3, 1e-9);
  EXPECT_NEAR(summary.bias_percent, 8.0 / 3, 1e-9);
  // Mean of squares less square of mean: (400 + 784) / 3 - (8 / 3)^2.
  EXPECT_NEAR(summary.standard_deviation_percent, std::sqrt(1184.0 / 3 - 64.0 / 9), 1e-9);
  EXPECT_NEAR(summary.worst_percent, 28, 1e-9);
  EXPECT_EQ(summary.worst_line, 3u);
  // The bound of 30 cycles: -25 %, +20 %, -6.25 %.
  ASSERT_THAT(accuracy.bound_only, SizeIs(1));
  EXPECT_NEAR(accuracy.bound_only[0].mean_absolute_percent, 51.25 / 3, 1e-9);
  EXPECT_NEAR(accuracy.bound_only[0].worst_percent, -25, 1e-9);
}

TEST(Score, CountsRowsThatFailAndLeavesThemOutOfTheErrors) {
  const Accuracy accuracy = score_csv(
      "kernel,device,occupancy_warps,cycles\n"
      "chain,line,3,40\n"
      "chain,line,,40\n"
      "ghost,line,,1\n");
  ASSERT_THAT(accuracy.predicted, SizeIs(2));
  EXPECT_EQ(accuracy.predicted[0].rows, 2u);
  EXPECT_EQ(accuracy.predicted[0].failed, 1u);
  EXPECT_NEAR(accuracy.predicted[0].bias_percent, -20, 1e-9);
  EXPECT_EQ(accuracy.predicted[1].rows, 1u);
  EXPECT_EQ(accuracy.predicted[1].failed, 1u);
  EXPECT_EQ(accuracy.predicted[1].mean_absolute_percent, 0);
  EXPECT_THAT(accuracy.rows[2].error, HasSubstr("ghost"));
}

TEST(Score, KeepsGroupsInOrderOfFirstAppearance) {
  const Accuracy accuracy = score_csv("kernel,device,time_us\nchain,slow,1\nchain,line,1\nchain,slow,1\n");
  ASSERT_THAT(accuracy.predicted, SizeIs(2));
  EXPECT_EQ(accuracy.predicted[0].device, "slow");
  EXPECT_EQ(accuracy.predicted[0].rows, 2u);
  EXPECT_EQ(accuracy.predicted[1].device, "line");
  EXPECT_NEAR(accuracy.rows[0].predicted.value(), 0.064, 1e-12);
}

TEST(Score, LooksUpEachNameOnce) {
  std::vector<std::string> asked;
  const Lookup<Kernel> kernels = [&](const std::string& name) {
    asked.push_back(name);
    return find_kernel(name);
  };
  const std::string csv = "kernel,device,cycles\nchain,line,1\nghost,line,1\nchain,slow,1\nghost,slow,1\n";
  score(read_measurements_csv(csv, "m.csv", {}), kernels, find_device, {}, 4);
  EXPECT_THAT(asked, ElementsAre("chain", "ghost"));
}

TEST(Score, GivesTheSameOnAnyNumberOfThreads) {
  std::string csv = "kernel,device,groups,trips,cycles\n";
  for (int i = 1; i <= 40; ++i) csv += "chain,line," + std::to_string(i) + "," + std::to_string(i % 5) + ",100\n";
  const Accuracy alone = score_csv(csv, {}, 1);
  for (const std::size_t threads : {2u, 7u, 0u}) {
    const Accuracy accuracy = score_csv(csv, {}, threads);
    for (std::size_t i = 0; i < alone.rows.size(); ++i) {
      EXPECT_EQ(accuracy.rows[i].predicted, alone.rows[i].predicted) << threads;
    }
    EXPECT_EQ(accuracy.predicted[0].bias_percent, alone.predicted[0].bias_percent) << threads;
  }
}

}  // namespace
}  // namespace warpipe
