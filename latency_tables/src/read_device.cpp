#include <fmt/format.h>

#include <limits>

#include "read_values.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/old_names.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

using namespace detail;

namespace {

/// The members of an object of named things, at least one, under their present names; diagnoses names that are none,
/// and an old name beside the present one.
std::vector<std::pair<std::string, JsonNode>> named_members(const JsonNode& root, std::string_view key) {
  const auto node = root.require(key);
  if (!node) return {};
  auto members = node->members();
  if (node->is_object() && members.empty()) node->fail(fmt::format("{} must not be empty", key));
  for (auto& [name, member] : members) {
    if (!is_dotted_name(name))
      member.fail(fmt::format(
          "\"{}\" is not a name of letters, digits and _, with dots inside and no digit at the start", name));
    std::string present = current_name(name);
    if (present != name && node->find(present))
      member.fail(fmt::format("\"{}\" is the old name of \"{}\", which is there too", name, present), "remove one");
    name = std::move(present);
  }
  return members;
}

void read_limits(const JsonNode& node, Limits& limits) {
  if (!node.allow_keys({"warps_per_unit", "groups_per_unit", "threads_per_group", "registers_per_unit",
                        "registers_per_thread", "register_allocation", "shared_memory_per_unit",
                        "shared_memory_per_group", "shared_memory_allocation", "shared_memory_reserved_per_group",
                        "warp_allocation"}))
    return;
  set_whole(node, "warps_per_unit", 0, limits.warps_per_unit);
  set_whole(node, "groups_per_unit", 0, limits.groups_per_unit);
  set_whole(node, "threads_per_group", 0, limits.threads_per_group);
  set_whole(node, "registers_per_unit", 0, limits.registers_per_unit);
  set_whole(node, "registers_per_thread", 0, limits.registers_per_thread);
  set_whole(node, "register_allocation", 1, limits.register_allocation);
  set_whole(node, "shared_memory_per_unit", 0, limits.shared_memory_per_unit);
  set_whole(node, "shared_memory_per_group", 0, limits.shared_memory_per_group);
  set_whole(node, "shared_memory_allocation", 1, limits.shared_memory_allocation);
  set_whole(node, "shared_memory_reserved_per_group", 0, limits.shared_memory_reserved_per_group);
  set_whole(node, "warp_allocation", 1, limits.warp_allocation);
}

void read_issue(const JsonNode& node, Device& device) {
  if (!node.allow_keys({"schedulers", "interval", "warp_interval", "policy"})) return;
  set_whole(node, "schedulers", 1, device.schedulers);
  set_cycles(node, "interval", device.issue_interval);
  set_cycles(node, "warp_interval", device.warp_interval);
  std::vector<std::pair<std::string, Policy>> policies;
  for (const PolicyRow& row : kPolicies) policies.emplace_back(row.name, row.policy);
  set_choice(node, "policy", policies, device.policy);
}

void read_pipelines(const JsonNode& root, std::vector<Pipeline>& pipelines) {
  for (const auto& [name, node] : named_members(root, "pipelines")) {
    Pipeline& pipeline = pipelines.emplace_back();
    pipeline.name = name;
    if (!node.allow_keys({"scope", "backlog"})) continue;
    set_choice(node, "scope", {named(Scope::ComputeUnit), named(Scope::Scheduler), named(Scope::Device)},
               pipeline.scope);
    set_cycles(node, "backlog", pipeline.backlog);
  }
}

/// A level that has a rate gives the device a pipeline of its name.
void refuse_pipelines_of_levels(const JsonNode& root, const Device& device) {
  const auto pipelines = root.find("pipelines");
  if (!pipelines || !device.memory) return;
  for (const MemoryLevel& level : device.memory->levels) {
    const auto own = pipelines->find(level.name);
    if (!own || level.scope == LevelScope::ComputeUnit) continue;
    own->fail(
        fmt::format("\"{}\" is the name of a level of the memory, which gives the device its pipeline", level.name),
        "remove the pipeline, or rename it");
  }
}

void read_dies(const JsonNode& root, Device& device) {
  set_whole(root, "dies", 1, device.dies);
  if (const auto node = root.find("dies"); node && device.dies > device.compute_units)
    node->fail("a die must have at least one unit", fmt::format("write at most {}", device.compute_units));
}

void read_launch_costs(const JsonNode& root, Device& device) {
  set_cycles(root, "group_launch_latency", device.group_launch_latency);
  set_cycles(root, "group_dispatch_interval", device.group_dispatch_interval);
  set_seconds(root, "launch_overhead_s", std::numeric_limits<double>::infinity(), device.launch_overhead);
  set_seconds(root, "launch_interval_s", std::numeric_limits<double>::infinity(), device.launch_interval);
  set_seconds(root, "launch_gap_s", std::numeric_limits<double>::infinity(), device.launch_gap);
}

void read_root(const JsonNode& root, Device& device) {
  root.allow_keys({"$schema",
                   "format",
                   "version",
                   "name",
                   "title",
                   "architecture",
                   "compute_units",
                   "clock_hz",
                   "warp_size",
                   "dies",
                   "limits",
                   "issue",
                   "memory",
                   "group_launch_latency",
                   "group_dispatch_interval",
                   "launch_overhead_s",
                   "launch_interval_s",
                   "launch_gap_s",
                   "pipelines",
                   "ops",
                   "sources"});
  require_all(root, {"name", "compute_units", "clock_hz", "warp_size"});
  set_text(root, "name", device.name);
  set_text(root, "title", device.title);
  set_text(root, "architecture", device.architecture);
  set_whole(root, "compute_units", 1, device.compute_units);
  set_rate<Hertz>(root, "clock_hz", device.clock);
  set_whole(root, "warp_size", 1, device.warp_size);
  read_dies(root, device);
  if (const auto node = root.find("limits")) read_limits(*node, device.limits);
  if (const auto node = root.find("issue")) read_issue(*node, device);
  if (const auto node = root.find("memory")) read_memory(*node, device.memory);
  read_launch_costs(root, device);
  read_pipelines(root, device.pipelines);
  refuse_pipelines_of_levels(root, device);
  if (!device.pipelines.empty()) add_level_pipelines(device);
  for (const auto& [name, node] : named_members(root, "ops")) {
    Op& op = device.ops.emplace_back();
    op.name = name;
    read_op(node, device, op);
  }
  read_sources(root, device.sources);
}

}  // namespace

Device read_device_json(std::string_view text, const std::string& file) {
  Diagnostics diagnostics;
  const JsonDocument document(text, file, diagnostics);
  Device device;
  device.file = file;
  if (document.expect_format("warpipe-device", 1)) read_root(document.root(), device);
  diagnostics.throw_if_any();
  return device;
}

}  // namespace warpipe
