#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/occupancy.hpp"
#include "warpipe/predict/launch.hpp"

/// T5: the launch facts and the occupancy sweeps of J. G. Cornelis and J. Lemeire, "The Pipeline Performance Model"
/// (PDP 2019), on a Tesla C2050 (14 units, 48 warps, 8 groups, 48 KiB of shared memory) and a GTX 1060 (10 units, 64
/// warps, 32 groups, 96 KiB, at most 48 KiB a group, in steps of 256 bytes).

namespace warpipe {
namespace {

Device unit_with(int units, const std::string& limits) {
  return read_device_json(fmt::format(R"({{"format": "warpipe-device", "version": 1, "name": "d", "compute_units": {},
    "clock_hz": 1e9, "warp_size": 32, "limits": {{{}}}, "pipelines": {{"p": {{}}}},
    "ops": {{"a": {{"pipeline": "p", "issue": 1, "completion": 1}}}}}})",
                                      units, limits),
                          "d.json");
}

Device fermi() {
  return unit_with(14, R"("warps_per_unit": 48, "groups_per_unit": 8, "threads_per_group": 1024,
    "shared_memory_per_unit": 49152, "shared_memory_per_group": 49152, "shared_memory_allocation": 128)");
}

Device pascal() {
  return unit_with(10, R"("warps_per_unit": 64, "groups_per_unit": 32, "threads_per_group": 1024,
    "shared_memory_per_unit": 98304, "shared_memory_per_group": 49152, "shared_memory_allocation": 256)");
}

/// Matrix multiply of 1024 x 1024 with a thread an element.
Launch matrix_multiply(int edge, const Device& device) {
  const auto kernel = read_kernel_json(R"({"format": "warpipe-kernel", "version": 1, "name": "m",
    "launch": {"groups": "1024 * 1024 / group_size"}, "body": [{"id": "a", "op": "a"}]})",
                                       "m.json");
  LaunchOptions options;
  options.group_size = edge * edge;
  return resolve_launch(kernel, device, options);
}

TEST(MatrixMultiplyLaunch, SmallTilesFillThePublishedGroupsAndWarps) {
  // 1024 x 1024 / 64 = 16384 groups of 2 warps: 1171 a unit on 14 units, 1639 on 10
  EXPECT_EQ(matrix_multiply(8, fermi()).groups.value, 16384);
  EXPECT_EQ(matrix_multiply(8, fermi()).groups_per_unit, 1171);
  EXPECT_EQ(matrix_multiply(8, pascal()).groups_per_unit, 1639);
  EXPECT_EQ(matrix_multiply(8, fermi()).concurrent_groups.value, 8);    // by groups
  EXPECT_EQ(matrix_multiply(8, pascal()).concurrent_groups.value, 32);  // by groups and by warps
  EXPECT_EQ(matrix_multiply(8, fermi()).resident_warps, 16);
  EXPECT_EQ(matrix_multiply(8, pascal()).resident_warps, 64);
}

TEST(MatrixMultiplyLaunch, LargeTilesFillThePublishedGroupsAndWarps) {
  // 1024 x 1024 / 256 = 4096 groups of 8 warps: 293 a unit on 14 units, 410 on 10
  EXPECT_EQ(matrix_multiply(16, fermi()).groups.value, 4096);
  EXPECT_EQ(matrix_multiply(16, fermi()).groups_per_unit, 293);
  EXPECT_EQ(matrix_multiply(16, pascal()).groups_per_unit, 410);
  EXPECT_EQ(matrix_multiply(16, fermi()).concurrent_groups.value, 6);   // 48 warps / 8
  EXPECT_EQ(matrix_multiply(16, pascal()).concurrent_groups.value, 8);  // 64 warps / 8
  EXPECT_EQ(matrix_multiply(16, fermi()).resident_warps, 48);
  EXPECT_EQ(matrix_multiply(16, pascal()).resident_warps, 64);
}

/// The (warps per group, groups) pairs reached by groups of 1, 2, 4, ... 32 warps with any use of shared memory.
std::set<std::pair<std::int64_t, std::int64_t>> reachable(const Device& device) {
  std::set<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t warps = 1; warps <= 32; warps *= 2) {
    for (std::int64_t bytes = 128; bytes <= 49152; bytes += 128) {
      pairs.emplace(warps, occupancy({32 * warps, 0, bytes}, device.limits, device.warp_size).groups.value());
    }
  }
  return pairs;
}

std::size_t warp_counts(const std::set<std::pair<std::int64_t, std::int64_t>>& pairs) {
  std::set<std::int64_t> counts;
  for (const auto& [warps, groups] : pairs) counts.insert(warps * groups);
  return counts.size();
}

TEST(OccupancySweep, SharedMemoryReachesThePublishedConfigurationsOfFermi) {
  const auto pairs = reachable(fermi());
  EXPECT_EQ(pairs.size(), 34U);  // 8 + 8 + 8 + 6 + 3 + 1
  EXPECT_EQ(warp_counts(pairs), 18U);
}

TEST(OccupancySweep, SharedMemoryReachesThePublishedConfigurationsOfPascal) {
  // group counts 2..22, 24, 25, 27, 29, 32: half the memory is the most a group may take, and steps of 256 bytes skip
  // the rest; 26 + 26 + 15 + 7 + 3 + 1
  const auto pairs = reachable(pascal());
  EXPECT_EQ(pairs.size(), 78U);
  EXPECT_EQ(warp_counts(pairs), 43U);
}

}  // namespace
}  // namespace warpipe
