#include <fmt/format.h>
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::string& body, const ptx::ImportOptions& options = one_warp()) {
  return message_of([&] { import(body, options); });
}

const std::string kLoadN = "ld.param.u32 %r1, [n];\n";
const std::string kLoadData = "ld.param.u64 %rd1, [p];\nld.global.u32 %r2, [%rd1];\n";

TEST(RefusedKernel, EntryThatIsNotThereListsThoseThatAre) {
  auto options = one_warp();
  options.entry = "kk";
  EXPECT_THAT(refusal("ret;", options),
              AllOf(HasSubstr("there is no entry \"kk\""), HasSubstr("found k;"), HasSubstr("did you mean \"k\"?")));
}

TEST(RefusedKernel, SeveralEntriesNeedAName) {
  const auto text = entry_with("ret;") + ".entry other() { ret; }";
  EXPECT_THAT(message_of([&] { ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), one_warp()); }),
              AllOf(HasSubstr("several entries: k, other"), HasSubstr("`entry")));
}

TEST(RefusedKernel, MissingArgumentIsNamedWithItsTypeAndPosition) {
  auto options = one_warp();
  options.launch.arguments.clear();
  options.parameter_names = {"count", "data"};
  EXPECT_THAT(refusal(kLoadN + "setp.eq.u32 %p1, %r1, 3; @%p1 bra E; bar.sync 0; E: ret;", options),
              AllOf(HasSubstr("parameter 0 (count, .u32 n)"), HasSubstr("give `arguments count=VALUE`")));
}

TEST(RefusedKernel, ArgumentThatNoParameterHasListsThem) {
  auto options = one_warp();
  options.launch.arguments["m"] = "1";
  EXPECT_THAT(refusal("ret;", options), AllOf(HasSubstr("`arguments m`"), HasSubstr("it has n, p")));
}

TEST(RefusedKernel, ArgumentThatDoesNotFitItsType) {
  auto options = one_warp();
  options.launch.arguments["n"] = "4294967296";
  EXPECT_THAT(refusal("ret;", options), HasSubstr("a whole number of 32 bits"));
}

TEST(RefusedKernel, EndlessLoopIsFoundWithoutRunningIt) {
  EXPECT_THAT(refusal("mov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nbra L;"),
              HasSubstr("found one that nothing ends, at iteration 3 of the loop at L"));
}

// A function that calls itself for each function of the chain would leave the program's own stack.
TEST(RefusedKernel, FunctionsCalledVeryDeep) {
  constexpr int kFunctions = 60'000;
  std::string chain = ".func last() { ret; }\n";
  for (int i = 0; i < kFunctions; ++i)
    chain += fmt::format(".func f{}() {{ call {}, (); ret; }}\n", i, i == 0 ? "last" : fmt::format("f{}", i - 1));
  const auto text = entry_with(fmt::format("call f{}, (); ret;", kFunctions - 1)) + chain;
  EXPECT_THAT(message_of([&] { ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), one_warp()); }),
              HasSubstr("functions are called at most 100 deep"));
}

TEST(RefusedKernel, LoopBeyondTheBudgetNamesItself) {
  auto options = one_warp();
  options.launch.max_instructions = 1000;
  // x = 5 x + 1 has no closed form here.
  const auto text =
      refusal("mov.u32 %r2, 0;\nL: mad.lo.u32 %r2, %r2, 5, 1;\nsetp.ne.u32 %p1, %r2, 7;\n@%p1 bra L;\nret;", options);
  EXPECT_THAT(text, AllOf(HasSubstr("more than 1000 instructions"), HasSubstr("of them in this warp, one of 1"),
                          HasSubstr("of the loop at L"), HasSubstr("`max_instructions`")));
}

TEST(RefusedKernel, WhatIsLeftOutIsSaidOnceForAllItsLines) {
  const auto made = import("membar.gl;\nmembar.gl;\nfence.sc.cta;\nmembar.gl;\nmembar.gl;\nbar.sync 0; ret;");
  EXPECT_THAT(
      made.report.skipped,
      ::testing::ElementsAre("membar.gl (lines 6, 7, 9 and 1 more): its wait for earlier accesses is not counted",
                             "fence.sc.cta (line 8): its wait for earlier accesses is not counted"));
}

