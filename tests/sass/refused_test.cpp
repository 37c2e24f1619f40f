// Refused or damaged machine code: the message has the place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cubin_files.hpp"
#include "elf/small_object.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;

isa::ImportOptions options_of(const std::string& entry) {
  isa::ImportOptions options;
  options.entry = entry;
  options.launch.block = {256, 1, 1};
  options.launch.arguments = {{"0", "256"}};
  return options;
}

template <class F>
std::string error_of(const F& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RefusedMachineCode, IsToldApart) {
  EXPECT_TRUE(sass::is_cubin(cubin_bytes("sm_80", "saxpy")));
  EXPECT_FALSE(sass::is_cubin(""));
  EXPECT_FALSE(sass::is_cubin(".version 8.0"));
  EXPECT_FALSE(
      sass::is_cubin("\x7f"
                     "ELF"));
  EXPECT_THROW(sass::read_cubin("\x7f"
                                "ELF",
                                "a.cubin"),
               InputError);
}

TEST(FatBinary, IsReadAsTheCubinInIt) {
  constexpr std::uint64_t kPlain = 0x11;
  const auto bytes = cubin_bytes("sm_80", "saxpy");
  const auto text = fat_piece(1, 80, kPlain, ".version 8.0");
  const auto read = sass::read_cubin(fat_binary(text + fat_piece(2, 80, kPlain, bytes)), "a.fatbin");
  ASSERT_EQ(read.kernels.size(), cubin("sm_80", "saxpy").kernels.size());
  EXPECT_EQ(read.kernels.front().code, cubin("sm_80", "saxpy").kernels.front().code);
  EXPECT_THAT(error_of([&] { sass::read_cubin(fat_binary(text), "a.fatbin"); }), HasSubstr("found none"));
}

// Bits 8 to 15 of the flags, at byte 48 of the file, are the architecture.
TEST(RefusedMachineCode, NamesAnArchitectureThatIsNotKnown) {
  auto bytes = cubin_bytes("sm_80", "saxpy");
  bytes[49] = 70;
  EXPECT_THAT(error_of([&] { sass::read_cubin(bytes, "a.cubin"); }), HasSubstr("sm_70"));
}

TEST(RefusedMachineCode, NamesTheBitsOfAnOpcodeThatIsNotKnown) {
  auto module = cubin("sm_80", "saxpy");
  for (auto& kernel : module.kernels) kernel.code.replace(12 * 16, 2, "\xff\x7f");  // in place of FFMA
  const auto options = options_of("saxpy");
  const auto said = error_of([&] { sass::import_cubin(module, options); });
  EXPECT_THAT(said, HasSubstr("0xfff"));
  EXPECT_THAT(said, HasSubstr("saxpy+0xc0"));
  auto with = options;
  with.lowering.unknown = {{"0xfff", "ffma"}};
  EXPECT_EQ(sass::import_cubin(module, with).report.issued.at("ffma"), 8);
  with.lowering.unknown = {{"0xfff", "skip"}};
  EXPECT_EQ(sass::import_cubin(module, with).report.skipped.size(), 1U);
  with.lowering.unknown = {{"0xabc", "skip"}};
  EXPECT_THROW(sass::import_cubin(module, with), UsageError);
}

// The product then reads a register written by the loads, without a wait for scoreboard 2.
TEST(RefusedMachineCode, HoldsWaitsAgainstRegisters) {
  auto module = cubin("sm_80", "saxpy");
  auto& kernel = *std::ranges::find(module.kernels, "saxpy", &sass::Kernel::symbol);
  auto& byte = kernel.code[12 * 16 + 14];  // bits 112 to 119
  byte = static_cast<char>(byte & 0x0f);   // waits are bits 116 to 121
  const auto said = error_of([&] { sass::import_cubin(module, options_of("saxpy")); });
  EXPECT_THAT(said, HasSubstr("decoder and file disagree"));
  EXPECT_THAT(said, HasSubstr("saxpy+0xc0"));
}

TEST(RefusedMachineCode, HoldsRegistersAgainstTheirNumber) {
  auto module = cubin("sm_80", "saxpy");
  for (auto& kernel : module.kernels) kernel.registers = 4;
  EXPECT_THAT(error_of([&] { sass::import_cubin(module, options_of("saxpy")); }),
              HasSubstr("a thread has 4 registers"));
}

TEST(RefusedMachineCode, DoesNotRunOverItsEnd) {
  auto module = cubin("sm_80", "saxpy");
  for (auto& kernel : module.kernels) kernel.code.resize(8 * 16);
  EXPECT_THAT(error_of([&] { sass::import_cubin(module, options_of("saxpy")); }),
              HasSubstr("code goes on within its kernel"));
}

TEST(RefusedMachineCode, KnowsNoRules) {
  auto options = options_of("saxpy");
  options.lowering.without = {"early-loads"};
  EXPECT_THROW(sass::import_cubin(cubin("sm_80", "saxpy"), options), UsageError);
}

}  // namespace
}  // namespace warpipe::test
