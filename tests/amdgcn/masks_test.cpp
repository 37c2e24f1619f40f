// Masks of lanes in scalar registers, as forms see them.
#include <gtest/gtest.h>

#include "decode.hpp"
#include "symbolic/program_forms.hpp"
#include "warpipe/amdgcn/read_assembly.hpp"
#include "warpipe/isa/dataflow.hpp"

namespace warpipe::test {
namespace {

/// Whether arithmetic gives the addresses of a load where a mask chooses between 4 and 16 bytes per thread.
bool is_known(const std::string& mask) {
  const auto module = amdgcn::read_assembly(
      ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nk:\ns_load_dwordx2 s[4:5], s[0:1], 0x0\nv_and_b32 v2, 0x3ff, v0\n"
      "s_waitcnt lgkmcnt(0)\n" +
          mask +
          "\nv_lshlrev_b32 v3, 2, v2\nv_lshlrev_b32 v4, 4, v2\nv_cndmask_b32 v5, v3, v4, s[8:9]\n"
          "global_load_dword v8, v5, s[4:5]\ns_endpgm\n",
      "k.s");
  const auto program = amdgcn::decode_kernel(module, module.find("k"), {}).program;
  const auto flow = isa::analyse_control_flow(program);
  const isa::ReachingDefinitions definitions(program, flow);
  isa::LaunchNumbers numbers;
  numbers.block = {64, 1, 1};
  numbers.lanes = 64;
  numbers.parameters = {std::uint64_t{1} << 40};
  numbers.regions.resize(program.regions.size());
  const auto made = isa::find_forms(program, flow, isa::find_slice(program, definitions), numbers);
  return made.forms.is_known(made.accesses.back().address);
}

TEST(AmdMasks, ThatAreNumbersChooseForAllLanesWhereTheyAreNoneOrAll) {
  EXPECT_TRUE(is_known("s_mov_b64 s[8:9], 0"));
  EXPECT_TRUE(is_known("s_mov_b64 s[8:9], -1"));
  EXPECT_FALSE(is_known("s_mov_b64 s[8:9], 1")) << "of the first lane alone";
  // In halves, as a number that a compiler needs as a mask as well.
  EXPECT_TRUE(is_known("s_mov_b32 s8, 0\ns_mov_b32 s9, 0"));
  EXPECT_FALSE(is_known("s_mov_b32 s8, 1\ns_mov_b32 s9, 0"));
}

}  // namespace
}  // namespace warpipe::test
