// Registers per thread, derived by hand: registers of the values alive together, and six beside them.
#include "register_estimate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "schedule.hpp"
#include "stages.hpp"

namespace warpipe::test {
namespace {

constexpr int kBesideValues = 6;

/// Of the body of a kernel, in the order of the text.
ptx::RegisterEstimate estimate(const std::string& body, int capability = 90) {
  const Stages stages(body);
  const auto lowered = stages.lowered();
  const auto order = ptx::schedule_loads(stages.routine, stages.flow, 0).blocks;
  return ptx::estimate_registers(stages.routine, stages.program, stages.flow, lowered, order, capability);
}

/// Loads floats one by one, does `between`, and stores them one by one: all are alive at `between`.
std::string kept_across(int floats, const std::string& between = "") {
  std::string body = "{ .reg .f32 %v<1000>; .reg .f64 %d<9>; ld.param.u64 %rd1, [p]; mov.f32 %v999, 0f3F800000;\n";
  for (int i = 0; i < floats; ++i) body += fmt::format("ld.volatile.global.f32 %v{}, [%rd1+{}];\n", i, 4 * i);
  body += between;
  for (int i = 0; i < floats; ++i) body += fmt::format("st.volatile.global.f32 [%rd1+{}], %v{};\n", 4 * i, i);
  return body + "ret; }";
}

TEST(RegisterEstimate, IsOfTheValuesThatAreAliveTogether) {
  EXPECT_EQ(estimate(kept_across(10)).registers, 10 + kBesideValues);
  EXPECT_EQ(estimate(kept_across(100)).registers, 100 + kBesideValues);
}

TEST(RegisterEstimate, CopiesOfAParameterTakeNone) {
  // The sum of a lane's number and the group's is alive; the address is the parameter, and the group's number uniform.
  EXPECT_EQ(
      estimate("ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;"
               "add.u32 %r3, %r1, %r2; st.global.u32 [%rd2], %r3; ret;")
          .registers,
      1 + kBesideValues);
}

TEST(RegisterEstimate, WideProductOfAnAddressLivesAsItsIndex) {
  // Behind the barrier the address of two words is computed from the index, a single word: it alone is alive across.
  EXPECT_EQ(estimate("ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; bar.sync 0;"
                     "add.u64 %rd3, %rd1, %rd2; st.global.u64 [%rd3], 0; ret;")
                .least,
            2 + kBesideValues);
}

TEST(RegisterEstimate, UniformValuesTakeNoneFromCapability75On) {
  // Eight numbers, each computed from its predecessor and the last used first, beside the lane's number.
  std::string uniform =
      "{ .reg .b32 %u<20>; ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x;"
      "mov.u32 %r3, %laneid; mul.lo.u32 %u0, %r1, %r2;\n";
  for (int i = 1; i < 8; ++i) uniform += fmt::format("mad.lo.u32 %u{}, %u{}, %u{}, %r1;\n", i, i - 1, i - 1);
  for (int i = 8; i-- > 0;) uniform += fmt::format("mad.lo.u32 %r3, %r3, 3, %u{};\n", i);
  uniform += "st.global.u32 [%rd1], %r3; ret; }";
  EXPECT_EQ(estimate(uniform, 75).least, 1 + kBesideValues);
  EXPECT_EQ(estimate(uniform, 90).least, 1 + kBesideValues);
  EXPECT_EQ(estimate(uniform, 61).least, 9 + kBesideValues);
}

TEST(RegisterEstimate, LoadsThatMayRiseTakeMoreUpToTheStepThatCostsWarps) {
  // 40 loads, added up: in turn they take two words and the word of the sum, all at once they take 41.
  std::string body =
      "{ .reg .f32 %v<100>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 1024;"
      "add.u64 %rd3, %rd1, %rd2; mov.f32 %f1, 0f00000000;\n";
  for (int i = 0; i < 40; ++i)
    body += fmt::format("ld.global.nc.f32 %v{0}, [%rd3+{1}]; add.f32 %f1, %f1, %v{0};\n", i, 4 * i);
  body += "st.global.f32 [%rd3], %f1; ret; }";
  EXPECT_LT(estimate(body).least, 12);
  EXPECT_EQ(estimate(body, 80).registers, 32);  // 64 warps
  EXPECT_EQ(estimate(body, 90).registers, 32);
  EXPECT_EQ(estimate(body, 86).registers, 40);  // 48 warps
  EXPECT_GT(estimate(body, 75).registers, 40);  // 32 warps
  EXPECT_LE(estimate(body, 75).registers, 64);
}

TEST(RegisterEstimate, DivisionAndRootAreCallsThatTakeTheirOwn) {
  // Measured with ptxas; without the call the result, too, is a value.
  const int without = 30 + kBesideValues;
  EXPECT_EQ(estimate(kept_across(30)).least, without);
  EXPECT_EQ(estimate(kept_across(30, "div.rn.f32 %v998, %v0, %v1; st.volatile.global.f32 [%rd1], %v998;\n")).least,
            without + 1 + 7);
  EXPECT_EQ(estimate(kept_across(30, "sqrt.rn.f32 %v998, %v0; st.volatile.global.f32 [%rd1], %v998;\n")).least,
            without + 1 + 5);
  EXPECT_EQ(estimate(kept_across(30, "div.approx.f32 %v998, %v0, %v1; st.volatile.global.f32 [%rd1], %v998;\n")).least,
            without + 1);
}

TEST(RegisterEstimate, WhatOneInstructionMakesOfValuesAtHandTakesNone) {
  // Ten shifts of a value read again later need not be kept across the barrier.
  std::string body = "{ .reg .b32 %s<20>; ld.param.u64 %rd1, [p]; ld.volatile.global.u32 %r1, [%rd1];\n";
  for (int i = 0; i < 10; ++i) body += fmt::format("shr.u32 %s{}, %r1, {};\n", i, i + 1);
  body += "bar.sync 0;\n";
  for (int i = 0; i < 10; ++i) body += fmt::format("st.volatile.global.u32 [%rd1+{}], %s{};\n", 4 * i, i);
  EXPECT_EQ(estimate(body + "st.volatile.global.u32 [%rd1], %r1; ret; }").least, 2 + kBesideValues);
}

TEST(RegisterEstimate, WhatIsLoadedUnderAPredicateIsNotAliveBeforeIt) {
  // In each round the word is loaded before it is used, both under the predicate: a word, beside the round's.
  EXPECT_EQ(estimate("ld.param.u64 %rd1, [p]; mov.u32 %r2, %laneid; mov.u32 %r1, 0; L: setp.lt.u32 %p1, %r1, %r2;"
                     "add.u32 %r1, %r1, 1; bar.sync 0; @%p1 ld.volatile.global.u32 %r3, [%rd1];"
                     "@%p1 st.volatile.global.u32 [%rd1], %r3; setp.lt.u32 %p2, %r1, 9; @%p2 bra L; ret;")
                .least,
            3 + kBesideValues);
}

TEST(RegisterEstimate, OfAnEntryKeepsToWhatItSaysOfItsLaunches) {
  const auto with = [](const std::string& directive) {
    auto text = entry_with(kept_across(100));
    text.insert(text.find("\n{"), "\n" + directive);
    return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), one_warp()).report.registers;
  };
  EXPECT_EQ(with(""), 106);
  EXPECT_EQ(with(".maxnreg 64"), 64);
  EXPECT_EQ(with(".maxntid 1024, 1, 1"), 64);                // 65536 / 1024
  EXPECT_EQ(with(".maxntid 96, 1, 1 .minnctapersm 8"), 80);  // 65536 / 768 is 85
  EXPECT_EQ(with(".maxntid 256, 1, 1"), 106);
}

}  // namespace
}  // namespace warpipe::test
