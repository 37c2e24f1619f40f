#include <fmt/format.h>

#include "read_values.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

using namespace detail;

namespace {

/// The members of an object of named entries, at least one; diagnoses invalid names.
std::vector<std::pair<std::string, JsonNode>> named_members(const JsonNode& root, std::string_view key) {
  const auto node = root.require(key);
  if (!node) return {};
  auto members = node->members();
  if (node->is_object() && members.empty()) node->fail(fmt::format("{} must not be empty", key));
  for (const auto& [name, member] : members)
    if (!is_dotted_name(name))
      member.fail(fmt::format(
          "\"{}\" is not a name of letters, digits and _, with dots inside and no digit at the start", name));
  return members;
}

void read_pipelines(const JsonNode& root, std::vector<Pipeline>& pipelines) {
  for (const auto& [name, node] : named_members(root, "pipelines")) {
    Pipeline& pipeline = pipelines.emplace_back();
    pipeline.name = name;
    if (node.allow_keys(names_of(kKeysOfPipeline))) read_keys(node, kKeysOfPipeline, pipeline);
  }
}

/// A level with a rate gives the device a pipeline of its name.
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

/// @param issue  the object around the key
void read_far_code(const JsonNode& issue, std::vector<FarCode>& levels) {
  const auto list = issue.find("far_code");
  if (!list) return;
  for (const JsonNode& node : list->elements()) {
    FarCode& level = levels.emplace_back();
    if (node.allow_keys(names_of(kKeysOfFarCode))) read_keys(node, kKeysOfFarCode, level);
    if (level.warp_interval > kMostStall)
      node.fail(fmt::format("a warp waits for its next instruction at most {} cycles", kMostStall));
    if (levels.size() > 1 && levels[levels.size() - 2].bytes >= level.bytes)
      node.fail("the entries of \"far_code\" must stand in the order of their bytes", "write those of less code first");
  }
}

void read_root(const JsonNode& root, Device& device) {
  root.allow_keys(names_of(kKeysOfDevice));
  read_keys(root, kKeysOfDevice, device);
  if (const auto node = root.find("dies"); node && device.dies > device.compute_units)
    node->fail("a die must have at least one unit", fmt::format("write at most {}", device.compute_units));
  if (const auto node = root.find("limits"); node && node->allow_keys(names_of(kKeysOfLimits)))
    read_keys(*node, kKeysOfLimits, device.limits);
  if (const auto node = root.find("issue"); node && node->allow_keys(names_of(kKeysOfIssue))) {
    read_keys(*node, kKeysOfIssue, device);
    read_far_code(*node, device.far_code);
  }
  if (const auto node = root.find("memory")) read_memory(*node, device.memory);
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
