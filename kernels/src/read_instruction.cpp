#include "read_instruction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "read_access.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {
namespace {

constexpr double kLargestLatency = 1e9;  // cycles

std::string read_op(const JsonNode& node) {
  const std::string op = node.string().value_or("");
  if (node.is_string() && !is_dotted_name(op))
    node.fail("an op must be a name, with dots inside", "write a name such as \"ffma\" or \"global.load\"");
  return op;
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

std::optional<Expression> read_amount(const std::optional<JsonNode>& node, const BodyContext& context) {
  if (!node) return std::nullopt;
  return context.expressions.number(*node, 0);
}

/// By the names of levels, in the order of the file.
std::vector<LevelUse> read_levels(const JsonNode& node, const BodyContext& context) {
  std::vector<LevelUse> levels;
  for (const auto& [name, level] : node.members()) {
    check_name(context.file, level, "a level", name);
    if (!level.allow_keys({"share", "sectors"})) continue;
    levels.push_back({name, read_amount(level.find("share"), context), read_amount(level.find("sectors"), context)});
  }
  if (node.is_object() && levels.empty())
    context.file.fail(node, "the levels are empty", "", "name those that serve the instruction, or leave the key out");
  return levels;
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

std::optional<std::size_t> find_signal(const std::optional<JsonNode>& node, const BodyContext& context) {
  const auto name = node ? node->string() : std::nullopt;
  if (!name) return std::nullopt;
  const auto& signals = context.names.signals;
  const auto found = std::ranges::find(signals, *name);
  if (found != signals.end()) return static_cast<std::size_t>(found - signals.begin());
  context.file.fail(*node, fmt::format("no signal \"{}\" in this file", *name), "",
                    signals.empty() ? "name it in \"signals\" of the kernel" : suggest(*name, signals));
  return std::nullopt;
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
                   "lines", "turns", "register_reads", "stall", "code_bytes", "access", "levels", "arrives", "awaits",
                   "text"});
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
  instruction.lines = read_count(node.find("lines"), context);
  instruction.turns = read_count(node.find("turns"), context);
  if (const auto reads = node.find("register_reads")) instruction.register_reads = reads->whole(1).value_or(1);
  if (const auto stall = node.find("stall")) instruction.stall = stall->whole(0, kMostStall).value_or(0);
  if (const auto code = node.find("code_bytes")) instruction.code_bytes = code->whole(0).value_or(0);
  if (const auto access = node.find("access")) instruction.access = read_access(*access, context);
  if (const auto levels = node.find("levels")) instruction.levels = read_levels(*levels, context);
  instruction.arrives = find_signal(node.find("arrives"), context);
  instruction.awaits = find_signal(node.find("awaits"), context);
  return instruction;
}

}  // namespace warpipe
