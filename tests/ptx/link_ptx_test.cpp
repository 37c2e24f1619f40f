// Modules compiled in separate parts, linked to one. The parts are as nvcc -rdc=true prints them.
#include "warpipe/ptx/link_ptx.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "warpipe/idg/error.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

const std::string kFirst = R"(// a comment
.version 8.0
.target sm_80, debug
.address_size 64
.file 1 "first.cu"
.extern .func (.param .b32 func_retval0) doubled(.param .b32 doubled_param_0)
;
.extern .func (.param .b32 func_retval0) vprintf(.param .b64 a, .param .b64 b);
.extern .global .align 4 .u32 counter;
.extern .shared .align 16 .b8 room[];
.global .align 8 .u64 place = generic(counter);
.global .align 1 .b8 $str[3] = {97, 10, 0};
.weak .func same(.param .b32 a) { ret; }
.func own(.param .b32 a) { .loc 1 5 3, function_name $L__info_string0, inlined_at 1 9 1
ret; }
.visible .entry first(.param .u64 p)
{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .param .b32 in; .param .b32 out;
mov.u64 %rd1, $str; st.param.b32 [in+0], %r1; call.uni (out), doubled, (in); call own, (in); call same, (in); ret; }
.section .debug_str { .b8 1, 2 }
)";
const std::string kSecond = R"(.version 8.3
.target sm_90
.address_size 64
.visible .global .align 4 .u32 counter = 5;
.global .align 1 .b8 $str[5] = {98, 98, 98, 10, 0};
.extern .shared .align 16 .b8 room[];
.weak .func same(.param .b32 a) { .reg .b32 %r<2>; ret; }
.func own(.param .b32 a) { ret; }
.visible .func (.param .b32 func_retval0) doubled(.param .b32 doubled_param_0)
{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .param .b32 in;
mov.u64 %rd1, $str; call own, (in); ld.param.u32 %r1, [doubled_param_0]; st.param.b32 [func_retval0], %r1; ret; }
.visible .entry second() { ret; }
)";

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(LinkPtx, LinksFunctionsAndVariablesOfParts) {
  const auto text = ptx::link_ptx({kFirst, kSecond});
  const auto module = ptx::read_ptx(text, "linked.ptx");
  std::vector<std::string> functions, variables;
  for (const auto& one : module.functions) functions.push_back(one.name);
  for (const auto& one : module.variables) variables.push_back(one.name);
  EXPECT_THAT(functions,
              testing::IsSupersetOf({"first", "second", "doubled", "same", "own__of_part_1", "own__of_part_2"}));
  EXPECT_THAT(variables, UnorderedElementsAre("counter", "room", "place", "$str__of_part_1", "$str__of_part_2"))
      << text;
  EXPECT_THAT(text, HasSubstr(".version 8.3\n.target sm_90\n.address_size 64\n")) << "the newest of each";
  EXPECT_EQ(count(text, ".version"), 1);
}

TEST(LinkPtx, RenamesOwnSymbolsWhereverTheirModuleNamesThem) {
  const auto text = ptx::link_ptx({kFirst, kSecond});
  EXPECT_THAT(text, HasSubstr("mov.u64 %rd1, $str__of_part_1;"));
  EXPECT_THAT(text, HasSubstr("call own__of_part_1, (in); call same, (in);"));
  EXPECT_THAT(text, HasSubstr("mov.u64 %rd1, $str__of_part_2; call own__of_part_2, (in);"));
}

TEST(LinkPtx, PutsDefinitionsBeforeTheirUses) {
  const auto text = ptx::link_ptx({kFirst, kSecond});
  EXPECT_LT(text.find("counter = 5"), text.find("generic(counter)")) << "of another part";
  EXPECT_LT(text.find(" doubled(.param .b32 doubled_param_0);"), text.find(".entry first"));
  EXPECT_EQ(count(text, "same(.param .b32 a)"), 2) << "declared, and defined once";
  EXPECT_EQ(count(text, ".extern"), 2) << "room and vprintf, which no part defines";
  EXPECT_EQ(count(text, "vprintf("), 1);
  EXPECT_THAT(text, Not(HasSubstr(".loc")));
  EXPECT_THAT(text, Not(HasSubstr("debug")));
}

TEST(LinkPtx, LeavesAnOnlyModuleAsItIs) { EXPECT_EQ(ptx::link_ptx({kFirst}), kFirst); }

TEST(LinkPtx, RefusesATextThatBreaksOff) {
  try {
    ptx::link_ptx({kSecond, ".version 8.0\n.func f() { ret;"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("part 2 of the module: line 2: a statement ends; found the end of the file"));
  }
}

}  // namespace
}  // namespace warpipe::test
