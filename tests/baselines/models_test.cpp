#include "warpipe/baselines/models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "small_models.hpp"
#include "support/property.hpp"
#include "support/random_model.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe {
namespace {

using random_model::Model;
using testing::HasSubstr;

constexpr random_model::Shape kSmall{.most_trips = 3, .most_groups = 8, .most_issues = 300};

Estimate estimate_of(warpipe::Model model, const Kernel& kernel, const Device& device,
                     const LaunchOptions& options = {}) {
  return estimate(model, workload_of(kernel, device, options), op_rates(device));
}

double cycles_of(warpipe::Model model, const Kernel& kernel, const Device& device, const LaunchOptions& options = {}) {
  const Estimate found = estimate_of(model, kernel, device, options);
  EXPECT_TRUE(found.cycles.has_value()) << found.why_not;
  return found.cycles.value_or(Cycles{}).count;
}

// ---- the occupancy roofline is a bound

TEST(OccupancyRooflineOfALaunch, IsNeverBeatenByTheSimulation) {
  check_property(500, [] {
    const Model model = *random_model::models(kSmall);
    const Kernel kernel = random_model::read_kernel(model);
    const Device device = random_model::read_device(model);
    LaunchOptions options;
    options.units = model.all_units ? Units::All : Units::One;
    const Estimate bound = estimate_of(warpipe::Model::OccupancyRoofline, kernel, device, options);
    const double simulated = to_cycles(predict(kernel, device, options).cycles).count;
    RC_LOG() << bound.limiter << ": " << bound.cycles->count << " of " << simulated << "\n";
    RC_ASSERT(bound.cycles->count <= simulated * (1 + 1e-12));
  });
}

/// Chains of 200 dependent instructions, lambda 2, Lambda 64: 32 warps fill the pipeline. 12 rounds of resident groups.
Kernel chains(int warps) {
  return kernel_with(R"({"loop": "l", "trip_count": 200, "body": [{"id": "i", "op": "x", "after": ["i"]}]})",
                     {.warps = 1, .groups = 12 * warps, .concurrent_groups = warps});
}

double simulated_over_bound(int warps) {
  const Device device = device_with({{"x", "a", 2, 64}});
  return to_cycles(predict(chains(warps), device, {}).cycles).count /
         cycles_of(warpipe::Model::OccupancyRoofline, chains(warps), device);
}

TEST(OccupancyRooflineOfALaunch, IsMetWithinTwoPercentFarFromTheKnee) {
  for (const int warps : {1, 2, 4, 8, 128, 256, 512}) {  // the knee is at 32
    EXPECT_GE(simulated_over_bound(warps), 1) << warps;
    EXPECT_LE(simulated_over_bound(warps), 1.02) << warps;
  }
}

/// Volkov's mix: 4 additions (lambda 1, Lambda 6) a load (12, 368): the latency of 392 cycles asks for 33 warps.
TEST(OccupancyRooflineOfALaunch, IsMetWithinTwoPercentFarFromTheKneeOfAMix) {
  const Device device = device_with({{"add", "a", 1, 6}, {"load", "b", 12, 368}});
  for (const int warps : {1, 4, 256}) {
    const Kernel mix = kernel_with(R"({"loop": "l", "trip_count": 100, "body": [
        {"id": "load", "op": "load", "after": ["load", "add"]},
        {"loop": "adds", "trip_count": 4, "body": [{"id": "add", "op": "add", "after": ["load", "add"]}]}]})",
                                   {.warps = 1, .groups = 2 * warps, .concurrent_groups = warps});
    const double ratio =
        to_cycles(predict(mix, device, {}).cycles).count / cycles_of(warpipe::Model::OccupancyRoofline, mix, device);
    EXPECT_GE(ratio, 1) << warps;
    EXPECT_LE(ratio, 1.02) << warps;
  }
}

// ---- each model's estimate of a small launch, worked by hand

/// Two units of 1 GHz; ffma on a (1, 6), loads and stores of 128 bytes on b (4, 100), 64 GB/s.
Device two_units() {
  Device device = device_with(
      {{"ffma", "a", 1, 6},
       {"global.load", "b", 4, 100, R"({"transactions": 4, "per_transaction": {"issue": 1, "completion": 1}})"}},
      R"({"compute_units": 2, "clock_hz": 1e9, "issue": {"schedulers": 1},
          "memory": {"bandwidth_bytes_per_s": 64e9, "transaction_bytes": 32}})");
  device.group_launch_latency = Cycles{40};
  return device;
}

