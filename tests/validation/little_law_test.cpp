#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/predict.hpp"

/// T5: Little's law, warps needed = latency x throughput, with two published examples:
/// 4 cycles x 4 a cycle = 16 warps (arithmetic of compute capability 7.x), 200 cycles x 1/20 a cycle = 10 warps
/// (memory).

namespace warpipe {
namespace {

constexpr int kLength = 1000;  // dependent instructions of a warp

const Kernel& chain() {
  static const auto kernel =
      read_kernel_json(fmt::format(R"({{"format": "warpipe-kernel", "version": 1, "name": "chain",
        "launch": {{"groups": 1, "concurrent_groups": 1}},
        "body": [{{"loop": "i", "trip_count": {}, "body": [{{"id": "a", "op": "a", "after": ["a"]}}]}}]}})",
                                   kLength),
                       "chain.json");
  return kernel;
}

Prediction run(const std::string& device_head, int issue, int completion, int warps) {
  const auto device = read_device_json(
      fmt::format(R"({{"format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1, "clock_hz": 1e9,
        "warp_size": 32, {}, "ops": {{"a": {{"pipeline": "p", "issue": {}, "completion": {}}}}}}})",
                  device_head, issue, completion),
      "d.json");
  LaunchOptions options;
  options.group_size = 32 * warps;
  return predict(chain(), device, options);
}

/// Four schedulers, each with an arithmetic pipeline that takes an instruction a cycle and answers after 4.
Prediction arithmetic(int warps) {
  return run(R"("issue": {"schedulers": 4}, "pipelines": {"p": {"scope": "scheduler"}})", 1, 4, warps);
}

/// A memory pipeline that takes a request each 20 cycles and answers after 200.
Prediction memory(int warps) { return run(R"("pipelines": {"p": {}})", 20, 200, warps); }

TEST(LittleLaw, SixteenWarpsHideTheArithmeticLatencyOfFourCycles) {
  // 4 warps per scheduler: (N-1) max(4, 4 x 1) + 3 x 1 + 4 (rule 10.1)
  EXPECT_EQ(arithmetic(16).cycles, Ticks{1000 * ((kLength - 1) * 4 + 3 + 4)});
  EXPECT_DOUBLE_EQ(arithmetic(16).warps_needed.front().warps, 16.0);
}

TEST(LittleLaw, FewerArithmeticWarpsTakeAsLongAndMoreTakeLonger) {
  // 3 a scheduler wait for the latency all the same: (N-1) 4 + 2 + 4; 5 wait for the pipeline: (N-1) 5 + 4 + 4
  EXPECT_EQ(arithmetic(12).cycles, Ticks{1000 * ((kLength - 1) * 4 + 2 + 4)});
  EXPECT_EQ(arithmetic(20).cycles, Ticks{1000 * ((kLength - 1) * 5 + 4 + 4)});
}

TEST(LittleLaw, TenWarpsHideTheMemoryLatencyOfTwoHundredCycles) {
  // (N-1) max(200, 10 x 20) + 9 x 20 + 200
  EXPECT_EQ(memory(10).cycles, Ticks{1000 * ((kLength - 1) * 200 + 9 * 20 + 200)});
  EXPECT_DOUBLE_EQ(memory(10).warps_needed.front().warps, 10.0);
}

TEST(LittleLaw, NineMemoryWarpsLeaveATenthAndElevenGainNothing) {
  EXPECT_EQ(memory(9).cycles, Ticks{1000 * ((kLength - 1) * 200 + 8 * 20 + 200)});
  EXPECT_EQ(memory(11).cycles, Ticks{1000 * ((kLength - 1) * 220 + 10 * 20 + 200)});
}

}  // namespace
}  // namespace warpipe
