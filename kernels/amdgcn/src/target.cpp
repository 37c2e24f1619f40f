#include "target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace warpipe::amdgcn {
namespace {

/// @source LLVM, User Guide for AMDGPU Backend: initial kernel execution state, target features, register granules
constexpr std::array<Target, 5> kTargets{{
    {"gfx908", "CDNA", 64, false, false, false, false, 4, 102},
    {"gfx90a", "CDNA 2", 64, true, false, false, false, 8, 102},
    {"gfx942", "CDNA 3", 64, true, false, false, true, 8, 102},
    {"gfx1030", "RDNA 2", 32, false, true, false, false, 8, 106},
    {"gfx1100", "RDNA 3", 32, true, true, true, false, 12, 106},
}};

bool begins(const TextInstruction& instruction, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return instruction.name.starts_with(start); });
}

}  // namespace

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(kTargets, name, &Target::name);
  return found == kTargets.end() ? nullptr : &*found;
}

std::string known_targets() {
  std::vector<std::string_view> names;
  for (const auto& target : kTargets) names.push_back(target.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string_view guess_target(const std::vector<KernelText>& kernels) {
  bool rdna2 = false, rdna3 = false, cdna2 = false, cdna3 = false, packed = false;
  for (const auto& kernel : kernels)
    for (const auto& one : kernel.instructions) {
      rdna3 |= begins(one, {"s_delay_alu", "v_dual_", "s_load_b", "global_load_b", "s_wait_idle"});
      rdna2 |= begins(one, {"s_waitcnt_vscnt", "s_clause", "s_inst_prefetch", "s_and_saveexec_b32", "v_add_co_ci_"});
      cdna3 |= begins(one, {"v_lshl_add_u64", "v_mov_b64", "buffer_wbl2", "buffer_inv"}) || one.has("sc0") ||
               one.has("sc1") || one.has("nt");
      cdna2 |= begins(one, {"v_pk_fma_f32", "v_pk_mul_f32", "v_pk_add_f32", "v_pk_mov_b32", "global_atomic_add_f64"});
      // The thread's index along y or z is cut out of v0.
      packed |=
          (one.name == "v_bfe_u32" && one.operands.size() == 4 && one.operands[1] == "v0" && one.operands[3] == "10") ||
          (one.name == "v_and_b32" && one.operands.size() == 3 && one.operands[1] == "0x3ff" &&
           one.operands[2] == "v0");
    }
  return rdna3 ? "gfx1100" : rdna2 ? "gfx1030" : cdna3 ? "gfx942" : cdna2 || packed ? "gfx90a" : "gfx908";
}

}  // namespace warpipe::amdgcn
