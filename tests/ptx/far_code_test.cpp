// Machine code that does not stay where instructions are kept: it is told how much there is.
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

std::string barriers(int count) {
  std::string text;
  while (count-- > 0) text += "bar.sync 0;\n";
  return text;
}

std::string looping(const std::string& body, int trips) {
  return "mov.u32 %r2, 0; L: " + body + "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, " + std::to_string(trips) +
         "; @%p1 bra L;\n";
}

constexpr auto kNote = "outside of loops of at most 32 KiB";

// 16 bytes each: 2000 are near enough, 2100 are not.
TEST(FarCode, IsMoreThanIsKeptNear) {
  const auto near = import(barriers(2000) + "ret;"), far = import(barriers(2100) + "ret;");
  EXPECT_EQ(near.report.code.fetched_share, 0);
  EXPECT_THAT(near.report.notes, Each(Not(HasSubstr(kNote))));
  EXPECT_EQ(far.report.code.bytes, 16 * issued(far));
  EXPECT_EQ(far.report.code.fetched_share, 1);
  EXPECT_THAT(far.report.notes,
              Contains(HasSubstr("100 % of the instructions are issued outside of loops of at most 32 KiB")));
}

TEST(FarCode, IsFetchedInEachIterationOfALargeLoop) {
  const auto made = import(looping(barriers(2100), 50) + "ret;");
  EXPECT_EQ(made.report.code.fetched_share, 1);
  EXPECT_LT(made.report.code.bytes, 16 * 2110);
}

// What fetching takes was measured on two devices: of others the note claims nothing.
TEST(FarCode, IsSaidOfTheDeviceOnlyWhereItWasMeasuredThere) {
  const auto noted_for = [](const char* device) {
    auto options = one_warp();
    options.target.device = device;
    return import(barriers(2100) + "ret;", options).report.notes;
  };
  for (const char* measured : {"h100", "h200"})
    EXPECT_THAT(noted_for(measured), Contains(HasSubstr("a warp of this GPU took 2.9 cycles"))) << measured;
  for (const char* other : {"a100", "h100_pcie", "rtx4090", ""})
    EXPECT_THAT(noted_for(other),
                Contains(AllOf(HasSubstr("it was measured on the H100 and the H200 alone, where a warp took"),
                               Not(HasSubstr("this GPU")))))
        << other;
}

// The loop issues 1000 x 50 barriers and three further instructions each time, the code around it 2100.
TEST(FarCode, IsNotThatOfASmallLoop) {
  const auto made = import(barriers(2100) + looping(barriers(50), 1000) + "ret;");
  EXPECT_NEAR(made.report.code.fetched_share, 2100.0 / (2100 + 53 * 1000), 1e-3);
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("4 % of the instructions are issued outside")));
}

TEST(FarCode, IsNotWhatNoWarpGoesThrough) {
  const auto made =
      import("ld.param.u32 %r1, [n]; setp.eq.u32 %p1, %r1, 10; @%p1 bra S;\n" + barriers(2100) + "S: bar.sync 0; ret;");
  EXPECT_LT(made.report.code.bytes, 16 * 10);
  EXPECT_EQ(made.report.code.fetched_share, 0);
}

}  // namespace
}  // namespace warpipe::test
