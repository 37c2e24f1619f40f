// Findings from kernels of other projects: each of these was refused, or answered in a circle.
#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

ptx::Import import_text(const std::string& text, const ptx::ImportOptions& options) {
  return ptx::import_ptx(ptx::read_ptx(kHead + text, "k.ptx"), options);
}

std::string refusal_of_file(const std::string& text, const ptx::ImportOptions& options) {
  return message_of([&] { import_text(text, options); });
}

std::string body_refusal(const std::string& body, const ptx::ImportOptions& options = one_warp()) {
  return message_of([&] { import(body, options); });
}

// ---- addresses

// Lane t reaches byte 124 - 4 t of 128: tile - 4 t is below 0, and the offset brings it back.
std::string from_the_end(int offset) {
  return "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; sub.s32 %r4, %r3, %r2;\nld.shared.f32 %f1, "
         "[%r4+" +
         std::to_string(offset) + "]; st.shared.f32 [%r4+" + std::to_string(offset) + "], %f1; ret;";
}

TEST(OthersKernels, SharedAddressesWrapAt32Bits) {
  const auto made = import(from_the_end(124));
  EXPECT_EQ(executed(made, "shared.load"), 1);
  EXPECT_EQ(made.report.accesses.at(0).statistics.conflict_degree.most, 1);
  EXPECT_THAT(body_refusal(from_the_end(128)),
              AllOf(HasSubstr("leaves the 128 bytes of shared memory"), HasSubstr("found bytes 128 to 132 in lane 0")));
}

// ---- accepted syntax

TEST(OthersKernels, OperandsMayBeVectorsWithinAddresses) {
  auto options = one_warp();
  options.lowering.unknown = {{"tex", "global.load"}, {"tcgen05", "global.load.128"}};
  options.lowering.without = {"dead-code"};
  const auto made = import(
      "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n"
      "tcgen05.frob.cta_group::1 [%r1], [%rd1, {{{%r2}}, %r3}], [%r4]; ret;",
      options);
  EXPECT_EQ(made.kernel.instructions.size(), 2U);
  EXPECT_THAT(body_refusal("mov.b32 %r1, {{{{{%r2}}}}}; ret;"), HasSubstr("nested at most 4 deep"));
}

const std::string kStrange = "\n.entry strange() { .reg .b32 %r<3>; frob.b32 %r1, ?; ret; }\n";

TEST(OthersKernels, AModuleIsReadForAKernelThoughAnotherOneCannotBe) {
  const std::string sane = ".entry sane() { .reg .b32 %r<3>; bar.sync 0; ret; }";
  auto options = one_warp();
  options.launch.arguments.clear();
  for (const auto& text : {sane + kStrange, kStrange + sane}) {
    options.entry = "sane";
    EXPECT_EQ(executed(import_text(text, options), "barrier"), 1);
    options.entry = "strange";
    EXPECT_THAT(refusal_of_file(text, options), AllOf(HasSubstr("an operand is a register"), HasSubstr("found \"?\"")));
  }
  EXPECT_THAT(refusal_of_file(kStrange, options), HasSubstr("k.ptx: line 5: an operand is"));
}

TEST(OthersKernels, AFunctionThatCannotBeReadIsAnErrorWhereItIsCalled) {
  const std::string function = ".func f() { ?; }\n";
  auto options = one_warp();
  options.launch.arguments.clear();
  EXPECT_EQ(executed(import_text(function + ".entry k() { bar.sync 0; ret; }", options), "barrier"), 1);
  EXPECT_THAT(refusal_of_file(function + ".entry k() { call.uni f, (); bar.sync 0; ret; }", options),
              AllOf(HasSubstr("k.ptx: line 4: "), HasSubstr("found \"?\"")));
}

TEST(OthersKernels, TexturesMayBeDeclared) {
  auto options = one_warp();
  options.launch.arguments.clear();
  const auto made = import_text(
      ".global .texref picture;\n.global .samplerref s;\n.global .surfref u;\n.entry k() { bar.sync 0; ret; }",
      options);
  EXPECT_EQ(executed(made, "barrier"), 1);
}

