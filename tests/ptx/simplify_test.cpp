// Each rule alone: the removed and the remaining instructions, and the producers behind it.
#include "simplify.hpp"

#include <gmock/gmock.h>

#include "stages.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

/// Issued instructions: the last op of each remaining instruction.
std::vector<std::string> issued(const Stages& stages, const std::set<std::string, std::less<>>& without = {},
                                int capability = 0) {
  std::vector<std::string> ops;
  for (const auto& one : stages.lowered(without, capability).instructions)
    if (!one.gone && !one.ops.empty()) ops.push_back(one.ops.back());
  return ops;
}

/// The names of an instruction's producers.
std::vector<std::string> awaited(const Stages& stages, const std::string& name, int number = 0) {
  return stages.names(stages.lowered().instructions[stages.at(name, number)].after);
}

const std::string kStore = "st.global.f32 [%rd1], %f1; ret;";
const std::string kStoreWhole = "st.global.u32 [%rd1], %r1; ret;";

TEST(Rules, ArgumentsAreOperands) {
  const Stages stages("ld.param.u32 %r2, [n]; mov.u32 %r3, %ntid.x; mul.lo.u32 %r1, %r2, %r3;" + kStoreWhole);
  EXPECT_THAT(stages.lowered().removed, ElementsAre(Pair("arguments", 2)));
  EXPECT_THAT(issued(stages), ElementsAre("imul", "global.store"));
  EXPECT_THAT(issued(stages, {"arguments"}), ElementsAre("constant.load", "index", "imul", "global.store"));
  EXPECT_THAT(awaited(stages, "mul.lo.u32"), IsEmpty());
}

TEST(Rules, CopiesCostNothingAndAreWaitedThrough) {
  const Stages stages(
      "ld.global.u32 %r2, [%rd2]; mov.u32 %r3, %r2; cvt.u64.u32 %rd4, %r3; cvta.to.global.u64 %rd5, %rd4;"
      "st.global.u64 [%rd1], %rd5; ret;");
  EXPECT_THAT(stages.lowered().removed, ElementsAre(Pair("copies", 3)));
  EXPECT_THAT(awaited(stages, "st.global.u64"), ElementsAre("ld.global.u32"));
  EXPECT_THAT(awaited(stages, "ld.global.u32"), IsEmpty());
  EXPECT_EQ(issued(stages, {"copies"}).size(), 5U);
}

TEST(Rules, WideningOfASignAndNarrowingBelowARegisterAreNoCopies) {
  const Stages stages(
      "cvt.s64.s32 %rd4, %r2; st.global.u64 [%rd1], %rd4; cvt.u16.u32 %r3, %r2; st.global.u16 [%rd1], %r3;"
      "ret;");
  EXPECT_THAT(issued(stages), ElementsAre("shift", "global.store.64", "iadd", "global.store"));
}

TEST(Rules, ConstantsAreFoldedAndLoadedFromFixedPlacesForNothing) {
  const Stages stages(
      "mov.u32 %r2, 3; shl.b32 %r3, %r2, 4; add.u32 %r1, %r3, %r9; ld.const.f32 %f1, [tile+4];"
      "st.global.f32 [%rd2], %f1;" +
      kStoreWhole);
  EXPECT_THAT(stages.lowered().removed, UnorderedElementsAre(Pair("copies", 1), Pair("constants", 2)));
  EXPECT_THAT(issued(stages), ElementsAre("iadd", "global.store", "global.store"));
}

TEST(Rules, ANumberThatARegisterHoldsBeforeOthersIsPutThere) {
  // Four trips of a sum beginning with zero, and the counter: two registers begin with a number.
  const Stages stages(
      "mov.f32 %f1, 0f00000000; mov.u32 %r2, 4; mov.u32 %r3, 7; L: add.f32 %f1, %f1, %f2; sub.u32 %r2, %r2, 1;"
      "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; st.global.u32 [%rd2], %r3;" +
      kStore);
  EXPECT_THAT(issued(stages),
              ElementsAre("iadd", "iadd", "fadd", "iadd", "compare", "branch", "global.store", "global.store"));
  EXPECT_THAT(issued(stages, {"starting-values"}),
              ElementsAre("fadd", "iadd", "compare", "branch", "global.store", "global.store"));
}

TEST(Rules, SumsAndLogicOfThreeNumbersAreOneInstruction) {
  const Stages stages(
      "add.u32 %r2, %r3, %r4; sub.u32 %r5, %r2, %r6; xor.b32 %r7, %r5, %r8; not.b32 %r9, %r7; and.b32 %r1, %r9, %r10;" +
      kStoreWhole);
  // (r3 + r4) - r6, then ~(r5 ^ r8) & r10.
  EXPECT_THAT(issued(stages), ElementsAre("iadd", "logic", "global.store"));
  EXPECT_EQ(stages.lowered().removed.at("three-inputs"), 3U);
  EXPECT_EQ(issued(stages, {"three-inputs"}).size(), 6U);
}

