#include "warpipe/latency_tables/device_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys_of(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  std::vector<std::string> keys;
  for (bool more = true; more;) {
    const auto slash = path.find('/');
    keys.emplace_back(path.substr(0, slash));
    more = slash != std::string_view::npos;
    if (more) path.remove_prefix(slash + 1);
  }
  return keys;
}

bool has_name(const Json& element, std::string_view name) {
  const auto own = element.is_object() ? element.find("name") : element.end();
  return own != element.end() && own->is_string() && own->get<std::string>() == name;
}

/// An element of a list by its name, else by its index.
Json* element_of(Json& list, std::string_view key) {
  for (Json& element : list)
    if (has_name(element, key)) return &element;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  const bool is_index = error == std::errc() && end == key.data() + key.size() && index < list.size();
  return is_index ? &list[index] : nullptr;
}

/// @return a new element of a list, in front of the last: the memory stays behind its caches
Json* add_element(Json& list, const std::string& name) {
  const auto last = list.empty() ? list.end() : list.end() - 1;
  return &*list.insert(last, Json{{"name", name}});
}

enum class Missing { Refused, Added };

/// @param missing  the treatment of an element missing in a list
/// @return         the value at a path; a key missing in an object is added
Json* place_of(Json& root, const std::vector<std::string>& keys, Missing missing = Missing::Refused) {
  Json* place = &root;
  for (const std::string& key : keys) {
    if (place->is_array()) {
      Json* const element = element_of(*place, key);
      place = element == nullptr && missing == Missing::Added ? add_element(*place, key) : element;
    } else
      place = place->is_object() || place->is_null() ? &(*place)[key] : nullptr;
    if (place == nullptr) return nullptr;
  }
  return place;
}

/// Drops the intervals of a changed number: they hold for its former value.
void drop_intervals(Json& root, const std::vector<std::string>& keys) {
  const auto drop = [](Json& sources, const std::string& name, const std::string& number) {
    const auto source = sources.is_object() ? sources.find(name) : sources.end();
    if (source == sources.end() || !source->is_object()) return;
    if (const auto intervals = source->find("intervals"); intervals != source->end() && intervals->is_object())
      intervals->erase(number);
  };
  Json* row = &root;
  for (std::size_t i = 0; i < keys.size() && row != nullptr; ++i) {
    std::string number = keys[i];
    for (std::size_t k = i + 1; k < keys.size(); ++k) number += "." + keys[k];
    if (i > 0) drop(*row, "source", number);
    if (i == 0 && root.contains("sources")) drop(root["sources"], number, number);
    row = row->is_array() ? element_of(*row, keys[i]) : row->is_object() ? &(*row)[keys[i]] : nullptr;
  }
}

/// On a device with levels a transaction is a sector of the nearest level: of these two names of one number, only the
/// name being set stays.
void drop_other_name(Json& root, const std::vector<std::string>& keys) {
  if (keys.front() != "memory" || root["memory"].value("levels", Json::array()).empty()) return;
  Json& memory = root["memory"];
  Json& nearest = memory["levels"].front();
  if (keys == std::vector<std::string>{"memory", "transaction_bytes"}) nearest.erase("sector_bytes");
  const bool is_nearest = keys.size() == 4 && keys[1] == "levels" && element_of(memory["levels"], keys[2]) == &nearest;
  if (is_nearest && keys[3] == "sector_bytes") memory.erase("transaction_bytes");
}

void collect(const Json& value, const std::string& path, std::vector<std::string>& paths) {
  if (value.is_number()) paths.push_back(path.find('/') == std::string::npos ? "/" + path : path);
  if (!value.is_structured()) return;
  for (const auto& [key, member] : value.items()) {
    if (key == "source" || key == "sources") continue;  // facts about numbers, and no numbers of the device
    const std::string name =
        value.is_array() && member.is_object() && member.contains("name") ? member["name"].get<std::string>() : key;
    collect(member, path.empty() ? name : path + "/" + name, paths);
  }
}

/// The nearest path, else a path of the same part of the file.
std::string advice_for(std::string_view path, const std::vector<std::string>& paths) {
  if (std::string near = suggest(path, paths); !near.empty()) return near;
  const std::string first = keys_of(path).front() + "/";
  const auto same = std::ranges::find_if(paths, [&](const std::string& each) { return each.starts_with(first); });
  return fmt::format("write the keys that lead to it, as {}", same == paths.end() ? paths.front() : *same);
}

/// Whole numbers without ".0".
Json to_json(double value) {
  constexpr double kExact = static_cast<double>(kLargestWhole);
  if (std::floor(value) == value && std::abs(value) <= kExact) return static_cast<std::int64_t>(value);
  return value;
}

Json to_json(const DeviceValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return to_json(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return std::get<bool>(value);
}

std::string text_of(const Json& root) { return root.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json root_of(const Device& device) { return Json::parse(write_device_json(device)); }

[[noreturn]] void refuse(std::string problem, std::string found, std::string advice) {
  throw UsageError(Diagnostic{"", std::move(problem), std::move(found), std::move(advice)});
}

}  // namespace

bool is_device_path(std::string_view name) { return name.find('/') != std::string_view::npos; }

std::vector<std::string> device_paths(const Device& device) {
  std::vector<std::string> paths;
  collect(root_of(device), "", paths);
  std::erase_if(paths, [](const std::string& path) { return path == "/version"; });
  return paths;
}

std::optional<double> number_at(const Device& device, std::string_view path) {
  Json root = root_of(device);
  const Json* const place = place_of(root, keys_of(path));
  return place != nullptr && place->is_number() ? std::optional(place->get<double>()) : std::nullopt;
}

Device with_number(const Device& device, std::string_view path, double value) {
  Json root = root_of(device);
  Json* place = place_of(root, keys_of(path));
  if (place == nullptr || !(place->is_number() || place->is_null()) || !std::isfinite(value))
    refuse(fmt::format("no number \"{}\" in {}", path, device.name), "", advice_for(path, device_paths(device)));
  *place = to_json(value);
  drop_other_name(root, keys_of(path));
  drop_intervals(root, keys_of(path));
  try {
    Device changed = read_device_json(text_of(root), device.name);
    changed.file = device.file;
    return changed;
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    refuse(first.problem, first.found, first.advice);
  }
}

Device with_values(const Device& device, const std::vector<std::pair<std::string, DeviceValue>>& values,
                   const std::string& file) {
  Json root = root_of(device);
  for (const auto& [path, value] : values) {
    Json* place = place_of(root, keys_of(path), Missing::Added);
    if (place == nullptr || place->is_structured())
      throw InputError(Diagnostic{file, fmt::format("\"{}\" is no place of a value in a device file", path), "",
                                  advice_for(path, device_paths(device))});
    *place = to_json(value);
    drop_other_name(root, keys_of(path));
    drop_intervals(root, keys_of(path));
  }
  Device changed = read_device_json(text_of(root), file);
  changed.file = device.file;
  return changed;
}

}  // namespace warpipe
