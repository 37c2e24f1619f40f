// Refusals name the instruction and its line; listings of a disassembler read as the text does.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "support/folders.hpp"
#include "support/whole_kernels.hpp"
#include "warpipe/amdgcn/entries.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/listing.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/idg/error.hpp"
#include "yaml.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream.good()) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string error_of(const std::string& body) {
  try {
    const auto module =
        amdgcn::read_assembly(".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nk:\n" + body + "\n\ts_endpgm\n", "k.s");
    isa::ImportOptions options;
    options.launch.block = {64, 1, 1};
    amdgcn::import_assembly(module, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(AmdRefused, NamesWhatItDoesNotKnow) {
  EXPECT_THAT(error_of("\tv_frobnicate_b32 v0, v1"),
              AllOf(HasSubstr("line 3"), HasSubstr("v_frobnicate_b32"), HasSubstr("unknown v_frobnicate_b32:skip")));
  EXPECT_THAT(error_of("\tv_add_u32 v0, v1"), AllOf(HasSubstr("line 3"), HasSubstr("more operands")));
  EXPECT_THAT(error_of("\tv_add_u32 v0, v1, v2, v3"), HasSubstr("has 3 operands"));
  EXPECT_THAT(error_of("\tv_add_u32 v0, v1, v999"), HasSubstr("found \"v999\""));
  EXPECT_THAT(error_of("\tv_add_u32 v0, v1, s[200:201]"), HasSubstr("s[200:201]"));
  EXPECT_THAT(error_of("\tv_lshl_add_u64 v[0:1], v2, 3, v[4:5]"), HasSubstr("has 2 registers"));
  EXPECT_THAT(error_of("\ts_branch .nowhere"), AllOf(HasSubstr("line 3"), HasSubstr(".nowhere")));
  EXPECT_THAT(error_of("\ts_swappc_b64 s[30:31], s[4:5]"), HasSubstr("functions are inlined"));
  EXPECT_THAT(error_of("\ts_waitcnt foo(1)"), HasSubstr("foo(1)"));
}

TEST(AmdRefused, KernelsWithoutTheirEnd) {
  try {
    amdgcn::read_assembly(".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nk:\n\tv_add_u32 v0, v1, v2\n", "k.s");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("k.s: line 3: \"k\" ends with s_endpgm"), HasSubstr("v_add_u32")));
  }
}

