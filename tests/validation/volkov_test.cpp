#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/predict.hpp"

/// T5: worked checks of V. Volkov, "Understanding Latency Hiding on GPUs" (2016), chapter 4.

namespace warpipe {
namespace {

Kernel kernel(const std::string& body) {
  return read_kernel_json(R"({"format": "warpipe-kernel", "version": 1, "name": "k", "body": [)" + body + "]}",
                          "k.json");
}

Device device(const std::string& rest) {
  return read_device_json(R"({"format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1,
    "clock_hz": 1e9, "warp_size": 32, )" +
                              rest + "}",
                          "d.json");
}

LaunchOptions one_group(std::int64_t warps) {
  LaunchOptions options;
  options.group_size = 32 * warps;
  options.groups = 1;
  options.concurrent_groups = 1;
  return options;
}

/// Two warps come to a barrier at 546 and 32; then warp `last` works for 100 cycles more.
Ticks fermi_barrier(int last) {
  const auto two_warps = kernel(R"(
    {"when": "warp == 0", "body": [{"id": "long", "op": "work", "completion_latency": 546}]},
    {"when": "warp == 1", "body": [{"id": "short", "op": "work", "completion_latency": 32}]},
    {"id": "barrier", "op": "barrier", "after": ["long", "short"]},
    {"when": "warp == )" + std::to_string(last) +
                                R"(", "body": [{"id": "tail", "op": "work", "completion_latency": 100}]})");
  const auto fermi = device(R"("pipelines": {"p": {}}, "ops": {
    "work": {"pipeline": "p", "issue": 0, "completion": 0},
    "barrier": {"pipeline": "p", "issue": 0, "completion": 34, "kind": "barrier"}})");
  return predict(two_warps, fermi, one_group(2)).cycles;
}

TEST(Volkov, FermiBarrierLetsBothWarpsGoOnAt580) {
  // the later arrival + the barrier's latency: 546 + 34 = 580, for the waiting warp and for the last to come
  EXPECT_EQ(fermi_barrier(2), Ticks{580'000});
  EXPECT_EQ(fermi_barrier(0), Ticks{680'000});
  EXPECT_EQ(fermi_barrier(1), Ticks{680'000});
}

/// The hypothetical Maxwell warp: 100 arithmetic, 5 special-function, 10 shared-memory instructions without and 10 with
/// a two-way conflict, 5 coalesced and 5 stride-2 loads.
Prediction maxwell_warps(std::int64_t warps) {
  const auto mix = kernel(R"(
    {"loop": "a", "trip_count": 100, "body": [{"id": "core", "op": "core"}]},
    {"loop": "s", "trip_count": 5, "body": [{"id": "special", "op": "special"}]},
    {"loop": "l", "trip_count": 10, "body": [{"id": "shared", "op": "shared"}]},
    {"loop": "c", "trip_count": 10, "body": [{"id": "conflict", "op": "shared.replayed", "conflict_degree": 2}]},
    {"loop": "g", "trip_count": 5, "body": [{"id": "load", "op": "load"}]},
    {"loop": "t", "trip_count": 5, "body": [{"id": "stride", "op": "load.replayed", "transactions": 2}]})");
  // 128 cores: 32 / 128 cycle; 32 special-function units: 1 cycle, issued beside another instruction, so no slot of
  // its own; 10.4 bytes per cycle: 128 / 10.4 = 12.3077 cycles for 128 bytes; a replay takes a second issue slot
  const auto maxwell = device(R"("issue": {"schedulers": 4},
    "pipelines": {"cores": {}, "special": {}, "shared": {}, "memory": {}}, "ops": {
    "core": {"pipeline": "cores", "issue": 0.25, "completion": 6},
    "special": {"pipeline": "special", "issue": 1, "completion": 9, "issue_slots": 0},
    "shared": {"pipeline": "shared", "issue": 1, "completion": 24},
    "shared.replayed": {"pipeline": "shared", "issue": 1, "completion": 24, "issue_slots": 2, "per_conflict": {"issue": 1}},
    "load": {"pipeline": "memory", "issue": 12.3077, "completion": 368},
    "load.replayed": {"pipeline": "memory", "issue": 12.3077, "completion": 376, "issue_slots": 2,
                      "per_transaction": {"issue": 12.3077}}})");
  return predict(mix, maxwell, one_group(warps));
}

double bound_per_warp(const Prediction& prediction, const std::string& name, std::int64_t warps) {
  const auto found = std::find_if(prediction.bounds.begin(), prediction.bounds.end(),
                                  [&](const Bound& bound) { return bound.name == name; });
  if (found == prediction.bounds.end()) return -1;
  return static_cast<double>(found->cycles.count) / 1000 / static_cast<double>(warps);
}

TEST(Volkov, MaxwellWarpIsBoundByMemoryAt184Cycles) {
  constexpr std::int64_t kWarps = 40;  // the published bounds are cycles per warp where the warps share the unit evenly
  const auto prediction = maxwell_warps(kWarps);
  EXPECT_DOUBLE_EQ(bound_per_warp(prediction, "pipeline cores", kWarps), 25.0);
  EXPECT_DOUBLE_EQ(bound_per_warp(prediction, "pipeline special", kWarps), 5.0);
  EXPECT_DOUBLE_EQ(bound_per_warp(prediction, "pipeline shared", kWarps), 30.0);
  EXPECT_DOUBLE_EQ(bound_per_warp(prediction, "schedulers", kWarps), 36.25);  // (135 - 5 + 15) / 4
  // 5 x 128 + 5 x 256 = 1920 bytes at 10.4 a cycle = 184.6; published as 184.5
  EXPECT_NEAR(bound_per_warp(prediction, "pipeline memory", kWarps), 184.5, 0.2);
  EXPECT_EQ(limiter_name(prediction), "pipeline memory");
}

TEST(Volkov, ManyMaxwellWarpsComeNearTheMemoryBound) {
  constexpr std::int64_t kWarps = 40;
  const auto prediction = maxwell_warps(kWarps);
  EXPECT_GE(ratio_to_bound(prediction), 1.0);
  // all warps start at once with their arithmetic: at most the other bounds' 25 + 5 + 30 cycles per warp and one
  // latency come on top of 184.6 a warp
  EXPECT_LT(ratio_to_bound(prediction), 1 + (25.0 + 5 + 30) / 184.6 + 376 / (184.6 * kWarps));
}

}  // namespace
}  // namespace warpipe