// ---- parameters

/// A branch on the field at byte 8 of a structure, by its name or through a register with its address.
std::string branch_on_field(bool through_register) {
  const std::string load =
      through_register ? "mov.b64 %rd1, dim; ld.param.u32 %r1, [%rd1+8];" : "ld.param.u32 %r1, [dim+8];";
  return ".entry k(.param .align 8 .b8 dim[24], .param .u64 p)\n{ .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 "
         "%rd<3>;\n" +
         load + " setp.eq.u32 %p1, %r1, 3; @%p1 bra E; bar.sync 0; E: ret; }";
}

TEST(OthersKernels, AFieldOfAStructureIsGivenByTheBytesWhereItBegins) {
  for (const bool through_register : {false, true}) {
    auto options = one_warp();
    options.launch.arguments.clear();
    options.parameter_names = {"shape", "data"};
    const auto text = branch_on_field(through_register);
    EXPECT_THAT(refusal_of_file(text, options),
                AllOf(HasSubstr("k.ptx: line 6: a branch needs the value of the field shape+8 (.u32 dim+8)"),
                      HasSubstr("give `arguments shape+8=VALUE`")));
    for (const char* name : {"shape+8", "dim+8", "0+8"})
      for (const int value : {2, 3}) {
        options.launch.arguments = {{name, std::to_string(value)}};
        EXPECT_EQ(executed(import_text(text, options), "barrier"), value == 3 ? 0 : 1);
      }
    options.launch.arguments.clear();
    options.launch.taken["E"] = 0;
    EXPECT_EQ(executed(import_text(text, options), "barrier"), 1);
  }
}

// In machine code a structure of one number is a number: its first byte is its field, as in PTX.
TEST(OthersKernels, ANumberIsItsOwnFirstField) {
  const std::string text =
      ".entry k(.param .u32 n, .param .u64 p)\n{ .reg .pred %p<2>; .reg .b32 %r<3>;\n"
      "ld.param.u32 %r1, [n]; setp.eq.u32 %p1, %r1, 3; @%p1 bra E; bar.sync 0; E: ret; }";
  auto options = one_warp();
  options.parameter_names = {"count", "data"};
  for (const char* name : {"count", "count+0", "n+0", "0+0"}) {
    options.launch.arguments = {{name, "3"}};
    EXPECT_EQ(executed(import_text(text, options), "barrier"), 0) << name;
  }
  options.launch.arguments = {{"count+4", "3"}};
  EXPECT_THAT(refusal_of_file(text, options), HasSubstr("\"k\" has no such parameter; it has count, data"));
}

// Compilers leave out unneeded fields, so a user who knows the source gives more; a place beyond the end is wrong.
TEST(OthersKernels, AFieldThatTheCodeDoesNotReadChangesNothing) {
  auto options = one_warp();
  options.launch.arguments = {{"dim+8", "3"}, {"dim+12", "7"}, {"0+16", "1"}};
  const auto made = import_text(branch_on_field(false), options);
  EXPECT_EQ(executed(made, "barrier"), 0);
  EXPECT_THAT(made.report.notes,
              testing::Contains("the code reads no field at 0+16, dim+12: what is given there changes nothing"));
  options.launch.arguments = {{"dim+8", "3"}, {"dim+24", "7"}};
  EXPECT_THAT(refusal_of_file(branch_on_field(false), options), HasSubstr("\"k\" has no such parameter"));
}

TEST(OthersKernels, AFieldIsGivenByThePositionOfItsStructure) {
  auto options = one_warp();
  for (const int value : {2, 3}) {
    options.launch.arguments = {{"1+8", std::to_string(value)}};
    const auto made = import_text(
        ".entry k(.param .u64 p, .param .align 8 .b8 dim[24])\n{ .reg .pred %p<2>; .reg .b32 %r<3>;\n"
        "ld.param.u32 %r1, [dim+8]; setp.eq.u32 %p1, %r1, 3; @%p1 bra E; bar.sync 0; E: ret; }",
        options);
    EXPECT_EQ(executed(made, "barrier"), value == 3 ? 0 : 1);
  }
}

