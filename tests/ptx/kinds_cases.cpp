#include "kinds_cases.hpp"
#include "support/folders.hpp"

#include <fmt/format.h>

#include <cmath>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {

const ptx::Module& kinds_module() {
  static const auto path = in_sources("tests/kernels/ptx/nvcc13/kinds.ptx");
  static const auto module = ptx::read_ptx(read_text_file(path), path);
  return module;
}

ptx::ImportOptions launch(const std::string& entry, const ptx::Dimensions& block, const ptx::Dimensions& grid,
                          const Numbers& arguments) {
  ptx::ImportOptions options;
  options.entry = entry;
  options.launch.block = block;
  options.launch.grid = grid;
  options.launch.arguments = arguments;
  // The reference jumps over accesses whose predicate does not hold.
  options.lowering.without = {"guarded-accesses"};
  return options;
}

ptx::ImportOptions causal(std::int64_t groups, int tokens, std::int64_t block) {
  const auto rows = groups * (block / 32);
  return launch("causal_softmax", {block, 1, 1}, {groups, 1, 1},
                {{"0", std::to_string(rows)}, {"1", std::to_string(tokens)}});
}

void PrintTo(const KindsCase& one, std::ostream* stream) { *stream << one.name; }

ptx::ImportOptions ragged(std::int64_t rows, int mean) {
  auto options = launch("csr_rows", {128, 1, 1}, {(rows + 3) / 4, 1, 1}, {{"0", std::to_string(rows)}});
  ptx::ArrayValues begins;
  double begin = 0;
  std::uint64_t state = 1;
  for (std::int64_t row = 0; row <= rows; ++row) {
    begins.values.push_back(begin);
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto drawn = static_cast<double>(state >> 33) / 4294967296.0 * 2;
    begin += std::floor(drawn * 2 * mean * (state % 64 == 1 ? 30 : 1));
  }
  options.launch.arrays["1"] = begins;
  options.launch.arrays["2"].uniform = 100'000;
  return options;
}

std::vector<KindsCase> kinds_cases() {
  return {
      {"CausalSoftmax", causal(192)},
      {"CausalSoftmaxOfTokensThatNoGroupDivides", causal(140, 1000)},
      {"LuStep", launch("lu_step", {16, 16, 1}, {40, 40, 1}, {{"0", "630"}, {"1", "203"}})},
      {"LuProducts", launch("lu_products", {16, 16, 1}, {20, 20, 1}, {{"0", "313"}})},
      {"TriangularProduct", launch("triangular_product", {16, 16, 1}, {32, 32, 1}, {{"0", "512"}})},
      {"RaggedRows", ragged(2000, 40)},
      {"Tree", launch("tree_nodes", {128, 1, 1}, {1000, 1, 1})},
      {"OddAndEven", launch("odd_even", {256, 1, 1}, {999, 1, 1}, {{"0", "255700"}})},
      {"BothAxes", launch("triangle_of_groups", {64, 1, 1}, {48, 48, 1}, {{"0", "4096"}})},
      {"ThousandKinds", launch("thousand_kinds", {64, 1, 1}, {2500, 1, 1})},
      {"Correlation", launch("correlation", {64, 1, 1}, {8, 1, 1}, {{"0", "500"}, {"1", "77"}})},
      {"UnevenPasses", launch("uneven_passes", {64, 1, 1}, {15, 1, 1}, {{"0", "300"}}), false},
      {"CausalTiles", launch("causal_tiles", {32, 8, 1}, {3, 16, 2}, {{"0", "512"}})},
  };
}

}  // namespace warpipe::test
