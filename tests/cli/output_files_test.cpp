#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
std::string shipped(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(in_sources("tests/cli/data/") + file).rdbuf();
  return text.str();
}

constexpr const char* kTwicePtx = R"(.version 7.0
.target sm_80
.address_size 64
.file 1 "twice.cu"
.visible .entry twice(.param .u64 twice_param_0) {
  .reg .b64 %rd<2>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [twice_param_0];
  ld.global.f32 %f1, [%rd1];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd1], %f2;
  ret;
}
)";

/// Every kind of input named or found by a command line.
Files inputs() {
  return {{"k.json", shipped("kernels/worked.json")},
          {"d.json", shipped("devices/tiny.json")},
          {"m.csv", "kernel,device,cycles\nworked,tiny,440\n"},
          {"twice.ptx", kTwicePtx},
          {"twice.cu", "__global__ void twice(float* data) { *data += *data; }\n"},
          {"indices", "1 2 3"},
          {"log", "ptxas info    : Compiling entry function 'twice' for 'sm_80'\nptxas info    : Used 8 registers\n"},
          {"gpu.config", "-gpgpu_n_clusters 10\n"}};
}

/// The number of a file, whatever its name.
ino_t file_number(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_ino;
}

/// A command with an option that names an input, and the name of the input.
struct Overwriting {
  std::string name;
  Words command;
  std::string input;
};

void PrintTo(const Overwriting& tested, std::ostream* stream) { *stream << tested.name; }

class OverwritesAnInput : public testing::TestWithParam<Overwriting> {};

TEST_P(OverwritesAnInput, IsRefusedAndTheInputStays) {
  const Workplace workplace(inputs());
  fs::create_symlink("k.json", workplace.path("link.json"));
  fs::create_hard_link(workplace.path("k.json"), workplace.path("other.json"));
  fs::create_directory(workplace.path("folder"));
  const auto outcome = workplace.run(GetParam().command);
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("this would overwrite "));
  EXPECT_EQ(workplace.read(GetParam().input), inputs().at(GetParam().input));
}

const Words kSimulateFiles{"simulate", "k.json", "--device", "d.json"};
const Words kPtxLaunch{"simulate", "twice.ptx", "--device", "gtx1060", "--block=32", "--grid=4"};

INSTANTIATE_TEST_SUITE_P(
    ByAnyOption, OverwritesAnInput,
    testing::Values(
        Overwriting{"Html", kSimulateFiles + Words{"--html", "k.json"}, "k.json"},
        Overwriting{"Json", kSimulateFiles + Words{"--json=k.json"}, "k.json"},
        Overwriting{"Trace", kSimulateFiles + Words{"--trace", "d.json"}, "d.json"},
        Overwriting{"RelativePath", kSimulateFiles + Words{"--json=./folder/.././k.json"}, "k.json"},
        Overwriting{"SymbolicLink", kSimulateFiles + Words{"--json=link.json"}, "k.json"},
        Overwriting{"HardLink", kSimulateFiles + Words{"--json=other.json"}, "k.json"},
        Overwriting{"InputByItsLink", {"simulate", "./link.json", "--device", "d.json", "--json=k.json"}, "k.json"},
        Overwriting{"SweepCsv", {"sweep", "k.json", "--device=d.json", "--vary=trips=1,2", "--csv=d.json"}, "d.json"},
        Overwriting{"SweepJsonl", {"sweep", "k.json", "--device=d.json", "--vary=trips=1", "--jsonl=k.json"}, "k.json"},
        Overwriting{"Occupancy", {"occupancy", "k.json", "--device=d.json", "--json=d.json"}, "d.json"},
        Overwriting{"Compare", {"compare", "k.json", "--device=d.json", "--measured=m.csv", "--csv=m.csv"}, "m.csv"},
        Overwriting{"Validate", {"validate", "--measured=m.csv", "--csv=m.csv"}, "m.csv"},
        Overwriting{"WhatIf", {"what-if", "k.json", "--device=d.json", "--json=k.json"}, "k.json"},
        Overwriting{"Diff", {"diff", "k.json", "worked", "--device=d.json", "--json=k.json"}, "k.json"},
        Overwriting{"Import", {"import", "twice.ptx", "--block=32", "--grid=1", "-o", "twice.ptx"}, "twice.ptx"},
        Overwriting{"ImportConfig", {"import", "gpu.config", "-o", "gpu.config"}, "gpu.config"},
        Overwriting{"Array", kPtxLaunch + Words{"--array", "twice_param_0=indices", "--json=indices"}, "indices"},
        Overwriting{"PtxasLog", kPtxLaunch + Words{"--ptxas-log=log", "--json=log"}, "log"},
        Overwriting{"SourceThatNamesParameters", kPtxLaunch + Words{"--json=twice.cu"}, "twice.cu"},
        Overwriting{"CalibrateBase",
                    {"calibrate", "--measured=m.csv", "--device=d.json", "--fit=ffma.issue", "-o", "./d.json"},
                    "d.json"},
        Overwriting{"CalibrateReport",
                    {"calibrate", "--measured=m.csv", "--device=d.json", "--fit=ffma.issue", "-o", "x", "--json=m.csv"},
                    "m.csv"}),
    [](const auto& tested) { return tested.param.name; });

