// The results of lanes, by kernels of one warp that store where a lane holds the expected number.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::HasSubstr;

/// Whether a lane holds a number in %r9 behind the body; %r1 holds the lane.
bool lane_holds(const std::string& body, std::uint32_t number, int lane = 0) {
  const auto made = import(fmt::format(
      "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];\n{}\nsetp.eq.u32 %p7, %r1, {}; setp.eq.and.b32 %p8, %r9, {}, %p7;\n"
      "bar.sync 0; @!%p8 bra E; st.global.u32 [%rd1], %r1; E: ret;",
      body, lane, number));
  return executed(made, "global.store") == 1;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::string hex(float value) { return fmt::format("0f{:08X}", bits(value)); }

TEST(Lanes, TheHighestBit) {
  struct Case {
    const char* opcode;
    std::uint32_t input, result;
  };
  for (const auto& [opcode, input, result] :
       {Case{"bfind.u32", 0, ~0U}, Case{"bfind.u32", 1, 0}, Case{"bfind.u32", 0x80000000, 31},
        Case{"bfind.u32", 0x00f00000, 23}, Case{"bfind.s32", 0xffffffff, ~0U}, Case{"bfind.s32", 0x80000000, 30},
        Case{"bfind.s32", 0xfffffffe, 0}, Case{"bfind.s32", 5, 2}, Case{"bfind.shiftamt.u32", 1, 31},
        Case{"bfind.shiftamt.u32", 0, ~0U}, Case{"bfind.shiftamt.s32", 0xfffffffe, 31}, Case{"clz.b32", 0, 32},
        Case{"clz.b32", 1, 31}, Case{"popc.b32", ~0U, 32}, Case{"brev.b32", 1, 0x80000000}})
    EXPECT_TRUE(lane_holds(fmt::format("mov.b32 %r2, {}; {} %r9, %r2;", input, opcode), result)) << opcode << input;
  EXPECT_FALSE(lane_holds("mov.b32 %r2, 1; bfind.u32 %r9, %r2;", 1));
}

TEST(Lanes, BitFieldsAtAndPastTheEnd) {
  struct Case {
    const char* opcode;
    int position, length;
    std::uint32_t result;
  };
  // Of 0xF0000001.
  for (const auto& [opcode, position, length, result] :
       {Case{"bfe.u32", 28, 4, 15}, Case{"bfe.u32", 28, 8, 15}, Case{"bfe.u32", 32, 8, 0}, Case{"bfe.u32", 0, 0, 0},
        Case{"bfe.s32", 28, 8, ~0U}, Case{"bfe.s32", 40, 8, ~0U}, Case{"bfe.s32", 0, 1, ~0U}, Case{"bfe.s32", 0, 2, 1},
        Case{"bfe.s32", 5, 0, 0}})
    EXPECT_TRUE(
        lane_holds(fmt::format("mov.b32 %r2, 0xF0000001; {} %r9, %r2, {}, {};", opcode, position, length), result))
        << opcode << " " << position << " " << length;
  // Of 0xAB into 0x11111111.
  EXPECT_TRUE(lane_holds("mov.b32 %r2, 0xAB; mov.b32 %r3, 0x11111111; bfi.b32 %r9, %r2, %r3, 28, 8;", 0xb1111111));
  EXPECT_TRUE(lane_holds("mov.b32 %r2, 0xAB; mov.b32 %r3, 0x11111111; bfi.b32 %r9, %r2, %r3, 32, 8;", 0x11111111));
}

TEST(Lanes, ShiftsBeyondTheWidth) {
  EXPECT_TRUE(lane_holds("mov.b32 %r2, -8; shl.b32 %r9, %r2, 32;", 0));
  EXPECT_TRUE(lane_holds("mov.b32 %r2, -8; shr.u32 %r9, %r2, 40;", 0));
  EXPECT_TRUE(lane_holds("mov.b32 %r2, -8; shr.s32 %r9, %r2, 40;", ~0U));
  EXPECT_TRUE(lane_holds("mov.b32 %r2, 7; mov.b32 %r3, 9; shf.l.clamp.b32 %r9, %r2, %r3, 40;", 7));
  EXPECT_TRUE(lane_holds("mov.b32 %r2, 7; mov.b32 %r3, 9; shf.r.clamp.b32 %r9, %r2, %r3, 40;", 9));
}

/// The result of a function of a float.
void expect_function(const char* opcode, float input, float result) {
  EXPECT_TRUE(
      lane_holds(fmt::format("mov.f32 %f1, {}; {} %f2, %f1; mov.b32 %r9, %f2;", hex(input), opcode), bits(result)))
      << opcode << " of " << input;
}

TEST(Lanes, RootsAndReciprocals) {
  const auto infinity = std::numeric_limits<float>::infinity(), tiny = std::numeric_limits<float>::denorm_min();
  for (const float x : {1.0F, 2.0F, 3.0F, 0.1F, 1e30F, 0.0F, -0.0F, infinity, tiny}) {
    expect_function("sqrt.rn.f32", x, std::sqrt(x));
    expect_function("sqrt.approx.f32", x, std::sqrt(x));
    expect_function("rcp.rn.f32", x, 1 / x);
    expect_function("rsqrt.approx.f32", x, static_cast<float>(1 / std::sqrt(static_cast<double>(x))));
  }
  // Below the normal floats.
  expect_function("sqrt.approx.ftz.f32", tiny, 0);
  expect_function("rcp.approx.ftz.f32", -tiny, -infinity);
  expect_function("rcp.approx.ftz.f32", 0x1p127F, 0);
  expect_function("rcp.approx.f32", 0x1p127F, 0x1p-127F);
  // The root is NaN, and compares unequal to itself.
  EXPECT_TRUE(
      lane_holds("mov.f32 %f1, 0fBF800000; sqrt.rn.f32 %f2, %f1; setp.eq.f32 %p1, %f2, %f2; selp.u32 %r9, 1, 2, "
                 "%p1;",
                 2));
}

TEST(Lanes, FunctionsOfDoublesKeepTheirUpperHalf) {
  const std::string third = "mov.f64 %rd2, 0d4008000000000000; rcp.approx.ftz.f64 %rd3, %rd2; ";
  const auto exact = std::bit_cast<std::uint64_t>(1.0 / 3);
  EXPECT_TRUE(lane_holds(third + "mov.b64 {%r2, %r9}, %rd3;", static_cast<std::uint32_t>(exact >> 32)));
  EXPECT_TRUE(lane_holds(third + "mov.b64 {%r9, %r2}, %rd3;", 0));
  EXPECT_TRUE(lane_holds("mov.f64 %rd2, 0d4008000000000000; rcp.rn.f64 %rd3, %rd2; mov.b64 {%r9, %r2}, %rd3;",
                         static_cast<std::uint32_t>(exact)));
}

TEST(Lanes, ASumOfAProductIsRoundedOnce) {
  // (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24: the product alone has no float of its own.
  const float x = 1 + 0x1p-12F;
  EXPECT_TRUE(
      lane_holds(fmt::format("mov.f32 %f1, {}; fma.rn.f32 %f2, %f1, %f1, 0fBF800000; mov.b32 %r9, %f2;", hex(x)),
                 bits(0x1p-11F + 0x1p-24F)));
}

TEST(Lanes, NumbersThatAreNoneBecomeWholeOnes) {
  const std::string none = "mov.f32 %f1, 0f7FC00000; ";
  EXPECT_TRUE(lane_holds(none + "cvt.rzi.s32.f32 %r9, %f1;", 0));
  EXPECT_TRUE(lane_holds(none + "cvt.f64.f32 %rd2, %f1; cvt.rzi.s32.f64 %r9, %rd2;", 0x80000000));
  EXPECT_TRUE(lane_holds("mov.f32 %f1, 0f00000001; cvt.rpi.s32.f32 %r9, %f1;", 1));
  EXPECT_TRUE(lane_holds("mov.f32 %f1, 0f00000001; cvt.rpi.ftz.s32.f32 %r9, %f1;", 0));
}

TEST(Lanes, CarriesGoFromOneInstructionToTheNext) {
  // 0x1'ffffffff + 0x2'00000001 = 0x4'00000000; the first operand is the result, too.
  const std::string sum =
      "mov.b32 %r2, -1; mov.b32 %r3, 1; add.cc.u32 %r2, %r2, 1; addc.u32 %r3, %r3, 2; mov.b32 %r9, ";
  EXPECT_TRUE(lane_holds(sum + "%r2;", 0));
  EXPECT_TRUE(lane_holds(sum + "%r3;", 4));
  // 0x5'00000000 - 0x2'00000001 = 0x2'ffffffff.
  const std::string less =
      "mov.b32 %r2, 0; mov.b32 %r3, 5; sub.cc.u32 %r4, %r2, 1; subc.u32 %r5, %r3, 2; mov.b32 %r9, ";
  EXPECT_TRUE(lane_holds(less + "%r4;", ~0U));
  EXPECT_TRUE(lane_holds(less + "%r5;", 2));
  // A carry passes through a word of all bits set: -1 + 1 twice.
  EXPECT_TRUE(lane_holds("mov.b32 %r2, -1; add.cc.u32 %r3, %r2, 1; addc.cc.u32 %r4, %r2, 0; addc.u32 %r9, 0, 0;", 1));
  EXPECT_TRUE(lane_holds("mov.b32 %r2, 3; add.cc.u32 %r3, %r2, 1; addc.u32 %r9, 0, 0;", 0));
}

TEST(Lanes, ProductsAreAddedWithACarry) {
  // 0xffffffff x 0xffffffff + 0x2'00000005: words 1 + 5 and 0xfffffffe + 2 with a carry out of it.
  const std::string product =
      "mov.b32 %r2, -1; mad.lo.cc.u32 %r3, %r2, %r2, 5; madc.hi.cc.u32 %r4, %r2, %r2, 2; addc.u32 %r5, 0, 0; mov.b32 "
      "%r9, ";
  EXPECT_TRUE(lane_holds(product + "%r3;", 6));
  EXPECT_TRUE(lane_holds(product + "%r4;", 0));
  EXPECT_TRUE(lane_holds(product + "%r5;", 1));
}

TEST(Lanes, ACarryIsWaitedFor) {
  const auto made = import(
      "ld.param.u64 %rd1, [p]; ld.global.u32 %r2, [%rd1]; add.cc.u32 %r3, %r2, 1; addc.u32 %r4, 0, 0; st.global.u32 "
      "[%rd1], %r4; ret;");
  // load, add, addc, store: the second sum waits for the first, although the result of the first is unused.
  ASSERT_EQ(made.kernel.instructions.size(), 4U);
  ASSERT_EQ(made.kernel.instructions[2].after.size(), 1U);
  EXPECT_EQ(made.kernel.instructions[2].after[0].producer, 1U);
}

TEST(Lanes, VotesOfTheWarp) {
  const std::string low = "setp.lt.u32 %p1, %r1, 5; ";
  EXPECT_TRUE(lane_holds(low + "vote.sync.ballot.b32 %r9, %p1, -1;", 31, 9));
  EXPECT_TRUE(lane_holds(low + "vote.sync.ballot.b32 %r9, !%p1, -1;", ~31U, 9));
  EXPECT_TRUE(lane_holds(low + "vote.ballot.b32 %r9, %p1;", 31, 9));
  const std::string put = " selp.u32 %r9, 1, 2, %p2;";
  EXPECT_TRUE(lane_holds(low + "vote.sync.any.pred %p2, %p1, 0xffffffff;" + put, 1, 20));
  EXPECT_TRUE(lane_holds(low + "vote.sync.all.pred %p2, %p1, 0xffffffff;" + put, 2, 20));
  EXPECT_TRUE(lane_holds(low + "vote.sync.uni.pred %p2, %p1, 0xffffffff;" + put, 2, 20));
  // Half a warp each.
  const std::string half = "and.b32 %r2, %r1, 16; mov.b32 %r3, 0xffff; shl.b32 %r4, %r3, %r2; ";
  EXPECT_TRUE(lane_holds(low + half + "vote.sync.any.pred %p2, %p1, %r4;" + put, 1, 15));
  EXPECT_TRUE(lane_holds(low + half + "vote.sync.any.pred %p2, %p1, %r4;" + put, 2, 16));
}

TEST(Lanes, VotesOfTheLanesOnOneSideOfABranch) {
  const std::string side = "mov.b32 %r9, 0; setp.ge.u32 %p1, %r1, 4; @%p1 bra B; ";
  EXPECT_TRUE(lane_holds(side + "activemask.b32 %r9; bar.warp.sync 15; B:", 15, 2));
  EXPECT_TRUE(lane_holds(side + "elect.sync %r9|%p2, -1; bar.warp.sync 15; B:", 0, 3));
}

TEST(Lanes, LanesThatHoldTheSame) {
  const std::string third = "shr.u32 %r2, %r1, 2; ";  // four lanes hold the same
  EXPECT_TRUE(lane_holds(third + "match.any.sync.b32 %r9, %r2, -1;", 0xf0, 6));
  EXPECT_TRUE(lane_holds(third + "match.all.sync.b32 %r9|%p1, %r2, -1;", 0, 6));
  EXPECT_TRUE(lane_holds("mov.b32 %r2, 7; match.all.sync.b32 %r3|%p1, %r2, -1; selp.u32 %r9, %r3, 2, %p1;", ~0U, 6));
}

TEST(Lanes, ReductionsOfTheWarp) {
  EXPECT_TRUE(lane_holds("redux.sync.add.s32 %r9, %r1, -1;", 31 * 32 / 2, 3));
  EXPECT_TRUE(lane_holds("sub.s32 %r2, %r1, 16; redux.sync.min.s32 %r9, %r2, -1;", static_cast<std::uint32_t>(-16), 3));
  EXPECT_TRUE(lane_holds("sub.s32 %r2, %r1, 16; redux.sync.min.u32 %r9, %r2, -1;", 0, 3));
  EXPECT_TRUE(lane_holds("redux.sync.or.b32 %r9, %r1, -1;", 31, 3));
  EXPECT_TRUE(lane_holds("redux.sync.xor.b32 %r9, %r1, 7;", 0 ^ 1 ^ 2, 1));
}

TEST(Lanes, Shuffles) {
  EXPECT_TRUE(lane_holds("shfl.sync.bfly.b32 %r9, %r1, 5, 31, -1;", 12 ^ 5, 12));
  EXPECT_TRUE(lane_holds("shfl.sync.up.b32 %r9, %r1, 3, 0, -1;", 9, 12));
  EXPECT_TRUE(lane_holds("shfl.sync.up.b32 %r9|%p1, %r1, 3, 0, -1;", 2, 2));
  EXPECT_TRUE(lane_holds("shfl.sync.down.b32 %r9, %r1, 3, 31, -1;", 30, 30));
  // Segments of eight lanes: c = (32 - 8) << 8 | 31.
  EXPECT_TRUE(lane_holds("shfl.sync.idx.b32 %r9, %r1, 3, 6175, -1;", 19, 20));
  EXPECT_TRUE(lane_holds("shfl.sync.down.b32 %r9, %r1, 3, 6175, -1;", 22, 22));
}

TEST(Lanes, OfLanesThatNobodyKnowsNothingIsKnownButThatSomeLaneIsSet) {
  const std::string data =
      "setp.lt.u32 %p1, %r1, 5; setp.ge.u32 %p2, %r1, 30; @%p2 ld.global.u32 %r2, [%rd1]; @!%p2 mov.b32 %r2, %r1; "
      "setp.lt.u32 %p3, %r2, 5; ";
  EXPECT_TRUE(lane_holds(data + "vote.sync.any.pred %p4, %p3, -1; selp.u32 %r9, 1, 2, %p4;", 1));
  EXPECT_THAT(message_of([&] { lane_holds(data + "vote.sync.all.pred %p4, %p3, -1; selp.u32 %r9, 1, 2, %p4;", 2); }),
              HasSubstr("the load \"ld.global.u32\""));
}

TEST(Lanes, ControlByVotesDiffersByWarp) {
  // 40 threads: all lanes of the first warp are below 32, no lane of the second.
  auto options = one_warp();
  options.launch.block = {40, 1, 1};
  const auto made = import(
      "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; vote.sync.ballot.b32 %r2, %p1, -1; setp.eq.u32 %p2, %r2, 0;\n"
      "@%p2 bra E; bar.sync 0; E: ret;",
      options);
  EXPECT_EQ(executed(made, "barrier"), 1);
}

// ---- calls and waits

const std::string kCheck =
    ".extern .func __assertfail(.param .b64 a);\n.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 "
    "v);\n";

ptx::Import import_checked(const std::string& body) {
  return ptx::import_ptx(
      ptx::read_ptx(".version 8.0\n.target sm_80\n.address_size 64\n" + kCheck +
                        ".entry k(.param .u64 p) { .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\nld.param.u64 "
                        "%rd1, [p]; ld.global.u32 %r1, [%rd1];\n" +
                        body + " }",
                    "k.ptx"),
      [] {
        auto options = one_warp();
        options.launch.arguments.clear();
        return options;
      }());
}

TEST(LeftOut, AChecksFailureIsNoQuestionThoughItDependsOnData) {
  for (const char* failure : {"{ .param .b64 q; st.param.b64 [q], %rd1; call.uni __assertfail, (q); }", "trap;"})
    for (const bool falls : {true, false}) {
      const auto body = falls ? fmt::format("setp.lt.u32 %p1, %r1, 7; @%p1 bra L; {} L: bar.sync 0; ret;", failure)
                              : fmt::format("setp.ge.u32 %p1, %r1, 7; @%p1 bra F; bar.sync 0; ret; F: {}", failure);
      const auto made = import_checked(body);
      EXPECT_EQ(executed(made, "barrier"), 1) << failure;
      EXPECT_THAT(made.report.skipped, ::testing::IsEmpty());
      EXPECT_THAT(made.report.notes, ::testing::Contains(HasSubstr("checks that end the kernel in an error hold")));
    }
}

TEST(LeftOut, WhatIsPrintedIsSaid) {
  const auto made = import_checked(
      "{ .param .b64 f; st.param.b64 [f], %rd1; .param .b64 v; st.param.b64 [v], %rd1; .param .b32 back; call.uni "
      "(back), vprintf, (f, v); ld.param.b32 %r2, [back]; } bar.sync 0; ret;");
  EXPECT_EQ(executed(made, "barrier"), 1);
  EXPECT_THAT(made.report.skipped, ::testing::ElementsAre("call vprintf (line 8): what it prints is not counted"));
}

TEST(LeftOut, FencesAndNapsAreSaid) {
  const auto made = import("membar.gl; fence.acq_rel.gpu; nanosleep.u32 20; brkpt; bar.sync 0; ret;");
  EXPECT_THAT(made.report.skipped,
              ::testing::ElementsAre("membar.gl (line 6): its wait for earlier accesses is not counted",
                                     "fence.acq_rel.gpu (line 6): its wait for earlier accesses is not counted",
                                     "nanosleep.u32 (line 6): its time is not counted"));
  EXPECT_EQ(made.kernel.instructions.size(), 1U);
  auto options = one_warp();
  options.lowering.unknown["membar"] = "vote";
  EXPECT_EQ(executed(import("membar.gl; bar.sync 0; ret;", options), "vote"), 1);
}

}  // namespace
}  // namespace warpipe::test
