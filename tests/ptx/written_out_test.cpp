// Loops with differing iterations: they are written out, and each iteration has its own producers.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

/// For each instruction whose name begins with `waiting`, in order: its producers whose names begin with `producer`.
std::vector<std::vector<std::string>> waits(const Kernel& kernel, const std::string& waiting,
                                            const std::string& producer) {
  std::vector<std::vector<std::string>> found;
  for (const auto& instruction : kernel.instructions) {
    if (!instruction.id.starts_with(waiting)) continue;
    auto& of_it = found.emplace_back();
    for (const auto& dependence : instruction.after)
      if (const auto& id = kernel.instructions[dependence.producer].id; id.starts_with(producer)) of_it.push_back(id);
  }
  return found;
}

TEST(WrittenOut, AnIterationWaitsForWhatWasLoadedLast) {
  // Of iterations 0 to 5 the odd iterations load; all add the last loaded value.
  const auto made = import(R"(
    ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
    L:
    and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;
    @%p1 bra S;
    ld.global.f32 %f1, [%rd1];
    add.s64 %rd1, %rd1, 4096;
    bar.sync 0;
    S:
    add.f32 %f2, %f2, %f1;
    add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 6;
    @%p2 bra L;
    st.global.f32 [%rd1], %f2;
    ret;)");
  EXPECT_THAT(waits(made.kernel, "fadd", "global_load"),
              testing::ElementsAre(testing::IsEmpty(), testing::ElementsAre("global_load_11"),
                                   testing::ElementsAre("global_load_11"), testing::ElementsAre("global_load_11_2"),
                                   testing::ElementsAre("global_load_11_2"), testing::ElementsAre("global_load_11_3")));
}

TEST(WrittenOut, WarpsWaitForTheBranchThatTheyCameFrom) {
  // Warps 0 to 2 leave in turn; warp 3 reaches the end by itself. At the end each warp waits for the branch it left by,
  // and on the way for the branch it has just passed.
  auto options = one_warp();
  options.launch.block = {128, 1, 1};
  std::string body = "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5;\n";
  for (int warp = 0; warp < 3; ++warp)
    body += "setp.eq.u32 %p1, %r2, " + std::to_string(warp) + ";\n@%p1 bra E;\nbar.warp.sync -1;\nbar.warp.sync -1;\n";
  const auto made = import(body + "E: sqrt.approx.f32 %f2, %f1;\nbar.sync 0;\nret;", options);
  EXPECT_THAT(
      waits(made.kernel, "vote", "branch"),
      testing::ElementsAre(testing::ElementsAre("branch_8"), testing::IsEmpty(), testing::ElementsAre("branch_12"),
                           testing::IsEmpty(), testing::ElementsAre("branch_16"), testing::IsEmpty()));
  EXPECT_THAT(waits(made.kernel, "barrier", "branch"),
              testing::ElementsAre(testing::ElementsAre("branch_8", "branch_12", "branch_16")));
}

}  // namespace
}  // namespace warpipe::test
