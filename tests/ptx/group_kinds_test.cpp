// Kernels whose groups differ, against executing every group by itself.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "cuda_cases.hpp"
#include "every_group.hpp"
#include "small_ptx.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe::test {
namespace {

const ptx::Module& kinds_module() {
  static const auto path = fmt::format("{}/nvcc13/kinds.ptx", WARPIPE_OTHERS);
  static const auto module = ptx::read_ptx(read_text_file(path), path);
  return module;
}

using Numbers = std::map<std::string, std::string>;

ptx::ImportOptions launch(const std::string& entry, const ptx::Dimensions& block, const ptx::Dimensions& grid,
                          const Numbers& arguments = {}) {
  ptx::ImportOptions options;
  options.entry = entry;
  options.launch.block = block;
  options.launch.grid = grid;
  options.launch.arguments = arguments;
  return options;
}

ptx::ImportOptions causal(std::int64_t groups, int tokens = 1024, std::int64_t block = 256) {
  const auto rows = groups * (block / 32);
  return launch("causal_softmax", {block, 1, 1}, {groups, 1, 1},
                {{"0", std::to_string(rows)}, {"1", std::to_string(tokens)}});
}

/// The furthest that the number of any op that matters is off, as a share.
double furthest_op(const IssuedByGroups& made, const IssuedByGroups& executed) {
  double furthest = 0;
  for (const auto& [op, count] : executed.ops) {
    if (count < 0.005 * executed.all()) continue;
    const auto found = made.ops.find(op);
    furthest = std::max(furthest, std::abs((found == made.ops.end() ? 0 : found->second) / count - 1));
  }
  return furthest;
}

struct KindsCase {
  std::string name;
  ptx::ImportOptions options;
  bool exact = true;  ///< every group issues what it does by itself
};

void PrintTo(const KindsCase& one, std::ostream* stream) { *stream << one.name; }

/// Rows of a length that follows no order: from 0 to 2 x mean, some of them thirty times as long.
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
      {"CausalSoftmax", causal(512)},
      {"CausalSoftmaxOfTokensThatNoGroupDivides", causal(300, 1000)},
      {"LuStep", launch("lu_step", {16, 16, 1}, {40, 40, 1}, {{"0", "630"}, {"1", "203"}})},
      {"LuProducts", launch("lu_products", {16, 16, 1}, {20, 20, 1}, {{"0", "313"}})},
      {"TriangularProduct", launch("triangular_product", {16, 16, 1}, {32, 32, 1}, {{"0", "512"}})},
      {"RaggedRows", ragged(2000, 40)},
      {"Tree", launch("tree_nodes", {128, 1, 1}, {1000, 1, 1})},
      {"OddAndEven", launch("odd_even", {256, 1, 1}, {999, 1, 1}, {{"0", "255700"}})},
      {"BothAxes", launch("triangle_of_groups", {64, 1, 1}, {48, 48, 1}, {{"0", "4096"}})},
      {"ThousandKinds", launch("thousand_kinds", {64, 1, 1}, {2500, 1, 1})},
      {"Correlation", launch("correlation", {64, 1, 1}, {16, 1, 1}, {{"0", "1000"}, {"1", "77"}})},
      {"UnevenPasses", launch("uneven_passes", {64, 1, 1}, {66, 1, 1}, {{"0", "500"}}), false},
      {"CausalTiles", launch("causal_tiles", {32, 8, 1}, {12, 32, 2}, {{"0", "1024"}})},
  };
}

class GroupKinds : public ::testing::TestWithParam<KindsCase> {};

TEST_P(GroupKinds, IssueWhatEveryGroupIssuesByItself) {
  const auto made = ptx::import_ptx(kinds_module(), GetParam().options);
  const auto kernel = issued_by(made.kernel);
  const auto executed = execute_every_group(kinds_module(), GetParam().options);
  ASSERT_EQ(kernel.groups.size(), executed.groups.size());
  EXPECT_NEAR(kernel.all() / executed.all(), 1, 0.01);
  EXPECT_LE(furthest_op(kernel, executed), 0.01);
  if (GetParam().exact) {
    EXPECT_EQ(kernel.groups, executed.groups);
  }
  double reported = 0;
  for (const auto& [op, count] : made.report.issued) reported += count;
  EXPECT_DOUBLE_EQ(reported, executed.all());
}

INSTANTIATE_TEST_SUITE_P(Cases, GroupKinds, ::testing::ValuesIn(kinds_cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpipe::test
