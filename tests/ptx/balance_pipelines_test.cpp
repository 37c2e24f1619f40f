// Sums and shifts turned into multiply-adds: the expected counts come from the text, by hand.
#include "balance_pipelines.hpp"

#include <gmock/gmock.h>

#include "stages.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;

const std::string kStoreAndEnd = "st.global.u32 [%rd1], %r1; ret;";

/// The last op of each remaining instruction, but for the store.
std::vector<std::string> balanced(const std::string& body) {
  const Stages stages(body + kStoreAndEnd);
  auto lowered = stages.lowered();
  ptx::balance_pipelines(stages.routine, lowered);
  std::vector<std::string> ops;
  for (const auto& one : lowered.instructions)
    if (!one.gone && !one.ops.empty() && one.ops.back() != "global.store") ops.push_back(one.ops.back());
  return ops;
}

TEST(BalancePipelines, MovesSumsOfRegistersUntilBothHaveAsMuch) {
  // 2 of logic and 2 sums against nothing: (4 - 0) / 2 = 2 move.
  EXPECT_THAT(balanced("add.u32 %r2, %r1, %r3; xor.b32 %r4, %r2, %r5; add.u32 %r6, %r4, %r3; xor.b32 %r1, %r6, %r5;"),
              ElementsAre("imad", "logic", "imad", "logic"));
  // 3 sums against nothing: the last sum moves.
  EXPECT_THAT(balanced("add.u32 %r2, %r1, %r3; st.global.u32 [%rd1], %r2; add.u32 %r4, %r2, %r3;"
                       "st.global.u32 [%rd1], %r4; add.u32 %r1, %r4, %r3;"),
              ElementsAre("iadd", "iadd", "imad"));
}

TEST(BalancePipelines, MovesNothingWhereMultiplyAddsHaveMoreToDo) {
  EXPECT_THAT(balanced("fma.rn.f32 %f2, %f1, %f3, %f4; fma.rn.f32 %f5, %f2, %f3, %f4; st.global.f32 [%rd1], %f5;"
                       "xor.b32 %r2, %r1, %r3; add.u32 %r1, %r2, %r3;"),
              ElementsAre("ffma", "ffma", "logic", "iadd"));
}

TEST(BalancePipelines, MovesShiftsToTheLeftByANumber) {
  EXPECT_THAT(balanced("xor.b32 %r2, %r1, %r3; shl.b32 %r1, %r2, 7;"), ElementsAre("logic", "imad"));
  EXPECT_THAT(balanced("xor.b32 %r2, %r1, %r3; shl.b32 %r1, %r2, %r3;"), ElementsAre("logic", "shift"));
  EXPECT_THAT(balanced("xor.b32 %r2, %r1, %r3; shr.u32 %r1, %r2, 7;"), ElementsAre("logic", "shift"));
}

TEST(BalancePipelines, LeavesSumsWithANumberOfThreeAndOfPairs) {
  EXPECT_THAT(balanced("xor.b32 %r2, %r1, %r3; add.u32 %r1, %r2, 7;"), ElementsAre("logic", "iadd"));
  EXPECT_THAT(balanced("xor.b32 %r2, %r1, %r3; add.u32 %r4, %r2, %r5; add.u32 %r1, %r4, %r6;"),
              ElementsAre("logic", "iadd"));
  EXPECT_THAT(balanced("xor.b32 %r1, %r1, %r3; add.u64 %rd2, %rd3, %rd4; st.global.u64 [%rd1], %rd2;"),
              ElementsAre("logic", "iadd", "global.store.64"));
}

/// The multiply-adds executed by a warp of a kernel for a target that has a sum to move.
double moved(const std::string& target, const std::set<std::string, std::less<>>& without = {}) {
  auto options = one_warp();
  options.target.name = target;
  options.lowering.without = without;
  const auto imported =
      import("ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; xor.b32 %r2, %r1, 5; add.u32 %r1, %r2, %r1;" + kStoreAndEnd,
             options);
  return executed(imported, "imad");
}

TEST(BalancePipelines, IsARuleForCapabilitiesWithTwoPipelines) {
  EXPECT_EQ(moved(""), 1);  // the text is for sm_80
  EXPECT_EQ(moved("sm_70"), 1);
  EXPECT_EQ(moved("sm_90a"), 1);
  EXPECT_EQ(moved("sm_90", {"balanced-sums"}), 0);
  for (const char* none : {"sm_61", "sm_120", "gfx942"}) EXPECT_EQ(moved(none), 0) << none;
}

}  // namespace
}  // namespace warpipe::test