/// Ten rounds of a load and a multiply-add, each waiting for the other: 16 groups of a warp, 4 at a time.
Kernel ten_rounds() {
  return kernel_file(R"("launch": {"group_size": 32, "groups": 16, "concurrent_groups": 4},
                        "work": {"flops": "groups * 32 * 20", "bytes": "groups * 1280"},)",
                     R"({"loop": "l", "trip_count": 10, "body": [
                          {"id": "load", "op": "global.load", "after": ["fma"]},
                          {"id": "fma", "op": "ffma", "after": ["load"]}]})");
}

TEST(ModelsOfALaunch, RooflineTakesTheLargerOfFlopsAndBytes) {
  // 20480 bytes at 64 GB/s: 320 ns; 10240 flop at 2 x 32 x 2 a cycle: 80 ns
  EXPECT_NEAR(cycles_of(warpipe::Model::Roofline, ten_rounds(), two_units()), 320, 1e-9);
  EXPECT_EQ(estimate_of(warpipe::Model::Roofline, ten_rounds(), two_units()).limiter, "bandwidth");
}

TEST(ModelsOfALaunch, OccupancyRooflineAndVolkovTakeTheLatency) {
  // a warp alone 10 x 106; 8 groups per unit, 4 at a time
  EXPECT_DOUBLE_EQ(cycles_of(warpipe::Model::OccupancyRoofline, ten_rounds(), two_units()), 2 * 1060);
  // Volkov counts the replacement of a group with every group
  EXPECT_DOUBLE_EQ(cycles_of(warpipe::Model::Volkov, ten_rounds(), two_units()), 2 * 1100);
}

TEST(ModelsOfALaunch, LittlesLawTakesEachPipelineForItself) {
  // loads alone: 10 x 100 / 4 warps = 250 a warp, 8 warps; the multiply-adds are another matter
  EXPECT_DOUBLE_EQ(cycles_of(warpipe::Model::LittlesLaw, ten_rounds(), two_units()), 8 * 250);
}

TEST(ModelsOfALaunch, ZhangOwensTakesTheSlowestComponent) {
  EXPECT_DOUBLE_EQ(cycles_of(warpipe::Model::ZhangOwens, ten_rounds(), two_units()), 8 * 10 * 100 / 4.0);
}

TEST(ModelsOfALaunch, HongKimGetsItsInputsFromGraphAndTable) {
  // n 4, Mem_L 100, departure 4: MWP = min(25, 64 / (128 / 100 x 2) = 25, 4); CWP = min((1000 + 20) / 20, 4): all
  // overlap 1000 + 20 + 20 / 10 x 3, twice
  EXPECT_DOUBLE_EQ(cycles_of(warpipe::Model::HongKim, ten_rounds(), two_units()), 2 * 1026);
}

TEST(ModelsOfALaunch, GpuPerfGetsItsInputsFromGraphAndTable) {
  // ITILP min(1 x 4, 6): W = 20 x 8 x 6 / 4 = 240. comp 20 x 6 / 4 = 30, mem 1000: CWP 4, MWP 4, ITMLP min(3, 25) = 3
  // T_mem 10 x 8 / 3 x 100; CWP <= MWP: 3/4 of T_comp overlaps
  EXPECT_NEAR(cycles_of(warpipe::Model::GpuPerf, ten_rounds(), two_units()), 240 + 8000 / 3.0 - 180, 1e-9);
}

TEST(ModelsOfALaunch, GpuPerfFindsLoadsInParallel) {
  const Kernel pairs = kernel_file(R"("launch": {"group_size": 32, "groups": 16, "concurrent_groups": 4},)",
                                   R"({"loop": "l", "trip_count": 10, "body": [
                                        {"id": "one", "op": "global.load", "after": ["fma"]},
                                        {"id": "two", "op": "global.load", "after": ["fma"]},
                                        {"id": "fma", "op": "ffma", "after": ["one", "two"]}]})");
  // 20 loads of 100 cycles on a path of 10 x 104. ITILP 4: W = 30 x 8 x 6 / 4 = 360. CWP 4, MWP 4: three at a time, MLP
  // each
  const double mlp = 2000.0 / 1040;
  EXPECT_NEAR(cycles_of(warpipe::Model::GpuPerf, pairs, two_units()), 360 + 20 * 8 / (3 * mlp) * 100 - 270, 1e-9);
}