TEST(RefusedKernel, DivisionByZeroInTheSlice) {
  auto options = one_warp();
  options.launch.arguments["n"] = "0";
  EXPECT_THAT(
      refusal(
          kLoadN +
              "mov.u32 %r2, %tid.x; rem.u32 %r3, %r2, %r1;\nsetp.eq.u32 %p1, %r3, 0; @%p1 bra E; bar.sync 0; E: ret;",
          options),
      AllOf(HasSubstr("k.ptx: line 7"), HasSubstr("found a division by zero")));
}

TEST(RefusedKernel, AccessOutsideSharedMemory) {
  // Lane 31 of 32 reaches bytes 124 to 128 of 128 with a step of 4, but 248 to 252 with a step of 8.
  const std::string head = "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, ";
  const std::string tail = "; mov.u32 %r3, tile; add.s32 %r4, %r3, %r2;\nst.shared.u32 [%r4], %r1; ret;";
  EXPECT_EQ(executed(import(head + "2" + tail), "shared.store"), 1);
  EXPECT_THAT(refusal(head + "3" + tail),
              AllOf(HasSubstr("k.ptx: line 7"), HasSubstr("leaves the 128 bytes of shared memory"),
                    HasSubstr("in lane 16 of warp 0")));
}

ptx::Import import_with(const std::string& function, const ptx::ImportOptions& options = {}) {
  const auto text = ".version 8.0\n.target sm_80\n.address_size 64\n" + function +
                    "\n.entry k() { .reg .b32 %r<3>; call.uni f, (); bar.sync 0; ret; }";
  return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), options);
}

TEST(RefusedKernel, RecursionOfTheKernelAndWithoutAnEnd) {
  EXPECT_THAT(message_of([] { import_with(".func f() { call.uni k, (); ret; }"); }), HasSubstr("recursion of \"k\""));
  EXPECT_THAT(message_of([] { import_with(".alias f, g;\n.func g() { call.uni f, (); ret; }"); }),
              HasSubstr("a loop ends; found one that nothing ends"));
}

TEST(RefusedKernel, CallOfAFunctionWithoutABodyMayBeMappedOrSkippedButIsNotAssumed) {
  for (const char* function : {".extern .func f();", ""})
    for (const bool assume : {false, true}) {
      ptx::ImportOptions options;
      options.launch.assume = assume;
      EXPECT_THAT(message_of([&] { import_with(function, options); }),
                  AllOf(HasSubstr("k.ptx: line 5: "), HasSubstr("calls \"f\", which has no body in the file"),
                        HasSubstr("compile the files together"), HasSubstr("`unknown call:skip`")));
    }
  ptx::ImportOptions options;
  options.lowering.unknown = {{"call", "shuffle"}};
  EXPECT_EQ(executed(import_with(".extern .func f();", options), "shuffle"), 1);
  options.lowering.unknown = {{"call", "skip"}};
  EXPECT_THAT(import_with(".extern .func f();", options).report.skipped, ::testing::ElementsAre("call f (line 5)"));
}

TEST(RefusedKernel, UnknownOpcodesAreListedAllAtOnceWithTheirLines) {
  const std::string body = "frob.b32 %r1, %r2;\nret;\ngrind.u32 %r3, %r1;";
  EXPECT_THAT(refusal(body), AllOf(HasSubstr("k.ptx: line 6: "), HasSubstr("\"frob.b32\""),
                                   HasSubstr("k.ptx: line 8: "), HasSubstr("`unknown grind:OP`")));
}

TEST(RefusedKernel, UnknownOpcodesMayBeMappedOrSkipped) {
  const std::string body = "frob.sync.b32 %r1, %r2;\nbar.sync 0;\nret;";
  auto options = one_warp();
  options.lowering.unknown["frob"] = "shuffle";
  EXPECT_EQ(executed(import(body, options), "shuffle"), 1);
  options.lowering.unknown = {{"class", "vote"}};
  EXPECT_EQ(executed(import(body, options), "vote"), 1);
  for (const char* opcode : {"frob", "class"}) {
    options.lowering.unknown = {{opcode, "skip"}};
    const auto skipped = import(body, options);
    EXPECT_THAT(skipped.report.skipped, ::testing::ElementsAre("frob.sync.b32 (line 6)"));
    EXPECT_THAT(skipped.kernel.origin, HasSubstr("left out: frob.sync.b32 (line 6)"));
  }
}

