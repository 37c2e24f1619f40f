// Loops that are entered at several places, held against the same loops run here, and accesses to textures.
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Lanes that execute the accesses of a name.
double lanes_of(const ptx::Import& made, const std::string& name) {
  double lanes = 0;
  for (const auto& access : made.report.accesses)
    if (access.name == name) lanes += access.statistics.lanes.sum;
  return lanes;
}

/// A loop of A and B; lanes below 5 enter it at B.
const std::string kTwoEntries =
    "ld.param.u64 %rd1, [p]; mov.u32 %r2, tile; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5;\n@%p1 bra B;\n"
    "A: st.global.u32 [%rd1], %r1; add.s32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 50; @%p2 bra B; ret;\n"
    "B: st.shared.u32 [%r2], %r1; add.s32 %r1, %r1, 2; bra A;";

TEST(Reducible, ALoopThatIsEnteredAtTwoPlacesDoesWhatItDid) {
  int in_a = 0, in_b = 0;
  for (int lane = 0; lane < 32; ++lane) {
    int r = lane;
    bool at_b = r < 5;
    while (true) {
      if (!at_b) {
        ++in_a;
        r += 1;
        if (r >= 50) break;
      }
      ++in_b;
      r += 2;
      at_b = false;
    }
  }
  const auto made = import(kTwoEntries);
  EXPECT_EQ(lanes_of(made, "st.global.u32"), in_a);
  EXPECT_EQ(lanes_of(made, "st.shared.u32"), in_b);
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("a loop is entered at several places: ")));
}

/// An outer loop around one with entries at A and C; who enters where follows from the pass and the lane.
const std::string kNested =
    "ld.param.u64 %rd1, [p]; mov.u32 %r2, tile; mov.u32 %r1, %tid.x; mov.u32 %r3, 0;\n"
    "O: mov.u32 %r4, 0; add.u32 %r5, %r1, %r3; and.b32 %r5, %r5, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra C;\n"
    "A: st.global.u32 [%rd1], %r1; add.u32 %r4, %r4, 1;\n"
    "C: st.shared.u32 [%r2], %r1; add.u32 %r4, %r4, 2; setp.lt.u32 %p2, %r4, 10; @%p2 bra A;\n"
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 3; @%p3 bra O; ret;";

TEST(Reducible, LoopsInLoopsToo) {
  int in_a = 0, in_c = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int pass = 0; pass < 3; ++pass) {
      bool at_c = (lane + pass) % 2 == 0;
      int count = 0;
      do {
        if (!at_c) {
          ++in_a;
          count += 1;
        }
        at_c = false;
        ++in_c;
        count += 2;
      } while (count < 10);
    }
  const auto made = import(kNested);
  EXPECT_EQ(lanes_of(made, "st.global.u32"), in_a);
  EXPECT_EQ(lanes_of(made, "st.shared.u32"), in_c);
}

TEST(Reducible, OtherLoopsStay) {
  const auto made =
      import("mov.u32 %r1, 0;\nL: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; ret;");
  EXPECT_EQ(executed(made, "barrier"), 9);
  EXPECT_THAT(made.report.notes, ::testing::Not(Contains(HasSubstr("several places"))));
}

TEST(Textures, AreAccessesToGlobalMemoryThatL2Serves) {
  const auto made = import(
      "ld.param.u64 %rd1, [p]; tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n"
      "suld.b.2d.b32.trap {%r1}, [%rd1, {%r2, %r3}]; sust.b.2d.b32.trap [%rd1, {%r2, %r3}], {%r1}; st.shared.f32 "
      "[tile], "
      "%f1; ret;");
  EXPECT_EQ(executed(made, "global.load"), 2);
  EXPECT_EQ(executed(made, "global.store"), 1);
  std::size_t served = 0;
  for (const auto& instruction : made.kernel.instructions)
    if (instruction.op.starts_with("global.")) {
      ASSERT_EQ(instruction.levels.size(), 1U);
      EXPECT_EQ(instruction.levels[0].level, "l2");
      EXPECT_EQ(instruction.transactions, Expression(4));
      ++served;
    }
  EXPECT_EQ(served, 3U);
  EXPECT_THAT(made.report.notes,
              Contains(HasSubstr("textures and surfaces, which 3 instructions reach, count as global memory")));
  EXPECT_THAT(made.kernel.origin, HasSubstr("a guess"));
}

TEST(Textures, MayBeMapped) {
  auto options = one_warp();
  options.lowering.unknown["tex"] = "shared.load";
  options.lowering.without = {"dead-code"};
  const auto made = import("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]; ret;", options);
  EXPECT_EQ(executed(made, "shared.load"), 1);
}

}  // namespace
}  // namespace warpipe::test
