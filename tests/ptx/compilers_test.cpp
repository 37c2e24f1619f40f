// The dialects of further compilers, beside the compilers of the shipped kernels; the inputs are written by hand in
// their manner.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "small_ptx.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using Arguments = std::map<std::string, std::string>;

/// 8 groups of 4 warps; unknown opcodes are left out where `skipped` names them.
ptx::Import import_of(const std::string& compiler, const Arguments& arguments, const std::string& skipped = "") {
  const auto path = in_sources(fmt::format("tests/kernels/ptx/by_hand/{}.ptx", compiler));
  ptx::ImportOptions options;
  options.launch.block = {128, 1, 1};
  options.launch.grid = {8, 1, 1};
  options.launch.arguments = arguments;
  if (!skipped.empty()) options.lowering.unknown = {{skipped, "skip"}};
  return ptx::import_ptx(ptx::read_ptx(read_text_file(path), compiler + ".ptx"), options);
}

auto dropped_at(std::uint32_t line, std::size_t instructions) {
  return AllOf(Field(&ptx::DroppedSide::line, line), Field(&ptx::DroppedSide::instructions, instructions));
}

TEST(Compilers, Nvcc9PrintsBlanksInsideOfCallsAndNoDollarInLabels) {
  // 32 warps of 1024 threads; n = 1024 is not below 0: no thread prints.
  const auto made = import_of("nvcc9", {{"2", "1024"}}, "call");
  EXPECT_THAT(made.report.skipped, ElementsAre("call vprintf (line 87)"));
  EXPECT_EQ(executed(made, "global.load"), 32);
  EXPECT_EQ(executed(made, "fmul"), 32);
  EXPECT_EQ(executed(made, "global.store"), 32);
  EXPECT_EQ(executed(made, "branch"), 64);
  EXPECT_EQ(made.report.dropped.size(), 1U);
}

TEST(Compilers, Nvcc12PrintsHintsForCachesInlinedPlacesAndClusters) {
  // 8 x 128 threads of four elements are 4096: all 32 warps work.
  const auto made = import_of("nvcc12", {{"2", "4096"}}, "class");
  EXPECT_THAT(made.report.skipped, ElementsAre(HasSubstr("membar.gl"), HasSubstr("fence.acq_rel.gpu")));
  EXPECT_EQ(executed(made, "global.load"), 2 * 32);    // of four floats, of a single float
  EXPECT_EQ(executed(made, "global.atomic"), 2 * 32);  // atom, red
  EXPECT_EQ(executed(made, "barrier"), 32);
  EXPECT_EQ(executed(made, "shuffle"), 32);
  // 32 lanes with 16 neighbouring bytes each; code of another file's function stands at the calling line.
  EXPECT_EQ(made.report.accesses.front().statistics.segments.sum, 32 * 16);
  EXPECT_EQ(made.report.accesses.front().source, "sum.cu:6");
}

TEST(Compilers, NumbaPrintsCommonVariablesAndErrorCodes) {
  // An array of 1000 elements (p_5) 4 bytes apart (p_6); 1024 threads. The callee's code of errors is always 0.
  const auto made = import_of("numba", {{"5", "1000"}, {"6", "4"}});
  EXPECT_EQ(made.report.calls, 1U);
  EXPECT_EQ(executed(made, "global.load"), 2 * 32);  // of the array and of the stack
  EXPECT_EQ(executed(made, "fmul"), 32);
  EXPECT_EQ(executed(made, "global.atomic"), 0);
  EXPECT_THAT(made.report.dropped, ElementsAre(dropped_at(94, 3)));
  // The last warp has 1000 - 31 x 32 = 8 lanes.
  EXPECT_EQ(made.report.accesses.front().statistics.lanes.least, 8);
  EXPECT_EQ(made.report.accesses.front().statistics.lanes.most, 32);
}

TEST(Compilers, XlaPrintsConstantsAsGlobalsAndSidesThatNobodyTakes) {
  const auto made = import_of("xla", {});
  EXPECT_EQ(executed(made, "global.load"), 3 * 32);
  EXPECT_EQ(executed(made, "global.store"), 32);
  EXPECT_EQ(executed(made, "fadd"), 4 * 32);
  EXPECT_THAT(made.report.dropped, ElementsAre(dropped_at(50, 2)));
}

TEST(Compilers, Clang19PrintsDeclarationsBeforeBodiesGenericAddressesAndAliases) {
  const auto made = import_of("clang19", {{"2", "4"}});
  EXPECT_EQ(made.report.calls, 1U);
  EXPECT_THAT(made.report.skipped, ::testing::IsEmpty());  // __assertfail is no question
  // 32 warps, four passes each.
  ASSERT_EQ(made.report.entered_loops.size(), 1U);
  EXPECT_EQ(made.report.entered_loops.front().label, "$L__BB0_1");
  EXPECT_EQ(made.report.entered_loops.front().entries, 32);
  EXPECT_EQ(made.report.entered_loops.front().iterations.sum, 4 * 32);
  EXPECT_EQ(executed(made, "global.load"), 4 * 32);
  // An index and two addresses in a pass; balanced-sums makes a multiply-add of the doubling, too.
  EXPECT_EQ(executed(made, "imad"), (3 + 1) * 4 * 32);
}

}  // namespace
}  // namespace warpipe::test
