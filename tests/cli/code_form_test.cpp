#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "program.hpp"
#include "support/folders.hpp"

/// --form, and the default form of PTX. A script stands for ptxas, for not every machine has it.

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kPtx = in_sources("kernels/cuda/ptx/sm_90/saxpy.ptx");
const std::string kCubin = in_sources("kernels/cuda/cubins/sm_90/saxpy.cubin");

/// A ptxas that knows the kernel of a single file.
class CodeForm : public testing::Test {
 protected:
  CodeForm() { make_ptxas("sm_90", kCubin); }

  void make_ptxas(const std::string& knows, const std::string& makes) const {
    place.write("ptxas",
                "#!/bin/sh\n"
                "case \" $* \" in\n"
                "*' -arch=" +
                    knows + " '*) while [ \"$1\" != -o ]; do shift; done; cp " + makes +
                    " \"$2\" ;;\n"
                    "*) echo 'ptxas fatal : Value is not defined'; exit 1 ;;\n"
                    "esac\n");
    std::filesystem::permissions(place.path("ptxas"), std::filesystem::perms::owner_all);
  }

  Outcome simulate(const std::string& file, const Words& more = {}, const std::string& form = "",
                   const std::string& device = "h100") const {
    return place.run(
        Words{"simulate", file, "--entry", "saxpy", "--device", device, "--block", "256", "--grid", "1024", "--arg",
              "n=262144"} +
            more,
        {.environment = {
             {"PTXAS", place.path("ptxas")}, {"WARPIPE_FORM", form}, {"WARPIPE_DATA", ""}, {"WARPIPE_CACHE", cache}}});
  }

  const Workplace place;
  std::string cache = "off";
};

/// The lines behind the first three, the name of the file and its form.
std::string numbers_of(const Outcome& run) {
  std::size_t at = 0;
  for (int line = 0; line < 3; ++line) at = run.out.find('\n', at) + 1;
  return run.out.substr(at);
}

TEST_F(CodeForm, PtxBecomesMachineCodeWherePtxasMakesIt) {
  const auto of_ptx = simulate(kPtx), of_cubin = simulate(kCubin);
  EXPECT_THAT(of_ptx.out, HasSubstr("; machine code by ptxas 13.0"));
  EXPECT_EQ(numbers_of(of_ptx), numbers_of(of_cubin)) << "of the same machine code";
}

TEST_F(CodeForm, PtxIsReadWherePtxasDoesNotKnowTheDevice) {
  for (const char* device : {"a100", "v100"}) {
    const auto run = simulate(kPtx, {}, "", device);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("; PTX ")) << device;
  }
}

TEST_F(CodeForm, IsAsSaid) {
  EXPECT_THAT(simulate(kPtx, {"--form", "ptx"}).out, HasSubstr("; PTX "));
  EXPECT_THAT(simulate(kPtx, {}, "ptx").out, HasSubstr("; PTX "));
  EXPECT_THAT(simulate(kPtx, {"--form", "cubin"}, "ptx").out, HasSubstr("machine code by")) << "the option counts";
  const auto wrong = simulate(kPtx, {}, "sass");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("\"sass\" is neither ptx nor cubin"));
}

TEST_F(CodeForm, OptionsThatNameWhatIsInPtxMeanPtx) {
  EXPECT_THAT(simulate(kPtx, {"--registers", "20"}).out, HasSubstr("; PTX "));
  EXPECT_THAT(simulate(kPtx, {"--without", "copies"}).out, Not(HasSubstr("machine code by")));
}

TEST_F(CodeForm, LabelsOfPtxInALaunchFileMeanPtx) {
  place.write(
      "launches.jsonl",
      R"({"entry": "saxpy_grid_stride", "block": 256, "grid": 64, "arguments": {"n": 65536}, "trips": {"$L__BB1_2": 4}})"
      "\n");
  const auto run =
      place.run({"launches", kPtx, "launches.jsonl", "--device", "h100", "--json"},
                {.environment = {{"PTXAS", place.path("ptxas")}, {"WARPIPE_FORM", ""}, {"WARPIPE_DATA", ""}}});
  EXPECT_EQ(run.status, 0) << run.err;
}

// An import names no device; the PTX is for one.
TEST_F(CodeForm, OfAnImportWithoutADeviceIsForThatOfThePtx) {
  const auto import = [&](const Words& more) {
    return place
        .run(Words{"import", kPtx, "--entry", "saxpy", "--block", "256", "--grid", "4", "--arg", "n=1024"} + more,
             {.environment = {{"PTXAS", place.path("ptxas")}, {"WARPIPE_FORM", ""}, {"WARPIPE_DATA", ""}}})
        .out;
  };
  EXPECT_THAT(import({"--form", "cubin"}), HasSubstr(R"("form": "machine code by ptxas 13.0")"));
  EXPECT_THAT(import({}), HasSubstr(R"("form": "PTX 9.0")"));
}

TEST_F(CodeForm, SaysWhyThereIsNoMachineCodeWhereItIsWanted) {
  const auto run = simulate(kPtx, {"--form", "cubin"}, "", "a100");
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("no machine code for sm_80 can be made of this PTX"));
  EXPECT_THAT(run.err, HasSubstr("Value is not defined"));
}

