// Kernels whose groups differ, against executing every group by itself.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cuda_cases.hpp"
#include "every_group.hpp"
#include "small_ptx.hpp"
#include "support/sanitizers.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"

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

// From the PTX to what the engine issues: all units issue what the kernel says, and N groups of one unit their share.
TEST_P(GroupKinds, AreSimulatedWithAllThatTheyIssue) {
  const Kernel kernel = ptx::import_ptx(kinds_module(), GetParam().options).kernel;
  const auto path = fmt::format("{}/gtx1060.json", WARPIPE_DEVICES);
  Device device = read_device_json(read_text_file(path), path);
  // A unit with a group or two cannot stand for all of them, and says so (OneUnit in the study's tests).
  const auto groups = kernel.launch.groups->evaluate_whole({}, 1);
  device.compute_units = std::clamp<std::int64_t>(groups / 8, 1, device.compute_units);
  const auto predicted = [&](Units units) {
    LaunchOptions options;
    options.units = units;
    return predict(kernel, device, options);
  };
  const double executed = execute_every_group(kinds_module(), GetParam().options).all();
  EXPECT_NEAR(static_cast<double>(predicted(Units::All).instructions_issued) / executed, 1, 0.01);
  const Prediction one = predicted(Units::One);
  const double share = static_cast<double>(one.launch.groups_per_unit) / static_cast<double>(one.launch.groups.value);
  EXPECT_NEAR(static_cast<double>(one.instructions_issued) / (executed * share), 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Cases, GroupKinds, ::testing::ValuesIn(kinds_cases()),
                         [](const auto& one) { return one.param.name; });

// The work of a group is that of its tokens' triangle, the same in every head: what is left of a head is 0.3 % at most.
TEST(GroupKindsOfLargeLaunches, TakeTimesLikeThoseOfNeighbouringGrids) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  const auto path = fmt::format("{}/h100.json", WARPIPE_DEVICES);
  const Device device = read_device_json(read_text_file(path), path);
  std::vector<double> times;
  for (std::int64_t groups = 12280; groups < 12300; ++groups)
    times.push_back(predict(ptx::import_ptx(kinds_module(), causal(groups)).kernel, device, {}).time.count /
                    static_cast<double>(groups));
  EXPECT_LT(std::ranges::max(times) / std::ranges::min(times), 1.03);
}

TEST(GroupKindsOfLargeLaunches, OfTheCausalKernelGrowByAGroupAtATime) {
  if (kSanitized) GTEST_SKIP() << "a minute of it; smaller launches go through the same code";
  // 1024 tokens in groups of 8 rows: the same 128 groups again and again, whatever the number of groups.
  const auto of_a_head = execute_every_group(kinds_module(), causal(128)).all();
  double before = 0;
  for (std::int64_t groups = 12280; groups < 12300; ++groups) {
    const auto made = ptx::import_ptx(kinds_module(), causal(groups));
    EXPECT_LT(made.report.survey.looked_at, 2000U);
    EXPECT_FALSE(made.report.survey.sampled);
    const auto all = issued_by(made.kernel).all();
    EXPECT_NEAR(all / (of_a_head * static_cast<double>(groups) / 128), 1, 0.01) << groups;
    if (before > 0) {
      EXPECT_GT(all, before) << groups;
      EXPECT_LT(all, before + 2 * of_a_head / 128) << groups;
    }
    before = all;
  }
}

TEST(GroupKindsOfLargeLaunches, OfATriangleIssueWhatItsGroupsDoWithinAPerCent) {
  // Of 1024 x 1024 groups those on and below the diagonal go round once more for each step away from it. What a group
  // issues is linear in its steps, so three groups tell what all issue.
  const auto options = launch("triangle_of_groups", {64, 1, 1}, {1024, 1024, 1}, {{"0", "65536"}});
  auto few = options;
  few.launch.grid = {2, 2, 1};
  const auto executed = execute_every_group(kinds_module(), few).groups;
  const auto above = executed[1], once = executed[0], step = executed[2] - executed[0];
  double all = above * 1023 * 512;
  for (double away = 0; away < 1024; ++away) all += (once + step * away) * (1024 - away);
  const auto made = ptx::import_ptx(kinds_module(), options);
  EXPECT_TRUE(made.report.survey.sampled);
  EXPECT_NEAR(issued_by(made.kernel).all() / all, 1, 0.01);
}

TEST(GroupKindsOfLargeLaunches, OfRaggedRowsIssueWhatTheirRowsDoWithinAPerCent) {
  const auto options = ragged(400'000, 40);
  const auto made = ptx::import_ptx(kinds_module(), options);
  EXPECT_TRUE(made.report.survey.sampled);
  // Two loads for a row's ends, and three (a, its column, x) for each 32 elements that it has or begins.
  const auto loads = [](const ptx::ImportOptions& of) {
    const auto& begins = of.launch.arrays.at("1").values;
    double sum = 0;
    for (std::size_t row = 0; row + 1 < begins.size(); ++row)
      sum += 2 + 3 * std::ceil((begins[row + 1] - begins[row]) / 32);
    return sum;
  };
  EXPECT_NEAR(issued_by(made.kernel).ops.at("global.load") / loads(options), 1, 0.01);
  const auto few = ragged(400, 40);
  EXPECT_DOUBLE_EQ(execute_every_group(kinds_module(), few).ops.at("global.load"), loads(few));
}

TEST(CompulsoryBytes, AreThoseOfTheArraysThatALaunchReachesOnce) {
  const auto compulsory = [](const std::string& file, const ptx::ImportOptions& options) {
    return ptx::import_ptx(cuda_module("sm_80", file), options).kernel.work.compulsory_bytes.value().evaluate({});
  };
  // x is read, y is read and written: 4 bytes each of 2^24.
  EXPECT_DOUBLE_EQ(compulsory("saxpy", launch("saxpy", {256, 1, 1}, {65536, 1, 1}, {{"0", "16777216"}})),
                   3 * 4 * 16777216.0);
  // A and B are read, C is written: each row of A by 64 groups, each column of B by 64 others.
  EXPECT_DOUBLE_EQ(compulsory("mmul", launch("mmul16", {16, 16, 1}, {64, 64, 1}, {{"0", "1024"}})),
                   3 * 4 * 1024.0 * 1024);
  // Its stores reach 8 bytes of a sector each; 8 rows later the others.
  EXPECT_DOUBLE_EQ(compulsory("transpose", launch("transpose_naive", {32, 8, 1}, {32, 32, 1}, {{"0", "1024"}})),
                   2 * 4 * 1024.0 * 1024);
  // Three loops over the same rows.
  EXPECT_DOUBLE_EQ(compulsory("softmax", launch("softmax", {256, 1, 1}, {1024, 1, 1}, {{"0", "4096"}})),
                   2 * 4 * 4096.0 * 1024);
  // More sectors than are kept, and loops of which 64 passes stand for all.
  EXPECT_NEAR(
      compulsory("mmul", launch("mmul_naive", {16, 16, 1}, {512, 512, 1}, {{"0", "8192"}})) / (3 * 4 * 8192.0 * 8192),
      1, 0.01);
}

TEST(CompulsoryBytes, AreAtMostTheBytesThatAreMoved) {
  for (const auto& one : cuda_cases()) {
    const auto work = ptx::import_ptx(cuda_module("sm_80", one.file), one.options).kernel.work;
    EXPECT_LE(work.compulsory_bytes.value().evaluate({}), work.bytes.value().evaluate({})) << one.name;
    EXPECT_GT(work.compulsory_bytes.value().evaluate({}), 0) << one.name;
  }
}

}  // namespace
}  // namespace warpipe::test
