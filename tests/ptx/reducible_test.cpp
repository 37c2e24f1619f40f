// Loops with several entries, held against the same loops run here.
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Lanes executing the accesses of a name.
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

/// An outer loop around a loop with entries at A and C; the entry follows from the pass and the lane.
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

}  // namespace
}  // namespace warpipe::test
