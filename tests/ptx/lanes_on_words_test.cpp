// The costs of lanes of a warp that read the same, or different, words of shared and constant memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

/// The only instruction of a kind in a kernel.
struct Said {
  std::string op;
  double degree = 1;
};

Said said(const std::string& body, const std::string& op) {
  const auto made = import(body);
  Said found;
  for (const auto& instruction : made.kernel.instructions) {
    if (!instruction.op.starts_with(op)) continue;
    EXPECT_EQ(found.op, "") << "two of them";
    found.op = instruction.op;
    if (instruction.conflict_degree) found.degree = instruction.conflict_degree->evaluate({});
  }
  return found;
}

/// A load of `words` words from shared memory by lane %r1, at the bytes left in %r2 by `address`. Its sum is stored.
Said wide_load(int words, const std::string& address) {
  const std::string from =
      words == 2 ? "ld.shared.v2.f32 {%f1, %f2}, [%r3];" : "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r3];";
  return said(".shared .align 16 .b8 rows[4096]; mov.u32 %r1, %tid.x; mov.u32 %r4, rows;" + address +
                  "add.u32 %r3, %r4, %r2;" + from + "ld.param.u64 %rd1, [p]; add.f32 %f1, %f1, %f2;" +
                  (words == 4 ? "add.f32 %f3, %f3, %f4; add.f32 %f1, %f1, %f3;" : "") +
                  "st.global.f32 [%rd1], %f1; ret;",
              "shared.load");
}

// 64 bits: two passes of 16 lanes each, or a single pass of all.
TEST(LanesOnWords, SixtyFourBitsThatNeighboursShareTakeOnePass) {
  const auto side_by_side = wide_load(2, "shl.b32 %r2, %r1, 3;");
  EXPECT_EQ(side_by_side.op, "shared.load.64");
  const auto one_word = wide_load(2, "mov.u32 %r2, 8;");
  EXPECT_EQ(one_word.op, "shared.load");
  EXPECT_EQ(one_word.degree, 1);
  const auto lane_and_1 = wide_load(2, "shr.u32 %r2, %r1, 1; shl.b32 %r2, %r2, 3;");
  EXPECT_EQ(lane_and_1.op, "shared.load");
  EXPECT_EQ(lane_and_1.degree, 1);
  // Lanes 0 and 2, 1 and 3, ... read the same: 16 pairs of words in 32 banks.
  const auto lane_and_2 = wide_load(2,
                                    "and.b32 %r2, %r1, 1; shr.u32 %r5, %r1, 2; shl.b32 %r5, %r5, 1;"
                                    "or.b32 %r2, %r2, %r5; shl.b32 %r2, %r2, 3;");
  EXPECT_EQ(lane_and_2.op, "shared.load");
  EXPECT_EQ(lane_and_2.degree, 1);
  // Lanes 0 and 4 read the same, 0 and 1 do not, nor 0 and 2.
  EXPECT_EQ(wide_load(2, "and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 3;").op, "shared.load.64");
}

TEST(LanesOnWords, PairsTakeTurnsInABankAsAllThatIsServedAtOnce) {
  // Sixteen pairs, 64 bytes apart: words 0, 16, 32, ... and their successors lie in two banks each, 8 to a bank.
  const auto apart = wide_load(2, "shr.u32 %r2, %r1, 1; shl.b32 %r2, %r2, 6;");
  EXPECT_EQ(apart.op, "shared.load");
  EXPECT_EQ(apart.degree, 8);
}

// 128 bits: four passes of 8 lanes each, or two of 16.
TEST(LanesOnWords, SixteenBytesThatNeighboursShareTakeTwoPasses) {
  EXPECT_EQ(wide_load(4, "shl.b32 %r2, %r1, 4;").op, "shared.load.128");
  const auto one_word = wide_load(4, "mov.u32 %r2, 16;");
  EXPECT_EQ(one_word.op, "shared.load.64");
  EXPECT_EQ(one_word.degree, 1);
  // As a tile of a product is read: eight lanes read the same 16 bytes.
  const auto eight = wide_load(4, "shr.u32 %r2, %r1, 3; shl.b32 %r2, %r2, 4;");
  EXPECT_EQ(eight.op, "shared.load.64");
  EXPECT_EQ(eight.degree, 1);
  // And the other operand: lanes 0, 8, 16 and 24 read the same, neighbours do not.
  EXPECT_EQ(wide_load(4, "and.b32 %r2, %r1, 7; shl.b32 %r2, %r2, 4;").op, "shared.load.128");
}

TEST(LanesOnWords, LanesThatTakeNoPartFitAny) {
  // Even lanes alone, each at 8 bytes of its own: 16 pairs of words in 32 banks.
  const auto even = said(
      ".shared .align 16 .b8 rows[4096]; mov.u32 %r1, %tid.x; mov.u32 %r4, rows; shl.b32 %r2, %r1, 2;"
      "add.u32 %r3, %r4, %r2; and.b32 %r5, %r1, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;"
      "ld.shared.v2.f32 {%f1, %f2}, [%r3]; add.f32 %f1, %f1, %f2; ld.param.u64 %rd1, [p]; st.global.f32 [%rd1], %f1;"
      "L: ret;",
      "shared.load");
  EXPECT_EQ(even.op, "shared.load");
  EXPECT_EQ(even.degree, 1);
}

