// Kernels with more values than a thread has registers.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A kernel that loads some floats, then stores them; with a barrier between, all are alive at once.
std::string holding(int floats) {
  std::string body = "{ .reg .f32 %v<1000>; ld.param.u64 %rd1, [p];\n";
  for (int i = 0; i < floats; ++i) body += fmt::format("ld.global.f32 %v{}, [%rd1+{}];\n", i, 4 * i);
  body += "bar.sync 0;\n";
  for (int i = 0; i < floats; ++i) body += fmt::format("st.global.f32 [%rd1+{}], %v{};\n", 4 * i, i);
  return body + "ret; }";
}

TEST(Spills, ValuesThatFitStay) {
  const auto made = import(holding(200));
  EXPECT_EQ(made.report.registers, 200 + 6);
  EXPECT_EQ(executed(made, "global.load"), 200);
  EXPECT_THAT(made.report.notes, Not(Contains(HasSubstr("spill"))));
}

TEST(Spills, ValuesThatDoNotFitGoToThreadPrivateMemory) {
  // 300 floats and 6 beside them: 306, 51 too many. Each is stored and loaded once, up to eight of them ahead of their
  // use.
  const auto made = import(holding(300));
  EXPECT_LE(made.report.registers, 255);
  EXPECT_GE(made.report.registers, 250);
  const auto loads = executed(made, "global.load") - 300, stores = executed(made, "global.store") - 300;
  EXPECT_EQ(loads, stores);
  EXPECT_GE(loads, 51);
  EXPECT_LE(loads, 60);
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("the estimate is 306 registers, a thread has at most 255: ")));
  ASSERT_FALSE(made.kernel.arrays.empty());
  EXPECT_EQ(std::ranges::count_if(made.kernel.arrays, [](const auto& array) { return array.thread_private; }), 1);
}

TEST(Spills, WhatIsUsedInALoopStays) {
  // The first 300 floats are read in a loop of 8 trips, but for the last 60: only the last 60 are spilled.
  std::string body = "{ .reg .f32 %v<1000>; ld.param.u64 %rd1, [p];\n";
  for (int i = 0; i < 300; ++i) body += fmt::format("ld.global.f32 %v{}, [%rd1+{}];\n", i, 4 * i);
  body += "bar.sync 0; mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\n";
  for (int i = 0; i < 240; ++i) body += fmt::format("st.global.f32 [%rd1+{}], %v{};\n", 4 * i, i);
  body += "setp.lt.u32 %p1, %r1, 8; @%p1 bra L;\n";
  for (int i = 240; i < 300; ++i) body += fmt::format("st.global.f32 [%rd1+{}], %v{};\n", 4 * i, i);
  const auto made = import(body + "ret; }");
  EXPECT_LE(executed(made, "global.load"), 360);
}

TEST(Spills, AddressesStayInRegistersAsTheyAreFollowed) {
  // 140 pointers depending on the lane, each computed from its predecessor and the last used first: more than fit, and
  // no pointer can be spilled.
  std::string body = "{ .reg .b64 %v<1000>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n";
  body += "mul.wide.u32 %v0, %r1, 4; add.u64 %v0, %v0, %rd1;\n";
  for (int i = 1; i < 140; ++i) body += fmt::format("add.u64 %v{0}, %v{1}, 4; add.u64 %v{0}, %v{0}, %v0;\n", i, i - 1);
  for (int i = 140; i-- > 0;) body += fmt::format("st.global.u32 [%v{}], %r1;\n", i);
  const auto made = import(body + "ret; }");
  EXPECT_EQ(made.report.registers, 255);
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("more is not counted")));
}

TEST(Spills, WhatAddressesAreMadeOfInSeveralStepsStaysToo) {
  // 260 numbers depending on the lane, each two steps before its address.
  std::string body = "{ .reg .b32 %w<1000>; .reg .b64 %v<1000>; ld.param.u64 %rd1, [p]; mov.u32 %w0, %tid.x;\n";
  for (int i = 1; i < 260; ++i) body += fmt::format("div.u32 %w{}, %w{}, 3;\n", i, i - 1);
  for (int i = 260; i-- > 0;)
    body += fmt::format(
        "add.u32 %r2, %w{0}, 7; mul.wide.u32 %v{0}, %r2, 4; add.u64 %v{0}, %rd1, %v{0};\n"
        "st.global.u32 [%v{0}], %w0;\n",
        i);
  const auto made = import(body + "ret; }");
  EXPECT_EQ(made.report.registers, 255);
  EXPECT_EQ(executed(made, "global.store"), 260);
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("more is not counted")));
}

TEST(Spills, ANumberOfRegistersThatIsGivenIsTaken) {
  auto options = one_warp();
  options.registers = 255;
  EXPECT_EQ(executed(import(holding(300), options), "global.load"), 300);
}

}  // namespace
}  // namespace warpipe::test
