// Tensor cores, and the copies feeding them: ops and pieces by hand, producers of instructions, and addresses of
// matrices.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const Instruction& only(const ptx::Import& import, const std::string& op) {
  const Instruction* found = nullptr;
  for (const auto& instruction : import.kernel.instructions)
    if (instruction.op == op) {
      EXPECT_EQ(found, nullptr) << op << " is there more than once";
      found = &instruction;
    }
  if (found == nullptr) throw std::runtime_error("no " + op);
  return *found;
}

double factor(const std::optional<Expression>& expression) { return expression ? expression->evaluate({}) : 1; }

struct Product {
  const char* words;
  const char* op;
  double pieces;  ///< of 256 multiply-adds
};

const std::string kPointer = "ld.param.u64 %rd9, [p];";

class Products : public ::testing::TestWithParam<Product> {};

TEST_P(Products, AreDoneInPiecesOf256MultiplyAdds) {
  const auto& [words, op, pieces] = GetParam();
  const auto made =
      import(kPointer + fmt::format("{} {{%f1}}, {{%r1}}, {{%r2}}, {{%f1}}; st.global.f32 [%rd9], %f1; ret;", words));
  EXPECT_EQ(factor(only(made, op).transactions), pieces);
}

// m n k / 256 of a warp; half of it where one of two factors is known to be zero; a quarter where four warps share it.
INSTANTIATE_TEST_SUITE_P(
    All, Products,
    ::testing::Values(
        Product{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma.f16.f32", 8},
        Product{"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "mma.f16", 8},
        Product{"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "mma.f16.f32", 4},
        Product{"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "mma.f16.f32", 4},  // four products of eight lanes
        Product{"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", "mma.tf32", 2},
        Product{"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "mma.f64", 1},
        Product{"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", "mma.s8", 16},
        Product{"mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.s4.s32", "mma.s4", 32},
        Product{"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "mma.b1", 128},
        Product{"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "mma.f8.f32", 16},
        Product{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "mma.f16.f32", 8},
        Product{"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "mma.f16.f32", 8},
        Product{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "mma.f16.f32", 16},
        Product{"wmma.mma.sync.aligned.row.col.m32n8k16.f16.f16", "mma.f16", 16},
        Product{"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", "mma.tf32", 8},
        Product{"wmma.mma.sync.aligned.row.col.m8n32k16.s32.u8.u8.s32", "mma.s8", 16},
        Product{"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", "wgmma.f16.f32", 128},
        Product{"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16", "wgmma.f16", 8},
        Product{"wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", "wgmma.f8.f32", 512},
        Product{"wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32", "wgmma.tf32", 32},
        Product{"wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16", "wgmma.f16.f32", 64}));

TEST(Products, OfTypesThatNobodyKnowsAreRefusedByName) {
  EXPECT_THAT(message_of([] {
                import(kPointer +
                       "mma.sync.aligned.m16n8k16.row.col.f32.x9.x9.f32 {%f1}, {%r1}, {%r2}, {%f1}; st.global.f32 "
                       "[%rd9], %f1; ret;");
              }),
              HasSubstr("mma.sync.aligned.m16n8k16.row.col.f32.x9.x9.f32"));
}

TEST(Products, CountTwoOperationsPerMultiplyAdd) {
  const auto made = import(
      kPointer +
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}; st.global.f32 [%rd9], %f1; ret;");
  EXPECT_EQ(factor(made.kernel.work.flops), 2 * 16 * 8 * 16);
}

/// The conflict degree of a load of matrices whose row of each lane lies `pitch` bytes behind the last.
double ways(const std::string& shape, int pitch) {
  const auto made =
      import(kPointer + fmt::format(".shared .align 16 .b8 rows[8192]; mov.u32 %r1, %tid.x; mov.u32 %r3, rows;"
                                    "mad.lo.s32 %r2, %r1, {}, %r3; ldmatrix.sync.aligned.m8n8.{}.shared.b16 {{%r4}}, "
                                    "[%r2]; st.global.u32 [%rd9], %r4; ret;",
                                    pitch, shape));
  for (const auto& instruction : made.kernel.instructions)
    if (instruction.op.starts_with("shared.load")) return factor(instruction.conflict_degree);
  throw std::runtime_error("no load");
}

TEST(MatrixLoads, HaveTheConflictsOfTheRowsThatEachLaneGives) {
  // Eight rows of 16 bytes side by side are all 32 banks once; rows 128 bytes apart all begin at bank 0.
  EXPECT_EQ(ways("x1", 16), 1);
  EXPECT_EQ(ways("x1", 128), 8);
  // Two matrices are two turns of eight rows, without conflicts with 16 bytes of padding. Rows 64 bytes apart begin at
  // bank 0 or 16: four turns each, six more than two.
  EXPECT_EQ(ways("x2", 144), 1);
  EXPECT_EQ(ways("x2", 64), 1 + 6);
}

TEST(MatrixLoads, OfAPartOfTheLanesAskForTheirRowsAlone) {
  // 16 rows of 16 bytes are all of the 256, behind the tile of 128; 32 rows leave them.
  const auto load = [](const std::string& shape) {
    return import(kPointer +
                  ".shared .align 16 .b8 rows[256]; mov.u32 %r1, %tid.x; mov.u32 %r3, rows;"
                  "mad.lo.s32 %r2, %r1, 16, %r3; ldmatrix.sync.aligned.m8n8." +
                  shape + ".shared.b16 {%r4}, [%r2]; st.global.u32 [%rd9], %r4; ret;");
  };
  EXPECT_EQ(factor(only(load("x2"), "shared.load.64").conflict_degree), 1);
  EXPECT_THAT(message_of([&] { load("x4"); }), HasSubstr("an access leaves the 384 bytes of shared memory"));
}

/// Transactions of a matrix of 16 x 16 halves in global memory.
double transactions(const std::string& layout, int pitch) {
  const auto made =
      import(fmt::format("ld.param.u64 %rd1, [p]; wmma.load.a.sync.aligned.{}.m16n16k16.global.f16 {{%r1}}, [%rd1], {};"
                         "st.global.u32 [%rd1], %r1; ret;",
                         layout, pitch));
  for (const auto& access : made.report.accesses)
    if (access.op.starts_with("global.load")) return access.statistics.segments.sum / access.statistics.executions;
  throw std::runtime_error("no load");
}

TEST(MatrixLoads, OfGlobalMemoryTouchTheirRows) {
  // 16 rows of 32 bytes: a sector each, whether they lie side by side or 2000 bytes apart.
  EXPECT_EQ(transactions("row", 16), 16);
  EXPECT_EQ(transactions("row", 1024), 16);
  EXPECT_EQ(transactions("col", 1024), 16);
}

/// The producers of the instructions with an op, in the order of the text: op and executions back of each.
std::vector<std::vector<std::pair<std::string, double>>> awaited(const ptx::Import& made, const std::string& op) {
  std::vector<std::vector<std::pair<std::string, double>>> all;
  for (const auto& instruction : made.kernel.instructions) {
    if (instruction.op != op) continue;
    auto& own = all.emplace_back();
    for (const auto& [producer, back, latency] : instruction.after)
      own.emplace_back(made.kernel.instructions[producer].op, back.evaluate({}));
  }
  return all;
}

using Awaited = std::pair<std::string, double>;

const std::string kCopy = "cp.async.ca.shared.global [tile], [%rd1], ";

TEST(CopyGroups, WaitForAllButTheYoungest) {
  const auto made = import("ld.param.u64 %rd1, [p];" + kCopy + "4; cp.async.commit_group;" + kCopy +
                           "8; cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_group 0; ret;");
  const auto waits = awaited(made, "wait");
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_THAT(waits[0], ElementsAre(Awaited{"global.load", 1}));
  EXPECT_THAT(waits[1], ElementsAre(Awaited{"global.load.64", 1}));
}

TEST(CopyGroups, HoldAllCopiesSinceTheLastOne) {
  const auto made = import("ld.param.u64 %rd1, [p];" + kCopy + "4;" + kCopy +
                           "8; cp.async.commit_group; cp.async.wait_group 0; ret;");
  EXPECT_THAT(awaited(made, "wait").at(0),
              UnorderedElementsAre(Awaited{"global.load", 1}, Awaited{"global.load.64", 1}));
}

TEST(CopyGroups, ThatAreEmptyCountToo) {
  const auto made = import("ld.param.u64 %rd1, [p];" + kCopy +
                           "4; cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1; ret;");
  EXPECT_THAT(awaited(made, "wait").at(0), ElementsAre(Awaited{"global.load", 1}));
}

TEST(CopyGroups, OfWhichNoneIsCommittedAreNotWaitedForButByWaitAll) {
  const auto made = import("ld.param.u64 %rd1, [p];" + kCopy + "16; cp.async.wait_group 0; cp.async.wait_all; ret;");
  const auto waits = awaited(made, "wait");
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_THAT(waits[0], IsEmpty());
  EXPECT_THAT(waits[1], ElementsAre(Awaited{"global.load.128", 1}));
}

TEST(CopyGroups, OfLanesAreNotThoseOfACopyEngine) {
  const auto made = import("ld.param.u64 %rd1, [p];" + kCopy +
                           "4; cp.async.commit_group; cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 1024;"
                           "cp.async.bulk.commit_group; cp.async.wait_group 0; cp.async.bulk.wait_group 0; ret;");
  const auto waits = awaited(made, "wait");
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_THAT(waits[0], ElementsAre(Awaited{"global.load", 1}));
  EXPECT_THAT(waits[1], ElementsAre(Awaited{"global.store", 1}));
}

TEST(CopyGroups, OfALoopAreWaitedForRoundsLater) {
  // Each round commits a group and lets two pend: the group of the round before last has ended. Behind the loop all
  // have.
  const auto made = import("ld.param.u64 %rd1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r1, 0; L:" + kCopy +
                           "16; cp.async.commit_group; cp.async.wait_group 2; add.u32 %r1, %r1, 1;"
                           "setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; cp.async.wait_group 0; ret;");
  const auto waits = awaited(made, "wait");
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_THAT(waits[0], ElementsAre(Awaited{"global.load.128", 3}));
  EXPECT_THAT(waits[1], ElementsAre(Awaited{"global.load.128", 1}, Awaited{"branch.back", 1}));
}

TEST(ProductGroups, AreNotWaitedForByWhatReadsTheirRegisters) {
  // The store waits for wait_group alone, and wait_group for both products.
  const std::string product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;";
  const auto made = import("wgmma.fence.sync.aligned;" + product + product +
                           "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
                           "ld.param.u64 %rd1, [p]; st.global.f32 [%rd1], %f1; ret;");
  EXPECT_THAT(awaited(made, "wait").at(0), ElementsAre(Awaited{"wgmma.f16.f32", 1}, Awaited{"wgmma.f16.f32", 1}));
  EXPECT_THAT(awaited(made, "wgmma.f16.f32").at(1), IsEmpty());
}

TEST(LaneCopies, ReadGlobalMemoryByTheirBytes) {
  // 32 lanes x 16 bytes side by side: 16 sectors of 32 bytes in 4 lines.
  const auto made = import(
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 16;"
      "add.s64 %rd1, %rd1, %rd2;" +
      kCopy + "16; cp.async.wait_all; ret;");
  const auto& copy = made.report.accesses.at(0);
  EXPECT_EQ(copy.op, "global.load.128");
  EXPECT_EQ(copy.statistics.segments.most, 16);
  EXPECT_EQ(copy.statistics.lines.most, 4);
  EXPECT_FALSE(only(made, "global.load.128").lines) << "its address tells them";
  EXPECT_EQ(factor(made.kernel.work.bytes), 512);
}

TEST(LaneCopies, GoPastTheUnitWhereTheySaySo) {
  const auto goes_past = [](const std::string& cached) {
    const auto made = import("ld.param.u64 %rd1, [p]; cp.async." + cached +
                             ".shared.global [tile], [%rd1], 16; cp.async.wait_all; ret;");
    return only(made, "global.load.128").access.value().past_unit;
  };
  EXPECT_TRUE(goes_past("cg"));
  EXPECT_FALSE(goes_past("ca"));
}

}  // namespace
}  // namespace warpipe::test
