#include "device_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "golden.hpp"
#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"

/// Holds the committed schema and tables of docs/formats.md against the rows of device_keys.hpp. With
/// WARPIPE_UPDATE_GOLDEN in the environment both are written instead: keys, types, defaults and meanings of the rows;
/// the text around them stays.

namespace warpipe::detail {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
inline constexpr bool kIsWord = false;
template <class Value>
requires std::is_enum_v<Value>
inline constexpr bool kIsWord<Value> = true;

template <class Keys>
void expect_fields_of_their_own(const Keys& keys) {
  for (auto key = keys.begin(); key != keys.end(); ++key)
    for (auto other = keys.begin(); other != key; ++other) {
      EXPECT_NE(key->name, other->name);
      EXPECT_TRUE(key->field.index() == 0 || key->field != other->field) << key->name << ", " << other->name;
    }
}

TEST(DeviceKeys, HaveAFieldOfTheirOwnEach) {
  expect_fields_of_their_own(kKeysOfDevice);
  expect_fields_of_their_own(kKeysOfLimits);
  expect_fields_of_their_own(kKeysOfIssue);
  expect_fields_of_their_own(kKeysOfFarCode);
  expect_fields_of_their_own(kKeysOfMemory);
  expect_fields_of_their_own(kKeysOfLevel);
  expect_fields_of_their_own(kKeysOfOp);
  expect_fields_of_their_own(kKeysOfThen);
  expect_fields_of_their_own(kKeysOfSource);
}

std::string written(const std::string& path) { return read_text_file(in_sources(path)); }

/// The type of a value in the schema.
template <class Value>
Json type_of(const Traits& traits) {
  const auto reference = [](const char* name) { return Json{{"$ref", fmt::format("#/$defs/{}", name)}}; };
  if constexpr (std::is_same_v<Value, std::string>)
    return {{"type", "string"}};
  else if constexpr (std::is_same_v<Value, std::int64_t>)
    return reference(traits.least == 0 ? "limit" : "count");
  else if constexpr (std::is_same_v<Value, Cycles>)
    return reference("cycles");
  else if constexpr (kIsRate<Value>)
    return reference("rate");
  else if constexpr (std::is_same_v<Value, Latency>)
    return reference("latency");
  else if constexpr (std::is_same_v<Value, Increment>)
    return reference("increment");
  else if constexpr (std::is_same_v<Value, Source>)
    return reference("source");
  else if constexpr (std::is_same_v<Value, Seconds>)
    return traits.most_seconds == 1 ? reference("seconds") : Json{{"type", "number"}, {"minimum", 0}};
  else {
    if constexpr (!kIsWord<Value>)
      if (traits.words[0].empty()) return {{"type", "boolean"}};
    Json words = Json::array();
    for (const auto& [word, value] : words_of(traits, Value{})) words.push_back(word);
    return {{"enum", words}};
  }
}

/// The value of a missing key; null where there is none.
template <class Value>
Json default_of(const Value& value, const Traits& traits) {
  if constexpr (std::is_same_v<Value, std::int64_t>)
    return value;
  else if constexpr (kIsTime<Value>)
    return static_cast<std::int64_t>(value.count);
  else if constexpr (std::is_same_v<Value, bool>)
    return traits.words[0].empty() ? Json(value) : Json(traits.words[0]);
  else if constexpr (kIsWord<Value>)
    return to_string(value);
  else
    return {};
}

template <class Object>
Json default_of(const Key<Object>& key) {
  Json value;
  if (key.traits.presence != Presence::Required)
    visit_field(key, [&](auto field) { value = default_of(Object().*field, key.traits); });
  return value;
}

/// Puts keys into a definition of the schema. Fields unknown to the rows stay: a pattern, a maximum.
template <class Keys>
void put_keys(Json& definition, const Keys& keys) {
  const std::set<std::string> of_rows{"type", "$ref", "enum", "minimum", "description"};
  Json properties = Json::object(), required = Json::array();
  for (const auto& key : keys) {
    const std::string name(key.name);
    const Json before = definition["properties"].value(name, Json::object());
    Json property = before;
    visit_field(key, [&](auto field) {
      property = type_of<decltype(content_of(field))>(key.traits);
      for (const auto& [member, value] : before.items())
        if (!of_rows.contains(member)) property[member] = value;
    });
    if (const Json value = default_of(key); !value.is_null()) property["default"] = value;
    property["description"] =
        std::regex_replace(std::string(key.meaning), std::regex(R"(\[([^\]]*)\]\([^)]*\))"), "$1");
    properties[name] = property;
    if (key.traits.presence == Presence::Required && key.traits.where == Where::Anywhere) required.push_back(name);
  }
  definition["properties"] = properties;
  if (!required.empty()) definition["required"] = required;
}

Json refused_beyond(Where where) {
  Json properties = Json::object();
  for (const auto& key : kKeysOfLevel)
    if (key.traits.where == where) properties[std::string(key.name)] = false;
  return properties;
}

Json schema() {
  Json schema = Json::parse(written("latency_tables/schema/device.schema.json"));
  put_keys(schema, kKeysOfDevice);
  schema["properties"]["sources"]["propertyNames"]["enum"] = keys_of_sources();
  Json& definitions = schema["$defs"];
  put_keys(definitions["limits"], kKeysOfLimits);
  put_keys(definitions["issue"], kKeysOfIssue);
  put_keys(definitions["far_code"]["items"], kKeysOfFarCode);
  put_keys(definitions["memory"], kKeysOfMemory);
  put_keys(definitions["level"], kKeysOfLevel);
  put_keys(definitions["pipeline"], kKeysOfPipeline);
  put_keys(definitions["op"], kKeysOfOp);
  put_keys(definitions["increment"], kKeysOfIncrement);
  put_keys(definitions["then"], kKeysOfThen);
  put_keys(definitions["source"], kKeysOfSource);
  definitions["level"]["then"]["properties"] = refused_beyond(Where::Beyond);
  definitions["level"]["else"]["properties"] = refused_beyond(Where::Unit);
  return schema;
}

/// A property a line.
std::string text_of(const Json& json, const std::string& key = "", const std::string& indent = "\n") {
  if (!json.is_structured()) return json.dump();
  const bool spread = json.contains("properties") || json.contains("$defs") || key == "properties" || key == "$defs";
  std::vector<std::string> members;
  for (const auto& [name, member] : json.items())
    members.push_back((json.is_object() ? Json(name).dump() + ": " : "") +
                      text_of(member, json.is_object() ? name : "", indent + "  "));
  if (spread) return fmt::format("{{{}  {}{}}}", indent, fmt::join(members, "," + indent + "  "), indent);
  return fmt::format(fmt::runtime(json.is_object() ? "{{ {} }}" : "[{}]"), fmt::join(members, ", "));
}

TEST(DeviceKeys, StandInTheSchema) {
  test::expect_golden("../../latency_tables/schema/device.schema.json", text_of(schema()) + "\n");
}

/// A value, or the words for none, behind a space.
template <class Object>
std::string default_text(const Key<Object>& key) {
  if (key.traits.presence == Presence::Required) return " required";
  if (!key.traits.absent.empty()) return fmt::format(" {}", key.traits.absent);
  const Json value = default_of(key);
  return value.is_null() ? "" : value.is_string() ? fmt::format(" `{}`", value.get<std::string>()) : " " + value.dump();
}

/// The meaning of a key, with its words where they do not stand there.
template <class Object>
std::string meaning_of(const Key<Object>& key) {
  std::string meaning(key.meaning);
  visit_field(key, [&](auto field) {
    using Value = decltype(content_of(field));
    if constexpr (kIsWord<Value>) {
      std::vector<std::string> words;
      for (const auto& [word, value] : words_of(key.traits, Value{})) words.push_back(fmt::format("`{}`", word));
      if (meaning.find(words.back()) == std::string::npos) meaning += fmt::format(": {}", fmt::join(words, ", "));
    }
  });
  return meaning;
}

/// Puts keys into the table of a page under a title.
template <class Keys>
void put_table(std::string& page, const std::string& title, const Keys& keys, Where where = Where::Anywhere) {
  const auto begin = page.find(fmt::format("| {} |", title));
  ASSERT_NE(begin, std::string::npos) << title;
  std::string table = fmt::format("| {} | default | meaning |\n| --- | --- | --- |\n", title);
  for (const auto& key : keys)
    if (key.traits.where == where)
      table += fmt::format("| `{}` |{} | {} |\n", key.name, default_text(key), meaning_of(key));
  page.replace(begin, page.find("\n\n", begin) + 1 - begin, table);
}

TEST(DeviceKeys, StandInTheDocumentation) {
  std::string page = written("docs/formats.md");
  put_table(page, "key of a device", kKeysOfDevice);
  put_table(page, "key of `limits`", kKeysOfLimits);
  put_table(page, "key of `issue`", kKeysOfIssue);
  put_table(page, "key of an entry of `far_code`", kKeysOfFarCode);
  put_table(page, "key of `memory`", kKeysOfMemory);
  put_table(page, "key of a pipeline", kKeysOfPipeline);
  put_table(page, "key of an op", kKeysOfOp);
  put_table(page, "key of an entry of `then`", kKeysOfThen);
  put_table(page, "key of a source", kKeysOfSource);
  put_table(page, "key of a level", kKeysOfLevel);
  put_table(page, "of scope `compute_unit`", kKeysOfLevel, Where::Unit);
  put_table(page, "beyond the unit", kKeysOfLevel, Where::Beyond);
  test::expect_golden("../../docs/formats.md", page);
}

}  // namespace
}  // namespace warpipe::detail
