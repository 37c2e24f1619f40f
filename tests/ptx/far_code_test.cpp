// Machine code too large to stay where instructions are kept: the kernel states its size.
#include <gmock/gmock.h>

#include <map>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

std::string barriers(int count) {
  std::string text;
  while (count-- > 0) text += "bar.sync 0;\n";
  return text;
}

std::string looping(const std::string& body, int trips) {
  const auto label = "L" + std::to_string(trips);
  return "mov.u32 %r2, 0; " + label + ": " + body + "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, " +
         std::to_string(trips) + "; @%p1 bra " + label + ";\n";
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

/// The bytes of code around instructions, as stated by them, with the number of instructions for each size.
std::map<std::int64_t, int> code_bytes(const ptx::Import& made) {
  std::map<std::int64_t, int> counts;
  for (const auto& instruction : made.kernel.instructions) ++counts[instruction.code_bytes];
  return counts;
}

// Of the large loop its 2100 barriers and the three instructions leading back; of the two around both loops all code.
TEST(FarCode, IsThatOfTheInnermostLoopThatGoesRound) {
  const auto made = import(looping(barriers(2100), 50) + looping(barriers(50), 1000) + "ret;");
  const auto all = 16 * static_cast<std::int64_t>(2100 + 3 + 50 + 3 + 2);
  EXPECT_THAT(code_bytes(made), UnorderedElementsAre(Pair(16 * 2103, 2103), Pair(0, 53), Pair(all, 2)));
}

TEST(FarCode, IsAllOfItWhereALoopIsLeftInItsFirstIteration) {
  const auto made = import(looping(barriers(2100), 1) + barriers(100) + "ret;");
  EXPECT_THAT(code_bytes(made), ElementsAre(Pair(made.report.code.bytes, made.kernel.instructions.size())));
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
