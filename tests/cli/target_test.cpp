// Machine code and the device of its simulation.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "program.hpp"
#include "support/folders.hpp"

namespace warpipe::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kCubin = in_sources("kernels/cuda/cubins/sm_80/saxpy.cubin");
const std::string kAssembly = in_sources("kernels/hip/asm/gfx942/saxpy.s");
const Words kSize{"--block", "256", "--grid", "64"}, kArguments{"--arg", "0=16384"},
    kLaunch = Words{"--entry", "saxpy"} + kSize + kArguments;

Outcome run(const Words& words, const Files& files = {}) {
  return Workplace(files).run(words, {.environment = {{"WARPIPE_DATA", ""}}});
}

/// All verbs that simulate a kernel on a device.
std::vector<Words> verbs(const std::string& kernel, const std::string& device) {
  return {Words{"simulate", kernel, "--device", device} + kLaunch,
          Words{"what-if", kernel, "--device", device} + kLaunch,
          Words{"occupancy", kernel, "--device", device} + kLaunch,
          Words{"sweep", kernel, "--device", device, "--vary", "concurrent_groups=1"} + kLaunch,
          Words{"diff", kernel, kernel, "--device", device} + kLaunch,
          Words{"launches", kernel, "one.jsonl", "--device", device} + kArguments};
}

const Files kOneLaunch{{"one.jsonl", R"({"entry": "saxpy", "block": 256, "grid": 64})"
                                     "\n"}};

TEST(MachineCode, OfAnotherGenerationIsSimulatedWithAWarning) {
  for (const auto& words : verbs(kCubin, "h100")) {
    const auto outcome = run(words, kOneLaunch);
    EXPECT_EQ(outcome.status, 0) << words[0] << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("is machine code for sm_80, which \"h100\" does not run: it is sm_90"))
        << words[0];
  }
  EXPECT_THAT(run(Words{"simulate", kAssembly, "--device", "mi210"} + kLaunch).err,
              HasSubstr("is machine code for gfx942, which \"mi210\" does not run: it is gfx90a"));
}

TEST(MachineCode, OfTheDeviceOrOfAnEarlierOneOfItsGenerationRunsThere) {
  for (const auto& words : verbs(kCubin, "a100"))
    EXPECT_THAT(run(words, kOneLaunch).err, Not(HasSubstr("machine code"))) << words[0];
  EXPECT_THAT(run(Words{"simulate", kCubin, "--device", "rtx3090"} + kLaunch).err, Not(HasSubstr("does not run")));
}

TEST(MachineCode, OfAnotherMakerIsRefused) {
  for (const auto& words : verbs(kCubin, "mi210")) {
    const auto outcome = run(words, kOneLaunch);
    EXPECT_NE(outcome.status, 0) << words[0];
    EXPECT_THAT(outcome.out + outcome.err,
                AllOf(HasSubstr("this is machine code for sm_80"), HasSubstr("\"mi210\" is gfx90a"),
                      HasSubstr("compile the source for the device")))
        << words[0];
  }
  const auto small_waves = run(Words{"simulate", kAssembly, "--device", "rx6900xt"} + kLaunch);
  EXPECT_EQ(small_waves.status, 4) << small_waves.err;
  EXPECT_THAT(small_waves.err, HasSubstr("this is machine code for gfx942"));
}

std::string bytes_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, number >>= 8) text += static_cast<char>(number & 0xff);
  return text;
}

/// The layout as nvcc 13 writes it.
std::string fat_piece(std::uint64_t architecture, const std::string& code) {
  return little(2, 2) + little(0x101, 2) + little(64, 4) + little(code.size(), 8) + little(0, 12) +
         little(architecture, 4) + little(0, 8) + little(0x11, 8) + std::string(16, '\0') + code;
}

std::string fat_binary(const std::string& pieces) {
  return little(0xba55ed50, 4) + little(1, 2) + little(16, 2) + little(pieces.size(), 8) + pieces;
}

TEST(MachineCode, OfAFatBinaryIsThatOfTheDevice) {
  const auto cubin = [](const std::string& architecture) {
    return bytes_of(in_sources("kernels/cuda/cubins/") + architecture + "/saxpy.cubin");
  };
  const auto fat = fat_binary(fat_piece(80, cubin("sm_80")) + fat_piece(90, cubin("sm_90")));
  for (const auto& [device, architecture] : {std::pair{"a100", "sm_80"}, {"h100", "sm_90"}}) {
    const auto alone = in_sources("kernels/cuda/cubins/") + std::string(architecture) + "/saxpy.cubin";
    const auto expected = run(Words{"simulate", alone, "--device", device} + kLaunch);
    const auto outcome = run(Words{"simulate", "all.fatbin", "--device", device} + kLaunch, {{"all.fatbin", fat}});
    EXPECT_THAT(outcome.err, Not(HasSubstr("machine code"))) << device;
    EXPECT_EQ(outcome.out.substr(outcome.out.find("  time")), expected.out.substr(expected.out.find("  time")))
        << device;
  }
  EXPECT_THAT(run(Words{"simulate", "all.fatbin", "--device", "rtx2070"} + kLaunch, {{"all.fatbin", fat}}).err,
              HasSubstr("is machine code for sm_80, which \"rtx2070\" does not run"));
}

}  // namespace
}  // namespace warpipe::test