TEST(RefusedKernel, BranchOnDataNamesTheLoadAndTheWayOut) {
  const auto body = kLoadData + "setp.gt.s32 %p1, %r2, 0;\n@%p1 bra E;\nbar.sync 0;\nE: ret;";
  EXPECT_THAT(refusal(body), AllOf(HasSubstr("k.ptx: line 9: a branch"),
                                   HasSubstr("the load \"ld.global.u32\" at line 7"), HasSubstr("`taken E=SHARE`")));
  auto options = one_warp();
  options.launch.taken["E"] = 0;
  EXPECT_EQ(executed(import(body, options), "barrier"), 1);
  options.launch.taken["E"] = 1;
  EXPECT_EQ(executed(import(body, options), "barrier"), 0);
}

TEST(RefusedKernel, LoopOnDataTakesTheTripsThatAreSaid) {
  const auto body = "bar.sync 0;\n" + kLoadData +
                    "L: add.s32 %r2, %r2, -1;\nbar.sync 0;\nsetp.gt.s32 %p1, %r2, 0;\n@%p1 bra L;\nret;";
  EXPECT_THAT(refusal(body), HasSubstr("`trips L=N`"));
  auto options = one_warp();
  options.launch.trips["L"] = 1000;
  EXPECT_EQ(executed(import(body, options), "barrier"), 1001);
  options.launch.trips["M"] = 1;
  EXPECT_THAT(refusal(body, options), AllOf(HasSubstr("`trips M`"), HasSubstr("loops begin at L")));
}

TEST(RefusedKernel, AddressOnDataTakesTheValuesThatAreSaid) {
  const auto body =
      "ld.param.u64 %rd1, [p]; mov.u32 %r3, %tid.x; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, "
      "%rd2;\nld.global.u32 %r2, [%rd3];\nmul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r4, "
      "[%rd5];\nst.global.u32 [%rd3], %r4; ret;";
  EXPECT_THAT(refusal(body),
              AllOf(HasSubstr("k.ptx: line 9: an address"), HasSubstr("at line 7"), HasSubstr("`arrays")));
  auto options = one_warp();
  // All lanes go to one element: a single segment; to every eighth element: 32 segments.
  options.launch.arrays["p"].values.assign(32, 5);
  EXPECT_EQ(import(body, options).report.accesses.at(1).statistics.segments.sum, 1);
  for (std::size_t i = 0; i < 32; ++i) options.launch.arrays["p"].values[i] = 8.0 * static_cast<double>(i);
  EXPECT_EQ(import(body, options).report.accesses.at(1).statistics.segments.sum, 32);
}

TEST(RefusedKernel, AccessWithoutAnAddressOrAValue) {
  for (const char* access : {"ld.param.u32;", "ld.global.u32 %r1;", "st.shared.u32 [tile];", "red.global.add.u32;",
                             "atom.global.add.u32 [%rd1];"})
    EXPECT_THAT(refusal(std::string(access) + " ret;"),
                AllOf(HasSubstr("k.ptx: line 6: an access to memory has an address and a value"),
                      HasSubstr(std::string(access).substr(0, 4))))
        << access;
}

TEST(RefusedKernel, LaunchThatTheHardwareLacks) {
  auto options = one_warp();
  options.launch.block = {1024, 2, 1};
  EXPECT_THAT(refusal("ret;", options), HasSubstr("a block can have at most 1024 threads"));
  options.launch.block = {1, 1, 65};
  EXPECT_THAT(refusal("ret;", options), HasSubstr("a block must have 1 to 64 threads along z"));
  options.launch.block = {1, 1, 64};
  options.launch.grid = {1, 65536, 1};
  EXPECT_THAT(refusal("ret;", options), HasSubstr("a grid must have 1 to 65535 groups along y"));
  options = one_warp();
  options.lowering.without.insert("dead-coda");
  EXPECT_THAT(refusal("ret;", options), HasSubstr("did you mean \"dead-code\"?"));
}

TEST(RefusedKernel, KernelWithoutWork) {
  EXPECT_THAT(refusal("ret;"), AllOf(HasSubstr("issues nothing"), HasSubstr("its body is empty")));
}

TEST(RefusedKernel, AccessesOfNoOrTooManyBytes) {
  for (const char* access :
       {"ld.global %r1, [%rd1];", "ld.global.v8.b128 {%rd1, %rd2}, [%rd1];", "ld.global.u32 %r1, %rd1;"})
    EXPECT_THAT(refusal(std::string("mov.u64 %rd1, 64; ") + access + " ret;"),
                HasSubstr("an access has an address in brackets and a type of 1 to 64 bytes"))
        << access;
}

}  // namespace
}  // namespace warpipe::test
