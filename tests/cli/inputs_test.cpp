#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Outcome run_with(const std::string& standard_input, const std::vector<std::string>& arguments) {
  Workplace::Settings settings;
  settings.standard_input = standard_input;
  return Workplace().run(arguments, settings);
}

const std::string kKernel = read(in_sources("tests/cli/data/kernels/worked.json"));
const std::string kDevice = read(in_sources("tests/cli/data/devices/tiny.json"));

constexpr const char* kPtx = R"(// as a compiler starts it
.version 7.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 data) {
  .reg .b64 %rd<2>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [data];
  ld.global.f32 %f1, [%rd1];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd1], %f2;
  ret;
}
)";

/// The same call with a `-` for the kernel and with the name of a shipped kernel.
class KernelFromStandardInput : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(KernelFromStandardInput, ReadsAsTheShippedOneDoes) {
  auto arguments = GetParam();
  const auto named = warpipe(arguments);
  ASSERT_EQ(named.status, 0) << named.err;
  std::ranges::replace(arguments, "worked", "-");
  const auto piped = run_with(kKernel, arguments);
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(piped.out, named.out);
}

INSTANTIATE_TEST_SUITE_P(, KernelFromStandardInput,
                         testing::Values(std::vector<std::string>{"simulate", "worked", "--device", "tiny"},
                                         std::vector<std::string>{"what-if", "worked", "--device", "tiny"},
                                         std::vector<std::string>{"occupancy", "worked", "--device", "tiny"},
                                         std::vector<std::string>{"graph", "worked"},
                                         std::vector<std::string>{"sweep", "worked", "--device=tiny",
                                                                  "--vary=trips=1:3"}),
                         [](const auto& instance) {
                           auto name = instance.param.front();
                           std::erase(name, '-');
                           return name;
                         });

TEST(StandardInput, MayBeTheDevice) {
  const auto piped = run_with(kDevice, {"simulate", "worked", "--device", "-"});
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(piped.out, warpipe({"simulate", "worked", "--device", "tiny"}).out);
}

TEST(StandardInput, MayBePtxWhereverAKernelIsTaken) {
  const std::vector<std::string> launch{"--block", "32", "--grid", "4"};
  for (std::vector<std::string> arguments : {std::vector<std::string>{"simulate", "-", "--device", "gtx1060"},
                                             {"what-if", "-", "--device", "gtx1060"},
                                             {"graph", "-"},
                                             {"import", "-"}}) {
    arguments.insert(arguments.end(), launch.begin(), launch.end());
    const auto piped = run_with(kPtx, arguments);
    EXPECT_EQ(piped.status, 0) << arguments.front() << piped.err;
    std::ranges::replace(arguments, "-", "twice.ptx");
    auto from_file = Workplace(Files{{"twice.ptx", kPtx}}).run(arguments).out;
    if (const auto at = from_file.find("imported from twice.ptx"); at != std::string::npos) {
      from_file.replace(at, std::string_view("imported from twice.ptx").size(), "imported from standard input");
    }
    EXPECT_EQ(piped.out, from_file) << arguments.front();
  }
}

// As nvdisasm, cuobjdump and Triton print it, with any name.
TEST(Listings, OfNvidiasMachineCodeAreRefusedWithTheWayOut) {
  const std::string instruction = "        /*0000*/                   MOV R1, c[0x0][0x28] ;\n";
  const Workplace place(Files{{"k.sass", "Function:k\n--:-:-:Y:2  MOV R1, c[0x0][0x28];\n"},
                              {"nvdisasm.txt", "\t.headerflags\t@\"EF_CUDA_SM90\"\n.text.k:\n" + instruction},
                              {"cuobjdump.s", "\n\tcode for sm_90\n\t\tFunction : k\n" + instruction},
                              {"bare.ptx", instruction}});
  for (const char* file : {"k.sass", "./nvdisasm.txt", "cuobjdump.s", "bare.ptx"}) {
    const auto outcome = place.run({"simulate", file, "--device=tiny", "--block=32", "--grid=1"});
    EXPECT_EQ(outcome.status, 3) << file;
    EXPECT_EQ(outcome.err,
              fmt::format("warpipe: error: {}: this is a listing of machine code of an NVIDIA GPU, which is "
                          "not read; give the cubin that it is of, or the kernel's PTX\n",
                          file));
  }
}

