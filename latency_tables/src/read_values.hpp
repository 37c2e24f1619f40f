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

#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/units.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Reading the values of a device file into the fields of its types.

namespace warpipe::detail {

inline constexpr double kMostCycles = 1e9;
inline constexpr double kMostSeconds = 1;  ///< of a latency: one in cycles by mistake is seen

// Each set_... leaves its target alone where the key is missing or the value is diagnosed.

inline void set_text(const JsonNode& parent, std::string_view key, std::string& target) {
  if (const auto node = parent.find(key))
    if (auto text = node->string()) target = std::move(*text);
}

template <class Target>
void set_whole(const JsonNode& parent, std::string_view key, std::int64_t least, Target& target) {
  if (const auto node = parent.find(key))
    if (const auto number = node->whole(least)) target = *number;
}

template <class Target>
void set_cycles(const JsonNode& parent, std::string_view key, Target& target) {
  if (const auto node = parent.find(key))
    if (const auto number = node->number(0, kMostCycles)) target = Cycles{*number};
}

template <class Target>
void set_seconds(const JsonNode& parent, std::string_view key, double most, Target& target) {
  if (const auto node = parent.find(key))
    if (const auto number = node->number(0, most)) target = Seconds{*number};
}

/// A rate, by which something is divided.
template <class Rate, class Target>
void set_rate(const JsonNode& parent, std::string_view key, Target& target) {
  const auto node = parent.find(key);
  if (!node) return;
  const auto number = node->number(0, std::numeric_limits<double>::infinity());
  if (number == 0.0) node->fail("a rate must be above 0");
  if (number) target = Rate{*number};
}

/// One of a few words.
template <class Value>
void set_choice(const JsonNode& parent, std::string_view key, const std::vector<std::pair<std::string, Value>>& choices,
                Value& target) {
  const auto node = parent.find(key);
  const auto text = node ? node->string() : std::nullopt;
  if (!text) return;
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (*text == name) target = value;
    names.push_back(name);
  }
  if (std::ranges::find(names, *text) == names.end())
    node->fail(fmt::format("\"{}\" must be one of {}", key, fmt::join(names, ", ")), suggest(*text, names));
}

/// All enumerators with their names.
template <class Enumeration>
std::pair<std::string, Enumeration> named(Enumeration value) {
  return {to_string(value), value};
}

/// Two ends of a list; diagnoses an interval that does not hold the number, where there is one.
void read_interval(const JsonNode& node, const std::optional<JsonNode>& number, Interval& interval);

/// Where the numbers of a row come from; diagnoses intervals of numbers that the row lacks, or that do not hold them.
/// @param row  of the latency table or of the levels
void set_source(const JsonNode& row, std::optional<Source>& target);
/// The same of a source that does not stand in its row.
void read_source(const JsonNode& node, const JsonNode& row, std::optional<Source>& target);

/// Where the numbers come from that are in no row.
void read_sources(const JsonNode& root, std::map<std::string, Source, std::less<>>& sources);

/// Reads a row of the latency table; diagnoses what is wrong with it.
/// @param device  as far as it is read: its pipelines (empty where none could be read) and its memory
void read_op(const JsonNode& node, const Device& device, Op& op);

/// Reads what is behind a unit; diagnoses what is wrong with it.
void read_memory(const JsonNode& node, std::optional<Memory>& target);

inline void require_all(const JsonNode& parent, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) parent.require(key);
}

}  // namespace warpipe::detail