TEST(Rules, FourNumbersTakeTwoInstructionsAndSoDoesASumThatIsUsedTwice) {
  const Stages four("add.u32 %r2, %r3, %r4; add.u32 %r5, %r2, %r6; add.u32 %r1, %r5, %r7;" + kStoreWhole);
  EXPECT_THAT(issued(four), ElementsAre("iadd", "iadd", "global.store"));
  const Stages twice("add.u32 %r2, %r3, %r4; add.u32 %r1, %r2, %r6; st.global.u32 [%rd2], %r2;" + kStoreWhole);
  EXPECT_THAT(issued(twice), ElementsAre("iadd", "iadd", "global.store", "global.store"));
}

TEST(Rules, AComparisonIsJoinedWithAnotherTruth) {
  const Stages stages(
      "setp.lt.s32 %p1, %r2, %r3; setp.gt.s32 %p2, %r4, %r5; and.pred %p3, %p1, %p2; @%p3 bra E; bar.sync 0; E:" +
      kStoreWhole);
  EXPECT_THAT(issued(stages), ElementsAre("compare", "compare", "branch", "barrier", "global.store"));
  EXPECT_EQ(stages.lowered().removed.at("predicate-logic"), 1U);
  EXPECT_THAT(awaited(stages, "and.pred"), ElementsAre("setp.gt.s32"));
  EXPECT_EQ(issued(stages, {"predicate-logic"}).size(), 6U);
}

TEST(Rules, AnAccessToSharedMemoryScalesItsIndex) {
  const std::string index = "mov.u32 %r2, %tid.x; mov.u32 %r4, tile;";
  const Stages stages(index + "shl.b32 %r3, %r2, 2; add.u32 %r5, %r4, %r3; ld.shared.u32 %r1, [%r5+8];" + kStoreWhole);
  EXPECT_THAT(issued(stages), ElementsAre("index", "shared.load", "global.store"));
  EXPECT_THAT(awaited(stages, "ld.shared.u32"), ElementsAre("mov.u32"));
  EXPECT_THAT(issued(stages, {"scaled-addresses"}), ElementsAre("index", "iadd", "shared.load", "global.store"));
  // By 4, 8 and 16 alone, and only without a further addend.
  const Stages wide(index + "shl.b32 %r3, %r2, 5; ld.shared.u32 %r1, [%r3];" + kStoreWhole);
  EXPECT_THAT(issued(wide), ElementsAre("index", "shift", "shared.load", "global.store"));
  const Stages sum(index + "shl.b32 %r3, %r2, 2; add.u32 %r5, %r9, %r3; ld.shared.u32 %r1, [%r5];" + kStoreWhole);
  EXPECT_THAT(issued(sum), ElementsAre("index", "iadd", "shared.load", "global.store"));
}

TEST(Rules, HalvesAreWidenedByTheirOwnPipelineAndPackedByAnInstruction) {
  const Stages stages("mov.b32 {%r2, %r3}, %r4; cvt.f32.f16 %f2, %r2; mov.b32 %f3, {%r5, %r3}; add.f32 %f1, %f2, %f3;" +
                      kStore);
  EXPECT_THAT(issued(stages), ElementsAre("hfma", "logic", "fadd", "global.store"));
}

TEST(Rules, WholeNumbersOfARegisterBecomeFloatsInThePipelineOfWholeNumbersFromCapability86On) {
  const auto conversion = [](const std::string& load, const std::string& words, const std::string& store,
                             int capability = 86) {
    const auto ops =
        issued(Stages(".reg .b16 %h1; " + load + " %r2, [%rd2]; " + words + store + "ret;"), {}, capability);
    EXPECT_EQ(ops.size(), 3U) << words;
    return ops.at(1);
  };
  // I2FP, but I2F where the number is a byte, or either side has not 32 bits.
  const std::string word = "ld.global.u32", store = "st.global.f32 [%rd1], %f1;";
  EXPECT_EQ(conversion(word, "cvt.rn.f32.s32 %f1, %r2;", store), "iadd");
  EXPECT_EQ(conversion(word, "cvt.rn.f32.u32 %f1, %r2;", store), "iadd");
  EXPECT_EQ(conversion(word, "cvt.rn.f32.u32 %f1, %r2;", store, 80), "convert");
  EXPECT_EQ(conversion("ld.global.u8", "cvt.rn.f32.u32 %f1, %r2;", store), "convert");
  EXPECT_EQ(conversion(word, "cvt.rn.f16.s32 %h1, %r2;", "st.global.b16 [%rd1], %h1;"), "convert");
  EXPECT_EQ(conversion(word, "cvt.rn.f64.s32 %rd3, %r2;", "st.global.f64 [%rd1], %rd3;"), "convert.64");
}