TEST(StandardInput, IsCheckedAsWhatItIs) {
  EXPECT_EQ(run_with(kKernel, {"check", "-"}).out, "-: kernel worked: ok\n");
  EXPECT_EQ(run_with(kDevice, {"check", "-"}).out, "-: device tiny: ok\n");
  EXPECT_EQ(run_with(kPtx, {"check", "-"}).out, "-: PTX 7.0 with twice: ok\n");
  const auto wrong = run_with("{", {"check", "-"});
  EXPECT_EQ(wrong.status, 3);
  EXPECT_THAT(wrong.err, HasSubstr("standard input: "));
  EXPECT_EQ(run_with(".version", {"check", "-"}).status, 3);
}

TEST(StandardInput, IsReadForOneThingOnly) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"simulate", "-", "--device", "-"},
                                                    {"graph", "-", "--device=-"},
                                                    {"check", "-", "-"},
                                                    {"compare", "-", "--device", "tiny", "--measured", "-"},
                                                    {"validate", "--measured", "-", "--kernel", "-"},
                                                    {"import", "-", "--block=1", "--grid=1", "--array", "a=-"}}) {
    const auto outcome = run_with(kKernel, arguments);
    EXPECT_EQ(outcome.status, 2) << arguments.front();
    EXPECT_THAT(outcome.err, HasSubstr("standard input can be read only once"));
  }
}

/// A ptxas that reports as registers the number of words `add` in its file.
constexpr const char* kPtxas = R"(#!/bin/sh
for last; do :; done
echo "ptxas info    : Compiling entry function 'twice' for 'sm_80'"
echo "ptxas info    : Used 1$(grep -c add.f32 "$last") registers"
)";

TEST(StandardInput, IsPutInAFileForPtxas) {
  const Workplace place(Files{{"ptxas", kPtxas}});
  std::filesystem::permissions(place.path("ptxas"), std::filesystem::perms::owner_all);
  std::filesystem::create_directory(place.path("tmp"));
  Workplace::Settings settings;
  settings.standard_input = kPtx;
  settings.environment = {{"PTXAS", place.path("ptxas")}, {"TMPDIR", place.path("tmp")}};
  const auto outcome = place.run({"import", "-", "--block=1", "--grid=1", "--ptxas", "--report"}, settings);
  EXPECT_THAT(outcome.out, HasSubstr("11 registers per thread")) << outcome.err;
  EXPECT_TRUE(std::filesystem::is_empty(place.path("tmp")));
}

TEST(StandardInput, ThatIsPtxTakesNoOptionsOfAKernelFile) {
  EXPECT_THAT(run_with(kPtx, {"simulate", "-", "--device=tiny", "--groups=4"}).err,
              HasSubstr("--grid gives the groups"));
  EXPECT_THAT(run_with(kKernel, {"simulate", "-", "--device=tiny", "--grid=4"}).err,
              HasSubstr("\"standard input\" is none of them"));
}

/// A call with a misspelt name, and the expected suggestion.
struct Slip {
  std::vector<std::string> arguments;
  std::string meant;
};

Slip slip(const std::string& verb, const std::vector<std::string>& more, const std::string& meant) {
  Slip made{{verb, "worked", "--device", "tiny"}, meant};
  made.arguments.insert(made.arguments.end(), more.begin(), more.end());
  return made;
}

