#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "files.hpp"
#include "warpipe/predict/predict.hpp"

/// Groups that differ, on a shipped kernel: the groups of one unit stand for all, whatever the number of groups.

namespace warpipe {
namespace {

Prediction causal_softmax(const std::string& device, std::int64_t groups, Units units = Units::One) {
  LaunchOptions options;
  options.groups = groups;
  options.units = units;
  return predict(validation::shipped_kernel("causal_softmax"), validation::shipped_device(device), options);
}

// Work is proportional to the number of groups but for the rest of a triangle, 0.3 % here. Addresses are left out: the
// groups on which the caches are simulated move these times by up to 5 %.
TEST(KindsOfGroups, NeighbouringGridsTakeNeighbouringTimes) {
  Kernel kernel = validation::shipped_kernel("causal_softmax");
  for (Instruction& instruction : kernel.instructions) instruction.access.reset();
  std::vector<double> times;
  for (std::int64_t groups = 12280; groups < 12300; ++groups) {
    LaunchOptions options;
    options.groups = groups;
    times.push_back(predict(kernel, validation::shipped_device("h100"), options).time.count /
                    static_cast<double>(groups));
  }
  EXPECT_LT(std::ranges::max(times) / std::ranges::min(times), 1.03);
}

TEST(KindsOfGroups, OneUnitTakesTheTimeOfAll) {
  const Prediction one = causal_softmax("gtx1060", 1280), all = causal_softmax("gtx1060", 1280, Units::All);
  EXPECT_NEAR(one.time.count / all.time.count, 1, 0.03);
  EXPECT_NEAR(one.sample.excess, 0, 0.005);
  EXPECT_EQ(all.sample.excess, 0);
  EXPECT_EQ(one.sample.kinds, 32);  // rows of 1 to 32 pieces of 32 columns, 8 at a time
}

// All 1280 groups issue ten times the instructions of the sample of 128 of them, within half a per cent.
TEST(KindsOfGroups, InstructionsOfTheSampleAreTheShareOfTheLaunch) {
  const Prediction one = causal_softmax("gtx1060", 1280), all = causal_softmax("gtx1060", 1280, Units::All);
  const double scaled =
      static_cast<double>(one.instructions_issued) * 1280 / static_cast<double>(one.launch.groups_per_unit);
  EXPECT_NEAR(scaled / static_cast<double>(all.instructions_issued), 1, 0.005);
}

}  // namespace
}  // namespace warpipe
