// Loops closed in form, against the same loops executed pass by pass.
#include <gmock/gmock.h>

#include "cuda_cases.hpp"
#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

/// @param wraps  some addresses are followed only until they wrap around: the bytes reached before are a lower bound,
/// and
///               none lie in front of the array's address
void expect_the_same(const ptx::Import& closed, const ptx::Import& executed, const std::string& name,
                     bool wraps = false) {
  Kernel kernel = closed.kernel;
  if (wraps) {
    EXPECT_LE(kernel.work.compulsory_bytes->evaluate({}), executed.kernel.work.compulsory_bytes->evaluate({})) << name;
    kernel.work.compulsory_bytes = executed.kernel.work.compulsory_bytes;
    kernel.arrays = executed.kernel.arrays;
    for (std::size_t i = 0; i < kernel.instructions.size(); ++i)
      kernel.instructions.at(i).access = executed.kernel.instructions.at(i).access;
  }
  EXPECT_EQ(kernel, executed.kernel) << name;
  EXPECT_EQ(closed.report.executions, executed.report.executions) << name;
  ASSERT_EQ(closed.report.accesses.size(), executed.report.accesses.size()) << name;
  for (std::size_t i = 0; i < closed.report.accesses.size(); ++i) {
    const auto& one = closed.report.accesses[i].statistics;
    const auto& other = executed.report.accesses[i].statistics;
    EXPECT_DOUBLE_EQ(one.executions, other.executions) << name;
    EXPECT_DOUBLE_EQ(one.segments.sum, other.segments.sum) << name;
    EXPECT_DOUBLE_EQ(one.lines.sum, other.lines.sum) << name;
    EXPECT_DOUBLE_EQ(one.conflict_degree.sum, other.conflict_degree.sum) << name;
    EXPECT_EQ(one.segments.least, other.segments.least) << name;
    EXPECT_EQ(one.segments.most, other.segments.most) << name;
  }
}

TEST(ClosedLoops, OfTheCudaKernelsGiveWhatExecutingThemGives) {
  for (const auto& one : cuda_cases()) {
    auto options = one.options;
    const auto closed = ptx::import_ptx(cuda_module("sm_80", one.file), options);
    options.launch.close_loops = false;
    const auto executed = ptx::import_ptx(cuda_module("sm_80", one.file), options);
    EXPECT_EQ(executed.report.closed_iterations, 0);
    expect_the_same(closed, executed, one.name);
  }
}

/// A loop with `step` as its body: r1 is the tested number, r2 the lane.
ptx::Import looped(const std::string& first, const std::string& step, bool close) {
  auto options = one_warp();
  options.launch.close_loops = close;
  return import("ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x;\n" + first + "\nL: " + step + "\n@%p1 bra L;\nret;",
                options);
}

TEST(ClosedLoops, EndWhereEachLaneLeaves) {
  // Lane i counts from i to 1000 in steps of 3: 31 different starts, one loop.
  const auto first = "mov.u32 %r1, %r2;";
  const auto step =
      "mul.wide.u32 %rd2, %r1, 12; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3+4], %r5; "
      "add.u32 %r1, %r1, 3; setp.lt.u32 %p1, %r1, 1000;";
  const auto closed = looped(first, step, true);
  expect_the_same(closed, looped(first, step, false), "lanes that leave");
  EXPECT_GT(closed.report.closed_iterations, 300);
  // Lane 0 stays longest: ceil(1000 / 3) passes.
  EXPECT_EQ(executed(closed, "global.load"), 334);
}

TEST(ClosedLoops, StopWhereANumberWouldWrapAround) {
  // From -10 up as an unsigned number: it wraps to 0 after 10 passes, and is below 5 for 5 more.
  const auto first = "mov.u32 %r1, -10; bar.sync 0;";
  const auto step = "add.u32 %r1, %r1, 1; bar.sync 0; setp.ge.u32 %p2, %r1, 5; setp.ne.u32 %p1, %r1, 5;";
  const auto closed = looped(first, step, true);
  expect_the_same(closed, looped(first, step, false), "wrap");
  EXPECT_EQ(executed(closed, "barrier"), 16);
}

TEST(ClosedLoops, AddTheStepsOfAProductAndOfWhatIsAddedToIt) {
  // The address moves by 12 x 1 + 64 bytes a pass.
  const auto first = "mov.u32 %r1, 0; mov.u64 %rd4, %rd1;";
  const auto step =
      "mad.wide.u32 %rd3, %r1, 12, %rd4; st.global.u32 [%rd3], %r2; mad.wide.u32 %rd5, %r2, 4, %rd3; "
      "st.global.u32 [%rd5], %r2; add.s64 %rd4, %rd4, 64; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 500;";
  const auto closed = looped(first, step, true);
  expect_the_same(closed, looped(first, step, false), "products");
  EXPECT_GT(closed.report.closed_iterations, 400);
}

TEST(ClosedLoops, AreNotTakenForWhatIsNoConstantStep) {
  // r1 doubles, r3 flips: neither moves by a constant step.
  const auto first = "mov.u32 %r1, 1; mov.u32 %r3, 0;";
  const auto step =
      "xor.b32 %r3, %r3, 4; cvt.u64.u32 %rd2, %r3; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2; add.u32 %r1, "
      "%r1, %r1; setp.lt.u32 %p1, %r1, 100000;";
  const auto closed = looped(first, step, true);
  expect_the_same(closed, looped(first, step, false), "doubling");
  EXPECT_EQ(closed.report.closed_iterations, 0);
  EXPECT_EQ(executed(closed, "global.store"), 17);  // 2^17 = 131072 is the first power beyond
}

