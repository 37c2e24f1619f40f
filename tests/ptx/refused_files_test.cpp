#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>

#include "small_ptx.hpp"
#include "support/drawn_cases.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"

namespace warpipe::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal_of_text(const std::string& text) {
  return message_of([&] { ptx::read_ptx(text, "k.ptx"); });
}

TEST(RefusedPtx, FileThatIsNoPtxSaysHowOneBegins) {
  EXPECT_THAT(refusal_of_text("{ \"format\": 1 }"),
              HasSubstr("k.ptx: line 1: a PTX file begins with .version; found \"{\""));
}

TEST(RefusedPtx, VersionThatIsNotKnown) {
  EXPECT_THAT(refusal_of_text(".version 99.0\n.target sm_80\n"),
              AllOf(HasSubstr("k.ptx: line 1: "), HasSubstr("found \"99.0\"")));
}

TEST(RefusedPtx, AddressesOf32Bits) {
  EXPECT_THAT(refusal_of_text(".version 8.0\n.target sm_80\n.address_size 32\n"), HasSubstr("addresses have 64 bits"));
}

TEST(RefusedPtx, FileThatEndsInAFunctionNamesTheLine) {
  const auto text = entry_with("ret;");
  const auto cut = text.substr(0, text.find("ret;") + 2);
  EXPECT_THAT(refusal_of_text(cut), AllOf(HasSubstr("k.ptx: line 6: "), HasSubstr("found the end of the file")));
}

TEST(RefusedPtx, EveryPrefixOfAFileIsReadOrRefused) {
  const auto text = entry_with(
      "ld.param.u64 %rd1, [p];\n{ .reg .f32 %x; st.global.v2.f32 [%rd1+8], {%x, 0f3F800000}; }\nret; // end");
  for (std::size_t size = 0; size < text.size(); ++size) {
    try {
      ptx::read_ptx(text.substr(0, size), "k.ptx");
    } catch (const InputError&) {
    }
  }
}

TEST(RefusedPtx, RegisterThatIsNotDeclared) {
  EXPECT_THAT(refusal_of_text(entry_with("mov.u32 %r20, 1;")),
              AllOf(HasSubstr("line 6"), HasSubstr("declared"), HasSubstr("%r20")));
}

TEST(RefusedPtx, LabelThatIsNotThereWithTheNearest) {
  EXPECT_THAT(refusal_of_text(entry_with("LOOP: bra LOOPS;")),
              AllOf(HasSubstr("\"LOOPS\""), HasSubstr("did you mean \"LOOP\"?")));
}

TEST(RefusedPtx, LabelThatStandsTwice) {
  EXPECT_THAT(refusal_of_text(entry_with("A: ret; A: ret;")), HasSubstr("\"A\" again"));
}

TEST(RefusedPtx, CommentThatDoesNotEnd) {
  EXPECT_THAT(refusal_of_text(entry_with("/* ret;")), HasSubstr("line 6: a comment ends"));
}

TEST(RefusedPtx, ArrayBeyondAllMemory) {
  EXPECT_THAT(refusal_of_text(entry_with(".shared .b32 huge[4000000000][4000000000];")),
              HasSubstr("an array has at most"));
}

TEST(RefusedPtx, MoreThanAMillionInstructions) {
  std::string body;
  for (int i = 0; i < 1'000'001; ++i) body += "ret;";
  EXPECT_THAT(refusal_of_text(entry_with(body)), HasSubstr("a module has at most 10^6 instructions"));
}

TEST(RefusedPtx, HundredMegabytesOfOneListAreRefusedAtTheirLimit) {
  std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.global .b8 t[50000000] = {1";
  for (int i = 0; i < 50'000'000; ++i) text += ",1";
  EXPECT_THAT(refusal_of_text(text), HasSubstr("k.ptx: line 4: the initialisers of a variable are at most 2^20"));
}

TEST(RefusedPtx, MoreThanAMillionNamesOfAnyKind) {
  const auto times = [](int count, const auto& text) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text(i);
    return all;
  };
  constexpr int kMany = 1'000'001;
  const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
  const std::array in_a_body{"L{}:\n", ".reg .b32 a{};\n", ".local .b32 a{};\n", "t{}: .branchtargets A;\n"};
  const std::array outside{".global .b32 v{};\n", ".func f{}();\n", ".func f{}() {{ ret; }}\n", ".alias a{}, b;\n"};
  for (const std::size_t i : drawn_cases("names of a kind", in_a_body.size() + outside.size())) {
    const char* form = i < in_a_body.size() ? in_a_body[i] : outside[i - in_a_body.size()];
    const std::string names = times(kMany, [&](int name) { return fmt::format(fmt::runtime(form), name); });
    EXPECT_THAT(refusal_of_text(i < in_a_body.size() ? entry_with(names) : head + names),
                HasSubstr("a module declares at most 10^6 names"))
        << form;
  }
}

TEST(RefusedPtx, MoreThanTenThousandSourceFiles) {
  const auto with_files = [](int count) {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (int i = 1; i <= count; ++i) text += fmt::format(".file {} \"x\"\n", i);
    return text;
  };
  EXPECT_EQ(ptx::read_ptx(with_files(10'000), "k.ptx").sources.size(), 10'000U);
  EXPECT_THAT(refusal_of_text(with_files(10'001)), HasSubstr("at most 10000 source files"));
}

TEST(RefusedPtx, FileThatIsCutAnywhereButBetweenItsFunctions) {
  for (const char* file : {"saxpy", "reduction"}) {
    const auto whole = read_text_file(in_sources(fmt::format("kernels/cuda/ptx/sm_80/{}.ptx", file)));
    std::size_t refused = 0;
    const auto lengths = drawn_cases(file, whole.size());
    for (const std::size_t length : lengths) {
      try {
        ptx::read_ptx(std::string_view(whole).substr(0, length), "k.ptx");
      } catch (const InputError& error) {
        ++refused;
        EXPECT_THAT(to_string(error.diagnostics().front()), HasSubstr("k.ptx: line ")) << length;
      }
    }
    // Comments and blanks between functions, and the names of files behind them, may be cut.
    EXPECT_GT(refused, lengths.size() * 8 / 10) << file << ", " << word_of_draw();
  }
}

TEST(RefusedPtx, ScopesNestedWithoutEnd) {
  EXPECT_THAT(refusal_of_text(entry_with(std::string(100'000, '{'))), HasSubstr("scopes are nested at most 64 deep"));
}

}  // namespace
}  // namespace warpipe::test
