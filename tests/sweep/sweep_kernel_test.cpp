#include "warpipe/sweep/sweep_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_models.hpp"
#include "support/folders.hpp"
#include "warpipe/code/module.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

code::Module cuda(const std::string& file) {
  const std::string path = in_sources("kernels/cuda/ptx/sm_80/") + file + ".ptx";
  return code::read_module(read_text_file(path), path);
}

isa::ImportOptions launch(const std::string& entry, isa::Dimensions block, isa::Dimensions grid) {
  isa::ImportOptions options;
  options.entry = entry;
  options.launch.block = block;
  options.launch.grid = grid;
  return options;
}

/// 2^20 elements, a thread each.
SweepKernel saxpy() {
  auto options = launch("saxpy", {256, 1, 1}, {4096, 1, 1});
  options.launch.arguments["0"] = "1048576";
  return {cuda("saxpy"), options};
}

/// A product of two matrices of 1024 x 1024, a thread an element.
isa::ImportOptions product_launch(isa::Dimensions block, isa::Dimensions grid) {
  auto options = launch("mmul_naive", block, grid);
  options.launch.arguments["0"] = "1024";
  return options;
}

std::vector<Variation> varied(const std::vector<std::string>& texts) {
  std::vector<Variation> variations;
  for (const auto& text : texts) variations.push_back(parse_import_variation(text).value());
  return variations;
}

Device a100() {
  const std::string path = in_sources("latency_tables/data/a100.json");
  return read_device_json(read_text_file(path), path);
}

/// The group sizes and numbers of groups of a sweep over imports.
std::vector<std::pair<std::int64_t, std::int64_t>> launches(const SweepKernel& kernel,
                                                            const std::vector<std::string>& texts) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (const auto& point : run_sweep(kernel, a100(), {}, varied(texts), 1)) {
    EXPECT_EQ(point.error, "");
    const Launch& own = point.prediction->launch;
    all.emplace_back(own.group_size.value, own.groups.value);
  }
  return all;
}

TEST(SweepKernel, OfAFileIsTheSameAtEachPoint) {
  const Kernel kernel = kernel_file("", R"({"id": "a", "op": "x"})");
  const SweepKernel same = kernel;
  EXPECT_FALSE(same.is_imported());
  EXPECT_EQ(same.at({}, {})->kernel, kernel);
}

TEST(SweepKernel, WarnsAtEachPointOfWhatItsImportNotes) {
  auto options = launch("saxpy", {256, 1, 1}, {16, 1, 1});
  options.launch.arguments["0"] = "4096";
  options.shared_memory_from = "elsewhere";  // noted by an import
  const SweepKernel kernel(cuda("saxpy"), options);
  const auto variations = varied({"block=128,256"});
  const auto points = run_sweep(kernel, a100(), {}, variations, 1);
  ASSERT_THAT(points, SizeIs(2));
  for (const auto& point : points) {
    const auto notes = kernel.at(variations, point.values)->notes;
    ASSERT_FALSE(notes.empty());
    for (const auto& note : notes) EXPECT_THAT(point.prediction->warnings, testing::Contains(note));
  }
}

// 1048576 / 96 = 10922.7
TEST(SweepKernel, KeepsTheThreadsOfTheLaunchInBlocksOfOtherSizes) {
  EXPECT_THAT(launches(saxpy(), {"block=64,96,256,1024"}),
              ElementsAre(std::pair(64, 16384), std::pair(96, 10923), std::pair(256, 4096), std::pair(1024, 1024)));
}

// 1024 / 24 = 42.7: 43 x 128 groups.
TEST(SweepKernel, KeepsTheThreadsAlongEachAxis) {
  const SweepKernel product(cuda("mmul"), product_launch({16, 16, 1}, {64, 64, 1}));
  EXPECT_THAT(launches(product, {"block=16x16,32x8,24x8"}),
              ElementsAre(std::pair(256, 4096), std::pair(256, 4096), std::pair(192, 43 * 128)));
}

