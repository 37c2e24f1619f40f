#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "executions.hpp"
#include "problems.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe::test {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::filesystem::path> json_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Kernel shipped(const std::string& name) {
  const std::string path = in_sources(fmt::format("kernels/data/{}.json", name));
  return read_kernel_json(read_text_file(path), path);
}

std::string case_name(const ::testing::TestParamInfo<std::filesystem::path>& info) { return info.param.stem(); }

// ---- requirements on every shipped kernel

class ShippedKernel : public ::testing::TestWithParam<std::filesystem::path> {
 protected:
  Kernel kernel = read_kernel_json(read_text_file(GetParam()), GetParam());
};

INSTANTIATE_TEST_SUITE_P(Each, ShippedKernel, ::testing::ValuesIn(json_files(in_sources("kernels/data"))), case_name);

TEST_P(ShippedKernel, IsNamedLikeItsFileAndSaysWhatItIsAndWhereFrom) {
  EXPECT_EQ(kernel.name, GetParam().stem());
  EXPECT_FALSE(kernel.description.empty());
  EXPECT_FALSE(kernel.origin.empty());
}

TEST_P(ShippedKernel, LaunchResourcesAndWorkHaveValuesAtTheDefaults) {
  const Values values = launch_values(kernel);
  EXPECT_LE(values.at("group_size"), 1024);
  Values grid = values;
  grid.erase("groups");
  for (const auto& whole : {kernel.launch.concurrent_groups, kernel.resources.registers_per_thread,
                            kernel.resources.shared_memory_per_group})
    if (whole) {
      EXPECT_NO_THROW(whole->evaluate_whole(grid, 0)) << whole->text();
    }
  for (const auto& amount : {kernel.work.flops, kernel.work.bytes})
    if (amount) {
      EXPECT_GT(amount->evaluate(values), 0) << amount->text();
    }
}

void expect_values(const Instruction& instruction, const Values& values) {
  for (const Dependence& dependence : instruction.after) EXPECT_NO_THROW(dependence.back.evaluate_whole(values, 1));
  for (const auto& count : {instruction.conflict_degree, instruction.transactions})
    if (count) {
      EXPECT_NO_THROW(count->evaluate_whole(values, 1)) << count->text();
    }
  if (!instruction.access) return;
  EXPECT_NO_THROW(instruction.access->width_bytes.evaluate_whole(values, 1));
  if (const auto* strided = std::get_if<AccessPattern::Strided>(&instruction.access->lanes)) {
    EXPECT_NO_THROW(strided->stride_bytes.evaluate_whole(values, -kLargestWhole)) << strided->stride_bytes.text();
  }
}

TEST_P(ShippedKernel, EveryWarpsExpressionsHaveValuesAtTheDefaults) {
  Values values = launch_values(kernel);
  values.erase("groups");
  for (std::int64_t warp = 0; warp < static_cast<std::int64_t>(values.at("warps")); ++warp) {
    const Values seen = body_values(kernel, values, 0, warp);
    double instructions = 0;
    walk(kernel, kernel.body, seen, 1, [&](const Instruction& instruction, double times) {
      expect_values(instruction, seen);
      instructions += times;
    });
    EXPECT_GT(instructions, 0) << "warp " << warp;
  }
}

TEST_P(ShippedKernel, UsesTheCommonVocabulary) {
  static const std::vector<std::string> vocabulary{
      "iadd",        "imul",         "imad",          "shift",       "logic",        "compare",       "select",
      "convert",     "index",        "fadd",          "fmul",        "ffma",         "fdiv",          "dadd",
      "dmul",        "dfma",         "ddiv",          "dsqrt",       "hfma",         "rcp",           "rsqrt",
      "sqrt",        "sin",          "cos",           "exp2",        "log2",         "shuffle",       "vote",
      "shared.load", "shared.store", "shared.atomic", "global.load", "global.store", "global.atomic", "constant.load",
      "branch",      "barrier",      "mma",           "branch.back", "compare.guard"};
  for (const Instruction& instruction : kernel.instructions) {
    const auto second_dot = instruction.op.find('.', instruction.op.find('.') + 1);  // a width or cache level
    EXPECT_THAT(vocabulary, Contains(instruction.op.substr(0, second_dot))) << instruction.where;
  }
}

