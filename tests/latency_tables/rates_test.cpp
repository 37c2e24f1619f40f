#include "warpipe/latency_tables/rates.hpp"
#include "support/folders.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "warpipe/idg/json_node.hpp"

namespace warpipe {
namespace {

Device shipped(const std::string& name) {
  const std::string path = in_sources("latency_tables/data/") + name + ".json";
  return read_device_json(read_text_file(path), path);
}

// The vendors' data sheets, at the clock of the table.
TEST(OpRates, OfShippedDevicesGiveTheDataSheetsPeaks) {
  const auto v100 = op_rates(shipped("v100"));
  EXPECT_NEAR(peak_of(v100, NumberFormat::Fp32)->count, 80 * 64 * 2 * 1.38e9, 1);
  EXPECT_NEAR(peak_of(v100, NumberFormat::Fp64)->count, 80 * 32 * 2 * 1.38e9, 0.001 * 80 * 32 * 2 * 1.38e9) << "fitted";
  EXPECT_NEAR(peak_of(v100, NumberFormat::Fp16)->count, 80 * 128 * 2 * 1.38e9, 1);
  // 312 TFLOP/s: 108 units, 4 pipelines, a 16 x 8 x 16 in 8 cycles
  const auto a100 = op_rates(shipped("a100"), 2.0 * 16 * 8 * 16);
  EXPECT_NEAR(peak_of(a100, NumberFormat::Matrix)->count, 312e12, 0.5e12);
}

TEST(OpRates, MatrixInstructionsCountOnlyWhereTheirSizeIsGiven) {
  EXPECT_FALSE(peak_of(op_rates(shipped("a100")), NumberFormat::Matrix).has_value());
}

TEST(OpRates, SpecialFunctionsAreRatesOfLanes) {
  const auto rates = op_rates(shipped("v100"));
  const auto found = std::ranges::find(rates, "rsqrt", &OpRate::op);
  ASSERT_NE(found, rates.end());
  EXPECT_NEAR(found->lanes.count, 80 * 16 * 1.38e9, 1);  // 16 lanes of a unit
  EXPECT_FALSE(found->format.has_value());
}

TEST(OpRates, SchedulersLimitWhatPipelinesWouldTake) {
  Device device;
  device.compute_units = 1;
  device.schedulers = 2;
  device.pipelines = {{"p", Scope::ComputeUnit, {}}, {"d", Scope::Device, {}}};
  Op op;
  op.name = "ffma";
  op.issue.points = {{1, 0.125}};
  op.issue_slots = 2;
  device.ops = {op};
  EXPECT_DOUBLE_EQ(op_rates(device).front().warp_instructions_per_cycle, 1);  // 2 slots / 2 schedulers
  device.ops.front().pipeline = 1;
  device.compute_units = 40;
  EXPECT_DOUBLE_EQ(op_rates(device).front().warp_instructions_per_cycle, 0.2);  // 1 / (40 x 0.125)
  device.schedulers.reset();
  device.ops.front().issue.points = {{1, 0}};
  EXPECT_TRUE(op_rates(device).empty());  // nothing limits it
}

}  // namespace
}  // namespace warpipe
