#include "warpipe/baselines/volkov.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

/// T5: worked numbers of V. Volkov, "Understanding Latency Hiding on GPUs" (2016), sections 3 and 4.

namespace warpipe {
namespace {

// ---- a hypothetical warp on Maxwell: 128 cores, 32 special-function units, 4 schedulers, 10.4 bytes per cycle

TEST(VolkovModel, MaxwellWarpHasTheFiveBoundsAndTheTightestIs184Cycles) {
  const Cycles cores = functional_unit_bound(100, 32, 128);
  const Cycles special = functional_unit_bound(5, 32, 32);
  std::vector<int> degrees(10, 1);  // ten free of conflicts, ten two-way
  degrees.insert(degrees.end(), 10, 2);
  const Cycles shared = shared_memory_bound(degrees);
  // five of 128 bytes, five of stride 2 and so of 256
  const Cycles global = global_memory_bound(5 * 128 + 5 * 256, 10.4);
  // 130 instructions, five of them issued beside another, and a replay for each of the 15 bad accesses
  const Cycles issue = issue_bound(130 - 5 + 5 + 15, 4);
  EXPECT_DOUBLE_EQ(cores.count, 25);
  EXPECT_DOUBLE_EQ(special.count, 5);
  EXPECT_DOUBLE_EQ(shared.count, 30);
  EXPECT_NEAR(global.count, 184.5, 0.15);  // 1920 / 10.4 = 184.6; printed from a bandwidth with more digits
  EXPECT_DOUBLE_EQ(issue.count, 36.25);
  EXPECT_EQ(std::max({cores, special, shared, global, issue}), global);
}

// ---- vector addition on Kepler: 8 units at 1.124 GHz

constexpr double kBytesPerWarp = 3 * 128, kUnits = 8, kGigahertz = 1.124;

double vector_add_gbps(double warps) {
  const Cycles issue = issue_bound(12 - 4, 4);  // 12 instructions, 4 of them the second of a pair
  const Cycles memory = global_memory_bound(kBytesPerWarp, 17.1);
  return warp_throughput(warps, Cycles{544}, std::max(issue, memory)) * kBytesPerWarp * kUnits * kGigahertz;
}

TEST(VolkovModel, VectorAdditionOnKeplerIssuesAtMostHalfAWarpACycle) {
  EXPECT_DOUBLE_EQ(1 / issue_bound(12 - 4, 4).count, 0.5);
  EXPECT_NEAR(1 / global_memory_bound(kBytesPerWarp, 17.1).count, 0.0445, 0.00005);
}

TEST(VolkovModel, VectorAdditionOnKeplerMovesTheSmallerOf635AWarpAnd154GigabytesASecond) {
  for (const double warps : {1.0, 8.0, 24.0}) EXPECT_NEAR(vector_add_gbps(warps), 6.35 * warps, 0.005 * warps);
  for (const double warps : {25.0, 64.0}) EXPECT_NEAR(vector_add_gbps(warps), 154, 0.5);
}

// ---- a barrier on Fermi

TEST(VolkovModel, WarpsThatArriveAt546And32GoOnAt580) {
  const std::vector<Cycles> arrivals{{546}, {32}};
  EXPECT_DOUBLE_EQ(barrier_opens(arrivals, Cycles{34}).count, 580);
}

// ---- the mix of additions and loads

/// Maxwell: loads of 368 cycles at 0.081 a cycle, additions of 6 cycles at 4 a cycle, 4 issues a cycle.
Mix maxwell(double additions) {
  return {additions, Cycles{368}, Cycles{1 / 0.081}, Cycles{6}, Cycles{0.25}, Cycles{0.25}};
}

TEST(VolkovModel, PureLoadsNeed30WarpsOnMaxwell) {
  EXPECT_NEAR(mix_warps_needed(maxwell(0)), 368 * 0.081, 1e-9);  // 29.8
}

TEST(VolkovModel, CuspOnMaxwellIs54WarpsNear49Additions) {
  const Cusp cusp = mix_cusp(maxwell(0));
  EXPECT_NEAR(cusp.additions, 4 / 0.081, 1e-9);        // 49.4
  EXPECT_NEAR(cusp.warps, 6 * 4 + 368 * 0.081, 1e-9);  // 24 + 29.8 = 53.8
  EXPECT_DOUBLE_EQ(std::round(cusp.warps), 54);
}

TEST(VolkovModel, NeedOfAnyMixIsLargestAtTheCusp) {
  Mix mix = maxwell(0);
  mix.issue_interval = {};  // the cusp's closed form leaves it out
  double most = 0, at = 0;
  for (mix.additions = 0; mix.additions <= 500; ++mix.additions)
    if (const double needed = mix_warps_needed(mix); needed > most) {
      most = needed;
      at = mix.additions;
    }
  EXPECT_NEAR(at, 49.4, 1);
  EXPECT_NEAR(most, mix_cusp(mix).warps, 0.5);
}

// Figure 4.7: 24 cycles of latency, a load in 4 cycles: 3 additions and 3 loads in flight.
TEST(VolkovModel, FourAdditionsALoadNeedSixWarpsWhereFiveDoNotSuffice) {
  const Mix mix{4, Cycles{12}, Cycles{1}, Cycles{3}, Cycles{1}, {}};
  EXPECT_DOUBLE_EQ(mix_warps_needed(mix), 6);
  EXPECT_DOUBLE_EQ(mix_throughput(mix, 6), 0.25);
  EXPECT_LT(mix_throughput(mix, 5), 0.25);
  EXPECT_DOUBLE_EQ(mix_throughput(mix, 7), 0.25);
}

// The guide's rule, memory latency / (instruction time x alpha), leaves out the warps needed by arithmetic: half on
// Maxwell's cusp.
TEST(VolkovModel, RuleOfTheGuideUnderestimatesTheNeedNearlyTwofoldAtTheCusp) {
  const Cusp cusp = mix_cusp(maxwell(0));
  const double guide = 368 / (0.25 * cusp.additions);
  EXPECT_NEAR(cusp.warps / guide, 1.8, 0.05);  // 53.8 / 29.8
}

}  // namespace
}  // namespace warpipe
