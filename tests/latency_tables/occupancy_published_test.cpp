#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>

#include "published_limits.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/occupancy.hpp"

namespace warpipe {
namespace {

Limits limits_of(const std::string& compute_capability) {
  const auto* row = std::ranges::find(kPublishedLimits, compute_capability, &PublishedLimits::compute_capability);
  return limits_of(*row);
}

/// A group on a compute capability, with the occupancy by the published rules.
struct PublishedCase {
  const char* compute_capability;
  std::int64_t registers, threads, shared_memory;
  std::int64_t groups;
  std::vector<OccupancyLimit> limiters;
};

std::ostream& operator<<(std::ostream& out, const PublishedCase& c) {
  return out << "cc " << c.compute_capability << ": " << c.registers << " registers, " << c.threads << " threads, "
             << c.shared_memory << " bytes";
}

constexpr auto kGroups = OccupancyLimit::Groups;
constexpr auto kWarps = OccupancyLimit::Warps;
constexpr auto kRegisters = OccupancyLimit::Registers;
constexpr auto kLocal = OccupancyLimit::SharedMemory;

// @source cudaOccMaxBlocksPerSMRegsLimit and its neighbours in cuda_occupancy.h of the CUDA toolkit
// "a x 2 parts" stands for: a part of the registers holds a warps, and there are 2 parts.
const PublishedCase kCases[] = {
    {"2.0", 20, 256, 0, 6, {kWarps, kRegisters}},  // 640 a warp: 25 x 2 parts, 50 / 8; 48 / 8
    {"2.0", 21, 256, 0, 5, {kRegisters}},          // 672 -> 704: 23 x 2, 46 / 8
    {"2.0", 63, 192, 0, 2, {kRegisters}},          // 2016 -> 2048: 8 x 2, 16 / 6
    {"2.0", 40, 96, 0, 8, {kGroups, kRegisters}},  // 1280: 12 x 2, 24 / 3
    {"2.0", 16, 96, 6144, 8, {kGroups, kLocal}},   // 49152 / 6144
    {"2.1", 16, 64, 6145, 7, {kLocal}},            // 6145 -> 6272: 49152 / 6272 = 7.8
    {"3.0", 32, 256, 0, 8, {kWarps, kRegisters}},  // 1024: 16 x 4, 64 / 8
    {"3.0", 33, 256, 0, 6, {kRegisters}},          // 1056 -> 1280: 12 x 4, 48 / 8
    {"3.0", 16, 64, 3072, 16, {kGroups, kLocal}},
    {"3.5", 255, 256, 0, 1, {kRegisters}},                  // 8160 -> 8192: 2 x 4, 8 / 8
    {"3.7", 64, 256, 0, 8, {kWarps, kRegisters}},           // 2048 of 32768: 16 x 4, 64 / 8
    {"3.7", 128, 256, 0, 4, {kRegisters}},                  // twice the registers of 3.5
    {"3.7", 32, 256, 49152, 2, {kLocal}},                   // 114688 / 49152 = 2.3
    {"5.0", 32, 64, 0, 32, {kGroups, kWarps, kRegisters}},  // 16 x 4, 64 / 2
    {"5.2", 32, 64, 0, 32, {kGroups, kWarps, kRegisters}},  // 32 x 2, 64 / 2
    {"5.2", 32, 256, 49152, 2, {kLocal}},
    {"5.3", 32, 256, 8192, 8, {kWarps, kRegisters, kLocal}},
    {"6.0", 40, 64, 0, 25, {kRegisters}},  // 1280 of 32768: 25 x 2, 50 / 2
    {"6.1", 40, 64, 0, 24, {kRegisters}},  // 1280 of 16384: 12 x 4, 48 / 2
    {"6.1", 0, 32, 49152, 2, {kLocal}},
    {"6.2", 0, 1024, 0, 2, {kWarps}},
    {"7.0", 32, 128, 98304, 1, {kLocal}},
    {"7.5", 64, 256, 0, 4, {kWarps, kRegisters}},  // 2048: 8 x 4, 32 / 8; 32 / 8
    {"7.5", 0, 32, 0, 16, {kGroups}},
    {"8.0", 32, 128, 16384, 9, {kLocal}},          // 16384 + 1024: 167936 / 17408 = 9.6; without the reserve 10.25
    {"8.0", 32, 128, 15768, 9, {kLocal}},          // 16792 -> 16896: 167936 / 16896 = 9.9; not rounded 10.001
    {"8.6", 40, 256, 0, 6, {kWarps, kRegisters}},  // 12 x 4, 48 / 8; 48 / 8
    {"8.6", 32, 128, 101376, 1, {kLocal}},         // with the reserve all of 102400
    {"8.7", 32, 1024, 0, 1, {kWarps}},             // 48 / 32
    {"8.9", 16, 64, 0, 24, {kGroups, kWarps}},
    {"7.5", 66, 64, 0, 14, {kRegisters}},   // 2112 -> 2304: 7 x 4, 28 / 2
    {"7.0", 66, 160, 0, 5, {kRegisters}},   // 28 / 5
    {"8.0", 128, 160, 0, 3, {kRegisters}},  // 4096: 4 x 4, 16 / 5
    {"8.6", 255, 288, 0, 0, {}},            // 8192: 2 x 4, 8 / 9: does not fit
    {"9.0", 162, 256, 0, 1, {kRegisters}},  // 5184 -> 5376: 3 x 4, 12 / 8
    {"9.0", 128, 256, 0, 2, {kRegisters}},  // 4096: 4 x 4, 16 / 8
    {"9.0", 32, 1024, 0, 2, {kWarps, kRegisters}},
    {"9.0", 32, 128, 232448, 1, {kLocal}},
    {"10.0", 168, 384, 0, 1, {kRegisters}},  // 5376: 3 x 4, 12 / 12
    {"10.0", 169, 352, 0, 0, {}},            // 5408 -> 5632: 2 x 4, 8 / 12: does not fit
};

class PublishedOccupancy : public testing::TestWithParam<PublishedCase> {};

TEST_P(PublishedOccupancy, IsWhatThePublishedRulesGive) {
  const auto& [compute_capability, registers, threads, shared_memory, groups, limiters] = GetParam();
  const GroupNeeds needs{threads, registers, shared_memory};
  if (groups == 0) {
    EXPECT_THROW(occupancy(needs, limits_of(compute_capability), 32), ModelError);
    return;
  }
  const Occupancy result = occupancy(needs, limits_of(compute_capability), 32);
  EXPECT_EQ(result.groups, groups);
  EXPECT_EQ(result.limiters, limiters);
}

INSTANTIATE_TEST_SUITE_P(Cases, PublishedOccupancy, testing::ValuesIn(kCases));

/// The resident warps for a number of registers, by the calculator's rule: the registers of a warp are rounded up to
/// 256, each of the four parts of 16384 holds whole warps, and a group takes as many of them as it has.
struct RegisterStep {
  std::int64_t least, most;  ///< registers per thread
  std::int64_t warps;
};

constexpr RegisterStep kRegisterSteps[] = {
    {25, 32, 64},    // 1024: 16 a part
    {33, 40, 48},    // 1280: 12.8
    {41, 48, 40},    // 1536: 10.7
    {49, 56, 36},    // 1792: 9.1
    {57, 64, 32},    // 2048: 8
    {65, 72, 28},    // 2304: 7.1
    {73, 80, 24},    // 2560: 6.4
    {81, 96, 20},    // 2816, 3072: 5.8, 5.3
    {97, 128, 16},   // 3328 to 4096: 4.9 to 4
    {129, 168, 12},  // 4352 to 5376: 3.8 to 3.05
    {169, 255, 8},   // 5632 to 8192: 2.9 to 2
};

// Groups share the warps allowed by the registers, whatever their size, up to the limits on warps and groups.
TEST(Occupancy, FollowsTheRegisterStepsOfTheCalculator) {
  for (const char* compute_capability : {"5.0", "6.1", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0"})
    for (const RegisterStep& step : kRegisterSteps)
      for (const std::int64_t warps : {1, 2, 3, 4, 5, 7, 8})
        for (const std::int64_t registers : {step.least, step.most}) {
          const Limits limits = limits_of(compute_capability);
          const std::int64_t groups =
              std::min({step.warps / warps, *limits.warps_per_unit / warps, *limits.groups_per_unit});
          EXPECT_EQ(occupancy({32 * warps, registers, 0}, limits, 32).groups, groups)
              << "cc " << compute_capability << ", " << registers << " registers, " << warps << " warps";
        }
}

/// Number of groups that fit when placed in turn, each warp where most registers are free; a group starts only if all
/// its warps, rounded up to as many for each part, would fit an empty unit.
std::int64_t placed_one_by_one(const PublishedLimits& row, const GroupNeeds& needs) {
  const auto up = [](std::int64_t a, std::int64_t unit) { return (a + unit - 1) / unit * unit; };
  const std::int64_t warps = (needs.group_size + 31) / 32;
  const std::int64_t warp_registers = up(needs.registers_per_thread * 32, row.register_allocation);
  const std::int64_t bytes =
      needs.shared_memory_per_group == 0
          ? 0
          : up(needs.shared_memory_per_group + row.shared_memory_reserved, row.shared_memory_allocation);

  std::vector<std::int64_t> part(static_cast<std::size_t>(row.warp_allocation), row.registers / row.warp_allocation);
  std::int64_t groups = 0, free_warps = row.warps, free_bytes = row.shared_memory;
  if (up(warps, row.warp_allocation) * warp_registers > row.registers) return 0;
  while (groups < row.groups && free_warps >= warps && free_bytes >= bytes) {
    for (std::int64_t warp = 0; warp < warps; ++warp) *std::ranges::max_element(part) -= warp_registers;
    if (*std::ranges::min_element(part) < 0) break;
    free_warps -= warps;
    free_bytes -= bytes;
    ++groups;
  }
  return groups;
}

TEST(Occupancy, EqualsPlacingGroupsOneByOneOnEveryPublishedCapability) {
  for (const PublishedLimits& row : kPublishedLimits)
    for (const std::int64_t threads : {1, 32, 33, 64, 96, 128, 160, 192, 224, 256, 384, 512, 640, 768, 1024})
      for (std::int64_t registers = 0; registers <= row.registers_per_thread; ++registers)
        for (const std::int64_t bytes : {0, 1, 128, 129, 1024, 4096, 6000, 16384, 16385, 32768, 49152}) {
          const GroupNeeds needs{threads, registers, bytes};
          const std::int64_t expected = placed_one_by_one(row, needs);
          if (expected > 0)
            ASSERT_EQ(occupancy(needs, limits_of(row), 32).groups, expected)
                << row.compute_capability << ' ' << registers << ' ' << threads << ' ' << bytes;
          else
            ASSERT_THROW(occupancy(needs, limits_of(row), 32), ModelError)
                << row.compute_capability << ' ' << registers << ' ' << threads << ' ' << bytes;
        }
}

/// Group sizes of 1 to 32 warps in powers of two, each with every number of resident groups given by some amount of
/// shared memory.
struct Sweep {
  std::set<std::pair<std::int64_t, std::int64_t>> configurations;  ///< warps per group, resident groups
  std::set<std::int64_t> resident_warps;
};

Sweep throttled_by_shared_memory(const Limits& limits) {
  Sweep sweep;
  for (std::int64_t warps = 1; warps <= 32; warps *= 2)
    for (std::int64_t bytes = 0; bytes <= *limits.shared_memory_per_group; bytes += 64) {
      const std::int64_t groups = occupancy({32 * warps, 0, bytes}, limits, 32).groups.value();
      sweep.configurations.emplace(warps, groups);
      sweep.resident_warps.insert(warps * groups);
    }
  return sweep;
}

// The paper on the pipeline model (PDP 2019) runs each kernel in 78 configurations with 43 numbers of warps on a
// GTX 1060 and in 34 with 18 on a Tesla C2050. Both come out where shared memory sets the number of groups. On the GTX
// 1060 the groups reachable are 2..22, 24, 25, 27, 29 and 32, at most 64 warps: 26 + 26 + 15 + 7 + 3 + 1 = 78 pairs.
TEST(Occupancy, GivesTheConfigurationsOfThePaperOnAGtx1060) {
  const Sweep sweep = throttled_by_shared_memory(limits_of("6.1"));
  EXPECT_EQ(sweep.configurations.size(), 78U);
  EXPECT_EQ(sweep.resident_warps.size(), 43U);
}

// 1..8 groups, at most 48 warps: 8 + 8 + 8 + 6 + 3 + 1 = 34 pairs.
TEST(Occupancy, GivesTheConfigurationsOfThePaperOnATeslaC2050) {
  const Sweep sweep = throttled_by_shared_memory(limits_of("2.0"));
  EXPECT_EQ(sweep.configurations.size(), 34U);
  EXPECT_EQ(sweep.resident_warps.size(), 18U);
}

}  // namespace
}  // namespace warpipe
