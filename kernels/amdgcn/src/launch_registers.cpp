#include "launch_registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opcodes.hpp"

namespace warpipe::amdgcn {
namespace {

LaunchRegisters of_directives(const KernelText& kernel, const Target& target) {
  const auto& all = kernel.metadata.directives;
  const auto get = [&](const char* name, std::int64_t otherwise) {
    const auto found = all.find(name);
    return found == all.end() ? otherwise : found->second;
  };
  LaunchRegisters made;
  std::uint32_t next = 0;
  const auto take = [&](const char* name, std::uint32_t words, std::optional<std::uint32_t>& where) {
    if (get(name, 0) == 0) return;
    where = next;
    next += words;
  };
  std::optional<std::uint32_t> other;
  take("user_sgpr_private_segment_buffer", 4, made.private_buffer);
  take("user_sgpr_dispatch_ptr", 2, made.dispatch);
  take("user_sgpr_queue_ptr", 2, other);
  take("user_sgpr_kernarg_segment_ptr", 2, made.arguments);
  take("user_sgpr_dispatch_id", 2, other);
  take("user_sgpr_flat_scratch_init", 2, other);
  take("user_sgpr_private_segment_size", 1, other);
  made.preloaded =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(get("user_sgpr_kernarg_preload_length", 0), 0, 16));
  made.preload_offset =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(get("user_sgpr_kernarg_preload_offset", 0), 0, 512));
  made.first_preloaded = next;
  next += made.preloaded;
  next = static_cast<std::uint32_t>(std::clamp<std::int64_t>(get("user_sgpr_count", next), 0, 32));
  const char* const groups[] = {"system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y",
                                "system_sgpr_workgroup_id_z"};
  for (std::size_t axis = 0; axis < 3; ++axis) take(groups[axis], 1, made.group[axis]);
  if (get(groups[0], 1) != 0 && !made.group[0]) made.group[0] = next++;  // on unless it is switched off
  take("system_sgpr_workgroup_info", 1, other);
  take(all.contains("enable_private_segment") ? "enable_private_segment"
                                              : "system_sgpr_private_segment_wavefront_offset",
       1, made.wave_offset);
  made.thread_axes = 1 + static_cast<int>(std::clamp<std::int64_t>(get("system_vgpr_workitem_id", 0), 0, 2));
  made.packed_index = target.packed_index;
  return made;
}

/// The scalar registers that a kernel reads before it writes them, in the order of the text; pairs used as bases of
/// scalar loads apart.
struct ReadFirst {
  std::set<std::uint32_t> bases, others;
  std::set<std::uint32_t> vectors;
};

ReadFirst read_first(const KernelText& kernel, const Target& target) {
  ReadFirst found;
  std::set<std::pair<Operand::Kind, std::uint32_t>> written;
  for (const auto& one : kernel.instructions) {
    const auto* const opcode = find_opcode(one.name);
    const bool store = one.name.find("store") != std::string::npos || one.name.find("write_") != std::string::npos ||
                       one.name.find("write2") != std::string::npos;
    const bool comparison = one.name.starts_with("s_cmp") || one.name.starts_with("s_bitcmp");
    std::vector<Operand> results;
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      const auto operand = parse_operand(one.operands[i], target);
      if (!operand || !operand->is_register()) continue;
      const bool result = (i == 0 && !store && !comparison) ||
                          (i == 1 && opcode != nullptr && opcode->operands.find(" m ") != std::string::npos);
      if (result) {
        results.push_back(*operand);
        continue;
      }
      for (std::uint32_t k = 0; k < operand->count; ++k) {
        if (written.contains({operand->kind, operand->first + k})) continue;
        if (operand->kind == Operand::Kind::Vector) found.vectors.insert(operand->first + k);
        if (operand->kind != Operand::Kind::Scalar || operand->first >= 100) continue;
        const bool base = one.name.starts_with("s_load") && i == 1;
        if (base && k == 0) found.bases.insert(operand->first);
        if (!base) found.others.insert(operand->first + k);
      }
    }
    for (const auto& result : results)
      for (std::uint32_t k = 0; k < result.count; ++k) written.emplace(result.kind, result.first + k);
  }
  return found;
}

LaunchRegisters guessed(const KernelText& kernel, const Target& target) {
  LaunchRegisters made;
  auto read = read_first(kernel, target);
  made.packed_index = target.packed_index;
  if (made.packed_index)
    made.thread_axes = 3;
  else
    made.thread_axes = read.vectors.contains(2) ? 3 : read.vectors.contains(1) ? 2 : 1;
  if (!read.bases.empty()) made.arguments = *read.bases.rbegin();
  if (read.bases.size() > 1) made.dispatch = *read.bases.begin();
  auto next = made.arguments.value_or(0) + (made.arguments ? 2 : 0);
  std::erase_if(read.others, [&](std::uint32_t reg) { return reg < next; });
  std::size_t axis = 0;
  for (const auto reg : read.others) {
    if (axis == 3) break;
    // The first group index stands there whether it is read or not.
    if (axis == 0 && reg > next && reg <= next + 2) axis = reg - next;
    made.group[std::min<std::size_t>(axis, 2)] = reg;
    ++axis;
  }
  if (made.arguments)
    made.guesses.push_back(
        fmt::format("the arguments begin where s[{}:{}] points", *made.arguments, *made.arguments + 1));
  if (made.dispatch)
    made.guesses.push_back(fmt::format("s[{}:{}] points to the dispatch packet", *made.dispatch, *made.dispatch + 1));
  for (std::size_t i = 0; i < 3; ++i)
    if (made.group[i])
      made.guesses.push_back(fmt::format("s{} is the index of the group along {}", *made.group[i], "xyz"[i]));
  if (made.packed_index) made.guesses.emplace_back("v0 holds the thread's indices, ten bits each");
  return made;
}

}  // namespace

LaunchRegisters launch_registers(const KernelText& kernel, const Target& target) {
  return kernel.metadata.directives.contains("user_sgpr_kernarg_segment_ptr") ||
                 kernel.metadata.directives.contains("user_sgpr_count")
             ? of_directives(kernel, target)
             : guessed(kernel, target);
}

}  // namespace warpipe::amdgcn
