// Facts missing from a listing without metadata: arguments, sizes, and registers never written.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "warpipe/amdgcn/entries.hpp"
#include "warpipe/amdgcn/import.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

amdgcn::Module read(const std::string& body, const std::string& target = "gfx942") {
  const std::string head = fmt::format(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"\nk:\n", target);
  return amdgcn::read_assembly(head + body + "\ns_endpgm\n", "k.s");
}

isa::Import import(const std::string& body, const std::map<std::string, std::string>& arguments,
                   isa::Dimensions block = {64, 1, 1}) {
  isa::ImportOptions options;
  options.launch.block = block;
  options.launch.grid = {4, 1, 1};
  options.launch.arguments = arguments;
  return amdgcn::import_assembly(read(body), options);
}

std::string error_of(const std::string& body, const std::map<std::string, std::string>& arguments) {
  try {
    import(body, arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// "pointer at +0", ".b32 at +8", as in the output of `list`.
std::vector<std::string> arguments_of(const std::string& body, const std::string& target = "gfx942") {
  const auto entry = amdgcn::entries(read(body, target)).front();
  EXPECT_EQ(entry.problem, "");
  std::vector<std::string> shown;
  for (const auto& one : entry.parameters) shown.push_back(one.name + " " + one.type);
  return shown;
}

constexpr const char* kLoads =
    "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dword s3, s[0:1], 0x8\nv_and_b32 v2, 0x3ff, v0\n"
    "s_waitcnt lgkmcnt(0)\n";

TEST(AmdUnsaid, UpperHalvesThatNobodyUsesMayBeAnything) {
  // v3 is never written: only the lower half of the sum, (3 + 1) x thread, gets into the address.
  const std::string sum = std::string(kLoads) + "v_mad_u64_u32 v[4:5], s[6:7], s3, v2, v[2:3]\n";
  const std::string use = "v_lshl_add_u64 v[6:7], v[4:5], 2, s[4:5]\nglobal_load_dword v8, v[6:7], off\n";
  const auto made = import(sum + "v_mov_b32 v5, 0\n" + use, {{"arg_8", "3"}});
  ASSERT_EQ(made.report.accesses.size(), 1U);
  // 64 lanes, 16 bytes apart: two in each segment of 32.
  EXPECT_EQ(made.report.accesses.front().statistics.segments.most, 32);
  EXPECT_THAT(made.report.accesses.front().address.texts, ElementsAre("arg_0: 16 * thread_x"));
  EXPECT_THAT(error_of(sum + use, {{"arg_8", "3"}}), HasSubstr("read before it is written"));
}

TEST(AmdUnsaid, HalvesOfPointersMayGoSeparateWays) {
  // One of two pointers, with halves chosen singly, in registers apart from each other.
  const std::string body =
      "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dword s3, s[0:1], 0x10\ns_waitcnt lgkmcnt(0)\n"
      "v_mov_b32 v5, s5\nv_mov_b32 v6, s7\nv_mov_b32 v7, s4\nv_mov_b32 v8, s6\nv_cmp_gt_u32 vcc, s3, v0\n"
      "v_cndmask_b32 v11, v5, v6, vcc\nv_cndmask_b32 v10, v7, v8, vcc\nglobal_load_dword v2, v[10:11], off\n";
  EXPECT_THAT(arguments_of(body), ElementsAre("arg_0 pointer at +0", "arg_8 pointer at +8", "arg_16 .b32 at +16"));
  EXPECT_EQ(error_of(body, {{"arg_16", "32"}}), "");
}

TEST(AmdUnsaid, RegistersAreThoseThatTheCodeNames) {
  const auto registers = [](const std::string& body, const std::string& target) {
    isa::ImportOptions options;
    options.launch.block = {64, 1, 1};
    return amdgcn::import_assembly(read(body, target), options).report.registers;
  };
  // Six vector registers and ten accumulation registers lie in two files, or in a single file from a multiple of four
  // on.
  const std::string body = "v_mov_b32 v5, 0\nv_accvgpr_write_b32 a9, v5\n";
  EXPECT_EQ(registers(body, "gfx908"), 10);
  EXPECT_EQ(registers(body, "gfx90a"), 8 + 10);
  EXPECT_EQ(registers("v_mov_b32 v15, 0\n" + body, "gfx908"), 16);
}

TEST(AmdUnsaid, WordsThatNothingReadsAreNoArguments) {
  const std::string body =
      "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v1, 0\n"
      "v_mov_b32 v2, s6\nglobal_store_dword v1, v2, s[4:5]\n";
  EXPECT_THAT(arguments_of(body), ElementsAre("arg_0 pointer at +0", "arg_8 .b32 at +8"));
  const std::string of_rdna3 =
      "s_load_b128 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v1, 0\n"
      "v_mov_b32 v2, s6\nglobal_store_b32 v1, v2, s[4:5]\n";
  EXPECT_THAT(arguments_of(of_rdna3, "gfx1100"), ElementsAre("arg_0 pointer at +0", "arg_8 .b32 at +8"));
}

TEST(AmdUnsaid, APointerWithTwoValuesWherePathsMeetLeadsToNoArgument) {
  // A pointer to the arguments, 8 bytes further on a path: its load is of either, so of no single argument.
  const auto body = [](const std::string& on_a_path) {
    return "s_load_dword s3, s[0:1], 0x0\ns_mov_b64 s[4:5], s[0:1]\nv_mov_b32 v1, 0\ns_waitcnt lgkmcnt(0)\n"
           "s_cmp_lg_u32 s3, 5\ns_cbranch_scc1 .LBB0_1\n" +
           on_a_path +
           ".LBB0_1:\ns_load_dwordx2 s[6:7], s[4:5], 0x8\ns_waitcnt lgkmcnt(0)\n"
           "global_load_dword v2, v1, s[6:7]\n";
  };
  EXPECT_THAT(arguments_of(body("s_nop 0\n")), ElementsAre("arg_0 .b32 at +0", "arg_8 pointer at +8"));
  EXPECT_THAT(arguments_of(body("s_add_u32 s4, s4, 8\ns_addc_u32 s5, s5, 0\n")), ElementsAre("arg_0 .b32 at +0"));
  EXPECT_THAT(arguments_of(body("s_mov_b64 s[4:5], 0\n")), ElementsAre("arg_0 .b32 at +0"));
}

TEST(AmdUnsaid, ThePackedSizeOfTheBlockIsKnown) {
  // An argument at +8, hidden arguments from +16 on: the block's sizes at +28, the number of groups at +16.
  const std::string body =
      "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dword s3, s[0:1], 0x8\ns_load_dword s6, s[0:1], 0x1c\n"
      "s_load_dword s7, s[0:1], 0x10\ns_waitcnt lgkmcnt(0)\ns_and_b32 s8, s6, 0xffff\ns_lshr_b32 s9, s6, 16\n"
      "s_mul_i32 s10, s8, s9\ns_mul_i32 s10, s10, s7\ns_cmp_lg_u32 s10, s3\ns_cbranch_scc1 .LBB0_1\n"
      "v_mov_b32 v1, 0\nglobal_load_dword v2, v1, s[4:5]\n.LBB0_1:\n";
  EXPECT_THAT(arguments_of(body), ElementsAre("arg_0 pointer at +0", "arg_8 .b32 at +8"));
  // 16 x 4 threads in 4 groups: 256, and else nothing is loaded.
  EXPECT_EQ(import(body, {{"arg_8", "256"}}, {16, 4, 1}).report.accesses.size(), 1U);
  EXPECT_EQ(import(body, {{"arg_8", "255"}}, {16, 4, 1}).report.accesses.size(), 0U);
}

TEST(AmdUnsaid, ArgumentsMayBeFloats) {
  // Loads where arg_8 > 0.5, compared directly, or from a copy of a copy, which hides that it is a float.
  const auto body = [](const std::string& copies, const std::string& compared) {
    return "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dword s6, s[0:1], 0x8\nv_mov_b32 v1, 0\nv_mov_b32 v2, 0.5\n"
           "s_waitcnt lgkmcnt(0)\n" +
           copies + "v_cmp_gt_f32 vcc, " + compared +
           ", v2\ns_cbranch_vccz .LBB0_1\n"
           "global_load_dword v4, v1, s[4:5]\n.LBB0_1:\n";
  };
  const auto loads = [](const std::string& text, const std::string& value) {
    return import(text, {{"arg_8", value}}).report.accesses.size();
  };
  for (const auto& text : {body("", "s6"), body("v_mov_b32 v3, s6\nv_mov_b32 v5, v3\n", "v5")}) {
    EXPECT_EQ(loads(text, "0.25"), 0U);
    EXPECT_EQ(loads(text, "0.75"), 1U);
    EXPECT_EQ(loads(text, "1.0"), 1U);
  }
  EXPECT_EQ(loads(body("", "s6"), "1"), 1U);
}

TEST(AmdUnsaid, AllMissingArgumentsAreAskedForByName) {
  // A load brings both arguments: the given argument is not asked for.
  const std::string body =
      "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dwordx2 s[6:7], s[0:1], 0x8\ns_waitcnt lgkmcnt(0)\n"
      "v_mov_b32 v1, s6\nv_add_u32 v1, s7, v1\nglobal_load_dword v2, v1, s[4:5]\n";
  EXPECT_THAT(error_of(body, {{"arg_8", "4"}}),
              AllOf(HasSubstr("parameter 2 (.b32 at +12)"), HasSubstr("`arguments arg_12=VALUE`")));
}

TEST(AmdGiven, LoadsMayOverwriteTheirOwnAddress) {
  // Rows of a sparse matrix, as [row, row + 1) of an array, loaded at once into where the address stood.
  const std::string body =
      "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dwordx2 s[6:7], s[0:1], 0x8\nv_lshlrev_b32 v2, 2, v0\n"
      "v_mov_b32 v3, 0\ns_waitcnt lgkmcnt(0)\nv_lshl_add_u64 v[4:5], s[4:5], 0, v[2:3]\n"
      "global_load_dwordx2 v[4:5], v[4:5], off\ns_waitcnt vmcnt(0)\nv_sub_u32 v6, v5, v4\n"
      "v_lshlrev_b32 v6, 2, v6\nglobal_load_dword v7, v6, s[6:7]\n";
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  for (int row = 0; row <= 64; ++row) options.launch.arrays["arg_0"].values.push_back(row * row);
  // Rows have 2 x thread + 1 elements: eight bytes apart.
  const auto made = amdgcn::import_assembly(read(body), options);
  ASSERT_EQ(made.report.accesses.size(), 2U);
  EXPECT_EQ(made.report.accesses[1].statistics.stride, 8);
}

TEST(AmdUnsaid, MemoryOfTheGroupEndsWhereAccessesDo) {
  const std::string body =
      "v_lshlrev_b32 v1, 4, v0\nv_mov_b32 v2, 0\nds_write_b32 v1, v2 offset:8\n"
      "s_waitcnt lgkmcnt(0)\n";
  const auto made = import(body, {});
  ASSERT_TRUE(made.kernel.resources.shared_memory_per_group);
  EXPECT_EQ(made.kernel.resources.shared_memory_per_group->text(), fmt::format("{}", 63 * 16 + 8 + 4));
  EXPECT_THAT(made.report.notes, testing::Contains(HasSubstr("1020 bytes, as far as accesses reach")));
}

TEST(AmdUnsaid, ATargetThatPacksTheThreadsIndicesIsGuessedByIt) {
  const auto target = [](const std::string& body) {
    return std::string(amdgcn::read_assembly("k:\n" + body + "\ns_endpgm\n", "k.s").target);
  };
  // Ten bits of v0 hold the index along x since CDNA 2: code that cuts them out relies on it.
  EXPECT_EQ(target("v_and_b32 v1, 0x3ff, v0"), "gfx90a");
  EXPECT_EQ(target("v_bfe_u32 v1, v0, 10, 10"), "gfx90a");
  EXPECT_EQ(target("v_and_b32 v1, 0x3ff, v5"), "gfx908");
}

TEST(AmdUnsaid, ACopyOfThePointerToTheArgumentsLeadsToThem) {
  const std::string body =
      "s_load_dword s3, s[0:1], 0x0\ns_mov_b64 s[8:9], s[0:1]\ns_load_dwordx2 s[4:5], s[8:9], 0x8\n"
      "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, s3\nglobal_load_dword v2, v1, s[4:5]\n";
  EXPECT_THAT(arguments_of(body), ElementsAre("arg_0 .b32 at +0", "arg_8 pointer at +8"));
}

TEST(AmdUnsaid, TheHalvesOfASumWithACarryAreOneArgument) {
  const std::string body =
      "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\ns_add_u32 s8, s6, 16\ns_addc_u32 s9, s7, 0\n"
      "v_mov_b32 v1, 0\nv_mov_b32 v2, s8\nv_mov_b32 v3, s9\nglobal_store_dwordx2 v1, v[2:3], s[4:5]\n";
  EXPECT_THAT(arguments_of(body), ElementsAre("arg_0 pointer at +0", "arg_8 .b64 at +8"));
}

TEST(AmdUnsaid, AByteOfTheGroupsMemoryIsNotedToo) {
  const auto made = import("v_mov_b32 v1, 0\nds_write_b8 v1, v1\ns_waitcnt lgkmcnt(0)\n", {});
  EXPECT_THAT(made.report.notes, testing::Contains(HasSubstr(" 1 bytes, as far as accesses reach")));
}

TEST(AmdGiven, AVariableOfOneByteHasAPlace) {
  const auto module = amdgcn::read_assembly(
      ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.section .rodata\nflag:\n.byte 7\n.text\nk:\ns_endpgm\n", "k.s");
  const auto program = amdgcn::decode(module, module.kernels.front());
  const auto found = std::ranges::find(program.regions, "flag", &isa::MemoryRegion::name);
  ASSERT_NE(found, program.regions.end());
  EXPECT_EQ(found->values, std::vector<std::uint64_t>{7});
}

TEST(AmdGiven, ArgumentsHaveTheTypesThatTheMetadataNames) {
  std::string text =
      ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nk:\ns_endpgm\n.amdgpu_metadata\n---\namdhsa.kernels:\n";
  text += "  - .name: k\n    .symbol: k.kd\n    .args:\n";
  const std::pair<const char*, int> types[] = {{"float", 4}, {"double", 8}, {"int", 4}};
  int offset = 0;
  for (const auto& [type, bytes] : types) {
    text += fmt::format("      - .name: {}\n        .type_name: {}\n        .size: {}\n        .offset: {}\n", type[0],
                        type, bytes, offset);
    text += "        .value_kind: by_value\n";
    offset += 8;
  }
  const auto module = amdgcn::read_assembly(text + "...\n.end_amdgpu_metadata\n", "k.s");
  const auto program = amdgcn::decode(module, module.kernels.front());
  ASSERT_EQ(program.parameters.size(), 3U);
  EXPECT_EQ(program.parameters[0].type.kind, isa::Type::Kind::Float);
  EXPECT_EQ(program.parameters[1].type.kind, isa::Type::Kind::Float);
  EXPECT_EQ(program.parameters[2].type.kind, isa::Type::Kind::Unsigned);
}

// 64 lanes, 8 bytes apart: in each half every bank is met twice, and the access has the mean of both.
TEST(AmdShared, ConflictsAreThoseOfAHalfOfTheWave) {
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.dynamic_shared_memory = 512;
  const auto made = amdgcn::import_assembly(
      read("v_and_b32 v2, 0x3ff, v0\nv_lshlrev_b32 v3, 3, v2\nds_read_b32 v4, v3\ns_waitcnt lgkmcnt(0)\n"), options);
  ASSERT_EQ(made.report.accesses.size(), 1U);
  EXPECT_EQ(made.report.accesses.front().statistics.conflict_degree.most, 2);
  EXPECT_EQ(made.report.accesses.front().statistics.conflict_degree.sum, 2);
}

// v5 was 0 before it became the upper half of an unknown number.
TEST(AmdUnsaid, BothHalvesOfWhatIsMadeOfDataAreNotKnown) {
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.assume = true;
  const auto made = amdgcn::import_assembly(
      read("s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_mov_b32 v1, 0\nv_mov_b32 v5, 0\ns_waitcnt lgkmcnt(0)\n"
           "global_load_dwordx2 v[6:7], v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_lshlrev_b64 v[4:5], 3, v[6:7]\n"
           "v_lshl_add_u64 v[8:9], v[4:5], 2, s[4:5]\nglobal_load_dword v10, v[8:9], off\nv_cmp_gt_u32 vcc, 7, v5\n"
           "s_and_saveexec_b64 s[6:7], vcc\ns_cbranch_execz .LBB0_1\nglobal_store_dword v1, v4, s[4:5]\n.LBB0_1:\n"),
      options);
  EXPECT_EQ(std::ranges::count(made.report.assumptions, isa::Assumption::Kind::Taken, &isa::Assumption::kind), 1);
}

TEST(AmdUnsaid, OpcodesThatAreNotKnownMayBeLeftOut) {
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.assume = true;
  const auto report = amdgcn::import_assembly(read("v_frobnicate_b32 v1, v2\nv_mov_b32 v1, 0\n"), options).report;
  ASSERT_EQ(report.assumptions.size(), 1U);
  EXPECT_EQ(report.assumptions.front().kind, isa::Assumption::Kind::Opcode);
  EXPECT_EQ(report.assumptions.front().name, "v_frobnicate_b32");
}

/// The ops awaited by all instructions of an op.
std::vector<std::string> producers_of(const std::string& op, const isa::Import& made) {
  std::vector<std::string> producers;
  for (const auto& one : made.kernel.instructions)
    if (one.op == op)
      for (const auto& dependence : one.after) producers.push_back(made.kernel.instructions[dependence.producer].op);
  return producers;
}

// Two loads are on their way; a wait for the load of shared memory does not wait for the other load.
TEST(AmdWaits, CountersAreApart) {
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.dynamic_shared_memory = 512;
  const auto made = amdgcn::import_assembly(
      read("s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v2, 2, v0\ns_waitcnt lgkmcnt(0)\n"
           "global_load_dword v3, v2, s[4:5]\nds_read_b32 v4, v2\ns_waitcnt lgkmcnt(0)\nv_mul_f32 v5, v4, v4\n"
           "ds_write_b32 v2, v5\ns_waitcnt vmcnt(0)\nglobal_store_dword v2, v3, s[4:5]\n"),
      options);
  EXPECT_THAT(producers_of("wait", made), ElementsAre("constant.load", "shared.load", "global.load"));
}

// v1 was written twice before lanes went away: the product hid the sum from all lanes left.
TEST(AmdMasks, NarrowerOnesBringNothingBack) {
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  const auto made = amdgcn::import_assembly(
      read("s_load_dwordx2 s[4:5], s[0:1], 0x0\nv_lshlrev_b32 v2, 2, v0\nv_add_f32 v1, 1.0, v2\nv_mul_f32 v1, v2, v2\n"
           "v_cmp_gt_u32 vcc, 7, v0\ns_and_saveexec_b64 s[6:7], vcc\ns_cbranch_execz .LBB0_1\nv_exp_f32 v3, v1\n"
           "s_waitcnt lgkmcnt(0)\nglobal_store_dword v2, v3, s[4:5]\n.LBB0_1:\n"),
      options);
  const auto waited_for = producers_of("exp2", made);
  EXPECT_THAT(waited_for, testing::Contains("fmul"));
  EXPECT_THAT(waited_for, testing::Not(testing::Contains("fadd")));
}

// Lanes that retry a change of the same word leave the execution mask singly: of 1024 resident lanes each tries 512
// times on average.
TEST(AmdUnsaid, LanesThatTryAgainLeaveByHowManyWantTheWord) {
  isa::ImportOptions options;
  options.launch.block = {64, 1, 1};
  options.launch.grid = {1000, 1, 1};
  options.launch.resident_threads = 1024;
  options.launch.assume = true;
  const auto made = amdgcn::import_assembly(
      read("s_load_dwordx2 s[0:1], s[0:1], 0x0\ns_mov_b64 s[2:3], 0\nv_mov_b32 v2, 0\nv_mov_b32 v1, 0\n"
           "s_waitcnt lgkmcnt(0)\n.LBB0_1:\nv_add_u32 v0, 3, v1\n"
           "global_atomic_cmpswap v0, v2, v[0:1], s[0:1] sc0\ns_waitcnt vmcnt(0)\nv_cmp_eq_u32 vcc, v0, v1\n"
           "s_or_b64 s[2:3], vcc, s[2:3]\nv_mov_b32 v1, v0\ns_andn2_b64 exec, exec, s[2:3]\ns_cbranch_execnz .LBB0_1"),
      options);
  const auto& all = made.report.assumptions;
  const auto found = std::ranges::find(all, isa::Assumption::Kind::Taken, &isa::Assumption::kind);
  ASSERT_NE(found, all.end());
  EXPECT_NEAR(std::stod(found->value), 1 - 1.0 / 512, 1e-5);
  EXPECT_THAT(found->why, HasSubstr("half of 1024 lanes"));
}

}  // namespace
}  // namespace warpipe::test