std::vector<Slip> slips() {
  return {
      {{"simulat"}, "simulate"},
      {{"whatif"}, "what-if"},
      {{"man", "simulat"}, "simulate"},
      {{"completion", "bsh"}, "bash"},
      {{"simulate", "workd", "--device", "tiny"}, "worked"},
      {{"simulate", "worked", "--device", "tini"}, "tiny"},
      {{"validate", "--measured", "m.csv", "--device", "tini"}, "tiny"},
      {{"validate", "--measured", "m.csv", "--kernel", "workd"}, "worked"},
      slip("simulate", {"--grups", "4"}, "--groups"),
      slip("simulate", {"--policy", "oldst"}, "oldest"),
      slip("simulate", {"--units", "al"}, "all"),
      slip("simulate", {"--skipping", "verfy"}, "verify"),
      slip("simulate", {"--view", "bound"}, "bounds"),
      slip("simulate", {"--param", "trip=2"}, "trips"),
      slip("simulate", {"--set", "fma.issue=2"}, "ffma.issue"),
      slip("simulate", {"--set", "ffma.isue=2"}, "ffma.issue"),
      slip("simulate", {"--scale", "fma=2"}, "ffma"),
      slip("simulate", {"--conflict-degree", "lod_x=2"}, "load_x"),
      slip("simulate", {"--transactions", "lod_x=2"}, "load_x"),
      slip("sweep", {"--vary", "trip=1:2"}, "trips"),
      slip("sweep", {"--vary", "ffma.isue=1:2"}, "ffma.issue"),
      slip("sweep", {"--vary", "fma.issue=1:2"}, "ffma.issue"),
      slip("sweep", {"--vary", "lod_x.transactions=1:2"}, "load_x"),
      slip("sweep", {"--vary", "group_sise=1:2"}, "group_size"),
      slip("what-if", {"--part", "chanjes"}, "changes"),
      slip("graph", {"--format", "dott"}, "dot"),
      slip("compare", {"--model-input", "mhsr=2"}, "mshr"),
      {{"calibrate", "--measured", "m.csv", "--device", "tiny", "--fit", "fma.issue", "-o", "d.json"}, "ffma.issue"},
      {{"calibrate", "--measured", "m.csv", "--device", "tiny", "--fit", "ffma.isue", "-o", "d.json"}, "ffma.issue"},
      {{"validate", "--measured", "m.csv", "--models", "al"}, "all"},
      {{"list", "kernel"}, "kernels"},
      {{"import", "twice.ptx", "--block=32", "--grid=1", "--without", "copys"}, "copies"},
      {{"import", "twice.ptx", "--block=32", "--grid=1", "--entry", "twise"}, "twice"},
      {{"import", "twice.ptx", "--block=32", "--grid=1", "--arg", "dat=0"}, "data"}};
}

TEST(Slips, AreAnsweredWithTheNearestName) {
  const Workplace place({{"m.csv", "kernel,device,cycles\nworked,tiny,440\n"}, {"twice.ptx", kPtx}});
  for (const auto& [arguments, meant] : slips()) {
    const auto outcome = place.run(arguments);
    EXPECT_TRUE(outcome.status == 2 || outcome.status == 3) << outcome.status;
    EXPECT_THAT(outcome.err, testing::ContainsRegex("did you mean \"?" + meant + "\"?\\?"))
        << fmt::format("{}", fmt::join(arguments, " "));
  }
}

TEST(Names, OfKernelsAndDevicesAreTheSameInCapitalLetters) {
  const auto expected = warpipe({"simulate", "worked", "--device", "tiny"});
  ASSERT_EQ(expected.status, 0);
  EXPECT_EQ(warpipe({"simulate", "WORKED", "--device", "Tiny"}).out, expected.out);
  const Workplace place(Files{{"m.csv", "kernel,device,cycles\nWorked,TINY,440\n"}});
  const auto validated = place.run({"validate", "--measured", "m.csv", "--kernel", "worked", "--device", "tiny"});
  EXPECT_EQ(validated.status, 0) << validated.err;
  EXPECT_EQ(place.run({"validate", "--measured", "m.csv", "--gate", "MAPE=1000"}).status, 0);
}

