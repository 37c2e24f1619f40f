// Products of matrices reach the peak of the data sheets, and copies overlap with the computation.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "small_ptx.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe::test {
namespace {

/// Two warps of each of four schedulers go round a loop n times.
ptx::ImportOptions eight_warps(int rounds, std::int64_t groups) {
  auto options = one_warp();
  options.launch.block = {256, 1, 1};
  options.launch.grid = {groups, 1, 1};
  options.launch.arguments["n"] = std::to_string(rounds);
  return options;
}

std::string loop_of(const std::string& body) {
  return "ld.param.u32 %r2, [n]; ld.param.u64 %rd9, [p]; mov.u32 %r1, 0; L:" + body +
         "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L;";
}

/// Floating-point operations per second of a launch of one group on each unit.
double rate(const std::string& body, const std::string& device_name) {
  const auto path = in_sources(fmt::format("latency_tables/data/{}.json", device_name));
  const auto device = read_device_json(read_text_file(path), path);
  const auto kernel = import(body, eight_warps(2000, device.compute_units)).kernel;
  const double flops = kernel.work.flops->evaluate({});
  return flops / to_seconds(predict(kernel, device, {}).cycles, device.clock).count;
}

/// Eight independent sums of the shape.
std::string products(const std::string& words) {
  std::string body;
  for (int i = 1; i <= 8; ++i) body += fmt::format("{} {{%f{}}}, {{%r5}}, {{%r6}}, {{%f{}}};", words, i, i);
  std::string end;
  for (int i = 1; i <= 8; ++i) end += fmt::format("st.global.f32 [%rd9+{}], %f{};", 4 * i, i);
  return loop_of(body) + end + "ret;";
}

TEST(TensorRates, OfMmaAreThoseOfTheDataSheets) {
  // Published peaks, at the clocks of the tables.
  const double f16 = rate(products("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "a100");
  EXPECT_NEAR(f16 / 312e12, 1, 0.03);
  EXPECT_NEAR(rate(products("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"), "a100") / 156e12, 1, 0.03);
  EXPECT_NEAR(rate(products("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"), "a100") / 19.5e12, 1, 0.03);
  EXPECT_NEAR(rate(products("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"), "a40") / 149.7e12, 1, 0.03);
  EXPECT_NEAR(rate(products("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "rtx3090") / 71e12, 1, 0.03);
  EXPECT_NEAR(rate(products("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"), "rtx3090") / 142e12, 1, 0.03);
  // Two products with half of their factors at zero take as long as a full product.
  const double sparse = rate(products("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"), "a100");
  EXPECT_NEAR(sparse / f16, 2, 0.06);
}

TEST(TensorRates, OfWgmmaAreThoseOfTheDataSheets) {
  const auto wgmma = [](const std::string& shape, const std::string& rest) {
    return loop_of("wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." + shape +
                   " {%f1, %f2}, %rd1, %rd2, 1, 1, 1" + rest +
                   "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;") +
           "wgmma.wait_group.sync.aligned 0; st.global.f32 [%rd9], %f1; ret;";
  };
  // 989 TFLOP/s are at 1830 MHz; the table has the clock of 1980.
  constexpr double kClocks = 1980.0 / 1830;
  EXPECT_NEAR(rate(wgmma("m64n256k16.f32.f16.f16", ", 0, 0"), "h100") / (989e12 * kClocks), 1, 0.03);
  EXPECT_NEAR(rate(wgmma("m64n256k32.f32.e4m3.e4m3", ""), "h100") / (1979e12 * kClocks), 1, 0.03);
  // A single product at a time shows its latency.
  EXPECT_LT(rate(wgmma("m64n8k16.f32.f16.f16", ", 0, 0"), "h100"), 0.5 * 989e12);
}

constexpr double kCopy = 1000;  // cycles from a copy to its end

/// Cycles of a round with a copy of a stage `stages - 1` rounds ahead, and a chain of additions of 4 cycles.
double round_of(int stages, int additions) {
  const std::string device = fmt::format(R"({{"format": "warpipe-device", "version": 1, "name": "d", "compute_units": 1,
    "clock_hz": 1e9, "warp_size": 32, "limits": {{"warps_per_unit": 4, "groups_per_unit": 1, "threads_per_group": 128,
    "registers_per_unit": 65536, "registers_per_thread": 255, "shared_memory_per_unit": 65536,
    "shared_memory_per_group": 65536}}, "memory": {{}}, "issue": {{"schedulers": 1}},
    "pipelines": {{"all": {{}}}}, "ops": {{
      "iadd": {{"pipeline": "all", "issue": 0, "completion": 0}}, "compare": {{"pipeline": "all", "issue": 0, "completion": 0}},
      "branch": {{"pipeline": "all", "issue": 0, "completion": 0}}, "wait": {{"pipeline": "all", "issue": 0, "completion": 0}},
      "global.store": {{"pipeline": "all", "issue": 0, "completion": 0, "per_transaction": {{}}}},
      "fadd": {{"pipeline": "all", "issue": 0, "completion": 4}},
      "global.load.128": {{"pipeline": "all", "issue": 0, "completion": {}, "per_transaction": {{}}}}}}}})",
                                         kCopy);
  std::string body;
  if (stages > 0)
    body = fmt::format("cp.async.cg.shared.global [tile], [%rd9], 16; cp.async.commit_group; cp.async.wait_group {};",
                       stages - 1);
  for (int i = 0; i < additions; ++i) body += "add.f32 %f1, %f1, %f2;";
  const auto cycles = [&](int rounds) {
    const auto kernel = import(loop_of(body) + "st.global.f32 [%rd9], %f1; ret;", [&] {
      auto options = one_warp();
      options.launch.arguments["n"] = std::to_string(rounds);
      return options;
    }());
    return to_cycles(predict(kernel.kernel, read_device_json(device, "d.json"), {}).cycles).count;
  };
  return (cycles(240) - cycles(120)) / 120;
}

TEST(CopyStages, OverlapWithTheRoundsBetween) {
  // Round i starts the copy for round i + S - 1 and waits for its own, begun S - 1 rounds before: S rounds are no
  // shorter than the copy and a computation, and a round is no shorter than a computation.
  for (const int additions : {50, 100, 300}) {
    const double computing = round_of(0, additions);
    EXPECT_NEAR(computing, 4 * additions, 40);
    for (const int stages : {1, 2, 3, 4}) {
      const double expected = std::max(computing, (kCopy + computing) / stages);
      EXPECT_NEAR(round_of(stages, additions) / expected, 1, 0.02) << stages << " stages, " << additions;
    }
  }
}

}  // namespace
}  // namespace warpipe::test