TEST_F(CodeForm, PtxIsReadWhereTheMachineCodeCannotBe) {
  place.write("strange", std::string("\x7f"
                                     "ELF",
                                     4) +
                             std::string(100, '\0'));
  make_ptxas("sm_90", place.path("strange"));
  const auto run = simulate(kPtx);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("; PTX "));
}

// Missing data are asked of the code read: n is .b32 in machine code, .u32 in PTX.
TEST_F(CodeForm, PtxIsNotReadWhereMachineCodeIsWanted) {
  const auto question = [&](const Words& more) {
    return place
        .run(Words{"simulate", kPtx, "--entry", "saxpy", "--device", "h100", "--block", "256", "--grid", "4"} + more,
             {.environment = {{"PTXAS", place.path("ptxas")}, {"WARPIPE_FORM", ""}, {"WARPIPE_DATA", ""}}})
        .err;
  };
  EXPECT_THAT(question({"--form", "cubin"}), HasSubstr("(n, .b32 "));
  EXPECT_THAT(question({}), HasSubstr("(n, .u32 ")) << "the PTX was read in its place";
}

// The PTX compares with half of n, the machine code with n: for 1024 threads 2048 elements, or 1024.
TEST_F(CodeForm, SizesThatNobodySaysAreThoseOfThePtx) {
  std::ifstream file(kPtx);
  std::string ptx(std::istreambuf_iterator<char>(file), {});
  const std::string load = "ld.param.u32 \t%r2, [saxpy_param_0];";
  ptx.insert(ptx.find(load) + load.size(), "\nshr.u32 %r2, %r2, 1;");
  place.write("half.ptx", ptx);
  for (const char* form : {"", "cubin"})
    for (const bool assumes : {true, false}) {
      auto words = Words{"simulate", "half.ptx", "--entry", "saxpy", "--device", "h100", "--block", "256"};
      words = words + Words{"--grid", "4"};
      if (assumes) words = words + Words{"--assume"};
      const auto run = place.run(words, {.environment = {{"PTXAS", place.path("ptxas")},
                                                         {"WARPIPE_FORM", form},
                                                         {"WARPIPE_DATA", ""},
                                                         {"WARPIPE_CACHE", cache}}});
      EXPECT_THAT(assumes ? run.out : run.err, HasSubstr("--arg saxpy_param_0=2048")) << run.out << run.err;
    }
}

// Programs keep their PTX with a NUL behind it; ptxas takes it for an error.
TEST_F(CodeForm, PtxasGetsNoNul) {
  place.write("ptxas", "#!/bin/sh\nfor last; do :; done\ntr -d -c '\\000' < \"$last\" | wc -c > nuls\nexit 1\n");
  std::filesystem::permissions(place.path("ptxas"), std::filesystem::perms::owner_all);
  std::ifstream file(kPtx);
  place.write("nul.ptx", std::string(std::istreambuf_iterator<char>(file), {}) + '\0');
  EXPECT_EQ(simulate("nul.ptx", {"--form", "cubin"}).status, 3);
  EXPECT_EQ(place.read("nuls"), "0\n");
}

TEST_F(CodeForm, ResultsCarryIt) {
  place.write("a.json", simulate(kPtx, {"--json"}).out);
  place.write("b.json", simulate(kPtx, {"--json", "--form", "ptx"}).out);
  EXPECT_THAT(place.read("a.json"), HasSubstr("\"form\": \"machine code by ptxas 13.0\""));
  const auto difference = place.run({"diff", "a.json", "b.json", "--gate=0"});
  EXPECT_THAT(difference.out, testing::ContainsRegex("code +machine code by ptxas 13.0 +PTX"));
  EXPECT_THAT(difference.out, HasSubstr("A is machine code by ptxas 13.0, B is PTX 9.0: part of the change may come"));
  EXPECT_THAT(place.run({"diff", "a.json", "a.json"}).out, Not(HasSubstr("the form of the code")));
}

TEST_F(CodeForm, AnAnswerIsKeptForTheSamePtxas) {
  cache = "answers";
  const auto first = simulate(kPtx);
  EXPECT_FALSE(std::filesystem::is_empty(place.path("answers")));
  EXPECT_EQ(simulate(kPtx).out, first.out);
  make_ptxas("sm_none", kCubin);
  EXPECT_NE(simulate(kPtx).out, first.out) << "another ptxas";
  EXPECT_THAT(simulate(kPtx).out, HasSubstr("; PTX "));
}

TEST_F(CodeForm, AnAnswerIsKeptForTheSameToolkit) {
  const auto with_toolkit = [&](const std::string& toolkit) {
    return place
        .run({"simulate", kPtx, "--entry", "saxpy", "--device", "h100", "--block", "256", "--grid", "1024", "--arg",
              "n=262144"},
             {.environment = {{"CUDA_PATH", place.path(toolkit)},
                              {"WARPIPE_FORM", ""},
                              {"WARPIPE_DATA", ""},
                              {"WARPIPE_CACHE", "answers"}}})
        .out;
  };
  std::filesystem::create_directories(place.path("toolkit/bin"));
  std::filesystem::rename(place.path("ptxas"), place.path("toolkit/bin/ptxas"));
  EXPECT_THAT(with_toolkit("none"), HasSubstr("; PTX "));
  EXPECT_THAT(with_toolkit("toolkit"), HasSubstr("machine code by ptxas 13.0"));
}

}  // namespace
}  // namespace warpipe::test