TEST(SweepKernel, IsThatOfAnImportForTheLaunchOfThePoint) {
  const SweepKernel product(cuda("mmul"), product_launch({16, 16, 1}, {64, 64, 1}));
  const auto variations = varied({"block=32x8"});
  const auto again = cuda("mmul").import(product_launch({32, 8, 1}, {32, 128, 1}));
  EXPECT_EQ(product.at(variations, {variations[0].values[0]})->kernel, again.kernel);
}

TEST(SweepKernel, TakesAGridThatVariesAsItIs) {
  EXPECT_THAT(launches(saxpy(), {"block=64,128", "grid=100,5x7"}),
              ElementsAre(std::pair(64, 100), std::pair(64, 35), std::pair(128, 100), std::pair(128, 35)));
}

TEST(SweepKernel, TakesArgumentsInPlaceOfThoseThatAreGiven) {
  auto options = launch("saxpy_grid_stride", {256, 1, 1}, {16, 1, 1});
  options.launch.arguments["0"] = "7";
  const auto points = run_sweep({cuda("saxpy"), options}, a100(), {}, varied({"arg.0=4096,16384"}), 1);
  ASSERT_THAT(points, SizeIs(2));
  // A multiplication and an addition an element; 4096 threads.
  EXPECT_EQ(points[0].prediction->launch.flops, 2 * 4096);
  EXPECT_EQ(points[1].prediction->launch.flops, 2 * 16384);
  EXPECT_EQ(points[1].prediction->launch.groups.value, 16);
}

TEST(SweepKernel, OfABlockThatNoImportTakesFailsAtThatPointAlone) {
  const auto points = run_sweep(saxpy(), a100(), {}, varied({"block=2048,256"}), 1);
  ASSERT_THAT(points, SizeIs(2));
  EXPECT_THAT(points[0].error, HasSubstr("`block`"));
  EXPECT_TRUE(points[1].prediction);
  EXPECT_THROW(run_sweep(saxpy(), a100(), {}, varied({"block=2048,4096"}), 1), UsageError);
}

// All do the work of 2^20 elements, so the times can be compared: in groups of 32 threads a unit holds 32 of 64 warps.
TEST(SweepKernel, MakesBlocksComparable) {
  const auto variations = varied({"block=32,256"});
  const auto points = run_sweep(saxpy(), a100(), {}, variations, 1);
  for (const auto& point : points) EXPECT_EQ(point.prediction->launch.flops, 2 * 1048576);
  const auto works = equal_work(variations, points);
  ASSERT_THAT(works, SizeIs(1));
  EXPECT_EQ(to_string(works[0].fastest->values[0]), "256");
}

TEST(SweepKernel, GivesTheSameOnAnyNumberOfThreads) {
  auto variations = varied({"block=64:512:x2"});
  variations.push_back(parse_variation("concurrent_groups=1:3", saxpy().first(variations)->kernel, a100()));
  std::vector<Ticks> alone, crowded;
  for (const auto& point : run_sweep(saxpy(), a100(), {}, variations, 1)) alone.push_back(point.prediction->cycles);
  for (const auto& point : run_sweep(saxpy(), a100(), {}, variations, 0)) crowded.push_back(point.prediction->cycles);
  EXPECT_THAT(alone, SizeIs(12));
  EXPECT_EQ(alone, crowded);
}

TEST(SweepKernel, FromPtxTakesNoGroupsOfAnotherSizeOrNumber) {
  const auto refusal = [](const std::string& text) {
    const auto variation = parse_variation(text, saxpy().first({})->kernel, a100());
    return message_of<UsageError>([&] { run_sweep(saxpy(), a100(), {}, {variation}, 1); });
  };
  EXPECT_THAT(refusal("group_size=64,128"), AllOf(HasSubstr("`vary group_size`"), HasSubstr("`vary block=")));
  EXPECT_THAT(refusal("groups=64,128"), AllOf(HasSubstr("`vary groups`"), HasSubstr("`vary grid=")));
}

}  // namespace
}  // namespace warpipe