TEST(Rules, ASignIsTurnedOnTheWayForFloatsAlone) {
  const Stages stages("neg.f32 %f2, %f3; add.f32 %f1, %f2, %f4; neg.s32 %r2, %r3; st.global.u32 [%rd2], %r2;" + kStore);
  EXPECT_THAT(stages.lowered().removed, ElementsAre(Pair("modifiers", 1)));
  EXPECT_THAT(issued(stages), ElementsAre("fadd", "iadd", "global.store", "global.store"));
}

TEST(Rules, ANumberThatIsAddedToAnAddressGoesIntoTheAccess) {
  const Stages stages(
      "mov.u32 %r2, %tid.x; cvt.s64.s32 %rd2, %r2; add.s64 %rd3, %rd2, 16; add.s64 %rd4, %rd3, 4;"
      "ld.global.f32 %f1, [%rd4]; ret;");
  EXPECT_EQ(stages.lowered({"dead-code"}).removed.at("offsets"), 2U);
  EXPECT_THAT(awaited(stages, "ret"), IsEmpty());
  const Stages used("ld.global.u64 %rd2, [%rd1]; add.s64 %rd3, %rd2, 16; st.global.u64 [%rd3], %rd3; ret;");
  // The sum stays where it is needed as well; the access waits for its operands.
  EXPECT_EQ(used.lowered().removed.count("offsets"), 0U);
  EXPECT_THAT(awaited(used, "st.global.u64"), ElementsAre("ld.global.u64", "add.s64"));
}

TEST(Rules, AnIndexTimesASizePlusABaseIsOneMultiplyAdd) {
  const std::string head = "mov.u32 %r2, %tid.x; ld.global.u64 %rd2, [%rd9];";
  const std::string tail = "add.s64 %rd4, %rd2, %rd3; ld.global.u32 %r1, [%rd4];" + kStoreWhole;
  const Stages product(head + "mul.wide.s32 %rd3, %r2, 4;" + tail);
  EXPECT_EQ(product.lowered().removed.at("wide-addresses"), 1U);
  EXPECT_THAT(issued(product), ElementsAre("index", "global.load.64", "imad", "global.load", "global.store"));
  EXPECT_THAT(awaited(product, "add.s64"), ElementsAre("mov.u32", "ld.global.u64"));
  // As clang writes it: a widened number, shifted.
  const Stages shifted(head + "cvt.s64.s32 %rd5, %r2; shl.b64 %rd3, %rd5, 2;" + tail);
  EXPECT_EQ(shifted.lowered().removed.at("wide-addresses"), 1U);
  EXPECT_THAT(awaited(shifted, "add.s64"), ElementsAre("mov.u32", "ld.global.u64"));
}

TEST(Rules, AWholeProductThatIsAddedOnceIsOneInstruction) {
  const std::string use = "add.s32 %r1, %r3, %r4;" + kStoreWhole;
  EXPECT_THAT(issued(Stages("mul.lo.s32 %r3, %r2, %r5;" + use)), ElementsAre("imad", "global.store"));
  EXPECT_THAT(issued(Stages("shl.b32 %r3, %r2, 3;" + use)), ElementsAre("iadd", "global.store"));
  EXPECT_THAT(issued(Stages("shl.b32 %r3, %r2, %r5;" + use)), ElementsAre("shift", "iadd", "global.store"));
  EXPECT_THAT(issued(Stages("mul.hi.s32 %r3, %r2, %r5;" + use)), ElementsAre("imad.wide", "iadd", "global.store"));
  EXPECT_THAT(issued(Stages("mul.lo.s32 %r3, %r2, %r5; st.global.u32 [%rd2], %r3;" + use)),
              ElementsAre("imul", "global.store", "iadd", "global.store"));
  EXPECT_THAT(issued(Stages("mul.lo.s32 %r3, %r2, %r5;" + use), {"multiply-add"}),
              ElementsAre("imul", "iadd", "global.store"));
}

TEST(Rules, AFloatsProductThatIsAddedOnceIsContracted) {
  const std::string use = "add.f32 %f1, %f3, %f4;" + kStore;
  EXPECT_THAT(issued(Stages("mul.f32 %f3, %f2, %f5;" + use)), ElementsAre("ffma", "global.store"));
  EXPECT_THAT(issued(Stages("mul.rn.f32 %f3, %f2, %f5;" + use)), ElementsAre("fmul", "fadd", "global.store"));
  EXPECT_THAT(issued(Stages("mul.f32 %f3, %f2, %f5; st.global.f32 [%rd2], %f3;" + use)),
              ElementsAre("fmul", "global.store", "fadd", "global.store"));
  EXPECT_THAT(issued(Stages("mul.f32 %f3, %f2, %f5;" + use), {"contraction"}),
              ElementsAre("fmul", "fadd", "global.store"));
}