TEST(OthersKernels, AStructureAsAWholeIsNeitherAnArgumentNorAnArray) {
  auto options = one_warp();
  options.launch.arguments = {{"dim", "5"}};
  const auto wanted = AllOf(HasSubstr("parameter 0 (.b8[24] dim), a structure"), HasSubstr("give its fields"),
                            HasSubstr("begin: dim+8"));
  EXPECT_THAT(refusal_of_file(branch_on_field(false), options), AllOf(StartsWith("`arguments dim`: "), wanted));
  options.launch.arguments.clear();
  options.launch.arrays["dim"].uniform = 5;
  EXPECT_THAT(refusal_of_file(branch_on_field(false), options),
              AllOf(StartsWith("`arrays dim`: "), wanted, Not(HasSubstr("use `arguments`"))));
}

/// Each group copies by a pointer and up to a size, both in arrays in a structure, at the group's index.
const std::string kIndexedFields =
    ".entry k(.param .align 8 .b8 s[24], .param .u64 p)\n{ .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<9>;\n"
    "mov.b64 %rd1, s; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 8; add.s64 %rd3, %rd1, %rd2;\n"
    "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd1, %rd4;\n"
    "ld.param.u64 %rd6, [%rd3]; ld.param.u32 %r2, [%rd5+16]; mov.u32 %r3, %tid.x; setp.ge.u32 %p1, %r3, %r2;\n"
    "@%p1 bra E; mul.wide.u32 %rd7, %r3, 4; add.s64 %rd8, %rd6, %rd7; ld.global.u32 %r4, [%rd8]; st.global.u32 [%rd8], "
    "%r4; E: ret; }";

ptx::ImportOptions two_groups() {
  auto options = one_warp();
  options.launch.block = {64, 1, 1};
  options.launch.grid = {2, 1, 1};
  options.launch.arguments.clear();
  options.parameter_names = {"sizes", "data"};
  return options;
}

TEST(OthersKernels, AFieldAtAComputedIndexIsLookedUpAmongThoseGiven) {
  auto options = two_groups();
  // 64 threads are two warps: both of the first group load, and one warp of the second.
  for (const char* name : {"sizes+", "s+", "0+"}) {
    options.launch.arguments = {{name + std::string("16"), "64"}, {name + std::string("20"), "20"}};
    const auto made = import_text(kIndexedFields, options);
    EXPECT_EQ(executed(made, "global.load"), 3);
  }
}

TEST(OthersKernels, TwoFieldsAtAComputedIndexMayBeLoadedAtOnce) {
  auto options = two_groups();
  options.launch.arguments = {{"s+0", "5"}, {"s+4", "64"}, {"s+8", "6"}, {"s+12", "20"}};
  const auto made = import_text(
      ".entry k(.param .align 8 .b8 s[24], .param .u64 p)\n{ .reg .pred %p<2>; .reg .b32 %r<7>; .reg .b64 %rd<9>;\n"
      "mov.b64 %rd1, s; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 8; add.s64 %rd3, %rd1, %rd2;\n"
      "ld.param.u64 %rd6, [%rd3]; mov.b64 {%r2, %r5}, %rd6; mov.u32 %r3, %tid.x; setp.ge.u32 %p1, %r3, %r5;\n"
      "@%p1 bra E; add.u32 %r6, %r2, 1; ld.param.u64 %rd7, [p]; ld.global.u32 %r4, [%rd7]; st.global.u32 [%rd7], %r4;\n"
      "E: ret; }",
      options);
  EXPECT_EQ(executed(made, "global.load"), 3);
}