// ---- files refused by the reader and by the schema

class RefusedKernel : public ::testing::TestWithParam<std::filesystem::path> {};

INSTANTIATE_TEST_SUITE_P(Each, RefusedKernel, ::testing::ValuesIn(json_files(in_sources("tests/kernels/refused"))),
                         case_name);

TEST_P(RefusedKernel, IsRefusedByTheReaderToo) { EXPECT_THAT(problems_of(read_text_file(GetParam())), Not(IsEmpty())); }

// ---- executions of the graphs against the claims of the files; 32 lanes per warp

TEST(ShippedKernels, TheChainsExecuteTheInstancesTheyPromise) {
  const Kernel fadd = shipped("fadd");
  EXPECT_EQ(executions(fadd, launch_values(fadd))["fadd"], 16 * 64 * 4);  // trips x unroll x warps of 128 threads
  const Kernel cosine = shipped("cos");
  EXPECT_EQ(executions(cosine, launch_values(cosine))["cos"], 16 * 64 * 4);
  const Kernel loop = shipped("loop");
  EXPECT_EQ(executions(loop, launch_values(loop))["branch.back"], 1024 * 4);  // each trip
  const Kernel memory = shipped("memory");
  EXPECT_EQ(executions(memory, launch_values(memory))["global.load"], 16 * 16 * 4);
}

// Row t of 128 kinds of groups of eight rows has t + 1 columns, 32 a trip: (1 + ... + 32) x 32 trips a head and pass.
TEST(ShippedKernels, CausalSoftmaxGoesOverTheTriangle) {
  const Kernel kernel = shipped("causal_softmax");
  double trips = 0;
  for (std::int64_t kind = 0; kind < 1024 / 8; ++kind)
    trips += executions(kernel, launch_values(kernel), kind)["global.store"];
  EXPECT_EQ(trips, 2 * 32 * (32 * 33 / 2));
  EXPECT_EQ(
      std::get<Expression>(kernel.kinds->of_group).evaluate({{"tokens", 1024}, {"warps", 8}, {"group", 128 * 5 + 17}}),
      17);
}

TEST(ShippedKernels, MatrixMultiplyDoesTheWorkItClaims) {
  for (const auto& [name, tile] : {std::pair("mmul08", 8.0), std::pair("mmul16", 16.0)}) {
    const Kernel kernel = shipped(name);
    const Values values = launch_values(kernel);
    const double lanes = 32 * values.at("groups");
    auto count = executions(kernel, values);
    EXPECT_EQ(count["ffma"] * lanes * 2, 2.0 * 1024 * 1024 * 1024) << name;  // 2 n^3
    EXPECT_EQ(count["ffma"] * lanes * 2, kernel.work.flops->evaluate(values)) << name;
    EXPECT_EQ((count["global.load"] + count["global.store"]) * lanes * 4, kernel.work.bytes->evaluate(values)) << name;
    EXPECT_EQ(count["shared.load"], 2 * count["ffma"]) << name;      // both factors
    EXPECT_EQ(count["shared.store"], count["global.load"]) << name;  // loaded values are put into the tiles
    const double tiles = 1024 / tile;
    EXPECT_EQ(count["barrier"], 2 * tiles * values.at("warps")) << name;  // two a tile, in every warp
    EXPECT_EQ(kernel.resources.shared_memory_per_group->evaluate(values), 2 * tile * tile * 4) << name;
  }
}

TEST(ShippedKernels, MatrixMultiplyHasTheLaunchesOfTheValidationOf2019) {
  // 1024 x 1024 elements in tiles of 8 x 8 and 16 x 16: 128^2 groups of 2 warps, 64^2 groups of 8.
  const Values small = launch_values(shipped("mmul08"));
  EXPECT_EQ(small.at("groups"), 16384);
  EXPECT_EQ(small.at("warps"), 2);
  const Values large = launch_values(shipped("mmul16"));
  EXPECT_EQ(large.at("groups"), 4096);
  EXPECT_EQ(large.at("warps"), 8);
}

