// Imported kernels against kernels written by hand for the same algorithm, and on devices.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cuda_cases.hpp"
#include "support/folders.hpp"
#include "support/sanitizers.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

namespace warpipe::test {
namespace {

Device device(const std::string& name) {
  const auto path = in_sources(fmt::format("latency_tables/data/{}.json", name));
  return read_device_json(read_text_file(path), path);
}

Kernel shipped(const std::string& name) {
  const auto path = in_sources(fmt::format("kernels/data/{}.json", name));
  return read_kernel_json(read_text_file(path), path);
}

/// C = A B of 1024 x 1024 numbers in square tiles, with loads of words, as in the hand-written kernels.
Kernel imported_product(const std::string& entry, std::int64_t tile) {
  ptx::ImportOptions options;
  options.entry = entry;
  options.launch.block = {tile, tile, 1};
  options.launch.grid = {1024 / tile, 1024 / tile, 1};
  options.launch.arguments["0"] = "1024";
  options.lowering.without = {"wide-loads"};
  return ptx::import_ptx(cuda_module("sm_75", "mmul"), options).kernel;
}

double seconds(const Kernel& kernel, const Device& on) {
  return to_seconds(predict(kernel, on, {}).cycles, on.clock).count;
}

TEST(ImportedKernels, TiledProductsTakeAsLongAsTheHandWrittenOnesWithinATenth) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  const auto gtx1060 = device("gtx1060");
  EXPECT_NEAR(seconds(imported_product("mmul16", 16), gtx1060) / seconds(shipped("mmul16"), gtx1060), 1, 0.1);
  EXPECT_NEAR(seconds(imported_product("mmul08", 8), gtx1060) / seconds(shipped("mmul08"), gtx1060), 1, 0.1);
}

TEST(ImportedKernels, AreWrittenSoThatTheyAreReadBackTheSame) {
  for (const auto& one : cuda_cases()) {
    const auto kernel = ptx::import_ptx(cuda_module("sm_80", one.file), one.options).kernel;
    const auto text = write_kernel_json(kernel);
    // A kernel read and written once more is the same text, and takes as long.
    const auto again = read_kernel_json(text, "again.json");
    EXPECT_EQ(write_kernel_json(again), text) << one.name;
    const auto v100 = device("v100");
    EXPECT_EQ(predict(again, v100, {}).cycles, predict(kernel, v100, {}).cycles) << one.name;
  }
}

TEST(ImportedKernels, ThreeLoopsOfAMillionTripsAreClosedInForm) {
  ptx::ImportOptions options;
  options.entry = "softmax";
  options.launch.block = {256, 1, 1};
  options.launch.grid = {1024, 1, 1};
  options.launch.arguments["0"] = "268435456";  // 256 x 2^20 columns
  const auto import = ptx::import_ptx(cuda_module("sm_80", "softmax"), options);
  // An exponential in each trip of two of the loops, in 1024 groups x 8 warps.
  EXPECT_DOUBLE_EQ(import.report.executions.at("exp2"), 2.0 * 1048576 * 1024 * 8);
  EXPECT_LT(import.report.executed, 1'000'000);
}

TEST(ImportedKernels, LoopOfAMillionTripsIsClosedInForm) {
  ptx::ImportOptions options;
  options.entry = "mmul_naive";
  options.launch.block = {16, 16, 1};
  options.launch.grid = {64, 64, 1};
  // Every element is a sum of 2^20 products, of 2^24 numbers apart: more than 32 bits index, but no less a loop.
  options.launch.arguments["0"] = "1048576";
  const auto import = ptx::import_ptx(cuda_module("sm_80", "mmul"), options);
  // 4096 groups x 8 warps x 2^20 trips of one multiply-add.
  EXPECT_DOUBLE_EQ(import.report.executions.at("ffma"), 4096.0 * 8 * 1048576);
  EXPECT_LT(import.report.executed, 1'000'000);
}

}  // namespace
}  // namespace warpipe::test
