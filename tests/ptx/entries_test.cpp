#include "warpipe/ptx/entries.hpp"
#include "warpipe/isa/symbols.hpp"

#include <gmock/gmock.h>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kAxpyFloat = "_ZN4blas4axpyIfEEviT_PKS1_PS1_";   // blas::axpy<float>(int, float, ...)
constexpr const char* kAxpyDouble = "_ZN4blas4axpyIdEEviT_PKS1_PS1_";  // blas::axpy<double>(int, double, ...)

ptx::Module module_with(const std::vector<std::string>& entries) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
  for (const auto& entry : entries) text += ".visible .entry " + entry + " { bar.sync 0; ret; }\n";
  return ptx::read_ptx(text, "k.ptx");
}

ptx::Module several() {
  return module_with({std::string(kAxpyFloat) + "()", std::string(kAxpyDouble) + "()", "_Z5scalePfi()", "scale_all()",
                      "_Z5scaleRKi()"});
}

std::string found(const std::string& name) { return ptx::find_entry(several(), name).name; }

TEST(Entries, AreFoundByEachOfTheirNames) {
  for (const std::string name :
       {kAxpyFloat, "void blas::axpy<float>(int, float, float const*, float*)", "blas::axpy<float>", "axpy<float>",
        "void blas::axpy<float>(int,float,float const*,float*)", "blas :: axpy < float >", "IfEE"})
    EXPECT_EQ(found(name), kAxpyFloat) << name;
  EXPECT_EQ(found("scale(float*"), "_Z5scalePfi");
  EXPECT_EQ(found("all"), "scale_all");
}

TEST(Entries, ReadTheirPlaceAlongSomeAxes) {
  const auto axes = [](const std::string& body) {
    const auto module = ptx::read_ptx(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b32 %r<4>;\n" + body + "ret; }\n",
        "k.ptx");
    const auto entry = ptx::entries(module).front();
    return std::pair(entry.block_axes, entry.grid_axes);
  };
  EXPECT_EQ(axes(""), std::pair(0, 0));
  EXPECT_EQ(axes("mov.u32 %r1, %tid.x;\n"), std::pair(1, 0));
  EXPECT_EQ(axes("mov.u32 %r1, %tid.y;\nmov.u32 %r2, %ctaid.z;\n"), std::pair(2, 3));
}

TEST(Entries, ABlankInATemplateArgumentIsPartOfTheName) {
  const auto module = module_with({"_Z4axpyIjEviT_PS0_()", "_Z4axpyImEviT_PS0_()"});
  EXPECT_EQ(ptx::find_entry(module, "axpy<unsigned int>").name, "_Z4axpyIjEviT_PS0_");
  EXPECT_EQ(ptx::find_entry(module, "axpy<unsigned long>").name, "_Z4axpyImEviT_PS0_");
}

TEST(Entries, ABareNameGoesBeforeAPart) {
  const auto module = module_with({"_Z5scalePf()", "scale_all()", "prescale()"});
  EXPECT_EQ(ptx::find_entry(module, "scale").name, "_Z5scalePf");
}

TEST(Entries, ANameOfSeveralListsThoseAlone) {
  EXPECT_THAT(message_of([] { found("axpy"); }), AllOf(HasSubstr("several entries are meant by \"axpy\""),
                                                       HasSubstr("blas::axpy<double>"), Not(HasSubstr("scale"))));
  EXPECT_THAT(message_of([] { found("scale"); }), AllOf(HasSubstr("scale(float*, int)"), Not(HasSubstr("scale_all"))));
}

TEST(Entries, ANameOfNoneSuggestsTheNearest) {
  EXPECT_THAT(message_of([] { found("axpi"); }),
              AllOf(HasSubstr("there is no entry \"axpi\""), HasSubstr("did you mean \"axpy\"?")));
  EXPECT_THAT(message_of([] { found(" "); }), HasSubstr("there is no entry \" \""));
  EXPECT_THAT(message_of([] { found(""); }), AllOf(HasSubstr("several entries: "), HasSubstr("blas::axpy<float>")));
}

