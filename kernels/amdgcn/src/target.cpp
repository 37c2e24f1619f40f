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

/// A GPU that is read as a target above: it has the same instructions, except for the names that begin as in `lacks`.
struct Sibling {
  std::string_view name, of;
  std::string_view lacks;  ///< parted by blanks
};

constexpr std::string_view kNotOnGfx906 =
    "v_mfma_ v_accvgpr_ v_dot2c_ v_dot4c_ v_dot8c_ v_pk_fmac_f16 global_atomic_add_f32 global_atomic_pk_add_f16 "
    "buffer_atomic_add_f32 buffer_atomic_pk_add_f16";
constexpr std::string_view kNotOnGfx900 =
    "v_mfma_ v_accvgpr_ v_dot v_fma_mix v_fmac_f32 v_xnor_b32 v_pk_fmac_f16 global_atomic_add_f32 "
    "global_atomic_pk_add_f16 buffer_atomic_add_f32 buffer_atomic_pk_add_f16";

/// @source LLVM 14: the instructions accepted by its assembler for each
constexpr std::array<Sibling, 21> kSiblings{{
    {"gfx900", "gfx908", kNotOnGfx900}, {"gfx902", "gfx908", kNotOnGfx900}, {"gfx904", "gfx908", kNotOnGfx900},
    {"gfx906", "gfx908", kNotOnGfx906}, {"gfx909", "gfx908", kNotOnGfx900}, {"gfx90c", "gfx908", kNotOnGfx900},
    {"gfx940", "gfx942", ""},           {"gfx941", "gfx942", ""},           {"gfx1031", "gfx1030", ""},
    {"gfx1032", "gfx1030", ""},         {"gfx1033", "gfx1030", ""},         {"gfx1034", "gfx1030", ""},
    {"gfx1035", "gfx1030", ""},         {"gfx1036", "gfx1030", ""},         {"gfx1101", "gfx1100", ""},
    {"gfx1102", "gfx1100", ""},         {"gfx1103", "gfx1100", ""},         {"gfx1150", "gfx1100", ""},
    {"gfx1151", "gfx1100", ""},         {"gfx1152", "gfx1100", ""},         {"gfx1153", "gfx1100", ""},
}};

const Sibling* find_sibling(std::string_view name) {
  const auto found = std::ranges::find(kSiblings, name, &Sibling::name);
  return found == kSiblings.end() ? nullptr : &*found;
}

bool begins(const TextInstruction& instruction, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return instruction.name.starts_with(start); });
}

}  // namespace

const Target* find_target(std::string_view name) {
  if (const auto* sibling = find_sibling(name)) name = sibling->of;
  const auto found = std::ranges::find(kTargets, name, &Target::name);
  return found == kTargets.end() ? nullptr : &*found;
}

bool lacks(std::string_view target, std::string_view instruction) {
  const auto* sibling = find_sibling(target);
  for (auto rest = sibling == nullptr ? std::string_view() : sibling->lacks; !rest.empty();) {
    const auto start = rest.substr(0, rest.find(' '));
    if (instruction.starts_with(start)) return true;
    rest.remove_prefix(std::min(rest.size(), start.size() + 1));
  }
  return false;
}

Diagnostic unknown_target(const std::string& file, const std::string& target) {
  const auto nearest = target.starts_with("gfx95")                                  ? "gfx942"
                       : target.starts_with("gfx11") || target.starts_with("gfx12") ? "gfx1100"
                       : target.starts_with("gfx10")                                ? "gfx1030"
                                                                                    : "gfx900";
  std::vector<std::string_view> names;
  for (const auto& known : kTargets) names.push_back(known.name);
  return {file, fmt::format("the instructions of \"{}\" are not read yet", target),
          fmt::format("read are those of {} and their siblings", fmt::join(names, ", ")),
          fmt::format("compile the source for {0}, the nearest of them, by `--offload-arch={0}`", nearest)};
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
