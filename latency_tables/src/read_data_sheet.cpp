#include <limits>

#include "read_values.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/derive_device.hpp"

namespace warpipe {

using namespace detail;

namespace {

std::optional<DeviceValue> read_value(const JsonNode& node) {
  if (node.is_number()) {
    const auto number = node.number(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
    return number ? std::optional<DeviceValue>(*number) : std::nullopt;
  }
  if (node.is_string()) return node.string();
  if (const auto truth = node.boolean()) return *truth;
  return std::nullopt;
}

/// { "from": "a40", "by": ["/compute_units"], "within": [0.7, 1.1] }
Quote read_quote(const JsonNode& node) {
  node.allow_keys({"from", "by", "within"});
  require_all(node, {"from"});
  Quote quote;
  set_text(node, "from", quote.device);
  if (const auto by = node.find("by"))
    for (const JsonNode& place : by->elements())
      if (auto text = place.string()) quote.by.push_back(std::move(*text));
  if (const auto within = node.find("within")) read_interval(*within, std::nullopt, quote.within.emplace());
  return quote;
}

void read_facts(const JsonNode& node, Facts& facts) {
  if (!node.allow_keys({"values", "source"})) return;
  require_all(node, {"values", "source"});
  const auto values = node.find("values"), from = node.find("source");
  if (!values || !from) return;
  for (const auto& [path, value] : values->members()) {
    if (value.is_object())
      facts.quotes.emplace_back(path, read_quote(value));
    else if (const auto known = read_value(value))
      facts.values.emplace_back(path, *known);
  }
  if (auto source = read_source(*from, *values)) facts.source = std::move(*source);
}

void read_sheet(const JsonNode& root, DataSheet& sheet) {
  root.allow_keys({"$schema", "format", "version", "name", "title", "architecture", "sibling", "facts", "lacks"});
  require_all(root, {"name", "sibling", "facts"});
  set_text(root, "name", sheet.name);
  set_text(root, "title", sheet.title);
  set_text(root, "architecture", sheet.architecture);
  set_text(root, "sibling", sheet.sibling);
  if (const auto facts = root.find("facts"))
    for (const JsonNode& node : facts->elements()) read_facts(node, sheet.facts.emplace_back());
  if (const auto lacks = root.find("lacks"))
    for (const JsonNode& node : lacks->elements())
      if (auto name = node.string()) sheet.lacks.push_back(std::move(*name));
}

}  // namespace

DataSheet read_data_sheet_json(std::string_view text, const std::string& file) {
  Diagnostics diagnostics;
  const JsonDocument document(text, file, diagnostics);
  DataSheet sheet;
  sheet.file = file;
  if (document.expect_format("warpipe-data-sheet", 1)) read_sheet(document.root(), sheet);
  diagnostics.throw_if_any();
  return sheet;
}

}  // namespace warpipe
