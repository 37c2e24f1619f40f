#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "read_values.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::detail {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

/// The number that a key means: "issue", "per_conflict.issue", "completion@16", or the name of a pipeline of a row's
/// `then`.
std::optional<JsonNode> number_at(const JsonNode& row, std::string_view key) {
  key = key.substr(0, key.find('@'));
  if (const auto number = row.find(key)) return number;
  if (const auto dot = key.find('.'); dot != std::string_view::npos)
    if (const auto part = row.find(key.substr(0, dot))) return part->find(key.substr(dot + 1));
  const auto then = row.find("then");
  if (!then || !then->is_array()) return std::nullopt;
  for (const JsonNode& entry : then->elements())
    if (const auto pipeline = entry.find("pipeline"); pipeline && pipeline->is_string() && pipeline->string() == key)
      return entry.find("issue");
  return std::nullopt;
}

/// The members of an object of numbers of a row; diagnoses those that the row lacks.
std::vector<std::pair<std::string, JsonNode>> numbers_of(const JsonNode& source, std::string_view key,
                                                         const JsonNode& row) {
  const auto node = source.find(key);
  if (!node) return {};
  auto members = node->members();
  for (const auto& [name, member] : members)
    if (!number_at(row, name))
      member.fail(fmt::format("no number \"{}\" stands beside this source", name),
                  "write the key of the number, as \"issue\" or \"per_conflict.issue\"");
  return members;
}

}  // namespace

void read_interval(const JsonNode& node, const std::optional<JsonNode>& number, Interval& interval) {
  const auto ends = node.elements();
  if (!node.is_array()) return;
  if (ends.size() != 2) {
    node.fail("an interval must have two ends", "write [low, high]");
    return;
  }
  const auto low = ends[0].number(0, kMost), high = ends[1].number(0, kMost);
  if (!low || !high) return;
  interval = {*low, *high};
  if (*low > *high) {
    node.fail("the low end of an interval must not be above the high one", "exchange them");
    return;
  }
  if (!number || !number->is_number()) return;
  const double value = number->number(0, kMost).value_or(*low);
  if (value < *low || value > *high)
    node.fail(fmt::format("the interval must hold the number, {:.10g}", value), "write an interval around it");
}

void read_source(const JsonNode& node, const JsonNode& row, std::optional<Source>& target) {
  if (!node.allow_keys({"kind", "reference", "clock", "method", "date", "intervals", "uncalibrated"})) return;
  require_all(node, {"kind", "reference"});
  Source& source = target.emplace();
  set_choice(node, "kind",
             {named(SourceKind::Measured), named(SourceKind::Documented), named(SourceKind::Published),
              named(SourceKind::Simulator), named(SourceKind::Derived), named(SourceKind::Estimated),
              named(SourceKind::Fitted), named(SourceKind::Carried)},
             source.kind);
  set_text(node, "reference", source.reference);
  set_text(node, "clock", source.clock);
  set_text(node, "method", source.method);
  set_text(node, "date", source.date);
  for (const auto& [name, member] : numbers_of(node, "intervals", row))
    read_interval(member, number_at(row, name), source.intervals[name]);
  for (const auto& [name, member] : numbers_of(node, "uncalibrated", row))
    if (const auto value = member.number(0, kMost)) source.uncalibrated[name] = *value;
}

void set_source(const JsonNode& row, std::optional<Source>& target) {
  if (const auto node = row.find("source")) read_source(*node, row, target);
}

void read_sources(const JsonNode& root, std::map<std::string, Source, std::less<>>& sources) {
  const auto node = root.find("sources");
  if (!node) return;
  for (const auto& [name, member] : node->members()) {
    if (std::ranges::find(kSourcedKeys, name) == kSourcedKeys.end()) {
      const std::vector<std::string> keys(kSourcedKeys.begin(), kSourcedKeys.end());
      member.fail(fmt::format("\"{}\" must be one of {}", name, fmt::join(keys, ", ")), suggest(name, keys));
      continue;
    }
    std::optional<Source> source;
    read_source(member, root, source);
    if (source) sources.emplace(name, std::move(*source));
  }
}

}  // namespace warpipe::detail
