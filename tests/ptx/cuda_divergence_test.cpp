// Active warps of a group at each step of a tree, against counts derived by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "cuda_cases.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAreArray;

/// Counts, in program order, the warps executing each instruction of an op and a source line.
std::vector<double> warps_at(const Kernel& kernel, const std::string& op, const std::vector<std::string>& lines,
                             double warps) {
  std::vector<double> counts;
  const std::function<void(const std::vector<Item>&, const std::vector<bool>&, std::int64_t)> walk =
      [&](const std::vector<Item>& items, const std::vector<bool>& active, std::int64_t times) {
        for (const auto& item : items) {
          if (const auto* index = std::get_if<std::size_t>(&item.node)) {
            const auto& made = kernel.instructions[*index];
            const bool here =
                std::ranges::any_of(lines, [&](const auto& line) { return made.text.starts_with(line + ":"); });
            if (made.op == op && here)
              for (std::int64_t i = 0; i < times; ++i)
                counts.push_back(static_cast<double>(std::ranges::count(active, true)));
          } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
            walk(loop->body, active, times * loop->trip_count.evaluate_whole({}, 0));
          } else {
            const auto& when = std::get<When>(item.node);
            std::vector<bool> inside;
            for (std::size_t warp = 0; warp < active.size(); ++warp)
              inside.push_back(active[warp] && when.condition.evaluate({{"warp", static_cast<double>(warp)}}) != 0);
            walk(when.body, inside, times);
          }
        }
      };
  walk(kernel.body, std::vector<bool>(static_cast<std::size_t>(warps), true), 1);
  return counts;
}

/// With the branches of the source, not with predicates in their place.
Kernel import_case(const CudaCase& one) {
  auto options = one.options;
  options.lowering.without = {"guarded-accesses"};
  return ptx::import_ptx(cuda_module("sm_80", one.file), options).kernel;
}

/// An addition a step: an fadd at the line of the sum.
void expect_steps(const std::string& name, const std::string& text) {
  const auto& one = cuda_case(name);
  EXPECT_THAT(warps_at(import_case(one), "fadd", lines_with(one.file, text), 8), ElementsAreArray(one.active_warps))
      << name;
}

TEST(CudaDivergence, InterleavedReductionKeepsAllWarpsUntilTheStepIsAWarp) {
  expect_steps("reduction, stage 1", "tile[thread] += tile[thread + s];");
}

TEST(CudaDivergence, SequentialReductionHalvesTheWarps) {
  expect_steps("reduction, stage 2", "tile[thread] += tile[thread + s];");
}

TEST(CudaDivergence, ShuffleReductionLeavesTheLastStepsToOneWarp) {
  const auto& one = cuda_case("reduction, stage 3");
  const auto kernel = import_case(one);
  const auto steps = warps_at(kernel, "fadd", lines_with(one.file, "tile[thread] += tile[thread + s];"), 8);
  const auto shuffles = warps_at(kernel, "shuffle", lines_with(one.file, "__shfl_down_sync"), 8);
  // Two steps of 4 and 2 warps; the sum of two numbers in the first warp; then 5 shuffles there.
  EXPECT_THAT(steps, ElementsAreArray({4, 2}));
  EXPECT_THAT(shuffles, ElementsAreArray({1, 1, 1, 1, 1}));
}

TEST(CudaDivergence, InclusiveScanLosesAWarpWithEach32OfItsDistance) {
  expect_steps("prefix sum, inclusive", "sum += tile[thread - distance];");
}

}  // namespace
}  // namespace warpipe::test
