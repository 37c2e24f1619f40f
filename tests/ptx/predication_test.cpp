#include "predication.hpp"

#include <gmock/gmock.h>

#include "small_ptx.hpp"
#include "stages.hpp"

namespace warpipe::test {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

const std::string kTest = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5;";
const std::string kAdd = "add.u32 %r2, %r2, 3;";

/// How many branches are gone where a branch jumps over `side`.
std::size_t gone(const std::string& side, std::size_t longest = 7) {
  const Stages stages(kTest + "@%p1 bra E;" + side + "E: bar.sync 0; ret;");
  return ptx::find_predication(stages.routine, stages.flow, longest).branches;
}

TEST(Predication, TakesASideOfSevenInstructionsAndNoneOfEight) {
  EXPECT_EQ(gone(repeated(kAdd, 7)), 1U);
  EXPECT_EQ(gone(repeated(kAdd, 8)), 0U);
  EXPECT_EQ(gone(repeated(kAdd, 3), 3), 1U);
  EXPECT_EQ(gone(repeated(kAdd, 3), 2), 0U);
}

TEST(Predication, DoesNotCountCopies) { EXPECT_EQ(gone(repeated(kAdd, 7) + repeated("mov.u32 %r3, %r2;", 9)), 1U); }

TEST(Predication, IsOffWhereNoneMayBeLong) { EXPECT_EQ(gone("mov.u32 %r3, %r2;", 0), 0U); }

TEST(Predication, LeavesSidesWithMemoryBarriersCallsAndGuards) {
  for (const char* side : {"ld.global.u32 %r2, [%rd1];", "st.shared.u32 [tile], %r2;", "bar.sync 0;",
                           "shfl.sync.down.b32 %r2, %r2, 1, 31, -1;", "vote.sync.all.pred %p2, %p1, -1;", "call f, ();",
                           "@%p2 add.u32 %r2, %r2, 1;", "ret;"})
    EXPECT_EQ(gone(side), 0U) << side;
}

TEST(Predication, TakesBothSidesAndTheJumpBehindTheFirst) {
  const Stages stages(kTest + "@%p1 bra T;" + kAdd + "bra.uni E; T: sub.u32 %r2, %r2, 3; E: bar.sync 0; ret;");
  const auto found = ptx::find_predication(stages.routine, stages.flow);
  EXPECT_EQ(found.branches, 1U);
  const auto branch = stages.flow.block_of[stages.at("bra")];
  for (const char* name : {"add.u32", "sub.u32"})
    EXPECT_EQ(found.branch_of[stages.flow.block_of[stages.at(name)]], branch) << name;
  EXPECT_EQ(found.branch_of[stages.flow.block_of[stages.at("bar.sync")]], isa::kNoBlock);
  for (std::uint32_t i = 0; i < found.removed.size(); ++i)
    EXPECT_EQ(found.removed[i], stages.routine.instructions[i].opcode() == "bra") << i;
}

TEST(Predication, LeavesASideThatIsAlsoEnteredElsewhere) {
  const Stages stages(kTest + "@%p1 bra S; setp.lt.u32 %p2, %r1, 9; @%p2 bra E; bar.sync 0; S:" + kAdd +
                      "E: bar.sync 0; ret;");
  EXPECT_EQ(ptx::find_predication(stages.routine, stages.flow).branches, 0U);
}

TEST(Predication, LeavesALoop) {
  const Stages stages(kTest + "L:" + kAdd + "setp.lt.u32 %p1, %r2, 50; @%p1 bra L; ret;");
  EXPECT_EQ(ptx::find_predication(stages.routine, stages.flow).branches, 0U);
}

// The side runs under the predicate in any case: no question about the lanes that go there.
TEST(Predication, OfASideThatDependsOnDataRaisesNoQuestion) {
  const std::string load = "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; setp.lt.u32 %p1, %r1, 5;";
  const std::string store = "E: st.global.u32 [%rd1], %r2; ret;";
  const auto one_side = load + "mov.u32 %r2, %r3; @%p1 bra E; xor.b32 %r2, %r2, %r1;" + store;
  EXPECT_EQ(executed(import(one_side), "logic"), 1);
  const auto two_sides = load + "@%p1 bra T; xor.b32 %r2, %r1, 9; bra.uni E; T: and.b32 %r2, %r1, 9;" + store;
  EXPECT_EQ(executed(import(two_sides), "logic"), 2);
  auto options = one_warp();
  options.lowering.without = {"predication"};
  EXPECT_THAT(message_of([&] { import(one_side, options); }), testing::HasSubstr("depends on data"));
}

}  // namespace
}  // namespace warpipe::test