TEST(Entries, BareNames) {
  EXPECT_EQ(isa::bare_name(kAxpyFloat), "axpy");
  EXPECT_EQ(isa::bare_name("saxpy"), "saxpy");
  EXPECT_EQ(isa::bare_name("_Z4axpyIjEviT_PS0_"), "axpy") << isa::demangled("_Z4axpyIjEviT_PS0_");
  EXPECT_EQ(isa::bare_name("_ZN12_GLOBAL__N_11kEPf"), "k") << isa::demangled("_ZN12_GLOBAL__N_11kEPf");
  EXPECT_EQ(isa::bare_name("_ZN1a1kI1bIiEEEvT_"), "k") << isa::demangled("_ZN1a1kI1bIiEEEvT_");
  EXPECT_EQ(isa::bare_name("_Znonsense"), "_Znonsense");
}

/// The block for which an entry with these directives is compiled, or "none".
std::string block(const std::string& directives) {
  const auto entry = ptx::entries(module_with({"k() " + directives})).front();
  const auto compiled = isa::compiled_block(entry);
  if (!compiled) return "none";
  const auto [x, y, z] = *compiled;
  return std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + entry.block_directive;
}

TEST(Entries, AKernelIsCalledAsInTheSource) {
  ptx::ImportOptions options;
  options.entry = kAxpyFloat;
  const auto made = ptx::import_ptx(several(), options);
  EXPECT_EQ(made.kernel.name, "blas::axpy<float>");
  EXPECT_EQ(made.report.entry, kAxpyFloat);
}

TEST(Entries, TellTheBlockThatTheyAreCompiledFor) {
  EXPECT_EQ(block(""), "none");
  EXPECT_EQ(block(".maxntid 256"), "256,1,1.maxntid");
  EXPECT_EQ(block(".maxntid 16, 16, 2 .minnctapersm 2"), "16,16,2.maxntid");
  EXPECT_EQ(block(".reqntid 64, 2 .maxntid 256"), "64,2,1.reqntid");
  EXPECT_EQ(block(".maxntid 1024, 1024, 64"), "none") << "no group has as many";
}

TEST(Entries, AnAssumedBlockIsSaidInTheResult) {
  auto options = one_warp();
  options.block_from = ".maxntid";
  EXPECT_THAT(import("bar.sync 0; ret;", options).report.notes, testing::Contains(HasSubstr("32x1x1, from .maxntid")));
  EXPECT_THAT(import("bar.sync 0; ret;").report.notes, testing::Each(Not(HasSubstr("maxntid"))));
}

TEST(Entries, ParametersBeginAtMultiplesOfTheirAlignment) {
  const auto module =
      module_with({"k(.param .u32 a, .param .u64 b, .param .align 4 .b8 c[6], .param .u16 d, .param .f64 e)"});
  EXPECT_THAT(ptx::parameter_offsets(module.functions.front().parameters), ElementsAre(0, 8, 16, 22, 24));
}

TEST(Entries, AnArgumentMayBeGivenByItsOffset) {
  const std::string body = "ld.param.u32 %r1, [n]; setp.eq.u32 %p1, %r1, 3; @%p1 bra E; bar.sync 0; E: ret;";
  auto options = one_warp();
  options.launch.arguments = {{"+0", "3"}};
  EXPECT_EQ(executed(import(body, options), "barrier"), 0);
  options.launch.arguments = {{"+0", "4"}};
  EXPECT_EQ(executed(import(body, options), "barrier"), 1);
  options.launch.arguments = {{"+4", "4"}};
  EXPECT_THAT(message_of([&] { import(body, options); }), HasSubstr("no such parameter"));
}

}  // namespace
}  // namespace warpipe::test
