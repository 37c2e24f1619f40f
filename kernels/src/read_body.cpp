#include "read_body.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace warpipe {
namespace {

constexpr int kDeepestBody = 64;  // loops and conditions around an instruction

/// Reads items; knows how deep it is.
class BodyReader {
 public:
  BodyReader(BodyContext context, std::vector<Instruction>& instructions)
      : context_(std::move(context)), instructions_(instructions) {}

  std::vector<Item> read(const JsonNode& node, int depth) {
    std::vector<Item> items;
    if (depth > kDeepestBody) {
      context_.file.fail(node, fmt::format("loops and conditions are nested more than {} deep", kDeepestBody), "",
                         "flatten the kernel");
      return items;
    }
    const std::vector<JsonNode> elements = node.elements();
    if (node.is_array() && elements.empty()) context_.file.fail(node, "the body is empty", "", "add an instruction");
    for (const JsonNode& element : elements)
      if (auto item = read_item(element, depth)) items.push_back(std::move(*item));
    return items;
  }

 private:
  std::optional<Item> read_item(const JsonNode& node, int depth) {
    if (!node.is_object()) {
      node.fail("an item of a body must be an object");
      return std::nullopt;
    }
    if (!has_one_kind(node)) return std::nullopt;
    if (node.find("loop")) return Item{read_loop(node, depth)};
    if (node.find("when")) return Item{read_when(node, depth)};
    instructions_.push_back(read_instruction(node, context_));
    return Item{instructions_.size() - 1};
  }

  bool has_one_kind(const JsonNode& node) const {
    std::string found;
    int count = 0;
    for (const char* kind : {"op", "loop", "when"}) {
      if (!node.find(kind)) continue;
      found += fmt::format("{}\"{}\"", count == 0 ? "" : " and ", kind);
      ++count;
    }
    if (count == 1) return true;
    context_.file.fail(node, "an item must have exactly one of \"op\", \"loop\" and \"when\"",
                       count == 0 ? "found none" : "found " + found,
                       "an instruction has \"op\", a loop \"loop\", a condition \"when\"");
    return false;
  }

  Loop read_loop(const JsonNode& node, int depth) {
    node.allow_keys({"loop", "trip_count", "body"});
    Loop loop;
    loop.where = node.path();
    if (const auto name = node.require("loop")) loop.name = read_loop_name(*name);
    if (const auto count = node.require("trip_count")) loop.trip_count = context_.expressions.whole(*count, 0);
    context_.loops.push_back(loop.name);
    if (const auto body = node.require("body")) loop.body = read(*body, depth + 1);
    context_.loops.pop_back();
    return loop;
  }

  std::string read_loop_name(const JsonNode& node) const {
    const std::string name = node.string().value_or("");
    if (!node.is_string()) return name;
    check_name(context_.file, node, "a loop", name);
    check_unique(context_.file, node, name, context_.names.loops, "loop names");
    return name;
  }

  When read_when(const JsonNode& node, int depth) {
    node.allow_keys({"when", "body"});
    When when;
    when.where = node.path();
    if (const auto condition = node.require("when"))
      when.condition = context_.expressions.number(*condition, -std::numeric_limits<double>::infinity());
    if (const auto body = node.require("body")) when.body = read(*body, depth + 1);
    return when;
  }

  BodyContext context_;
  std::vector<Instruction>& instructions_;
};

}  // namespace

std::vector<Item> read_body(const JsonNode& node, const BodyContext& context, std::vector<Instruction>& instructions) {
  return BodyReader(context, instructions).read(node, 0);
}

}  // namespace warpipe
