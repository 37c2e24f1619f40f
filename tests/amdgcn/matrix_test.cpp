// Times of products of matrices: cycles of the AMD matrix instruction calculator (ROCm/amd_matrix_instruction_
// calculator 2ef9189) by instruction, against transactions times the tables' cycles for a transaction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string>

#include "opcodes.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"

namespace warpipe::test {
namespace {

struct Product {
  const char* target;
  const char* text;
  double cycles;           ///< by the calculator
  double per_transaction;  ///< of the op, by the device's table
};

TEST(AmdMatrices, TakeTheCyclesOfTheirShapes) {
  static constexpr std::array<Product, 16> kProducts{{
      {"gfx908", "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]", 64, 2},
      {"gfx908", "v_mfma_f32_4x4x4f16 a[0:3], v[0:1], v[2:3], a[0:3]", 8, 2},
      {"gfx908", "v_mfma_f32_32x32x4bf16 a[0:15], v0, v1, a[0:15]", 64, 2},
      {"gfx90a", "v_mfma_f32_16x16x2bf16 a[0:15], v0, v1, a[0:15]", 32, 2},
      {"gfx90a", "v_mfma_f32_16x16x4bf16_1k a[0:15], v[0:1], v[2:3], a[0:15]", 32, 2},
      {"gfx90a", "v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]", 32, 8},
      {"gfx90a", "v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1]", 16, 8},
      {"gfx942", "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", 32, 1},
      {"gfx942", "v_mfma_f32_32x32x4_2b_f16 a[0:31], v[0:1], v[2:3], a[0:31]", 64, 1},
      {"gfx942", "v_mfma_f32_4x4x4_16b_bf16 a[0:3], v[0:1], v[2:3], a[0:3]", 8, 1},
      {"gfx942", "v_mfma_i32_32x32x16_i8 a[0:15], v[0:1], v[2:3], a[0:15]", 32, 0.5},
      {"gfx942", "v_mfma_i32_16x16x4_4b_i8 a[0:15], v0, v1, a[0:15]", 32, 0.5},
      {"gfx942", "v_mfma_f64_4x4x4_4b_f64 a[0:1], v[0:1], v[2:3], a[0:1]", 16, 8},
      {"gfx942", "v_mfma_f32_32x32x1_2b_f32 a[0:31], v0, v1, a[0:31]", 64, 8},
      {"gfx942", "v_mfma_f32_16x16x8_xf32 a[0:3], v[0:1], v[2:3], a[0:3]", 16, 2},
      {"gfx942", "v_mfma_f32_16x16x32_fp8_bf8 a[0:3], v[0:1], v[2:3], a[0:3]", 16, 0.5},
  }};
  for (const auto& product : kProducts) {
    SCOPED_TRACE(product.text);
    const auto module = amdgcn::read_assembly(
        fmt::format(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\nk:\n{}\ns_endpgm\n", product.target, product.text),
        "k.s");
    const auto program = amdgcn::decode(module, module.kernels.front());
    const auto found = std::ranges::find_if(program.instructions,
                                            [](const isa::Instruction& one) { return one.name.starts_with("v_mfma"); });
    ASSERT_NE(found, program.instructions.end());
    EXPECT_DOUBLE_EQ(found->transactions * product.per_transaction, product.cycles);
  }
}

// "v_mfma_f32_4x4x2bf16": 4 x 4 sums of 2 products each. By the registers of sums in each lane, 64 lanes hold the sums
// of several products of matrices, side by side.
TEST(AmdMatrix, ProductsHaveTheMultiplyAddsOfTheirNames) {
  static const std::regex kShape("v_mfma_(f32|i32|f64)_([0-9]+)x([0-9]+)x([0-9]+).*");
  int products = 0;
  for (const auto& one : amdgcn::opcodes()) {
    std::smatch match;
    if (!std::regex_match(one.name, match, kShape)) continue;
    SCOPED_TRACE(one.name);
    ++products;
    const int rows = std::stoi(match[2]), columns = std::stoi(match[3]), depth = std::stoi(match[4]);
    const int registers = std::stoi(one.operands.substr(one.operands.rfind('c') + 1)),
              words = match[1] == "f64" ? 2 : 1;
    const int blocks = registers / words * 64 / (rows * columns);
    EXPECT_EQ(one.multiply_adds, rows * columns * depth * blocks);
    EXPECT_EQ(one.blocks, blocks);
  }
  EXPECT_GT(products, 50);
}

}  // namespace
}  // namespace warpipe::test