TEST(LanesOnWords, StoresTakeAPassForEachWord) {
  EXPECT_EQ(said(".shared .align 16 .b8 rows[4096]; mov.f32 %f1, 0f00000000; st.shared.v2.f32 [rows], {%f1, %f1}; ret;",
                 "shared.store")
                .op,
            "shared.store.64");
}

Said constant_load(const std::string& address, const std::string& load = "ld.const.f32 %f1, [%rd2];") {
  const std::string module =
      ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 8 .b8 table[4096];\n"
      ".visible .entry k(.param .u32 n, .param .u64 p)\n"
      "{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\nmov.u32 %r1, %tid.x;" +
      address + "mul.wide.u32 %rd1, %r2, 1; mov.u64 %rd3, table; add.s64 %rd2, %rd3, %rd1;" + load +
      "ld.param.u64 %rd4, [p]; st.global.f32 [%rd4], %f1; ret; }";
  Said found;
  for (const auto& instruction : ptx::import_ptx(ptx::read_ptx(module, "k.ptx"), one_warp()).kernel.instructions) {
    if (instruction.op != "constant.load") continue;
    found.op = instruction.op;
    if (instruction.conflict_degree) found.degree = instruction.conflict_degree->evaluate({});
  }
  return found;
}

TEST(LanesOnWords, WordsOfConstantMemoryAreReadInTurn) {
  EXPECT_EQ(constant_load("mov.u32 %r2, 4; mad.lo.s32 %r2, %r1, 0, %r2;").degree, 1);
  EXPECT_EQ(constant_load("and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2;").degree, 4);
  EXPECT_EQ(constant_load("shl.b32 %r2, %r1, 6;").degree, 32);
  // Bytes of a word are read at once; the 8 bytes of a lane are read together.
  EXPECT_EQ(constant_load("mov.u32 %r2, %r1;", "ld.const.u8 %r3, [%rd2]; cvt.rn.f32.u32 %f1, %r3;").degree, 8);
  EXPECT_EQ(constant_load("shl.b32 %r2, %r1, 3;", "ld.const.v2.f32 {%f1, %f2}, [%rd2]; add.f32 %f1, %f1, %f2;").degree,
            32);
}

/// An atomic of shared memory, `lanes` neighbouring lanes of a warp on each word.
ptx::Import meet(const std::string& atomic, int lanes, const std::string& target = "sm_80") {
  auto text = entry_with(".shared .align 8 .b8 bins[512]; mov.u32 %r1, %tid.x; mov.u32 %r4, bins; div.u32 %r2, %r1, " +
                         std::to_string(lanes) + "; shl.b32 %r2, %r2, 2; add.u32 %r3, %r4, %r2;" + atomic +
                         "ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r5; ret;");
  text.replace(text.find("sm_80"), 5, target);
  return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), one_warp());
}

/// The passes of the atomic operation.
double passes_of(const ptx::Import& made) {
  const auto& all = made.kernel.instructions;
  const auto found = std::ranges::find(all, "shared.atomic", &Instruction::op);
  if (found == all.end()) return 0;
  if (found->access) return std::holds_alternative<AccessPattern::Broadcast>(found->access->lanes) ? 1 : 0;
  return found->conflict_degree ? found->conflict_degree->evaluate({}) : 1;
}

// ATOMS.POPC.INC counts the lanes of a word; ATOMS.ADD serves them one after the other.
TEST(SharedAtomics, OnesThatNobodyReadsAreCountedForAWarp) {
  for (const int lanes : {2, 32}) {
    EXPECT_EQ(passes_of(meet("red.shared.add.u32 [%r3], 1;", lanes)), 1);
    EXPECT_EQ(passes_of(meet("atom.shared.add.u32 %r9, [%r3], 1;", lanes)), 1);
    EXPECT_EQ(passes_of(meet("atom.shared.add.u32 %r5, [%r3], 1;", lanes)), lanes);
    EXPECT_EQ(passes_of(meet("red.shared.add.u32 [%r3], 2;", lanes)), lanes);
    EXPECT_EQ(passes_of(meet("red.shared.add.u32 [%r3], %r1;", lanes)), lanes);
    EXPECT_EQ(passes_of(meet("red.shared.max.u32 [%r3], 1;", lanes)), lanes);
    EXPECT_EQ(passes_of(meet("red.shared.add.u32 [%r3], 1;", lanes, "sm_75")), lanes);
  }
}

// In a round a single lane of each word gets through; the compare-and-swap brings two numbers.
TEST(SharedAtomics, OfFloatsGoRoundUntilAllLanesGotThrough) {
  for (const int lanes : {1, 2, 32}) {
    const auto made = meet("mov.f32 %f1, 0f3F800000; red.shared.add.f32 [%r3], %f1;", lanes);
    EXPECT_EQ(passes_of(made), 2);
    for (const auto* op : {"shared.load", "fadd", "shared.atomic"}) EXPECT_EQ(made.report.issued.at(op), lanes) << op;
    EXPECT_EQ(executed(made, "shared.atomic"), 1);
    const auto loop = std::ranges::find_if(made.kernel.body, [](const Item& item) {
      const auto* found = std::get_if<Loop>(&item.node);
      return found != nullptr && found->name.starts_with("retries_");
    });
    ASSERT_NE(loop, made.kernel.body.end());
    EXPECT_EQ(std::get<Loop>(loop->node).trip_count.evaluate({}), lanes);
  }
}

}  // namespace
}  // namespace warpipe::test
