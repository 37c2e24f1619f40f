// Branches by where they lead, comparisons by who waits for them.
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

/// The kernel's ops beginning with `branch` or `compare`.
std::vector<std::string> forms(const std::string& body) {
  std::vector<std::string> found;
  for (const auto& one : import("ld.param.u64 %rd1, [p]; ld.param.u32 %r2, [n];" + body).kernel.instructions)
    if (one.op.starts_with("branch") || one.op.starts_with("compare")) found.push_back(one.op);
  return found;
}

// n is 10. Barriers keep the sides from becoming predicates.
TEST(BranchForms, SayWhereTheWarpGoesOn) {
  EXPECT_THAT(forms("setp.gt.u32 %p1, %r2, 10; @%p1 bra E; bar.sync 0; E: ret;"),
              testing::ElementsAre("compare.guard", "branch"));
  EXPECT_THAT(forms("setp.gt.u32 %p1, %r2, 9; @%p1 bra E; bar.sync 0; E: bar.sync 0; ret;"),
              testing::ElementsAre("compare.guard", "branch.taken"));
  EXPECT_THAT(forms("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; ret;"),
              testing::ElementsAre("compare.guard", "branch.back"));
}

TEST(BranchForms, AComparisonGuardsWhatIsPredicatedAndNotWhatSelects) {
  const std::string store = "st.global.u32 [%rd1], %r3;";
  EXPECT_THAT(forms("setp.gt.u32 %p1, %r2, 5; @%p1 " + store + " ret;"), testing::ElementsAre("compare.guard"));
  EXPECT_THAT(forms("setp.gt.u32 %p1, %r2, 5; selp.u32 %r3, %r2, %r4, %p1;" + store + "ret;"),
              testing::ElementsAre("compare"));
  // A short side without a branch.
  EXPECT_THAT(
      forms("mov.u32 %r3, %r4; setp.gt.u32 %p1, %r2, 50; @%p1 bra E; add.u32 %r3, %r2, %r4; E:" + store + "ret;"),
      testing::ElementsAre("compare.guard"));
}

}  // namespace
}  // namespace warpipe::test