TEST(Names, ThatAreUnknownAreAnsweredWithTheirFamily) {
  EXPECT_THAT(
      warpipe({"simulate", "worked", "--device", "rtx3050"}).err,
      AllOf(HasSubstr("; similar: rtx3060, "), HasSubstr(", rtx3090; for a file of your own, write ./rtx3050.json")));
  EXPECT_THAT(warpipe({"simulate", "worked", "--device", "V10"}).err, HasSubstr("did you mean \"v100\"?"));
  EXPECT_THAT(warpipe({"simulate", "worked", "--device", "tiny", "--set", "FFMAA.issue=1"}).err,
              HasSubstr("did you mean \"ffma.issue\"?"));
}

TEST(Names, OfADirectoryAreAnsweredByWhatItIs) {
  const Workplace place;
  std::filesystem::create_directory(place.path("folder"));
  for (const std::string name : {"folder", "./folder"}) {
    const auto outcome = place.run({"simulate", name, "--device", "tiny"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, HasSubstr(name + ": this is a directory; give a file in it"));
  }
}

TEST(DataDirectory, OfTheEnvironmentThatIsNotThereIsAnError) {
  Workplace::Settings settings;
  settings.environment = {{"WARPIPE_DATA", "/nonexistent"}};
  const auto outcome = Workplace().run({"simulate", "saxpy", "--device", "v100"}, settings);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("WARPIPE_DATA=/nonexistent: no such directory"));
}

TEST(LaunchOfPtx, ComesFromTheCommandLine) {
  const auto text =
      run_with(kPtx, {"simulate", "-", "--device", "gtx1060", "--block=32", "--grid=4", "--view=launch"}).out;
  EXPECT_THAT(text, testing::ContainsRegex("group size +32 +command line"));
  EXPECT_THAT(text, testing::ContainsRegex("groups +4 +command line"));
  EXPECT_THAT(warpipe({"simulate", "worked", "--device", "tiny", "--view=launch"}).out,
              testing::ContainsRegex("group size +[0-9]+ +kernel"));
}

/// Line information of two files, and an entry with a single instruction from one of them.
std::string entry_from(const std::string& name, int file) {
  return fmt::format(".visible .entry {}() {{\n.loc {} 7 1\nbar.sync 0;\nret;\n}}\n", name, file);
}
constexpr const char* kTwoFiles =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".file 1 \"/home/me/app.cu\"\n.file 2 \"/usr/local/cuda/include/cub/util_device.cuh\"\n";

TEST(Entries, OfIncludedHeadersAreNotMeantWhereNoneIsNamed) {
  const Workplace workplace(
      Files{{"one.ptx", kTwoFiles + entry_from("of_library", 2) + entry_from("own", 1)},
            {"two.ptx", kTwoFiles + entry_from("own", 1) + entry_from("other", 1) + entry_from("of_library", 2)},
            {"header.ptx", kTwoFiles + entry_from("of_library", 2)}});
  const auto imported = [&](const std::string& file, const Words& more = {}) {
    return workplace.run(Words{"import", file, "--block", "32", "--grid", "1"} + more);
  };
  EXPECT_THAT(imported("one.ptx").out, HasSubstr("\"name\": \"own\""));
  EXPECT_THAT(imported("one.ptx", {"--entry", "of_library"}).out, HasSubstr("\"name\": \"of_library\""));
  EXPECT_THAT(imported("header.ptx").out, HasSubstr("\"name\": \"of_library\""));
  EXPECT_THAT(imported("two.ptx").err, AllOf(HasSubstr("several entries: own, other; give --entry NAME")));
}

