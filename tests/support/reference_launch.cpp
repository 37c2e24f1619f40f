#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/reference_binding.hpp"
#include "support/reference_engine.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::reference {
namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t round_up(std::int64_t a, std::int64_t portion) { return divide_up(a, portion) * portion; }

// Rule 9: "A limit or a resource that is missing or 0 does not bind", "M = the smallest".
std::int64_t occupancy(const Kernel& kernel, const Device& device, std::int64_t warps, const Values& values) {
  const Limits& limits = device.limits;
  const auto needed = [&](const std::optional<Expression>& resource) {
    return resource ? resource->evaluate_whole(values, 0) : 0;
  };
  const std::int64_t registers = needed(kernel.resources.registers_per_thread) * device.warp_size;
  const std::int64_t bytes = needed(kernel.resources.shared_memory_per_group);
  std::vector<std::int64_t> groups;
  if (const std::int64_t most = limits.groups_per_unit.value_or(0); most > 0) groups.push_back(most);
  if (const std::int64_t most = limits.warps_per_unit.value_or(0); most > 0) groups.push_back(most / warps);
  if (const std::int64_t most = limits.registers_per_unit.value_or(0); most > 0 && registers > 0) {
    // "each of warp_allocation parts of registers_per_unit holds w = floor(part / that) warps;
    // floor(warp_allocation x w / warps); 0 where `allocated` warps of that many registers are more than
    // registers_per_unit"
    const std::int64_t parts = limits.warp_allocation, of_warp = round_up(registers, limits.register_allocation);
    const bool fits = round_up(warps, parts) * of_warp <= most;
    groups.push_back(fits ? parts * (most / parts / of_warp) / warps : 0);
  }
  if (const std::int64_t most = limits.shared_memory_per_unit.value_or(0); most > 0 && bytes > 0)
    groups.push_back(most / round_up(bytes + limits.shared_memory_reserved_per_group, limits.shared_memory_allocation));
  const std::int64_t smallest = groups.empty() ? 0 : *std::ranges::min_element(groups);
  if (smallest == 0) throw ModelError(Diagnostic{"reference", "a group does not fit a compute unit", "", ""});
  return smallest;
}

void keep_own_pipelines_at(Device& device, std::int64_t resident_warps) {
  for (Op& op : device.ops) {
    op.issue.points = {{1, interpolate(op.issue, resident_warps)}};
    op.completion.points = {{1, interpolate(op.completion, resident_warps)}};
    // An atomic whose ways only its `then` prices still has ways.
    const bool has_ways = std::ranges::any_of(op.then, [](const Then& each) { return each.per_conflict.has_value(); });
    if (has_ways && !op.per_conflict) op.per_conflict = Increment{};
    op.then.clear();
  }
  for (Pipeline& pipeline : device.pipelines) pipeline.level.reset();
}

}  // namespace

std::int64_t groups_per_unit(const Device& device, const Launch& launch) {
  return divide_up(launch.groups, device.compute_units);
}

std::int64_t slots(const Device& device, const Launch& launch) {
  return std::min(launch.concurrent_groups, groups_per_unit(device, launch));
}

Share share(const Device& device, const Launch& launch) {
  if (launch.share) return *launch.share;
  if (launch.mode == Mode::AllUnits) return {};
  return {launch.groups, groups_per_unit(device, launch)};
}

std::int64_t warps_per_group(const Device& device, const Launch& launch) {
  return divide_up(launch.group_size, device.warp_size);
}

Launch launch_of(const Kernel& kernel, const Device& device, Mode mode) {
  Values values(kernel.parameters.begin(), kernel.parameters.end());
  Launch launch;
  launch.policy = kernel.policy.value_or(device.policy);
  launch.mode = mode;
  launch.group_size = kernel.launch.group_size.value().evaluate_whole(values, 1);
  values["group_size"] = static_cast<double>(launch.group_size);
  values["warps"] = static_cast<double>(warps_per_group(device, launch));
  launch.groups = kernel.launch.groups.value().evaluate_whole(values, 1);
  launch.concurrent_groups = kernel.launch.concurrent_groups
                                 ? kernel.launch.concurrent_groups->evaluate_whole(values, 1)
                                 : occupancy(kernel, device, warps_per_group(device, launch), values);
  return launch;
}

Ticks warp_alone(const Kernel& kernel, const Device& device, const Launch& launch, std::int64_t warp) {
  // All other warps of a single group are left without instructions.
  const std::array visible{std::string("warp")};
  Kernel alone = kernel;
  alone.body = {Item{When{Expression::parse("warp == " + std::to_string(warp), visible), kernel.body, {}}}};
  for (Instruction& instruction : alone.instructions) instruction.arrives = instruction.awaits = std::nullopt;
  Device undisturbed = device;
  keep_own_pipelines_at(undisturbed, slots(device, launch) * warps_per_group(device, launch));
  undisturbed.launch_begin = undisturbed.launch_end = Seconds{0};
  Launch single = launch;
  single.share = share(device, launch);
  single.groups = single.concurrent_groups = 1;
  return simulate(alone, undisturbed, single).cycles;
}

}  // namespace warpipe::reference