TEST(ModelsOfALaunch, GpuMechHidesStallsByTheOthersIssues) {
  // p = 20 / 1060 (issues of 1 cycle, stalls of 99 and 5); 10 intervals of each: 4 of base, hidden 3 p
  const double p = 20.0 / 1060;
  EXPECT_NEAR(cycles_of(warpipe::Model::GpuMech, ten_rounds(), two_units()), 2 * (20 * 4 + 10 * (104 - 2 * 3 * p)),
              1e-6);
}

// ---- models that cannot be applied, with the reason

TEST(ModelsOfALaunch, HongKimNeedsMemoryInstructions) {
  const Kernel arithmetic = kernel_with(R"({"id": "i", "op": "ffma"})");
  EXPECT_THAT(estimate_of(warpipe::Model::HongKim, arithmetic, two_units()).why_not, HasSubstr("there are none"));
}

TEST(ModelsOfALaunch, RooflineNeedsWork) {
  const Kernel silent = kernel_with(R"({"id": "i", "op": "ffma"})");
  EXPECT_THAT(estimate_of(warpipe::Model::Roofline, silent, two_units()).why_not, HasSubstr("needs the kernel's work"));
}

TEST(ModelsOfALaunch, RooflineCountsMatrixInstructionsOnlyWhereTheirSizeIsGiven) {
  Device device = device_with({{"mma", "a", 16, 24}, {"ffma", "b", 1, 6}});
  const Kernel matrix = kernel_file(R"("launch": {"group_size": 32, "groups": 1, "concurrent_groups": 1},
                                       "work": {"flops": 16384},)",
                                    R"({"id": "m", "op": "mma"}, {"id": "f", "op": "ffma"})");
  EXPECT_THAT(estimate_of(warpipe::Model::Roofline, matrix, device).why_not, HasSubstr("known number format"));
  ModelInputs inputs;
  inputs.matrix_flops = 8192;  // 512 a cycle: 32 cycles
  const auto rates = op_rates(device, inputs.matrix_flops);
  const Estimate found = estimate(warpipe::Model::Roofline, workload_of(matrix, device, {}), rates, inputs);
  EXPECT_DOUBLE_EQ(found.cycles.value_or(Cycles{}).count, 32);
}

TEST(ModelsOfALaunch, MemoryModelsNeedABandwidth) {
  Device device = two_units();
  device.memory.reset();
  for (const auto model : {warpipe::Model::HongKim, warpipe::Model::GpuPerf})
    EXPECT_THAT(estimate_of(model, ten_rounds(), device).why_not, HasSubstr("bandwidth_bytes_per_s"));
}

TEST(ModelsOfALaunch, IntervalModelsNeedSchedulers) {
  Device device = two_units();
  device.schedulers.reset();
  for (const auto model : {warpipe::Model::GpuMech, warpipe::Model::Gcom})
    EXPECT_THAT(estimate_of(model, ten_rounds(), device).why_not, HasSubstr("schedulers"));
}

// Any model on anything: a number or a reason, never an end.
TEST(ModelsOfALaunch, AllSayACyclesCountOrWhyNot) {
  check_property(200, [] {
    const Model model = *random_model::models(kSmall);
    const auto all = estimates(random_model::read_kernel(model), random_model::read_device(model), {});
    RC_ASSERT(all.size() == all_models().size());
    for (const Estimate& each : all) {
      RC_LOG() << to_string(each.model) << "\n";
      RC_ASSERT(each.cycles.has_value() == each.why_not.empty());
      if (each.cycles) RC_ASSERT(std::isfinite(each.cycles->count) && each.cycles->count >= 0);
    }
  });
}

TEST(ModelNames, ReadBack) {
  for (const auto model : all_models()) EXPECT_EQ(parse_model(to_string(model)), model);
  EXPECT_FALSE(parse_model("wfg").has_value());
}

}  // namespace
}  // namespace warpipe