TEST(LaunchOfPtx, TakesSizesAsSweepsWriteThem) {
  const Workplace workplace(Files{{"one.ptx", kTwoFiles + entry_from("own", 1)}});
  const auto of = [&](const std::string& block) {
    return workplace.run({"import", "one.ptx", "--block", block, "--grid", "2x3x4"});
  };
  EXPECT_EQ(of("32x8").out, of("32,8").out);
  EXPECT_THAT(of("32,8").out, HasSubstr("\"group_size\":256"));
  EXPECT_EQ(of("32x").status, 2);
}

TEST(Names, OfDevicesAreFoundByWhatElseTheyAreCalled) {
  const auto answer = [](const std::string& device) {
    Workplace::Settings settings;
    settings.environment = {{"WARPIPE_DATA", ""}};
    return Workplace().run({"simulate", "saxpy", "--device", device, "--quiet", "--range=off"}, settings).err;
  };
  for (const char* name : {"4090", "RTX 4090", "NVIDIA GeForce RTX 4090", "gfx908"})
    EXPECT_EQ(answer(name), "") << name;
  EXPECT_THAT(answer("40900"), HasSubstr("no shipped device has this name"));
  EXPECT_THAT(answer("sm_70"), HasSubstr("several shipped devices are called so; one of: titan_v, v100;"));
  EXPECT_THAT(answer("pascal"), HasSubstr("one of: gtx1060, gtx1060_mobile, gtx1070;"));
  EXPECT_THAT(answer("cyrix"), Not(HasSubstr("one of")));
}

TEST(Names, OfParametersThatTheCompilerMadeAreGivenAsPositions) {
  const Workplace workplace(Files{{"p.ptx",
                                   ".version 8.0\n.target sm_80\n.address_size 64\n"
                                   ".visible .entry _Z1kPfi(.param .u64 _Z1kPfi_param_0, .param .u32 _Z1kPfi_param_1, "
                                   ".param .u32 kept) { ret; }\n"}});
  EXPECT_THAT(workplace.run({"import", "p.ptx", "--block=32", "--grid=1", "--arg", "width=1"}).err,
              HasSubstr("\"k\" has no such parameter; it has 0 (.u64, whose name is not known), 1 (.u32, whose name is "
                        "not known), kept"));
}

TEST(Numbers, WithUnitsAreRefusedWithWhatToWrite) {
  const auto of = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"simulate", "saxpy", "--device", "v100"});
    return Workplace().run(words).err;
  };
  EXPECT_THAT(of({"--param", "n=4K"}), HasSubstr("write 4000, or 4096 for 4 x 1024"));
  EXPECT_THAT(of({"--set", "memory/levels/l2/bytes=1.5MB"}), HasSubstr("write 1500000"));
  EXPECT_THAT(of({"--set", "dram.latency_s=400ns"}), HasSubstr("write 4e-07"));
  EXPECT_THAT(of({"--tolerance", "2%"}), HasSubstr("write 2\n"));
  EXPECT_THAT(of({"--groups", "many"}), Not(HasSubstr("write")));
  EXPECT_THAT(of({"--conflict-degree", "8"}), HasSubstr("--conflict-degree: \"8\" is not ID=D\n"))
      << "as it was written, though it means --set";
}

TEST(Sizes, ThatStandApartAreRefusedWithHowToWriteThem) {
  const Workplace workplace(Files{{"one.ptx", kTwoFiles + entry_from("own", 1)}});
  const auto of = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"import", "one.ptx"});
    return workplace.run(words).err;
  };
  EXPECT_THAT(of({"--block", "32", "8", "--grid", "2"}), HasSubstr("write --block 32,8\n"));
  EXPECT_THAT(of({"--block", "32", "--grid", "2", "3"}), HasSubstr("write --grid 2,3\n"));
  EXPECT_THAT(of({"--block", "32", "two.ptx"}), Not(HasSubstr("write")));
}

}  // namespace
}  // namespace warpipe::test