TEST(OthersKernels, PointersAtComputedIndicesLeadToPlacesApartInOneArray) {
  auto options = two_groups();
  options.launch.arguments = {{"s+16", "64"}, {"s+20", "64"}};
  const auto made = import_text(kIndexedFields, options);
  std::vector<std::string> texts;
  for (const auto& access : made.report.accesses)
    for (const auto& text : access.address.texts) texts.push_back(text);
  // Three pointers have room in the 24 bytes: 2^39 / 3, rounded down to a power of two.
  EXPECT_THAT(texts, Each("sizes: 4 * (34359738368 * group_x + thread_x)"));
  EXPECT_THAT(texts, SizeIs(2));
  EXPECT_EQ(made.kernel.work.compulsory_bytes, Expression(2.0 * 2 * 64 * 4));
}

TEST(OthersKernels, FieldsAtComputedIndicesAreAskedForByTheirBytes) {
  try {
    import_text(kIndexedFields, two_groups());
    ADD_FAILURE() << "nothing was refused";
  } catch (const isa::UnknownData& lack) {
    std::vector<std::string> names;
    for (const auto& one : lack.assumptions) names.push_back(one.name);
    EXPECT_THAT(names, UnorderedElementsAre("sizes+16", "sizes+20"));
    ASSERT_THAT(lack.diagnostics(), SizeIs(1));
    EXPECT_THAT(to_string(lack.diagnostics().front()),
                AllOf(HasSubstr("needs a field of a structure, at an index that is computed"),
                      HasSubstr("give `arguments sizes+BYTES=VALUE`")));
  }
}

TEST(OthersKernels, APlaceBeyondAStructureIsNoField) {
  auto options = two_groups();
  options.launch.arguments = {{"s+24", "64"}};
  EXPECT_THAT(refusal_of_file(kIndexedFields, options), HasSubstr("has no such parameter"));
}

/// Copies by two pointers of a structure, both loaded at once; a count lies behind them.
const std::string kPointersInAStructure =
    ".entry k(.param .align 8 .b8 s[24])\n{ .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<9>;\n"
    "ld.param.v2.b64 {%rd1, %rd2}, [s]; ld.param.b32 %r3, [s+16]; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, %r3;\n"
    "@%p1 bra E; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
    "ld.global.u32 %r2, [%rd4]; st.global.u32 [%rd5], %r2; E: ret; }";

TEST(OthersKernels, PointersInAStructureAreArraysOfTheirOwn) {
  auto options = one_warp();
  options.launch.arguments = {{"s+16", "20"}};
  const auto made = import_text(kPointersInAStructure, options);
  ASSERT_THAT(made.report.accesses, SizeIs(2));
  EXPECT_THAT(made.report.accesses[0].address.texts, ElementsAre("s_0: 4 * thread_x"));
  EXPECT_THAT(made.report.accesses[1].address.texts, ElementsAre("s_8: 4 * thread_x"));
  EXPECT_EQ(made.report.accesses[0].statistics.lanes.most, 20);
}

TEST(OthersKernels, WhatAPointerInAStructurePointsToMayBeGiven) {
  const std::string text =
      ".entry k(.param .align 8 .b8 s[16])\n{ .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [s+8]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 7; @%p1 bra E; bar.sync 0; E: ret; }";
  auto options = one_warp();
  options.launch.arguments.clear();
  EXPECT_THAT(refusal_of_file(text, options), HasSubstr("`arrays s+8=FILE`"));
  options.launch.arrays["s+8"].values = {7};
  EXPECT_EQ(executed(import_text(text, options), "barrier"), 0);
}

TEST(OthersKernels, AParameterWithoutANameInTheSourceHasTheOneOfThePtx) {
  auto options = one_warp();
  options.launch.arguments.clear();
  options.parameter_names = {"", "data"};
  EXPECT_THAT(body_refusal("ld.param.u32 %r1, [n]; setp.eq.u32 %p1, %r1, 3; @%p1 bra E; bar.sync 0; E: ret;", options),
              AllOf(HasSubstr("needs the value of parameter 0 (.u32 n)"), HasSubstr("give `arguments n=VALUE`")));
}

