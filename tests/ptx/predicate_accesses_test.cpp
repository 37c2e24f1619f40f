// Sides of branches with memory accesses, under a predicate in place of the branch.
#include "predicate_accesses.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "stages.hpp"
#include "straighten_branches.hpp"

namespace warpipe::test {
namespace {

using ::testing::ElementsAre;

const std::string kThread = "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32;";
const std::string kAccess = "ld.global.f32 %f1, [%rd1];";
const std::string kMeet = "E: bar.sync 0; ret;";

ptx::Routine routine_of(const std::string& body) {
  return ptx::inline_calls(ptx::read_ptx(entry_with(body), "k.ptx"), "k");
}

std::size_t predicated(const std::string& body, std::size_t longest = 15) {
  auto routine = routine_of(body);
  return ptx::predicate_accesses(routine, longest);
}

/// The names of the instructions under a predicate, with `!` where it is turned.
std::vector<std::string> guarded(const ptx::Routine& routine) {
  std::vector<std::string> names;
  for (const auto& one : routine.instructions)
    if (one.guard) names.push_back((one.guard->negated ? "!" : "") + one.name);
  return names;
}

TEST(PredicateAccesses, PutsAnAccessUnderThePredicateOfItsBranch) {
  auto routine = routine_of(kThread + "@%p1 bra E;" + kAccess + kMeet);
  EXPECT_EQ(ptx::predicate_accesses(routine, 15), 1U);
  EXPECT_THAT(guarded(routine), ElementsAre("!ld.global.f32"));
  EXPECT_EQ(routine.instructions.size(), 5U);
}

TEST(PredicateAccesses, ComputesAlwaysWhatIsReadWithinTheSideAlone) {
  auto routine = routine_of(kThread + "@%p1 bra E; mul.wide.u32 %rd2, %r1, 4; ld.global.u32 %r3, [%rd2];" +
                            "add.u32 %r4, %r3, 1; E: st.global.u32 [%rd1], %r4; ret;");
  EXPECT_EQ(ptx::predicate_accesses(routine, 15), 1U);
  EXPECT_THAT(guarded(routine), ElementsAre("!ld.global.u32", "!add.u32"));
}

TEST(PredicateAccesses, TakesBothSides) {
  auto routine = routine_of(kThread + "@%p1 bra T;" + kAccess + "bra.uni E; T: ld.global.f32 %f1, [%rd2];" + kMeet);
  EXPECT_EQ(ptx::predicate_accesses(routine, 15), 1U);
  EXPECT_THAT(guarded(routine), ElementsAre("!ld.global.f32", "ld.global.f32"));
}

TEST(PredicateAccesses, TakesASideOfSoManyInstructionsAndNoneOfOneMore) {
  const auto side =
      std::string("add.u32 %r2, %r2, 3; mov.u32 %r3, %r2; sub.u32 %r2, %r2, 3; mov.u32 %r3, %r2; not.b32 %r2, %r2;") +
      kAccess;
  EXPECT_EQ(predicated(kThread + "@%p1 bra E;" + side + kMeet, 4), 1U);
  EXPECT_EQ(predicated(kThread + "@%p1 bra E;" + side + kMeet, 3), 0U);
}

TEST(PredicateAccesses, LeavesOtherBranches) {
  const std::string before = kThread + "@%p1 bra E;";
  EXPECT_EQ(predicated(before + "add.u32 %r2, %r2, 3;" + kMeet), 0U) << "no access";
  EXPECT_EQ(predicated(before + kAccess + "bar.sync 0;" + kMeet), 0U) << "a barrier";
  EXPECT_EQ(predicated(before + kAccess + "div.u32 %r2, %r3, %r4;" + kMeet), 0U) << "may divide by zero";
  EXPECT_EQ(predicated(before + kAccess + "E: ret;"), 0U) << "ends the kernel: a branch is as good";
  EXPECT_EQ(predicated(before + "setp.eq.u32 %p1, %r1, 3;" + kAccess + kMeet), 0U) << "changes the predicate";
  EXPECT_EQ(predicated("ld.global.u32 %r5, [%rd1]; setp.ge.u32 %p1, %r5, 32; @%p1 bra E;" + kAccess + kMeet), 0U)
      << "data decides: whoever imports is asked for its share";
}

TEST(StraightenBranches, TurnsABranchOverAJump) {
  auto routine = routine_of(kThread + "@%p1 bra A; bra.uni B; A: bar.sync 1; B: bar.sync 0; ret;");
  ptx::straighten_branches(routine);
  EXPECT_THAT(guarded(routine), ElementsAre("!bra"));
  EXPECT_EQ(routine.targets[2], std::vector<std::uint32_t>{4});
  EXPECT_EQ(routine.instructions[4].name, "bar.sync");
}

const std::string kStored = "st.global.u32 [%rd1], %r1;";

// Four warps, the first with active lanes: it alone reaches memory, and all four issue.
TEST(PredicatedAccesses, ReachMemoryWhereThePredicateHoldsInALane) {
  auto options = one_warp();
  options.launch.block = {128, 1, 1};
  const auto body =
      "ld.param.u64 %rd3, [p]; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 8;"
      "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd1, %rd3, %rd4; @%p1 bra E;" +
      kStored + kMeet;
  const auto made = import(body, options);
  EXPECT_EQ(made.report.issued.at("global.store"), 4);
  EXPECT_FALSE(made.report.issued.contains("branch"));
  const auto access = std::ranges::find(made.report.accesses, "global.store", &isa::AccessReport::op);
  ASSERT_NE(access, made.report.accesses.end());
  EXPECT_EQ(access->statistics.executions, 1);
  EXPECT_EQ(access->statistics.segments.sum, 1);  // 8 lanes of 4 bytes
  std::size_t conditions = 0;
  for (const auto& item : made.kernel.body) conditions += std::holds_alternative<When>(item.node) ? 1U : 0U;
  EXPECT_EQ(conditions, 1U);

  options.lowering.without = {"guarded-accesses"};
  EXPECT_EQ(import(body, options).report.issued.at("branch"), 4);
}

// The predicate holds in 3 of 8 groups; then, in trip k of 8, in the first k groups: 0 + 1 + ... + 7 times in all.
TEST(PredicatedAccesses, ReachMemoryInTheGroupsWhereThePredicateHolds) {
  auto options = one_warp();
  options.launch.grid = {8, 1, 1};
  const std::string address =
      "ld.param.u64 %rd3, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1;"
      "mul.wide.u32 %rd4, %r3, 4; add.s64 %rd1, %rd3, %rd4;";
  const auto executions = [&](const std::string& body) {
    const auto made = import(address + body, options);
    const auto access = std::ranges::find(made.report.accesses, "global.store", &isa::AccessReport::op);
    return access == made.report.accesses.end() ? 0 : access->statistics.executions;
  };
  EXPECT_EQ(executions("setp.ge.u32 %p1, %r2, 3; @%p1 bra E;" + kStored + kMeet), 3);
  EXPECT_EQ(executions("mov.u32 %r5, 0; L: setp.ge.u32 %p1, %r2, %r5; @%p1 bra M;" + kStored +
                       "M: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 8; @%p2 bra L;" + kMeet),
            28);
}

TEST(PredicatedAccesses, AskForAnArgumentThatThePredicateNeeds) {
  auto options = one_warp();
  options.launch.arguments.clear();
  EXPECT_THAT(message_of([&] {
                import(
                    "ld.param.u64 %rd1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, %r2;"
                    "@%p1 bra E;" +
                        kStored + kMeet,
                    options);
              }),
              ::testing::HasSubstr("needs the value of parameter 0 (.u32 n)"));
}

// The first instruction of all reads the side's result in the next iteration.
TEST(PredicateAccesses, PutsUnderThePredicateWhatTheFirstInstructionReads) {
  auto routine = routine_of("L: add.u32 %r3, %r2, 1; " + kThread + "@%p1 bra E; mul.lo.u32 %r2, %r1, 3;" + kAccess +
                            "E: setp.lt.u32 %p2, %r3, 9; @%p2 bra L; ret;");
  EXPECT_EQ(ptx::predicate_accesses(routine, 15), 1U);
  EXPECT_THAT(guarded(routine), ElementsAre("!mul.lo.u32", "!ld.global.f32", "bra"));
}

}  // namespace
}  // namespace warpipe::test