TEST(Rules, ASideUnderAPredicateWaitsForIt) {
  const Stages stages("setp.lt.u32 %p1, %r2, 5; @%p1 bra E; add.u32 %r1, %r1, 3; E:" + kStoreWhole);
  EXPECT_EQ(stages.lowered().removed.at("predication"), 1U);
  EXPECT_THAT(awaited(stages, "add.u32"), ElementsAre("setp.lt.u32"));
  EXPECT_THAT(issued(stages), ElementsAre("compare", "iadd", "global.store"));
  EXPECT_THAT(issued(stages, {"predication"}), ElementsAre("compare", "branch", "iadd", "global.store"));
}

TEST(Rules, WhatNobodyReadsIsLeftOutAndWhatActsIsNot) {
  const Stages stages(
      "add.u32 %r2, %r3, %r4; mul.lo.u32 %r5, %r2, %r2; atom.global.add.u32 %r6, [%rd2], 1;"
      "ld.volatile.global.u32 %r7, [%rd2]; ld.global.u32 %r8, [%rd2]; bar.sync 0;" +
      kStoreWhole);
  EXPECT_THAT(stages.lowered().removed, ElementsAre(Pair("dead-code", 3)));
  EXPECT_THAT(issued(stages), ElementsAre("global.atomic", "global.load", "barrier", "global.store"));
  EXPECT_EQ(issued(stages, {"dead-code"}).size(), 7U);
}

TEST(Rules, AJumpToWhatComesNextIsNone) {
  const Stages stages("bra.uni N; N: st.global.u32 [%rd1], %r1; ret;");
  EXPECT_THAT(stages.lowered().removed, ElementsAre(Pair("jumps to what comes next", 1)));
}

TEST(Dependences, GoThroughBothSidesOfABranch) {
  const Stages stages(
      "setp.lt.u32 %p1, %r2, 5; @%p1 bra T; ld.global.u32 %r1, [%rd2]; bra.uni E; T: ld.shared.u32 %r1, "
      "[tile]; E: add.u32 %r3, %r1, %r4; st.global.u32 [%rd1], %r3; ret;");
  EXPECT_THAT(awaited(stages, "add.u32"), ElementsAre("ld.global.u32", "ld.shared.u32"));
}

TEST(Dependences, OfAWriteUnderAGuardIncludeTheValueOfBefore) {
  const Stages stages("mul.lo.u32 %r1, %r2, %r3; setp.lt.u32 %p1, %r2, 5; @%p1 xor.b32 %r1, %r4, %r5;" + kStoreWhole);
  EXPECT_THAT(awaited(stages, "xor.b32"), ElementsAre("mul.lo.u32", "setp.lt.u32"));
  EXPECT_THAT(awaited(stages, "st.global.u32"), ElementsAre("mul.lo.u32", "xor.b32"));
}

TEST(Dependences, OfALoadIncludeTheStoreToItsPlaceUntilABarrierOrAnotherBase) {
  const auto waits = [](const std::string& between, const std::string& place) {
    const Stages stages("ld.global.u32 %r2, [%rd9]; st.shared.u32 [%r2+4], %r3;" + between + "ld.shared.u32 %r1, [" +
                        place + "];" + kStoreWhole);
    const auto after = awaited(stages, "ld.shared.u32");
    return std::ranges::find(after, "st.shared.u32") != after.end();
  };
  EXPECT_TRUE(waits("", "%r2+4"));
  EXPECT_FALSE(waits("", "%r2+8"));
  EXPECT_FALSE(waits("", "%r4+4"));
  EXPECT_FALSE(waits("bar.sync 0;", "%r2+4"));
  EXPECT_FALSE(waits("add.u32 %r2, %r2, 1;", "%r2+4"));
}

TEST(Rules, WhatTheyLeaveAndWhatTheyRemoveAddUpToTheText) {
  // Ten instructions: the parameter, the branch and the second load are gone, each by its rule.
  const auto made = import(
      ".shared .align 16 .b8 rows[256]; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 16; ld.param.u64 %rd1, [p];"
      "@%p1 bra E; st.global.u32 [%rd1], %r1; E: ld.shared.f32 %f1, [rows]; ld.shared.f32 %f2, [rows+4];"
      "add.f32 %f3, %f1, %f2; st.global.f32 [%rd1+4], %f3; ret;");
  const std::map<std::string, std::size_t> removed{{"arguments", 1}, {"guarded-accesses", 1}, {"wide-loads", 1}};
  EXPECT_EQ(made.report.removed, removed);
  EXPECT_EQ(made.report.instructions, 10U);
}

}  // namespace
}  // namespace warpipe::test
