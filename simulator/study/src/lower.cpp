#include "warpipe/study/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "kernel_values.hpp"
#include "lower_stream.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 27;  // 1 GiB of completion times

bool uses_warp(const std::optional<Expression>& expression) { return expression && expression->uses("warp"); }

bool uses_warp(const AccessPattern& access) {
  if (access.width_bytes.uses("warp")) return true;
  if (const auto* strided = std::get_if<AccessPattern::Strided>(&access.lanes))
    return strided->stride_bytes.uses("warp");
  const auto* per_lane = std::get_if<AccessPattern::PerLane>(&access.lanes);
  return per_lane != nullptr &&
         std::ranges::any_of(per_lane->offsets_bytes, [](const Expression& offset) { return offset.uses("warp"); });
}

bool uses_warp(const Instruction& instruction) {
  return uses_warp(instruction.conflict_degree) || uses_warp(instruction.transactions) ||
         (instruction.access && uses_warp(*instruction.access)) ||
         std::ranges::any_of(instruction.after, [](const Dependence& wait) { return wait.back.uses("warp"); });
}

bool uses_warp(const std::vector<Item>& items) {
  return std::ranges::any_of(items, [](const Item& item) {
    if (const auto* loop = std::get_if<Loop>(&item.node)) return loop->trip_count.uses("warp") || uses_warp(loop->body);
    if (const auto* when = std::get_if<When>(&item.node)) return when->condition.uses("warp") || uses_warp(when->body);
    return false;
  });
}

/// Whether all warps of a group run the same instructions with the same latencies.
bool warps_are_alike(const Kernel& kernel) {
  return !uses_warp(kernel.body) &&
         std::ranges::none_of(kernel.instructions, [](const Instruction& each) { return uses_warp(each); });
}

FairShare fair_share(const Launch& launch, Units units) {
  if (units == Units::All) return {};
  return {launch.groups.value, launch.groups_per_unit};
}

Machine machine_of(const Device& device, const Launch& launch, Units units) {
  Machine machine;
  for (const Pipeline& pipeline : device.pipelines) {
    std::optional<Ticks> backlog;
    if (pipeline.backlog) backlog = round_to_ticks(*pipeline.backlog);
    machine.pipelines.push_back({pipeline.scope, backlog});
  }
  const bool one = units == Units::One;
  machine.units = one ? 1 : device.compute_units;
  machine.schedulers = device.schedulers.value_or(0);
  machine.slots = launch.slots;
  machine.groups = one ? launch.groups_per_unit : launch.groups.value;
  machine.policy = device.policy;
  machine.warp_interval = round_to_ticks(device.warp_interval);
  machine.group_launch_latency = round_to_ticks(device.group_launch_latency);
  machine.group_dispatch_interval = fair_share(launch, units).of(round_to_ticks(device.group_dispatch_interval));
  return machine;
}

void check_size(const Program& program, const Launch& launch) {
  std::int64_t cells = 1;
  for (const Stream& stream : program.streams) cells = std::max<std::int64_t>(cells, stream.cells);
  if (program.machine.units > kMostCells / launch.resident_warps / cells)
    throw ModelError(Diagnostic{
        "launch", fmt::format("a simulation keeps at most {} completion times", kMostCells),
        fmt::format("found {} units x {} warps x {} cells", program.machine.units, launch.resident_warps, cells),
        "use --units one, fewer resident warps, or smaller distances in \"back\""});
  if (program.machine.groups > INT64_MAX / 2 / launch.warps_per_group)
    throw ModelError(
        Diagnostic{"launch", "the number of warps fits 62 bits",
                   fmt::format("found {} groups of {} warps", program.machine.groups, launch.warps_per_group),
                   "use fewer groups"});
}

}  // namespace

Program lower(const Kernel& kernel, const Device& device, const Launch& launch, const LaunchOptions& options) {
  Program program;
  program.machine = machine_of(device, launch, options.units);
  const KernelValues expressions(kernel, options);
  const FairShare share = fair_share(launch, options.units);
  const std::int64_t different = warps_are_alike(kernel) ? 1 : launch.warps_per_group;
  Values values = launch.values;
  for (std::int64_t warp = 0; warp < different; ++warp) {
    values["warp"] = static_cast<double>(warp);
    Stream stream = lower_stream(expressions, device, values, launch.resident_warps, share);
    const auto known = std::ranges::find(program.streams, stream);
    program.stream_of_warp.push_back(static_cast<std::uint32_t>(known - program.streams.begin()));
    if (known == program.streams.end()) program.streams.push_back(std::move(stream));
  }
  program.stream_of_warp.resize(static_cast<std::size_t>(launch.warps_per_group), program.stream_of_warp.back());
  assign_gates(program);
  check_size(program, launch);
  return program;
}

}  // namespace warpipe