TEST(OthersKernels, AllArgumentsThatControlNeedsAreAskedForAtOnce) {
  const std::string text =
      ".entry k(.param .u32 ni, .param .u32 nj, .param .f32 alpha, .param .u32 nk)\n"
      "{ .reg .pred %p<4>; .reg .b32 %r<9>; .reg .f32 %f<2>; ld.param.u32 %r1, [ni]; ld.param.u32 %r2, [nj]; "
      "ld.param.f32 "
      "%f1, [alpha]; ld.param.u32 %r3, [nk];\n"
      "setp.eq.u32 %p1, %r1, 3; @%p1 bra E; setp.eq.u32 %p2, %r2, 3; @%p2 bra E; setp.eq.u32 %p3, %r3, 3; @%p3 bra E;\n"
      "bar.sync 0; E: ret; }";
  auto options = one_warp();
  options.launch.arguments.clear();
  EXPECT_THAT(refusal_of_file(text, options), HasSubstr("give `arguments ni=VALUE nj=VALUE nk=VALUE`\n"));
  options.launch.arguments = {{"ni", "1"}, {"nj", "1"}};
  EXPECT_THAT(refusal_of_file(text, options), HasSubstr("give `arguments nk=VALUE`\n"));
}

TEST(OthersKernels, AnArrayOfAnUnknownNameIsRefusedAsOne) {
  auto options = one_warp();
  options.launch.arrays["foo"].uniform = 5;
  EXPECT_THAT(body_refusal("bar.sync 0; ret;", options),
              AllOf(StartsWith("`arrays foo`: "), Not(HasSubstr("`arguments"))));
}

// ---- data

const std::string kLoadP = "ld.param.u64 %rd1, [p];\nld.global.u32 %r2, [%rd1];\n";

TEST(OthersKernels, TheArrayIsNamed) {
  const auto text =
      body_refusal(kLoadP + "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4;\nld.global.u32 %r4, [%rd5]; ret;");
  EXPECT_THAT(text, AllOf(HasSubstr("an address depends on data; found the load \"ld.global.u32\" at line 7 from p"),
                          HasSubstr("`arrays p=FILE`, `arrays p=uniform:LIMIT` or `arrays p=rows:LENGTH`"),
                          Not(HasSubstr("NAME"))));
}

TEST(OthersKernels, WhatNoOptionAnswersIsSaid) {
  const auto body = "ld.shared.u32 %r2, [%r1];\nmul.wide.u32 %rd2, %r2, 4; ld.global.u32 %r3, [%rd2]; ret;";
  EXPECT_THAT(body_refusal("mov.u32 %r1, %laneid; " + std::string(body)),
              AllOf(HasSubstr("from shared memory, where nothing known was stored"),
                    HasSubstr("give `addresses 7=random:BYTES`"), Not(HasSubstr("`arrays"))));
  EXPECT_THAT(body_refusal("mov.u32 %r1, %tid.x; add.f16x2 %r2, %r1, %r1; setp.eq.u32 %p1, %r2, 3; @%p1 bra E; "
                           "bar.sync 0; E: ret;"),
              AllOf(HasSubstr("depends on an instruction that is not followed"), HasSubstr("\"add.f16x2\" at line 6"),
                    HasSubstr("give `taken E=SHARE`"), Not(HasSubstr("`arrays"))));
}

/// A kernel branching on a variable of some space, at an address converted in some way.
std::string by_variable(const std::string& space, const std::string& conversion, const std::string& load) {
  return (space == "const" ? std::string(".const .align 4 .b8 _ZN5tests5tableE[64];\n") : std::string()) +
         ".entry k()\n{ .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<9>;" +
         (space == "const" ? std::string() : "." + space + " .align 4 .b8 _ZN5tests5tableE[64];") +
         "\nmov.u64 %rd1, _ZN5tests5tableE; " + conversion + " " + load +
         " %r1, [%rd1+8]; setp.eq.u32 %p1, %r1, 7; @%p1 bra E; bar.sync 0; E: ret; }";
}

