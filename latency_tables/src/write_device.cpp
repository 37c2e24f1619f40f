#include <cmath>
#include <nlohmann/json.hpp>

#include "device_keys.hpp"

namespace warpipe {

using namespace detail;

namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers without ".0", all others with the fewest digits that read back the same.
Json number(double value) {
  constexpr double kExact = static_cast<double>(kLargestWhole);
  if (std::floor(value) == value && std::abs(value) <= kExact) return static_cast<std::int64_t>(value);
  return value;
}

Json points_of(const Latency& latency) {
  if (latency.points.size() == 1 && latency.points.front().first == 1) return number(latency.points.front().second);
  Json points = Json::array();
  for (const auto& [residents, cycles] : latency.points) points.push_back(Json::array({residents, number(cycles)}));
  return points;
}

/// Leaves out the keys of an object without a field.
constexpr auto kNothing = [](std::string_view) { return Json(); };

template <class Keys, class Object, class ByHand>
Json object_of(const Keys& keys, const Object& object, ByHand&& by_hand);

Json source_of(const Source& source) {
  return object_of(kKeysOfSource, source, [&](std::string_view key) {
    Json numbers;
    if (key == "intervals")
      for (const auto& [name, interval] : source.intervals)
        numbers[name] = Json::array({number(interval.low), number(interval.high)});
    else
      for (const auto& [name, value] : source.uncalibrated) numbers[name] = number(value);
    return numbers;
  });
}

template <class Value>
Json value_of(const Value& value, const Traits& traits) {
  if constexpr (std::is_same_v<Value, Latency>)
    return points_of(value);
  else if constexpr (std::is_same_v<Value, Increment>)
    return object_of(kKeysOfIncrement, value, kNothing);
  else if constexpr (std::is_same_v<Value, Source>)
    return source_of(value);
  else if constexpr (std::is_same_v<Value, double>)
    return number(value);
  else if constexpr (kIsQuantity<Value>)
    return number(value.count);
  else if constexpr (std::is_enum_v<Value>)
    return to_string(value);
  else if constexpr (std::is_same_v<Value, bool>)
    return traits.words[0].empty() ? Json(value) : Json(traits.words[value ? 1 : 0]);
  else
    return value;
}

template <class Value>
Json value_of(const std::optional<Value>& value, const Traits& traits) {
  return value ? value_of(*value, traits) : Json();
}

/// Leaves out default and empty values, as a person would, except for keys that are always written.
/// @param by_hand  a key without a field -> its value
template <class Keys, class Object, class ByHand>
Json object_of(const Keys& keys, const Object& object, ByHand&& by_hand) {
  Json json = Json::object();
  const Object standard;
  for (const auto& key : keys) {
    const bool always = key.traits.presence != Presence::Optional;
    const std::string name(key.name);
    if (!has(object, key)) continue;
    if (std::holds_alternative<std::monostate>(key.field))
      if (Json value = by_hand(key.name); always || !value.empty()) json[name] = std::move(value);
    visit_field(key, [&](auto field) {
      if (always || object.*field != standard.*field) json[name] = value_of(object.*field, key.traits);
    });
  }
  return json;
}

Json memory_of(const Memory& memory) {
  return object_of(kKeysOfMemory, memory, [&](std::string_view) {
    Json levels = Json::array();
    for (const MemoryLevel& level : memory.levels) levels.push_back(object_of(kKeysOfLevel, level, kNothing));
    return levels;
  });
}

Json pipelines_of(const std::vector<Pipeline>& pipelines) {
  Json object = Json::object();
  for (const Pipeline& pipeline : pipelines)  // reading the level gives the device its pipeline
    if (!pipeline.level) object[pipeline.name] = object_of(kKeysOfPipeline, pipeline, kNothing);
  return object;
}

Json then_of(const Op& op, const std::vector<Pipeline>& pipelines) {
  Json list = Json::array();
  for (const Then& then : op.then)
    list.push_back(object_of(kKeysOfThen, then, [&](std::string_view) { return pipelines[then.pipeline].name; }));
  return list;
}

Json ops_of(const Device& device) {
  Json object = Json::object();
  for (const Op& op : device.ops)
    object[op.name] = object_of(kKeysOfOp, op, [&](std::string_view key) {
      return key == "pipeline" ? Json(device.pipelines[op.pipeline].name) : then_of(op, device.pipelines);
    });
  return object;
}

Json sources_of(const Device& device) {
  Json object = Json::object();
  for (const auto& [name, source] : device.sources) object[name] = source_of(source);
  return object;
}

Json issue_of(const Device& device) {
  return object_of(kKeysOfIssue, device, [&](std::string_view) {
    Json levels = Json::array();
    for (const FarCode& level : device.far_code) levels.push_back(object_of(kKeysOfFarCode, level, kNothing));
    return levels;
  });
}

Json by_hand(std::string_view key, const Device& device) {
  if (key == "format") return "warpipe-device";
  if (key == "version") return 1;
  if (key == "limits") return object_of(kKeysOfLimits, device.limits, kNothing);
  if (key == "issue") return issue_of(device);
  if (key == "memory") return device.memory ? memory_of(*device.memory) : Json();
  if (key == "pipelines") return pipelines_of(device.pipelines);
  if (key == "ops") return ops_of(device);
  if (key == "sources") return sources_of(device);
  return {};
}

}  // namespace

std::string write_device_json(const Device& device) {
  const Json root = object_of(kKeysOfDevice, device, [&](std::string_view key) { return by_hand(key, device); });
  // A source may name a file, with any bytes in its name.
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpipe
