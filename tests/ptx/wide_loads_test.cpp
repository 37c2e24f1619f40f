#include "wide_loads.hpp"

#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;

/// The loads of a kernel with 256 bytes of shared memory, behind the tile of small_ptx.
std::vector<std::string> loads(const std::string& body) {
  const auto module =
      ptx::read_ptx(entry_with(".shared .align 4 .b8 rows[256]; mov.u32 %r1, %tid.x;" + body + "ret;"), "k.ptx");
  auto routine = ptx::inline_calls(module, "k");
  const auto before = routine.instructions.size();
  const auto gone = ptx::widen_loads(routine);
  EXPECT_EQ(routine.instructions.size() + gone, before);
  std::vector<std::string> names;
  for (const auto& instruction : routine.instructions)
    if (instruction.opcode() == "ld") names.push_back(instruction.name);
  return names;
}

const std::string kFour =
    "ld.shared.f32 %f1, [rows]; ld.shared.f32 %f2, [rows+4]; ld.shared.f32 %f3, [rows+8]; ld.shared.f32 %f4, "
    "[rows+12];";

TEST(WideLoads, FourNeighboursAreOne) { EXPECT_THAT(loads(kFour), ElementsAre("ld.shared.v4.f32")); }

/// ptxas 13.0 for sm_80 and sm_90 makes LDC.64 of them, and never a load of 16 bytes.
TEST(WideLoads, OfConstantMemoryAreTwoWords) {
  const auto constants = [](const std::string& address) {
    return loads(".const .align 4 .b8 table[256]; mov.u64 %rd1, table; mul.wide.u32 %rd2, %r1, " + address +
                 "; add.s64 %rd3, %rd1, %rd2; ld.const.f32 %f1, [%rd3]; ld.const.f32 %f2, [%rd3+4];"
                 "ld.const.f32 %f3, [%rd3+8]; ld.const.f32 %f4, [%rd3+12];");
  };
  EXPECT_THAT(constants("32"), ElementsAre("ld.const.v2.f32", "ld.const.v2.f32"));
  EXPECT_EQ(constants("4").size(), 4U);  // words 4 x lane and on: not at multiples of 8
  // Operands: no loads in the machine code.
  EXPECT_THAT(loads(".const .align 16 .b8 table[256]; ld.const.f32 %f1, [table]; ld.const.f32 %f2, [table+4];"),
              ElementsAre("ld.const.f32", "ld.const.f32"));
}

TEST(WideLoads, InAnyOrder) {
  EXPECT_THAT(loads("ld.shared.f32 %f1, [rows+8]; ld.shared.f32 %f2, [rows]; ld.shared.f32 %f3, [rows+12];"
                    "ld.shared.f32 %f4, [rows+4];"),
              ElementsAre("ld.shared.v4.f32"));
}

TEST(WideLoads, OnlyWhereTheFirstIsAligned) {
  // Bytes 4 to 20: the middle two begin at 8.
  EXPECT_THAT(loads("ld.shared.f32 %f1, [rows+4]; ld.shared.f32 %f2, [rows+8]; ld.shared.f32 %f3, [rows+12];"
                    "ld.shared.f32 %f4, [rows+16];"),
              ElementsAre("ld.shared.f32", "ld.shared.v2.f32", "ld.shared.f32"));
}

TEST(WideLoads, AreAlignedAsTheirAddressIsMadeOf) {
  const auto at = [](const std::string& address) {
    return loads("mov.u32 %r3, rows;" + address + "ld.shared.b32 %r5, [%r4]; ld.shared.b32 %r6, [%r4+4];").size() == 1;
  };
  EXPECT_TRUE(at("shl.b32 %r2, %r1, 3; add.s32 %r4, %r3, %r2;"));
  EXPECT_FALSE(at("shl.b32 %r2, %r1, 2; add.s32 %r4, %r3, %r2;"));
  EXPECT_TRUE(at("mad.lo.s32 %r4, %r1, 24, %r3;"));
  EXPECT_FALSE(at("mad.lo.s32 %r4, %r1, 20, %r3;"));
  EXPECT_TRUE(at("and.b32 %r2, %r1, -8; add.s32 %r4, %r3, %r2;"));
  EXPECT_FALSE(at("and.b32 %r2, %r1, -4; add.s32 %r4, %r3, %r2;"));
}

TEST(WideLoads, OfALoopAreAlignedInEachRound) {
  const auto stepping = [](int bytes) {
    return loads("mov.u32 %r3, rows; L: ld.shared.b32 %r5, [%r3]; ld.shared.b32 %r6, [%r3+4]; add.s32 %r3, %r3, " +
                 std::to_string(bytes) + "; setp.lt.u32 %p1, %r3, 200; @%p1 bra L;")
        .size();
  };
  EXPECT_EQ(stepping(8), 1U);
  EXPECT_EQ(stepping(4), 2U);
}

TEST(WideLoads, PassNothingThatMayChangeWhatTheyRead) {
  const std::string first = "ld.shared.f32 %f1, [rows];", second = "ld.shared.f32 %f2, [rows+4];";
  for (const std::string between :
       {"bar.sync 0;", "st.shared.f32 [%r1], %f9;", "st.f32 [%rd1], %f9;", "atom.shared.add.u32 %r9, [%r1], 1;",
        "add.f32 %f3, %f2, %f2;", "mov.f32 %f2, %f9;", "L: "})
    EXPECT_THAT(loads((between == "L: " ? "@%p1 bra L;" : "") + first + between + second),
                ElementsAre("ld.shared.f32", "ld.shared.f32"))
        << between;
  EXPECT_THAT(loads(first + "st.global.f32 [%rd1], %f9; add.f32 %f3, %f1, %f1;" + second),
              ElementsAre("ld.shared.v2.f32"));
}

TEST(WideLoads, HaveOneBase) {
  EXPECT_THAT(loads("mov.u32 %r3, rows; ld.shared.f32 %f1, [%r3]; add.s32 %r3, %r3, 16; ld.shared.f32 %f2, [%r3+4];"),
              ElementsAre("ld.shared.f32", "ld.shared.f32"));
  EXPECT_THAT(loads("ld.shared.f32 %f1, [rows]; ld.shared.f32 %f2, [tile+4];"),
              ElementsAre("ld.shared.f32", "ld.shared.f32"));
}

TEST(WideLoads, AreNoneOfOtherMemoryNorOfVolatileOnes) {
  EXPECT_THAT(loads("ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];"),
              ElementsAre("ld.global.f32", "ld.global.f32"));
  EXPECT_THAT(loads("ld.volatile.shared.f32 %f1, [rows]; ld.volatile.shared.f32 %f2, [rows+4];"),
              ElementsAre("ld.volatile.shared.f32", "ld.volatile.shared.f32"));
}

TEST(WideLoads, MayBeSwitchedOff) {
  auto options = one_warp();
  const auto body = ".shared .align 4 .b8 rows[256]; " + kFour +
                    "add.f32 %f5, %f1, %f2; add.f32 %f6, %f3, %f4; add.f32 %f7, %f5, %f6; ld.param.u64 %rd1, [p];"
                    "st.global.f32 [%rd1], %f7; ret;";
  const auto made = import(body, options);
  EXPECT_EQ(executed(made, "shared.load"), 1);
  EXPECT_EQ(made.report.removed.at("wide-loads"), 3U);
  options.lowering.without = {"wide-loads"};
  EXPECT_EQ(executed(import(body, options), "shared.load"), 4);
}

}  // namespace
}  // namespace warpipe::test