/// The lane plus 2^24 a pass, as a 32-bit number: in passes 128 to 255 of every 256 it is negative.
const std::string kWrapping = "mov.u32 %r1, %r2; mov.u32 %r3, 0; mov.u64 %rd6, %rd1;";
std::string wrapping(const std::string& use, int passes) {
  return "mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;" + use +
         "add.u32 %r1, %r1, 16777216; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, " + std::to_string(passes) + ";";
}

TEST(ClosedLoops, GoOnWhereOnlyAddressesWrapAround) {
  const auto step = wrapping("ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3+4], %r5;", 1000);
  const auto closed = looped(kWrapping, step, true);
  expect_the_same(closed, looped(kWrapping, step, false), "addresses", true);
  EXPECT_TRUE(closed.report.accesses.front().statistics.sampled);
  // Executed are two passes to see the steps, the pass standing for all, the last pass of its kind, and the leaving
  // pass.
  EXPECT_EQ(closed.report.closed_iterations, 1000 - 5);
}

TEST(ClosedLoops, StopWhereAWrappedNumberDecides) {
  const auto step = wrapping("setp.ge.s64 %p2, %rd2, 0; @%p2 bra S; bar.sync 0; S:", 1000);
  const auto closed = looped(kWrapping, step, true);
  expect_the_same(closed, looped(kWrapping, step, false), "decides");
  // Three whole rounds of 256 passes, and of the 232 left the last 104.
  EXPECT_EQ(executed(closed, "barrier"), 3 * 128 + 104);
}

TEST(ClosedLoops, StopWhereAWrappedNumberIsCarried) {
  const auto first = kWrapping + "mov.u64 %rd6, 1;";
  const auto step = wrapping("setp.ge.s64 %p2, %rd6, 0; @%p2 bra S; bar.sync 0; S: mov.u64 %rd6, %rd2;", 1000);
  const auto closed = looped(first, step, true);
  expect_the_same(closed, looped(first, step, false), "carried");
  // As above, a pass later: the negative number of the last pass decides nothing.
  EXPECT_EQ(executed(closed, "barrier"), 3 * 128 + 104 - 1);
}

TEST(ClosedLoops, LeaveWrappedNumbersAsTheLastPassLeavesThem) {
  // Tested at the top: the leaving pass writes nothing. In pass 999 = 3 x 256 + 231 the number is negative; counted on
  // from the first pass it would not be.
  const auto body =
      "ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x;\n" + kWrapping +
      "\nL: setp.ge.u32 %p1, %r3, 1000; @%p1 bra X;\nmul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; "
      "st.global.u32 [%rd3], %r2; add.u32 %r1, %r1, 16777216; add.u32 %r3, %r3, 1; bra L;\n"
      "X: setp.ge.s64 %p2, %rd2, 0; @%p2 bra E; bar.sync 0; E: ret;";
  const auto made = import(body);
  EXPECT_GT(made.report.closed_iterations, 900);
  EXPECT_EQ(executed(made, "barrier"), 1);
}

TEST(ClosedLoops, WithinALoopGoRoundAsOftenAsThatLoopsNumbersSay) {
  // Pass k of 40 makes k % 8 passes of the inner loop, so none where k is a multiple of 8.
  const auto first = "mov.u32 %r1, 0;";
  const auto step =
      "and.b32 %r3, %r1, 7; setp.eq.u32 %p2, %r3, 0; @%p2 bra S; mov.u32 %r4, 0;"
      "I: bar.sync 0; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r3; @%p3 bra I;"
      "S: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 40;";
  const auto closed = looped(first, step, true);
  expect_the_same(closed, looped(first, step, false), "a loop within");
  EXPECT_EQ(executed(closed, "barrier"), 5 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
}

TEST(ClosedLoops, OfTheLargestShippedKernelsClosePastTheWrapsOfTheirIndices) {
  // n = 2^24: 2^20 tiles of 16; n x n elements are beyond 32 bits.
  for (const char* entry : {"mmul_register_tiled", "mmul_vectorised"}) {
    ptx::ImportOptions options;
    options.entry = entry;
    options.launch.block = {16, 16, 1};
    options.launch.grid = {1 << 18, 65535, 1};  // as many rows of tiles as CUDA allows
    options.parameter_names = {"n", "A", "B", "C"};
    options.launch.arguments["n"] = "16777216";
    const auto made = ptx::import_ptx(cuda_module("sm_80", "mmul"), options);
    EXPECT_LT(made.report.executed, 200'000) << entry;
    ASSERT_EQ(made.report.entered_loops.size(), 1U) << entry;
    EXPECT_EQ(made.report.entered_loops.front().iterations.least, 1 << 20) << entry;
    EXPECT_EQ(made.report.entered_loops.front().iterations.most, 1 << 20) << entry;
  }
}

TEST(ClosedLoops, OfABillionPassesTakeNoTime) {
  const auto closed =
      looped("mov.u32 %r1, 0; bar.sync 0;", "add.u32 %r1, %r1, 1; bar.sync 0; setp.lt.u32 %p1, %r1, 1000000000;", true);
  EXPECT_EQ(executed(closed, "barrier"), 1e9 + 1);
  EXPECT_LT(closed.report.executed, 1000);
}

// The group is a single warp: behind a barrier memory holds the warp's own stores, so each pass finds the same end
// there.
TEST(ClosedLoops, HaveBarriersBehindWhichNothingHasChanged) {
  const auto first = "mov.u32 %r1, 0; mov.u32 %r3, 5000; st.shared.u32 [tile], %r3;";
  const auto step = "bar.sync 0; ld.shared.u32 %r5, [tile]; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r5;";
  const auto closed = looped(first, step, true);
  EXPECT_EQ(executed(closed, "barrier"), 5000);
  EXPECT_GT(closed.report.closed_iterations, 4900);
}

}  // namespace
}  // namespace warpipe::test