TEST(AnInput, ThatIsStandardInputIsNotOverwritten) {
  const Workplace workplace;
  Workplace::Settings settings;
  settings.standard_input = shipped("kernels/worked.json");
  const auto outcome = workplace.run({"simulate", "-", "--device", "tiny", "--json=.in"}, settings);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("this would overwrite standard input"));
  EXPECT_EQ(workplace.read(".in"), settings.standard_input);
}

TEST(AnInput, ThatIsShippedIsNotOverwritten) {
  const Workplace workplace;
  fs::create_directories(workplace.path("data/devices"));
  workplace.write("data/devices/mine.json", shipped("devices/tiny.json"));
  const auto outcome =
      workplace.run({"simulate", "worked", "--data=data", "--device", "mine", "--json=data/devices/mine.json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(workplace.read("data/devices/mine.json"), shipped("devices/tiny.json"));
}

TEST(TwoResults, InOneFileAreRefused) {
  const Workplace workplace(Files{{"old", "old"}, {"k.json", shipped("kernels/worked.json")}});
  fs::create_symlink("old", workplace.path("link"));
  fs::create_symlink("new", workplace.path("to_new"));
  fs::create_directory(workplace.path("folder"));
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"new", "./new"}, {"new", "folder/../new"}, {"old", "link"}, {"new", "to_new"}}) {
    const auto outcome = workplace.run({"simulate", "k.json", "--device", "tiny", "--json=" + one, "--trace", other});
    EXPECT_EQ(outcome.status, 2) << one << " " << other;
    EXPECT_THAT(outcome.err, HasSubstr("--json goes there too"));
  }
  EXPECT_EQ(workplace.read("old"), "old");
}

TEST(TwoResults, InTheFileOfStandardOutputAreRefused) {
  const Workplace workplace(Files{{"out", ""}});
  Workplace::Settings settings;
  settings.standard_output = "out";
  const auto outcome =
      workplace.run({"simulate", "worked", "--device", "tiny", "--view=bounds", "--json=out"}, settings);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("standard output goes there too"));
}

TEST(TwoResults, MayGoToOneDevice) {
  const auto outcome = warpipe({"simulate", "worked", "--device", "tiny", "--json=/dev/null", "--trace", "/dev/null"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

const Words kResult{"simulate", "worked", "--device", "tiny"};

TEST(StandardOutput, ByItsPathIsStandardOutput) {
  const auto expected = warpipe(kResult + Words{"--json"}).out;
  const Workplace workplace(Files{{"out", ""}});
  Workplace::Settings settings;
  settings.standard_output = "out";
  for (const std::string path : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    EXPECT_EQ(warpipe(kResult + Words{"--json=" + path}).out, expected) << path;
    // A shell gives files to > and >>; the file keeps its number.
    workplace.write("out", "");
    const auto before = file_number(workplace.path("out"));
    EXPECT_EQ(workplace.run(kResult + Words{"--json=" + path}, settings).status, 0);
    EXPECT_EQ(workplace.read("out"), expected) << path;
    EXPECT_EQ(file_number(workplace.path("out")), before) << path;
  }
}

TEST(Output, ThroughALinkThatLeadsNowhereYetIsWrittenThere) {
  const Workplace workplace;
  fs::create_symlink("real.json", workplace.path("link.json"));
  EXPECT_EQ(workplace.run(kResult + Words{"--json=link.json"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(workplace.path("link.json")));
  EXPECT_THAT(workplace.read("real.json"), HasSubstr("warpipe-result"));
}

TEST(Output, ThatIsKilledWhileItIsWrittenLeavesTheOldFile) {
  const Workplace workplace(Files{{"trace", "old"}});
  Workplace::Settings settings;
  settings.signals = {SIGKILL};
  settings.sent_at = {"trace.*", 100};  // of some 1,500,000 in the file beside it; writing them takes seconds
  const auto outcome = workplace.run(
      {"simulate", "mmul16", "--device", "gtx1060", "--trace", "trace", "--window", "0:120000"}, settings);
  ASSERT_EQ(outcome.status, 128 + SIGKILL);
  EXPECT_EQ(workplace.read("trace"), "old");
}

TEST(Output, ToAPipeLeavesItAPipe) {
  const Workplace workplace;
  ASSERT_EQ(::mkfifo(workplace.path("pipe").c_str(), 0600), 0);
  // Open for both, so that no side waits for the other end; the output fits a pipe.
  const int reader = ::open(workplace.path("pipe").c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_EQ(workplace.run({"occupancy", "worked", "--device", "tiny", "--json=pipe"}).status, 0);
  EXPECT_TRUE(fs::is_fifo(workplace.path("pipe")));
  char first = 0;
  EXPECT_EQ(::read(reader, &first, 1), 1);
  EXPECT_EQ(first, '{');
  ::close(reader);
}

}  // namespace
}  // namespace warpipe::test
