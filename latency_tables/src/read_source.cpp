#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "read_values.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::detail {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

/// The number of a key: "issue", "per_conflict.issue", "completion@16", "then.0.per_turn", or the name of a pipeline of
/// a row's `then`.
std::optional<JsonNode> number_at(const JsonNode& row, std::string_view key) {
  key = key.substr(0, key.find('@'));
  if (const auto number = row.find(key)) return number;
  if (const auto dot = key.find('.'); dot != std::string_view::npos)
    if (const auto part = row.find(key.substr(0, dot)); part && part->is_object())
      return part->find(key.substr(dot + 1));
  const auto then = row.find("then");
  if (!then || !then->is_array()) return std::nullopt;
  const auto entries = then->elements();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const auto before = fmt::format("then.{}.", i); key.starts_with(before))
      return entries[i].find(key.substr(before.size()));
  for (const JsonNode& entry : entries)
    if (const auto pipeline = entry.find("pipeline"); pipeline && pipeline->is_string() && pipeline->string() == key)
      return entry.find("issue");
  return std::nullopt;
}

/// The members of an object of numbers of a row; diagnoses numbers missing in the row.
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

std::optional<Source> read_source(const JsonNode& node, const JsonNode& row) {
  if (!node.allow_keys(names_of(kKeysOfSource))) return std::nullopt;
  Source source;
  read_keys(node, kKeysOfSource, source);
  for (const auto& [name, member] : numbers_of(node, "intervals", row))
    read_interval(member, number_at(row, name), source.intervals[name]);
  for (const auto& [name, member] : numbers_of(node, "uncalibrated", row))
    if (const auto value = member.number(0, kMost)) source.uncalibrated[name] = *value;
  return source;
}

void read_sources(const JsonNode& root, std::map<std::string, Source, std::less<>>& sources) {
  const auto node = root.find("sources");
  if (!node) return;
  const std::vector<std::string> keys = keys_of_sources();
  for (const auto& [name, member] : node->members()) {
    if (std::ranges::find(keys, name) == keys.end()) {
      member.fail(fmt::format("\"{}\" must be one of {}", name, fmt::join(keys, ", ")), suggest(name, keys));
      continue;
    }
    if (auto source = read_source(member, root)) sources.emplace(name, std::move(*source));
  }
}

}  // namespace warpipe::detail
