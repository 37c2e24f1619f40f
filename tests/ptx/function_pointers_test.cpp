// Calls through registers: of functions in tables, of a chosen function, of unknown functions.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Two functions of a float and their table, and a function with another parameter. An entry puts the called function
/// into %rd1 and, in a loop or not, calls it with %f1 where %p8 holds.
std::string calling(const std::string& chosen, const std::string& guard = "") {
  return R"(.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) doubled(.param .b32 a)
{ .reg .f32 %f<3>; ld.param.f32 %f1, [a]; add.f32 %f2, %f1, %f1; st.param.f32 [r], %f2; ret; }
.func (.param .b32 r) squared(.param .b32 a)
{ .reg .f32 %f<3>; ld.param.f32 %f1, [a]; mul.f32 %f2, %f1, %f1; st.param.f32 [r], %f2; ret; }
.func (.param .b64 r) of_double(.param .b64 a)
{ .reg .f64 %fd<3>; ld.param.f64 %fd1, [a]; mul.f64 %fd2, %fd1, %fd1; st.param.f64 [r], %fd2; ret; }
.global .align 8 .u64 all[3] = {of_double, doubled, squared};
.global .align 8 .u64 table[2] = {doubled, squared};
.const .align 8 .u64 fixed[3] = {0, doubled, squared};
.visible .entry k(.param .u32 n, .param .u64 p)
{ .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; ld.param.u64 %rd2, [p]; ld.global.f32 %f1, [%rd2]; setp.gt.u32 %p8, %r1, 5;
)" + chosen +
         "\n{ .param .b32 in; st.param.f32 [in], %f1; .param .b32 out;\n"
         "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n" +
         guard +
         " call (out), %rd1, (in), prototype;\n"
         "ld.param.f32 %f2, [out]; }\nst.global.f32 [%rd2], %f2; ret; }\n";
}

ptx::Import import_text(const std::string& text, const std::string& n = "1", bool assume = false) {
  auto options = one_warp();
  options.launch.block = {64, 1, 1};
  options.launch.arguments["n"] = n;
  options.launch.assume = assume;
  return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options);
}

const std::string kOfTable =
    "mul.wide.u32 %rd3, %r1, 8; mov.u64 %rd4, table; add.u64 %rd5, %rd4, %rd3; ld.global.u64 %rd1, [%rd5];";

TEST(FunctionPointers, OfATableGoToTheFunctionOfItsIndex) {
  const auto first = import_text(calling(kOfTable), "0"), second = import_text(calling(kOfTable), "1");
  EXPECT_EQ(executed(first, "fadd"), 2);
  EXPECT_EQ(executed(first, "fmul"), 0);
  EXPECT_EQ(executed(second, "fadd"), 0);
  EXPECT_EQ(executed(second, "fmul"), 2);
  // There and back, in two warps, and nothing else.
  EXPECT_EQ(second.report.issued.at("branch"), 2 * 2);
  EXPECT_EQ(first.report.issued.at("branch"), 2 * 2);
}

TEST(FunctionPointers, MayDifferFromLaneToLane) {
  // Threads in turn: both functions, each after the other, in both warps.
  const auto made = import_text(
      calling("and.b32 %r3, %r2, 1; mul.wide.u32 %rd3, %r3, 8; mov.u64 %rd4, fixed; add.u64 %rd5, %rd4, %rd3;"
              "ld.const.u64 %rd1, [%rd5+8];"));
  EXPECT_EQ(executed(made, "fadd"), 2);
  EXPECT_EQ(executed(made, "fmul"), 2);
  EXPECT_EQ(executed(made, "dmul"), 0);
}

TEST(FunctionPointers, AreChosenAndComparedAsNumbers) {
  const std::string chosen =
      "mov.u64 %rd3, doubled; mov.u64 %rd4, squared; setp.eq.u32 %p1, %r1, 7;"
      "selp.u64 %rd1, %rd3, %rd4, %p1; setp.ne.u64 %p2, %rd1, %rd3; setp.ne.u64 %p3, %rd1, 0;";
  EXPECT_EQ(executed(import_text(calling(chosen, "@%p2"), "7"), "fadd"), 0);
  EXPECT_EQ(executed(import_text(calling(chosen, "@%p3"), "7"), "fadd"), 2);
  EXPECT_EQ(executed(import_text(calling(chosen, "@%p2"), "8"), "fmul"), 2);
}

TEST(FunctionPointers, ThatNobodyKnowsAreAskedForOrAssumed) {
  const auto text = calling("ld.global.u64 %rd1, [%rd2+8];");
  EXPECT_THAT(message_of([&] { import_text(text); }), AllOf(HasSubstr("k.ptx: line"), HasSubstr("through a table")));
  // Threads take the two functions of these parameters in turn.
  const auto made = import_text(text, "1", true);
  EXPECT_EQ(executed(made, "fadd"), 2);
  EXPECT_EQ(executed(made, "fmul"), 2);
}

TEST(FunctionPointers, GoNowhereElse) {
  auto other = calling("mov.u64 %rd1, 3;");
  EXPECT_THAT(message_of([&] { import_text(other); }), HasSubstr("found 3, and 2 targets"));
  EXPECT_THAT(message_of([&] { import_text(calling("mov.u64 %rd1, 0;")); }), HasSubstr("found 0, and 2 targets"));
  for (const std::string gone : {"of_double, doubled, squared", "doubled, squared", "0, doubled, squared"})
    other.replace(other.find(gone), gone.size(), "0");
  EXPECT_THAT(message_of([&] { import_text(other); }),
              AllOf(HasSubstr("a call through a register reaches a function of the module"), HasSubstr("-rdc")));
}

TEST(FunctionPointers, OfAFunctionThatCallsThem) {
  auto text = calling("mov.u64 %rd1, doubled;");
  const std::string body = "add.f32 %f2, %f1, %f1;";
  text.replace(text.find(body), body.size(),
               ".reg .b64 %rd1; mov.u64 %rd1, squared; .param .b32 i; st.param.f32 [i], %f1; .param .b32 o;"
               "pr: .callprototype (.param .b32 _) _ (.param .b32 _); call (o), %rd1, (i), pr; ld.param.f32 %f2, [o];");
  // The call of `doubled` goes on to `squared` alone, in two warps.
  const auto made = import_text(text);
  EXPECT_EQ(executed(made, "fmul"), 2);
  EXPECT_EQ(executed(made, "fadd"), 0);
}

}  // namespace
}  // namespace warpipe::test