// A disassembler also writes lines without instructions.
TEST(AmdListing, LeavesOutAPairThatIsNoneOnBothSides) {
  const std::string listing =
      "0000000000001000 <k>:\n\tv_mov_b32_e32 v0, 1\n\t::\n\tv_mov_b32_e32 v1, 2 ::\n\ts_endpgm\n";
  const auto module = amdgcn::read_assembly(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n" + listing, "k.txt");
  ASSERT_EQ(module.kernels.size(), 1U);
  EXPECT_EQ(module.kernels.front().instructions.size(), 2U);
}

TEST(AmdRefused, ResultsOf64BitsInOneRegister) {
  EXPECT_THAT(error_of("\tglobal_atomic_add_x2 v1, v0, v[4:5], s[0:1] sc0"), HasSubstr("the operand has 2 registers"));
}

// The pattern of eight lanes is applied to each use of an operand, three times here: no compiler writes this.
TEST(AmdRefused, PatternsOfLanesOfWhatHasNone) {
  EXPECT_THAT(error_of("\ts_add_i32 s2, s2, s3 dpp8:[7,6,5,4,3,2,1,0]"),
              AllOf(HasSubstr("line 3"), HasSubstr("pattern of lanes"), HasSubstr("s_add_i32")));
}

/// The error for a kernel of a single instruction for a target; empty where it is read.
std::string error_for(const std::string& target, const std::string& instruction) {
  try {
    const auto module = amdgcn::read_assembly(
        ".amdgcn_target \"amdgcn-amd-amdhsa--" + target + "\"\nk:\n\t" + instruction + "\n\ts_endpgm\n", "k.s");
    EXPECT_EQ(module.target, target);
    isa::ImportOptions options;
    options.launch.block = {64, 1, 1};
    amdgcn::import_assembly(module, options);
  } catch (const Error& failed) {
    return failed.what();
  }
  return "";
}

// In one sentence: the unreadable target, and a target to compile for instead.
TEST(AmdRefused, TargetsThatItDoesNotKnowWithTheNearestThatItKnows) {
  for (const auto& [target, nearest] : {std::pair{"gfx950", "gfx942"},
                                        {"gfx1200", "gfx1100"},
                                        {"gfx1201", "gfx1100"},
                                        {"gfx1010", "gfx1030"},
                                        {"gfx803", "gfx900"}})
    EXPECT_EQ(error_for(target, "s_nop 0"),
              fmt::format("k.s: the instructions of \"{}\" are not read yet; read are those of gfx908, gfx90a, gfx942, "
                          "gfx1030, gfx1100 and their siblings; compile the source for {}, the nearest of them, by "
                          "`--offload-arch={}`",
                          target, nearest, nearest));
}

TEST(AmdTargets, AreReadAsTheirSiblings) {
  for (const char* target : {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"})
    EXPECT_EQ(error_for(target, "v_mac_f32_e32 v0, v0, v0"), "") << target;
  for (const char* target : {"gfx940", "gfx941"}) EXPECT_EQ(error_for(target, "v_mov_b64_e32 v[0:1], 0"), "") << target;
  for (const char* target : {"gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"})
    EXPECT_EQ(error_for(target, "s_waitcnt_vscnt null, 0x0"), "") << target;
  for (const char* target : {"gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"})
    EXPECT_EQ(error_for(target, "v_dual_mov_b32 v1, 0 :: v_dual_mov_b32 v2, 0"), "") << target;
}

TEST(AmdTargets, LackInstructionsThatTheirSiblingsHave) {
  const std::string product = "v_mfma_f32_32x32x1f32 a[0:31], v0, v0, a[0:31]", sum = "v_fmac_f32_e32 v0, v0, v0";
  EXPECT_THAT(error_for("gfx906", product),
              HasSubstr("line 3: gfx906 has no such instruction; found \"v_mfma_f32_32x32x1f32\""));
  EXPECT_THAT(error_for("gfx900", product), HasSubstr("gfx900 has no such instruction"));
  EXPECT_EQ(error_for("gfx908", product), "");
  EXPECT_THAT(error_for("gfx900", sum), HasSubstr("gfx900 has no such instruction; found \"v_fmac_f32\""));
  EXPECT_EQ(error_for("gfx906", sum), "");
}

// Macros and the like are an assembler's: the message has the line, its text, and the way to assemble it.
TEST(AmdRefused, WhatOnlyAnAssemblerReads) {
  const auto read = [](const std::string& text) -> std::string {
    try {
      amdgcn::read_assembly(".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a:xnack-\"\n" + text + "\n\ts_endpgm\n", "k.s");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      read(".macro LOAD dst  // a load\n.endm\nk:"),
      "k.s: line 2: macros, repetitions, conditions and symbols are for an assembler; found \".macro LOAD dst\"; "
      "assemble it by `clang --target=amdgcn-amd-amdhsa -mcpu=gfx90a:xnack- -nogpulib -c -o k.o k.s`, and give k.o");
  EXPECT_THAT(read("k:\n.rept 4\n\ts_nop 0\n.endr"), HasSubstr("line 3: macros"));
  EXPECT_THAT(read("k:\n.ifdef FAST\n\ts_nop 0\n.endif"), HasSubstr("found \".ifdef FAST\""));
  EXPECT_THAT(read(".set first, 4\nk:\n\tv_mov_b32 v[first+1], 0"), HasSubstr("line 4"));
  EXPECT_THAT(read("count = 3\nk:\n\ts_nop count"), HasSubstr("line 4"));
  // Newer compilers give values to symbols unused by instructions.
  EXPECT_EQ(read("k:\n\ts_nop 0\n\t.set k.num_vgpr, 4\n\t.set .Lhas_calls, 0"), "");
}

TEST(AmdRefused, MacrosForATargetThatIsNotKnown) {
  const auto read = [] {
    amdgcn::read_assembly(".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\n.macro LOAD\n.endm\nk:\n\ts_endpgm\n", "k.s");
  };
  EXPECT_THROW(read(), InputError);
  try {
    read();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the instructions of \"gfx950\" are not read yet"));
  }
}

TEST(AmdRefused, UsesOfWhatIsNotWaitedFor) {
  const std::string load = "\tglobal_load_dword v1, v0, s[0:1]\n", use = "\tv_add_u32 v2, v1, v1\n",
                    wait = "\ts_waitcnt vmcnt(0)\n";
  EXPECT_THAT(error_of(load + use),
              AllOf(HasSubstr("line 4"), HasSubstr("reads v1"), HasSubstr("line 3"), HasSubstr("disagree")));
  EXPECT_THAT(error_of(load + "\tglobal_load_dword v3, v0, s[0:1] offset:4\n\ts_waitcnt vmcnt(1)\n" + use),
              testing::Not(HasSubstr("disagree")));
  EXPECT_THAT(error_of(load + "\tglobal_load_dword v3, v0, s[0:1] offset:4\n\ts_waitcnt vmcnt(2)\n" + use),
              HasSubstr("disagree"));
  EXPECT_THAT(error_of(load + "\tv_mov_b32 v1, 0\n"), HasSubstr("writes v1"));
  EXPECT_THAT(error_of(load + wait + use), testing::Not(HasSubstr("disagree")));
  // A scalar load may overtake another: only a wait for all of them says something.
  EXPECT_THAT(error_of("\ts_load_dword s8, s[4:5], 0x0\n\ts_load_dword s9, s[4:5], 0x4\n\ts_waitcnt "
                       "lgkmcnt(1)\n\ts_add_i32 s8, s8, 1\n"),
              HasSubstr("disagree"));
}

// Since gfx10 stores have a counter of their own, and so have atomics without a returned value.
TEST(AmdRefused, UsesOfAnAtomicsResultAfterAWaitForStores) {
  const auto error = [](const std::string& wait) -> std::string {
    try {
      const auto module = amdgcn::read_assembly(
          ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\nk:\n\tglobal_atomic_add v1, v0, v0, s[0:1] glc\n\t" + wait +
              "\n\tv_add_nc_u32 v2, v1, v1\n\ts_endpgm\n",
          "k.s");
      isa::ImportOptions options;
      options.launch.block = {32, 1, 1};
      amdgcn::import_assembly(module, options);
    } catch (const Error& failed) {
      return failed.what();
    }
    return "";
  };
  EXPECT_THAT(error("s_waitcnt vmcnt(0)"), testing::Not(HasSubstr("disagree")));
  EXPECT_THAT(error("s_waitcnt_vscnt null, 0x0"), AllOf(HasSubstr("reads v1"), HasSubstr("disagree")));
}

TEST(AmdListings, AreReadAsTheTextIs) {
  for (const auto& kernel : whole_kernels()) {
    if (kernel.file != "saxpy" && kernel.file != "histogram" && kernel.name != "stencil_2d") continue;
    SCOPED_TRACE(kernel.name);
    const auto text = text_of(in_sources("kernels/hip/asm/gfx942/") + kernel.file + ".s");
    const auto begin = text.find("---\n", text.find(".amdgpu_metadata"));
    const auto metadata = amdgcn::read_yaml(text.substr(begin, text.find("...", begin) - begin), "k.s", 1);
    const auto listing = text_of(in_sources("tests/amdgcn/listings/gfx942/") + kernel.file + ".s");
    EXPECT_TRUE(amdgcn::is_assembly(listing));
    const auto module = amdgcn::read_assembly(listing, "k.o", metadata);
    // As of a code object, whose metadata is put before its listing.
    const auto block = text.substr(begin, text.find("...", begin) - begin);
    const auto joined =
        amdgcn::read_assembly("\t.amdgpu_metadata\n" + block + "...\n\t.end_amdgpu_metadata\n" + listing, "k.o");
    EXPECT_EQ(joined.find(kernel.name).metadata.arguments.size(), module.find(kernel.name).metadata.arguments.size());
    EXPECT_TRUE(joined.find(kernel.name).metadata.present);
    EXPECT_EQ(module.target, "gfx942");
    EXPECT_TRUE(module.is_listing);
    const auto program = amdgcn::decode(module, module.find(kernel.name));
    EXPECT_EQ(run_whole_kernel(program, kernel), "");
    const auto written = amdgcn::read_assembly(text, "k.s");
    EXPECT_EQ(module.find(kernel.name).instructions.size(), written.find(kernel.name).instructions.size());
    // Without metadata, parameters are where the instructions load them.
    const auto bare = amdgcn::read_assembly(listing, "k.o");
    EXPECT_EQ(bare.target, "gfx942");
    for (const auto& entry : amdgcn::entries(bare)) EXPECT_EQ(entry.problem, "");
  }
}

TEST(AmdListings, ShowEachInstruction) {
  const auto module = amdgcn::read_assembly(
      ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nk:\n\tv_mov_b32 v1, 0\n\tv_add_u32 v2, v1, v1\n\ts_endpgm\n",
      "k.s");
  const auto lines = amdgcn::listing(module, "k");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1].text, "v_add_u32 v2, v1, v1");
  EXPECT_EQ(lines[2].ops, std::vector<std::string>{"branch"});
}