TEST(OthersKernels, VariablesAreArraysThatMayBeGiven) {
  for (const std::string space : {"shared", "const", "local", "global"})
    for (const bool generic : {false, true}) {
      const auto text = by_variable(space, generic ? "cvta." + space + ".u64 %rd1, %rd1;" : "",
                                    generic ? "ld.u32" : "ld." + space + ".u32");
      auto options = one_warp();
      options.launch.arguments.clear();
      EXPECT_THAT(refusal_of_file(text, options), AllOf(HasSubstr("the load \"ld."), HasSubstr(" from table"),
                                                        HasSubstr("`arrays table=FILE`"), HasSubstr("`taken E=SHARE`")))
          << space << generic;
      for (const std::string name : {"table", "_ZN5tests5tableE"})
        for (const int value : {6, 7}) {
          options.launch.arrays.clear();
          options.launch.arrays[name].values = {0, 0, static_cast<double>(value)};
          EXPECT_EQ(executed(import_text(text, options), "barrier"), value == 7 ? 0 : 1) << space << generic;
        }
    }
}

// ---- opcodes

const std::string kMatrices =
    "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r1}, [%r2];\n"
    "tcgen05.ld.sync.aligned.16x64b.x2.b32 {%r3}, [%r2];\n"
    "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1;\n"
    "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1;\n"
    "bar.sync 0; ret;";

TEST(OthersKernels, AnUnknownOpcodeIsToldOnceWithACount) {
  try {
    import(kMatrices);
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    ASSERT_THAT(error.diagnostics(), SizeIs(2));
    EXPECT_EQ(to_string(error.diagnostics()[0]),
              "k.ptx: line 6: the import does not know \"tcgen05.ld\"; found "
              "\"tcgen05.ld.sync.aligned.16x64b.x1.b32\", and 1 more; map it with `unknown tcgen05.ld:OP`, or "
              "leave it out with `unknown tcgen05.ld:skip`");
    EXPECT_THAT(to_string(error.diagnostics()[1]),
                StartsWith("k.ptx: line 8: the import does not know \"tcgen05.mma\""));
  }
}

TEST(OthersKernels, TheLongestNameThatIsGivenDecides) {
  auto options = one_warp();
  options.lowering.unknown = {
      {"tcgen05.mma", "mma"}, {"tcgen05", "shared.load"}, {"tcgen05.ld.sync.aligned.16x64b.x2", "skip"}};
  const auto made = import(kMatrices, options);
  EXPECT_EQ(executed(made, "mma"), 2);
  EXPECT_EQ(executed(made, "shared.load"), 1);
  EXPECT_THAT(made.report.skipped, ElementsAre(StartsWith("tcgen05.ld.sync.aligned.16x64b.x2")));
}

TEST(OthersKernels, AnOpcodeThatIsMappedInVainIsRefused) {
  auto options = one_warp();
  options.lowering.unknown = {{"tcgen05", "mma"}, {"frob", "mma"}};
  EXPECT_THAT(body_refusal(kMatrices, options),
              AllOf(StartsWith("`unknown frob:mma`: "), HasSubstr("\"k\" has no unknown opcode \"frob\"")));
}

// ---- entries

TEST(OthersKernels, EntriesAreListedOnceWithTheirNamesInTheSource) {
  auto options = one_warp();
  options.entry = "conv";
  const auto text = refusal_of_file(
      ".entry _Z4gemmiPf(.param .u32 a, .param .u64 b) { ret; }\n.entry _Z4axpyf(.param .f32 a) { ret; }", options);
  EXPECT_THAT(text, HasSubstr("found gemm(int, float*) (_Z4gemmiPf), axpy(float) (_Z4axpyf)"));
  EXPECT_EQ(text.find("_Z4axpyf"), text.rfind("_Z4axpyf"));
}

}  // namespace
}  // namespace warpipe::test
