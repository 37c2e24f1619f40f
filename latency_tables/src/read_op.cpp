#include <fmt/format.h>

#include <algorithm>

#include "read_values.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/latency_tables/memory_op.hpp"

namespace warpipe::detail {
namespace {

/// Resolves a pipeline by its name. Without readable pipelines, only their absence is diagnosed.
void set_pipeline(const JsonNode& parent, const std::vector<Pipeline>& pipelines, std::size_t& target) {
  const auto node = parent.require("pipeline");
  const auto name = node ? node->string() : std::nullopt;
  if (!name || pipelines.empty()) return;
  const auto found = std::ranges::find(pipelines, *name, &Pipeline::name);
  if (found != pipelines.end()) {
    target = static_cast<std::size_t>(found - pipelines.begin());
    return;
  }
  std::vector<std::string> names;
  for (const Pipeline& pipeline : pipelines) names.push_back(pipeline.name);
  node->fail("a pipeline must be one of /pipelines", suggest(*name, names));
}

void read_point(const JsonNode& node, Latency& latency) {
  const auto pair = node.elements();
  if (pair.size() != 2) {
    if (node.is_array()) node.fail("a point must have two numbers", "write [resident warps, cycles]");
    return;
  }
  const auto residents = pair[0].whole(1);
  const auto cycles = pair[1].number(0, kMostCycles);
  if (!residents || !cycles) return;
  if (!latency.points.empty() && *residents <= latency.points.back().first)
    pair[0].fail("the resident warps of points must strictly ascend",
                 fmt::format("write more than {}, or sort the points", latency.points.back().first));
  latency.points.emplace_back(*residents, *cycles);
}

void read_then(const JsonNode& node, const std::vector<Pipeline>& pipelines, Then& then) {
  if (!node.allow_keys(names_of(kKeysOfThen))) return;
  set_pipeline(node, pipelines, then.pipeline);
  read_keys(node, kKeysOfThen, then);
}

/// Only accesses go to the levels of the memory.
void refuse_pipelines_of_levels(const JsonNode& node, const Device& device, const Op& op) {
  if (memory_op(op.name, device) || device.pipelines.empty()) return;
  const auto refuse = [&](std::size_t pipeline, const char* key) {
    if (device.pipelines[pipeline].level)
      node.find(key)->fail(fmt::format("\"{}\" cannot take the pipeline of a level of the memory", op.name),
                           "name one of /pipelines: only an access goes to a level");
  };
  refuse(op.pipeline, "pipeline");
  for (const Then& then : op.then) refuse(then.pipeline, "then");
}

/// Diagnoses keys in rows of global accesses with costs that the levels of the memory determine.
void refuse_what_levels_say(const JsonNode& node, const Device& device, const Op& op) {
  const auto access = memory_op(op.name, device);
  if (!access) return;
  if (access->level)
    node.fail(fmt::format("\"{}\" names a level of the memory, which only an access can say", op.name),
              fmt::format("remove the row: {} and the level say it", access->row));
  const auto refuse = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (const auto said = node.find(key))
        said->fail(fmt::format("\"{}\" cannot have \"{}\" where the memory has levels", op.name, key),
                   fmt::format("remove \"{}\": the levels say what an access costs", key));
  };
  refuse({"ways", "transactions", "per_transaction"});
  if (access->kind != AccessKind::Atomic) refuse({"per_conflict", "then"});
  for (const Then& then : op.then)
    if (!device.pipelines.empty() &&
        (!device.pipelines[then.pipeline].level || then.after != Cycles{} || then.per_transaction))
      node.find("then")->fail(
          "an access to levels can take more of their pipelines by \"issue\", \"per_conflict\" and \"per_turn\" only",
          "name pipelines of levels, and leave out the other keys");
}

}  // namespace

std::optional<Latency> read_latency(const JsonNode& node) {
  if (!node.is_number() && !node.is_array()) {
    node.fail("a latency must be a number of cycles, or points", "write 400, or [[1, 400], [64, 900]]");
    return std::nullopt;
  }
  Latency latency{{}};
  if (node.is_array()) {
    for (const JsonNode& point : node.elements()) read_point(point, latency);
    if (node.elements().empty()) node.fail("there must be at least one point", "write [[1, 400], [64, 900]]");
  } else if (const auto cycles = node.number(0, kMostCycles)) {
    latency.points.emplace_back(1, *cycles);
  }
  return latency.points.empty() ? std::nullopt : std::optional(latency);
}

std::optional<Increment> read_increment(const JsonNode& node) {
  if (!node.allow_keys(names_of(kKeysOfIncrement))) return std::nullopt;
  Increment increment;
  read_keys(node, kKeysOfIncrement, increment);
  return increment;
}

void read_op(const JsonNode& node, const Device& device, Op& op) {
  if (!node.allow_keys(names_of(kKeysOfOp))) return;
  set_pipeline(node, device.pipelines, op.pipeline);
  read_keys(node, kKeysOfOp, op);
  if (!memory_op(op.name, device)) node.require("completion");
  if (const auto then = node.find("then"))
    for (const JsonNode& entry : then->elements()) read_then(entry, device.pipelines, op.then.emplace_back());
  refuse_what_levels_say(node, device, op);
  refuse_pipelines_of_levels(node, device, op);

  if (!op.barrier) return;
  for (const char* key : {"then", "retires_at"})
    if (const auto forbidden = node.find(key))
      forbidden->fail(fmt::format("an op of kind barrier cannot have \"{}\"", key), fmt::format("remove \"{}\"", key));
}

}  // namespace warpipe::detail
