// Vector registers, `.reg .v4 .f32 v`: each element is a register, and the whole is its elements in braces.
#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::HasSubstr;

/// How often each warp goes round a loop of so many trips, by the barrier in it.
double trips(const std::string& before, const std::string& count) {
  return executed(import(before + "mov.u32 %r2, 0; L: bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, " + count +
                         "; @%p1 bra L; ret;"),
                  "barrier");
}

TEST(VectorRegisters, AreTheirElementsInBraces) {
  const std::string start = "ld.param.u64 %rd1, [p];\n";
  const std::vector<std::pair<std::string, std::string>> pairs{
      // The report's own: a load of a pair, with one element stored.
      {".reg .v2 .b32 v; ld.global.v2.b32 v, [%rd1]; st.global.u32 [%rd1+8], v.x;",
       "ld.global.v2.b32 {%r1, %r2}, [%rd1]; st.global.u32 [%rd1+8], %r1;"},
      {".reg .v4 .f32 v<3>; ld.global.v4.f32 v1, [%rd1]; add.f32 v2.r, v1.x, v1.a; add.f32 v2.g, v1.b, v1.w;\n"
       "st.global.v2.f32 [%rd1], {v2.x, v2.y};",
       "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; add.f32 %f5, %f1, %f4; add.f32 %f6, %f3, %f4;\n"
       "st.global.v2.f32 [%rd1], {%f5, %f6};"},
      {".reg .v4 .b32 v, w; ld.global.v4.b32 v, [%rd1]; mov.v4.b32 w, v; st.global.v4.b32 [%rd1+16], w;",
       "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1]; st.global.v4.b32 [%rd1+16], {%r1, %r2, %r3, %r4};"},
      {".reg .v2 .b32 v; ld.global.v2.b32 v, [%rd1]; mov.b64 %rd2, v; st.global.u64 [%rd1+16], %rd2;",
       "ld.global.v2.b32 {%r1, %r2}, [%rd1]; mov.b64 %rd2, {%r1, %r2}; st.global.u64 [%rd1+16], %rd2;"},
      {".reg .align 8 .v2 .b16 h; ld.global.b32 %r1, [%rd1]; mov.b32 h, %r1; st.global.u16 [%rd1], h.y;",
       ".reg .b16 a, b; ld.global.b32 %r1, [%rd1]; mov.b32 {a, b}, %r1; st.global.u16 [%rd1], b;"},
  };
  for (const auto& [vector, braces] : pairs) {
    const auto whole = import(start + vector + " ret;"), parts = import(start + braces + " ret;");
    EXPECT_EQ(whole.report.issued, parts.report.issued) << vector;
    EXPECT_EQ(whole.report.registers, parts.report.registers) << vector;
    EXPECT_EQ(whole.kernel.work.bytes, parts.kernel.work.bytes) << vector;
  }
}

TEST(VectorRegisters, HoldNumbersThatControlIsMadeOf) {
  EXPECT_EQ(trips(".reg .v2 .u32 a; mov.v2.u32 a, {3, 5};", "a.y"), 5);
  EXPECT_EQ(trips(".reg .v4 .u32 a, b<2>; mov.v4.u32 a, {2, 3, 4, 5}; mov.v4.u32 b1, a;", "b1.b"), 4);
  // A warp of 32 threads along x: of the size 32, 1, 1 and a fourth element, 0.
  EXPECT_EQ(trips(".reg .v4 .u32 a; mov.v4.u32 a, %ntid;", "a.x"), 32);
  EXPECT_EQ(trips(".reg .v4 .u32 a; mov.v4.u32 a, %ntid; add.u32 a.w, a.w, 7;", "a.w"), 7);
}

TEST(VectorRegisters, MoveAllElementsAtOnce) {
  const std::string swapped = ".reg .v2 .u32 a; mov.v2.u32 a, {3, 5}; mov.v2.u32 a, {a.y, a.x};";
  EXPECT_EQ(trips(swapped, "a.x"), 5);
  EXPECT_EQ(trips(swapped, "a.y"), 3);
  EXPECT_EQ(trips(".reg .v4 .u32 a; mov.v4.u32 a, {2, 3, 4, 5}; mov.v4.u32 {a.y, _, a.z, a.x}, a;", "a.y"), 2);
}

TEST(VectorRegisters, AreOthersInAnInnerScope) {
  EXPECT_EQ(trips(".reg .v2 .u32 a; mov.v2.u32 a, {3, 5}; { .reg .v2 .u32 a; mov.v2.u32 a, {7, 8}; }", "a.x"), 3);
}

TEST(VectorRegisters, ThatPtxasRefusesAreRefused) {
  const auto refusal = [](const std::string& body) { return message_of([&] { import(body + " ret;"); }); };
  EXPECT_THAT(refusal(".reg .v3 .f32 v;"), HasSubstr("before it .v2 or .v4 for a vector of numbers; found \".v3\""));
  EXPECT_THAT(refusal(".reg .v2 .pred v;"), HasSubstr("a vector of numbers; found \".pred\""));
  EXPECT_THAT(refusal(".reg .v2 .u64 v; ld.global.u32 %r1, [v];"),
              HasSubstr("an address has a register of one element; found \"v\", a vector"));
  EXPECT_THAT(refusal(".reg .v4 .u32 v; .reg .v2 .u32 w; mov.v2.u32 w, v;"),
              HasSubstr("mov.v2.u32 moves vectors of 2 elements; found one of 4"));
  EXPECT_THAT(refusal(".reg .v2 .u32 %v; mov.u32 %r1, %v.z;"), HasSubstr("a register is declared before it is used"));
}

// Drivers take such a text, and texts dumped on the way there end so.
TEST(Text, MayEndWithANul) {
  for (const auto& end : {std::string(1, '\0'), std::string("\n\0\0\0", 4)})
    EXPECT_EQ(ptx::read_ptx(entry_with("bar.sync 0; ret;") + end, "k.ptx").functions.size(), 1U);
  const auto inside = [] { ptx::read_ptx(entry_with("bar.sync 0; ret;") + std::string("\0.visible", 9), "k.ptx"); };
  EXPECT_THAT(message_of(inside), HasSubstr("found the byte 0x00"));
}

}  // namespace
}  // namespace warpipe::test