// Compilers write line 0 where an instruction comes from no line.
TEST(AmdEntries, LineZeroIsNotTheLineBefore) {
  const auto module = amdgcn::read_assembly(
      ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.file 1 \"k.hip\"\nk:\n\t.loc 1 7 3\n\tv_mov_b32 v1, 0\n"
      "\t.loc 1 0 3\n\tv_add_u32 v2, v1, v1\n\ts_endpgm\n",
      "k.s");
  const auto& instructions = module.find("k").instructions;
  EXPECT_EQ(instructions[0].source.line, 7U);
  EXPECT_EQ(instructions[1].source.line, 0U);
}

TEST(AmdEntries, SayWhatTheMetadataDoes) {
  const auto module = amdgcn::read_assembly(text_of(in_sources("kernels/hip/asm/gfx942/saxpy.s")), "saxpy.s");
  const auto entries = amdgcn::entries(module);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].symbol, "saxpy");
  EXPECT_EQ(entries[0].registers, 6);
  ASSERT_EQ(entries[0].parameters.size(), 4U);
  EXPECT_EQ(entries[0].parameters[2].offset, 8);
  EXPECT_EQ(entries[0].parameters[2].bytes, 8);
  EXPECT_EQ(entries[0].most_block, (isa::Dimensions{1024, 1, 1}));
  EXPECT_THAT(entries[0].source, HasSubstr("saxpy.cu"));
}

}  // namespace
}  // namespace warpipe::test