TEST(ShippedKernels, MatrixMultiplyAccumulatesInOneChain) {
  for (const auto& [name, tile] : {std::pair("mmul08", 8), std::pair("mmul16", 16)}) {
    const Kernel kernel = shipped(name);
    std::vector<std::size_t> mads;
    for (std::size_t index = 0; index < kernel.instructions.size(); ++index)
      if (kernel.instructions[index].op == "ffma") mads.push_back(index);
    ASSERT_EQ(mads.size(), static_cast<std::size_t>(tile));
    for (std::size_t step = 0; step < mads.size(); ++step) {
      const auto& after = kernel.instructions[mads[step]].after;
      ASSERT_EQ(after.size(), 3U);
      EXPECT_EQ(kernel.instructions[after[0].producer].id, fmt::format("read_a{}", step));
      EXPECT_EQ(kernel.instructions[after[1].producer].id, fmt::format("read_b{}", step));
      EXPECT_EQ(after[2].producer,
                mads[(step + mads.size() - 1) % mads.size()]);  // the first waits for the last trip's last
    }
  }
}

TEST(ShippedKernels, ElementWiseKernelsMoveTheBytesTheyClaim) {
  for (const char* name : {"vector_add", "saxpy", "transpose_padded", "transpose_conflicts"}) {
    const Kernel kernel = shipped(name);
    const Values values = launch_values(kernel);
    auto count = executions(kernel, values);
    EXPECT_EQ((count["global.load"] + count["global.store"]) * 32 * values.at("groups") * 4,
              kernel.work.bytes->evaluate(values))
        << name;
  }
}

TEST(ShippedKernels, ReductionDropsWarpsLevelByLevel) {
  const Kernel kernel = shipped("reduction");
  const Values values = launch_values(kernel);
  auto count = executions(kernel, values);
  // 8 warps: 4, 2 and 1 of them add in the levels across warps, then warp 0 in five levels (32 lanes to 1).
  EXPECT_EQ(count["shared.load"], 4 + 2 + 1 + 5);
  EXPECT_EQ(count["fadd"], 8 * 16 + 4 + 2 + 1 + 5);     // 16 elements per thread before the tree
  EXPECT_EQ(count["shared.store"], 8 + 4 + 2 + 1 + 5);  // every warp puts down its own sum first
  EXPECT_EQ(count["barrier"], 8 * (3 + 5));             // every warp at every level
  EXPECT_EQ(count["global.store"], 1);
  EXPECT_EQ(values.at("groups") * count["global.load"] * 32, 4194304);  // each element is loaded once
}

TEST(ShippedKernels, ReductionOfOneWarpAndOf32Warps) {
  const Kernel kernel = shipped("reduction");
  Values values = launch_values(kernel);
  values["group_size"] = 32;
  values["warps"] = 1;
  EXPECT_EQ(executions(kernel, values)["shared.load"], 5);
  values["group_size"] = 1024;
  values["warps"] = 32;
  EXPECT_EQ(executions(kernel, values)["shared.load"], 16 + 8 + 4 + 2 + 1 + 5);
}

TEST(ShippedKernels, AlphaMixExecutesAlphaAdditionsALoad) {
  const Kernel kernel = shipped("alpha_mix");
  Values values = launch_values(kernel);
  values["alpha"] = 4;
  auto count = executions(kernel, values);
  EXPECT_EQ(count["fadd"], 4 * count["global.load"]);
  values["alpha"] = 0;
  EXPECT_EQ(executions(kernel, values).count("fadd"), 0U);
}

TEST(ShippedKernels, TransposesReadTheirTilesColumnsAtTheTilesPitch) {
  for (const auto& [name, pitch] : {std::pair("transpose_padded", 33.0), std::pair("transpose_conflicts", 32.0)}) {
    const Kernel kernel = shipped(name);
    int reads = 0;
    for (const Instruction& instruction : kernel.instructions) {
      if (instruction.op != "shared.load") continue;
      EXPECT_EQ(std::get<AccessPattern::Strided>(instruction.access->lanes).stride_bytes.evaluate({}), pitch * 4);
      ++reads;
    }
    EXPECT_EQ(reads, 4) << name;
    EXPECT_EQ(kernel.resources.shared_memory_per_group->evaluate({}), 32 * pitch * 4) << name;
  }
}

}  // namespace
}  // namespace warpipe::test
