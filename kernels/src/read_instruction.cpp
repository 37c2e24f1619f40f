#include "read_instruction.hpp"

#include <fmt/format.h>

#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/old_names.hpp"

namespace warpipe {
namespace {

constexpr double kLargestLatency = 1e9;  // cycles

std::string read_op(const JsonNode& node) {
  const std::string op = node.string().value_or("");
  if (node.is_string() && !is_dotted_name(op))
    node.fail("an op must be a name, with dots inside", "write a name such as \"ffma\" or \"global.load\"");
  return current_name(op);
}

std::string read_id(const JsonNode& node, const BodyContext& context) {
  const std::string id = node.string().value_or("");
  if (!node.is_string()) return id;
  check_name(context.file, node, "an id", id);
  check_unique(context.file, node, id, context.names.ids, "ids");
  return id;
}

std::optional<Cycles> read_latency(const std::optional<JsonNode>& node) {
  if (!node) return std::nullopt;
  return Cycles{node->number(0, kLargestLatency).value_or(0)};
}

std::optional<Expression> read_count(const std::optional<JsonNode>& node, const BodyContext& context) {
  if (!node) return std::nullopt;
  return context.expressions.whole(*node, 1);
}

std::size_t find_producer(const JsonNode& node, const BodyContext& context) {
  const auto id = node.string();
  if (!id) return 0;
  const auto found = context.names.ids.find(*id);
  if (found != context.names.ids.end()) return found->second.index;
  context.file.fail(node, fmt::format("no instruction \"{}\" in this file", *id), "",
                    suggest(*id, context.names.id_list));
  return 0;
}

Dependence read_dependence(const JsonNode& node, const BodyContext& context) {
  Dependence dependence;
  if (node.is_string()) {
    dependence.producer = find_producer(node, context);
  } else if (node.is_object()) {
    node.allow_keys({"id", "back", "latency"});
    if (const auto id = node.require("id")) dependence.producer = find_producer(*id, context);
    if (const auto back = node.find("back")) dependence.back = context.expressions.whole(*back, 1);
    dependence.latency = read_latency(node.find("latency"));
  } else {
    node.fail("an entry of \"after\" must be an id, or an object with \"id\" and perhaps \"back\" and \"latency\"");
  }
  return dependence;
}

AccessPattern::Broadcast read_pattern(const JsonNode& node) {
  if (const auto pattern = node.string(); pattern && *pattern != "broadcast")
    node.fail("the only named pattern is \"broadcast\"",
              "write \"broadcast\", or \"stride_bytes\" or \"lane_offsets_bytes\" instead");
  return {};
}

AccessPattern::PerLane read_lane_offsets(const JsonNode& node, const BodyContext& context) {
  AccessPattern::PerLane lanes;
  for (const JsonNode& offset : node.elements())
    lanes.offsets_bytes.push_back(context.expressions.whole(offset, -kLargestWhole));
  if (node.is_array() && lanes.offsets_bytes.empty())
    context.file.fail(node, "the list of offsets is empty", "", "write one for each lane");
  return lanes;
}

std::optional<AccessPattern> read_access(const std::optional<JsonNode>& node, const BodyContext& context) {
  if (!node || !node->allow_keys({"width_bytes", "stride_bytes", "pattern", "lane_offsets_bytes"})) return std::nullopt;
  AccessPattern access;
  if (const auto width = node->require("width_bytes")) access.width_bytes = context.expressions.whole(*width, 1);
  const auto stride = node->find("stride_bytes");
  const auto pattern = node->find("pattern");
  const auto offsets = node->find("lane_offsets_bytes");
  if (stride) access.lanes = AccessPattern::Strided{context.expressions.whole(*stride, -kLargestWhole)};
  if (pattern) access.lanes = read_pattern(*pattern);
  if (offsets) access.lanes = read_lane_offsets(*offsets, context);
  if (const int count = stride.has_value() + pattern.has_value() + offsets.has_value(); count != 1)
    context.file.fail(*node,
                      "an access must have exactly one of \"stride_bytes\", \"pattern\" and \"lane_offsets_bytes\"",
                      count == 0 ? "found none" : fmt::format("found {}", count),
                      count == 0 ? "add one of them" : "keep one of them");
  return access;
}

}  // namespace

void check_unique(const FileContext& context, const JsonNode& node, const std::string& name,
                  const std::map<std::string, DeclaredNames::Declaration, std::less<>>& declared,
                  std::string_view what) {
  const auto first = declared.find(name);
  if (first != declared.end() && first->second.path != node.path())
    context.fail(node, fmt::format("{} must be unique in a kernel", what), fmt::format("found \"{}\" again", name),
                 fmt::format("rename it or the one at {}", first->second.path));
}

Instruction read_instruction(const JsonNode& node, const BodyContext& context) {
  node.allow_keys({"id", "op", "after", "conflict_degree", "transactions", "issue_latency", "completion_latency",
                   "access", "text"});
  Instruction instruction;
  instruction.where = node.path();
  if (const auto id = node.require("id")) instruction.id = read_id(*id, context);
  if (const auto op = node.require("op")) instruction.op = read_op(*op);
  if (const auto text = node.find("text")) instruction.text = text->string().value_or("");
  if (const auto after = node.find("after"))
    for (const JsonNode& entry : after->elements()) instruction.after.push_back(read_dependence(entry, context));
  instruction.issue_latency = read_latency(node.find("issue_latency"));
  instruction.completion_latency = read_latency(node.find("completion_latency"));
  instruction.conflict_degree = read_count(node.find("conflict_degree"), context);
  instruction.transactions = read_count(node.find("transactions"), context);
  instruction.access = read_access(node.find("access"), context);
  return instruction;
}

}  // namespace warpipe
