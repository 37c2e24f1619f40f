#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "addresses.hpp"
#include "executions.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/kernels/read_kernel.hpp"

/// The addresses of the shipped kernels' accesses.

namespace warpipe::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::vector<std::string> names_of_kernels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(in_sources("kernels/data")))
    names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

Kernel shipped_kernel(const std::string& name) {
  const std::string path = in_sources(fmt::format("kernels/data/{}.json", name));
  return read_kernel_json(read_text_file(path), path);
}

/// The launch of a kernel with other values of some parameters.
Values launch_with(Kernel& kernel, const std::map<std::string, double>& parameters) {
  for (const auto& [name, value] : parameters) kernel.parameters.at(name) = value;
  return launch_values(kernel);
}

/// An access to the global memory of a device with levels. Copies by an accelerator's DMA engine are none.
bool is_access(const Instruction& instruction) {
  return class_of(instruction.op) == OpClass::GlobalMemory && !instruction.op.ends_with(".dma");
}

// ---- all kernels

class ShippedAddresses : public ::testing::TestWithParam<std::string> {
 protected:
  Kernel kernel = shipped_kernel(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Each, ShippedAddresses, ::testing::ValuesIn(names_of_kernels()),
                         [](const auto& tested) { return tested.param; });

TEST_P(ShippedAddresses, OpsSayWhatAnInstructionDoesAndNotWhichLevelServesIt) {
  for (const Instruction& instruction : kernel.instructions) {
    const auto second_dot = instruction.op.find('.', instruction.op.find('.') + 1);
    if (!is_access(instruction) || second_dot == std::string::npos) continue;
    EXPECT_TRUE(instruction.op.ends_with(".64") || instruction.op.ends_with(".128")) << instruction.op;
  }
}

TEST_P(ShippedAddresses, EachAccessSaysWhereItIsOrWhichLevelServesIt) {
  for (const Instruction& instruction : kernel.instructions) {
    if (!is_access(instruction)) continue;
    ASSERT_TRUE(instruction.access) << instruction.id;
    EXPECT_TRUE(std::holds_alternative<AccessPattern::Addressed>(instruction.access->lanes) ||
                !instruction.levels.empty())
        << instruction.id;
    EXPECT_FALSE(instruction.transactions || instruction.conflict_degree)
        << instruction.id << ": follow from the address";
  }
}

// The width in the op's name equals the width in the access.
TEST_P(ShippedAddresses, WidthsAreThoseOfTheOps) {
  for (const Instruction& instruction : kernel.instructions) {
    if (!is_access(instruction)) continue;
    const double width = instruction.access->width_bytes.evaluate({});
    const double of_op = instruction.op.ends_with(".128") ? 16 : instruction.op.ends_with(".64") ? 8 : 4;
    EXPECT_TRUE(width == of_op || (width < 4 && of_op == 4)) << instruction.id;
  }
}

TEST_P(ShippedAddresses, AccessesOfTheFirstAndTheLastGroupAreInTheirArrays) {
  const Values values = launch_values(kernel);
  const Executions executions(kernel, values, false);
  for (const double group : {0.0, values.at("groups") - 1})
    for (std::int64_t warp = 0; warp < static_cast<std::int64_t>(values.at("warps")); ++warp)
      executions.visit(static_cast<std::int64_t>(group), warp, [&](const Execution& execution) {
        EXPECT_FALSE(execution.addresses.empty()) << execution.instruction.id << " of group " << group;
        for (const std::int64_t address : execution.addresses)
          EXPECT_LE(address + execution.width, executions.shape().arrays[execution.array].bytes)
              << execution.instruction.id;
      });
}

TEST_P(ShippedAddresses, BlockAndGridAreThoseOfTheLaunch) {
  const Values values = launch_values(kernel);
  const auto product = [&](const std::vector<Expression>& sizes) {
    double threads = 1;
    for (const Expression& size : sizes) threads *= static_cast<double>(size.evaluate_whole(values, 1));
    return threads;
  };
  if (!kernel.launch.block.empty()) {
    EXPECT_EQ(product(kernel.launch.block), values.at("group_size"));
  }
  if (!kernel.launch.grid.empty()) {
    EXPECT_EQ(product(kernel.launch.grid), values.at("groups"));
  }
}

// ---- memory touched by a launch: all of its arrays

struct Launch {
  std::string kernel;
  std::map<std::string, double> parameters;
  std::map<std::string, std::int64_t> touched;  ///< bytes
};

class Touched : public ::testing::TestWithParam<Launch> {};

std::string name_of_launch(const ::testing::TestParamInfo<Launch>& tested) {
  return fmt::format("{}_{}", tested.param.kernel, tested.index);
}

// Matrices of 64 x 64 words and of 64 x 48; streams shorter than they are shipped_kernel.
const Launch kLaunches[] = {
    {"alpha_mix", {{"trips", 2}}, {{"p.load", 4 * 2 * 128 * 1120}, {"out.store", 4 * 128 * 1120}}},
    {"array_add_coalesced", {{"n", 64}}, {{"a.load", 16384}, {"b.load", 16384}, {"c.store", 16384}}},
    {"array_add_not_coalesced", {{"n", 64}}, {{"a.load", 16384}, {"b.load", 16384}, {"c.store", 16384}}},
    {"array_add_coalesced", {{"n", 4}, {"l2", 1}}, {{"a.load", 64}, {"b.load", 64}, {"c.store", 64}}},
    {"array_add_not_coalesced", {{"n", 4}, {"l2", 1}}, {{"a.load", 64}, {"b.load", 64}, {"c.store", 64}}},
    // Row t of 64 of each of two heads has t + 1 words, and each is read and written.
    {"causal_softmax", {{"tokens", 64}, {"heads", 2}}, {{"x.load", 2 * 4 * 2080}, {"x.store", 2 * 4 * 2080}}},
    {"chains_ddiv", {}, {{"out.store", 8 * (32 + 9)}}},
    {"image_to_grayscale", {{"n", 64}}, {{"in.load", 12288}, {"out.store", 4096}}},
    {"image_to_grayscale", {{"n", 4}, {"l2", 1}}, {{"in.load", 48}, {"out.store", 16}}},
    {"mat_mat_mul", {{"m", 64}, {"n", 48}, {"k", 32}}, {{"A.load", 8192}, {"B.load", 6144}, {"C.store", 12288}}},
    {"mat_vec_mul", {{"rows", 512}, {"cols", 16}}, {{"matrix.load", 32768}, {"vector.load", 64}, {"out.store", 2048}}},
    {"mat_vec_mul",
     {{"rows", 100}, {"cols", 16}, {"l2", 1}},
     {{"matrix.load", 6400}, {"vector.load", 64}, {"out.store", 400}}},
    {"memory", {{"trips", 1}, {"unroll", 2}}, {{"next.load", 4 * 2 * 128 * 1120}, {"out.store", 4 * 128 * 1120}}},
    {"mixbench_ro_fp32", {{"elements", 32768}}, {{"g_data.load", 131072}}},
    {"mmul08", {{"n", 64}}, {{"A.load", 16384}, {"B.load", 16384}, {"C.store", 16384}}},
    {"mmul16", {{"n", 64}}, {{"A.load", 16384}, {"B.load", 16384}, {"C.store", 16384}}},
    {"reduction", {{"n", 8192}}, {{"in.load", 32768}, {"out.store", 8}}},
    {"saxpy", {{"n", 1000}}, {{"x.load", 4000}, {"y.load", 4000}, {"y.store", 4000}}},
    {"scale_wide", {{"n", 4096}}, {{"in.load", 16384}, {"out.store", 16384}}},
    {"scale_wide", {{"n", 8192}, {"words", 2}}, {{"in.load", 32768}, {"out.store", 32768}}},
    {"scale_wide", {{"n", 16384}, {"words", 4}}, {{"in.load", 65536}, {"out.store", 65536}}},
    {"sgemm_naive", {{"m", 64}, {"n", 32}, {"k", 16}}, {{"A.load", 4096}, {"B.load", 2048}, {"C.store", 8192}}},
    // Every second word of p, from the third on.
    {"strided_copy", {{"n", 1024}, {"offset", 2}, {"stride", 2}}, {{"p.load", 4096}, {"p.store", 4096}}},
    {"transpose_padded", {{"n", 64}}, {{"in.load", 16384}, {"out.store", 16384}}},
    {"transpose_conflicts", {{"n", 64}}, {{"in.load", 16384}, {"out.store", 16384}}},
    {"vector_add", {{"n", 1000}}, {{"a.load", 4000}, {"b.load", 4000}, {"c.store", 4000}}},
};

INSTANTIATE_TEST_SUITE_P(Launch, Touched, ::testing::ValuesIn(kLaunches), name_of_launch);

TEST_P(Touched, EveryElementAndNoOther) {
  Kernel kernel = shipped_kernel(GetParam().kernel);
  EXPECT_EQ(bytes_touched(kernel, launch_with(kernel, GetParam().parameters)), GetParam().touched);
}

// Matrices of 256 x 128 x 24 in tiles of 128 x 128 x 8.
TEST(Touched, ByTheTilesOfAMatrixProduct) {
  for (const char* name : {"sgemm_v1", "sgemm_v2", "sgemm_v3"}) {
    Kernel kernel = shipped_kernel(name);
    const Values values = launch_with(kernel, {{"m", 256}, {"n", 128}, {"k", 24}});
    EXPECT_THAT(bytes_touched(kernel, values),
                UnorderedElementsAre(Pair("A.load", 4 * 256 * 24), Pair("B.load", 4 * 24 * 128),
                                     Pair("C.store", 4 * 256 * 128)))
        << name;
  }
}

TEST(Touched, ByAStencilWithANeighbourOnEachSide) {
  for (const auto& [name, reach] : {std::pair("stream_stencil3", 1), std::pair("stream_stencil5", 2)}) {
    const Kernel kernel = shipped_kernel(name);
    Values values = launch_values(kernel);
    values["groups"] = 2;
    EXPECT_THAT(bytes_touched(kernel, values),
                UnorderedElementsAre(Pair("B.load", 8 * (512 + 2 * reach)), Pair("A.store", 8 * 512)));
  }
}

// Each thread adds to eight points of a column of 256 x 256 x 256; two of the launch's 16384 groups are 2 x 128
// threads.
TEST(Touched, ByAGroupOfTheCoulombGrid) {
  for (const char* name : {"coulomb3d", "coulomb3d_spilled"}) {
    Kernel kernel = shipped_kernel(name);
    Values values = launch_with(kernel, {{"atoms", 3}});
    values["groups"] = 2;
    auto touched = bytes_touched(kernel, values);
    EXPECT_EQ(touched["atoms_xyzw.load"], 48) << name;
    EXPECT_EQ(touched["energy_grid.load"], 4 * 2 * 128 * 8) << name;
    EXPECT_EQ(touched["energy_grid.store"], 4 * 2 * 128 * 8) << name;
    EXPECT_EQ(touched.count("sums.load"), name == std::string("coulomb3d_spilled") ? 1U : 0U);
    if (touched.count("sums.load") > 0) {
      EXPECT_EQ(touched["sums.load"], 4 * 8);  // of each thread
      EXPECT_EQ(touched["sums.store"], 4 * 8);
    }
  }
}

// ---- sectors of a warp, counted by hand

/// All sectors of a kernel's accesses at its defaults, by a warp in the middle of the launch.
std::map<std::string, std::size_t> sectors_of(const std::string& name,
                                              const std::map<std::string, double>& parameters = {}) {
  Kernel kernel = shipped_kernel(name);
  const Values values = launch_with(kernel, parameters);
  return first_sectors(kernel, values, static_cast<std::int64_t>(values.at("groups")) / 2, 0);
}

TEST(Sectors, CoalescedAccessesTouchFourForWordsAndEightForDoubles) {
  for (const char* name : {"vector_add", "saxpy", "alpha_mix", "memory", "mixbench_ro_fp32", "cos", "fadd", "loop",
                           "array_add_coalesced", "mmul08", "mmul16", "transpose_padded", "transpose_conflicts"})
    EXPECT_THAT(sectors_of(name), Each(Pair(::testing::_, 4U))) << name;
  for (const char* name : {"stream_init", "stream_read", "stream_scale", "stream_triad", "chains_ddiv", "chains_dsqrt"})
    EXPECT_THAT(sectors_of(name), Each(Pair(::testing::_, 8U))) << name;
}

TEST(Sectors, NeighboursOfAStencilReachIntoOneMore) {
  EXPECT_THAT(sectors_of("stream_stencil3"),
              UnorderedElementsAre(Pair("load_b", 8), Pair("load_left", 9), Pair("load_right", 9), Pair("store", 8)));
  EXPECT_THAT(sectors_of("stream_stencil5"),
              UnorderedElementsAre(Pair("load_b", 8), Pair("load_left_2", 9), Pair("load_left_1", 9),
                                   Pair("load_right_1", 9), Pair("load_right_2", 9), Pair("store", 8)));
}

// 16 rows with two words in each; 2 x 48 bytes of pixels, 2 x 16 of gray pixels.
TEST(Sectors, OfGroupsOf16x16Threads) {
  EXPECT_THAT(sectors_of("array_add_not_coalesced"), Each(Pair(::testing::_, 16U)));
  EXPECT_THAT(sectors_of("image_to_grayscale"),
              UnorderedElementsAre(Pair("red", 4), Pair("green", 4), Pair("blue", 4), Pair("store", 2)));
  auto of_product = sectors_of("mat_mat_mul");
  EXPECT_EQ(of_product["store"], 4U);
  of_product.erase("store");
  EXPECT_THAT(of_product, Each(Pair(::testing::_, 2U)));  // a word of A in two rows, sixteen of B
}

TEST(Sectors, AMatrixVectorProductTouchesOneForEachRowOfAWarp) {
  for (const auto& [rows, sectors] : {std::pair(8192.0, 32U), std::pair(2.0, 2U)}) {
    auto touched = sectors_of("mat_vec_mul", {{"rows", rows}});
    EXPECT_EQ(touched["matrix0"], sectors);
    EXPECT_EQ(touched["matrix3"], sectors);
    EXPECT_EQ(touched["vector0"], 1U);
  }
}

// Sixteen rows of two halves of 16 bytes of A, 512 bytes of B. Of C, each lane has a sector of its own in version 1; in
// later versions sixteen lanes write 256 bytes of a row.
TEST(Sectors, OfTheTilesOfAMatrixProduct) {
  for (const auto& [name, of_store] : {std::pair("sgemm_v1", 32U), std::pair("sgemm_v2", 16U)})
    EXPECT_THAT(sectors_of(name),
                UnorderedElementsAre(Pair("load_a", 16), Pair("load_b", 16), Pair("store_c", of_store)));
  auto of_third = sectors_of("sgemm_v3");
  EXPECT_EQ(of_third["store_c"], 16U);
  of_third.erase("store_c");
  EXPECT_THAT(of_third, Each(Pair(::testing::_, 16U)));
}

// floor((4 (offset + 31 stride) + 3) / 32) - floor(4 offset / 32) + 1 segments, but at most a segment for each lane
TEST(Sectors, OfAStridedCopyFollowItsFormula) {
  for (int offset = 0; offset < 16; ++offset)
    for (int stride = 1; stride <= 64; ++stride) {
      const auto count = static_cast<std::size_t>((4 * (offset + 31 * stride) + 3) / 32 - 4 * offset / 32 + 1);
      EXPECT_THAT(sectors_of("strided_copy", {{"offset", offset}, {"stride", stride}}),
                  Each(Pair(::testing::_, std::min<std::size_t>(32, count))))
          << offset << " " << stride;
    }
}

TEST(Sectors, TheLoadsOfAnL1StrideBeginFourElementsApart) {
  for (const auto& [name, width] : {std::pair("l1_stride_float", 4), std::pair("l1_stride_double", 8)}) {
    const std::int64_t bytes = width;
    Kernel kernel = shipped_kernel(name);
    const Values values = launch_with(kernel, {{"stride", 3}});
    std::map<std::int64_t, std::string> begins;
    Executions(kernel, values, false).visit(0, 1, [&](const Execution& execution) {
      begins[execution.addresses.front() - bytes * 3 * 32] = execution.instruction.id;
      EXPECT_EQ(execution.addresses[1] - execution.addresses[0], bytes * 3);
    });
    const std::int64_t apart = 4 * bytes;  // the fifth load of a trip and the sixth are the other way round
    EXPECT_THAT(begins, ElementsAre(Pair(0, "load0"), Pair(apart, "load1"), Pair(2 * apart, "load2"),
                                    Pair(3 * apart, "load3"), Pair(4 * apart, "load5"), Pair(5 * apart, "load4"),
                                    Pair(6 * apart, "load6"), Pair(7 * apart, "load7")))
        << name;
    for (const Instruction& instruction : kernel.instructions)
      if (is_access(instruction)) {
        EXPECT_THAT(instruction.levels, ElementsAre(LevelUse{"l1", Expression(1), {}}));
      }
  }
}

}  // namespace
}  // namespace warpipe::test
