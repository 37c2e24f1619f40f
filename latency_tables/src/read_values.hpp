#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_keys.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/units.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Reading the values of a device file into the fields of its types.

namespace warpipe::detail {

inline constexpr double kMostCycles = 1e9;

/// Leaves its target alone for a missing key or a diagnosed value.
inline void set_text(const JsonNode& parent, std::string_view key, std::string& target) {
  if (const auto node = parent.find(key))
    if (auto text = node->string()) target = std::move(*text);
}

inline void require_all(const JsonNode& parent, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) parent.require(key);
}

/// Reads a rate, used as a divisor. A rate of 0 is diagnosed and kept, so its level counts as having a rate.
inline std::optional<double> read_rate(const JsonNode& node) {
  const auto number = node.number(0, std::numeric_limits<double>::infinity());
  if (number == 0.0) node.fail("a rate must be above 0");
  return number;
}

/// Reads a word of a short list.
template <class Value>
std::optional<Value> read_word(const JsonNode& node, std::string_view key,
                               const std::vector<std::pair<std::string, Value>>& choices) {
  const auto text = node.string();
  if (!text) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (*text == name) return value;
    names.push_back(name);
  }
  node.fail(fmt::format("\"{}\" must be one of {}", key, fmt::join(names, ", ")), suggest(*text, names));
  return std::nullopt;
}

std::optional<Latency> read_latency(const JsonNode& node);
std::optional<Increment> read_increment(const JsonNode& node);

/// Reads the two ends of an interval; diagnoses an interval without the number in it, if the number is given.
void read_interval(const JsonNode& node, const std::optional<JsonNode>& number, Interval& interval);

/// Reads the source of a row's numbers; diagnoses intervals of numbers missing in the row, or outside their intervals.
/// @param row  of the latency table or of the levels, or another object with numbers
std::optional<Source> read_source(const JsonNode& node, const JsonNode& row);

/// Reads the sources of numbers outside rows.
void read_sources(const JsonNode& root, std::map<std::string, Source, std::less<>>& sources);

/// Reads a row of the latency table; diagnoses its faults.
/// @param device  as far as it is read: its pipelines (empty if none was readable) and its memory
void read_op(const JsonNode& node, const Device& device, Op& op);

/// Reads the memory behind a unit; diagnoses its faults.
void read_memory(const JsonNode& node, std::optional<Memory>& target);

/// The value of a key, by the type of its field.
/// @param row  the object around it
/// @return     nothing for a diagnosed value
template <class Value>
std::optional<Value> read_value(const JsonNode& node, std::string_view key, const Traits& traits, const JsonNode& row) {
  const auto quantity = [](auto number) { return number ? std::optional(Value{*number}) : std::nullopt; };
  if constexpr (std::is_same_v<Value, std::string>)
    return node.string();
  else if constexpr (std::is_same_v<Value, std::int64_t>)
    return node.whole(traits.least);
  else if constexpr (std::is_same_v<Value, Cycles>)
    return quantity(node.number(0, kMostCycles));
  else if constexpr (std::is_same_v<Value, Seconds>)
    return quantity(node.number(0, traits.most_seconds));
  else if constexpr (kIsRate<Value>)
    return quantity(read_rate(node));
  else if constexpr (std::is_same_v<Value, Latency>)
    return read_latency(node);
  else if constexpr (std::is_same_v<Value, Increment>)
    return read_increment(node);
  else if constexpr (std::is_same_v<Value, Source>)
    return read_source(node, row);
  else {
    if constexpr (std::is_same_v<Value, bool>)
      if (traits.words[0].empty()) return node.boolean();
    return read_word(node, key, words_of(traits, Value{}));
  }
}

/// Reads the values of all keys with a field; diagnoses missing required keys. Missing or diagnosed values leave their
/// fields alone.
template <class Keys, class Object>
void read_keys(const JsonNode& row, const Keys& keys, Object& target) {
  for (const auto& key : keys)
    if (key.traits.presence == Presence::Required && key.traits.where == Where::Anywhere)
      visit_field(key, [&](auto) { row.require(key.name); });
  for (const auto& key : keys)
    visit_field(key, [&](auto field) {
      const auto node = row.find(key.name);
      if (!node) return;
      using Value = decltype(content_of(field));
      if (auto value = read_value<Value>(*node, key.name, key.traits, row)) target.*field = std::move(*value);
    });
}

}  // namespace warpipe::detail
