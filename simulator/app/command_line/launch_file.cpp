#include "command_line/launch_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe::app {
namespace {

constexpr std::size_t kMostLaunches = 1'000'000;
constexpr std::int64_t kMostTimes = 1'000'000'000'000;
constexpr double kAnyNumber = std::numeric_limits<double>::max();

/// A number, or three along x, y and z, or fewer.
void read_sizes(const JsonNode& node, std::optional<isa::Dimensions>& sizes) {
  isa::Dimensions read{1, 1, 1};
  if (!node.is_array()) {
    if (const auto size = node.whole(1)) sizes = isa::Dimensions{*size, 1, 1};
    return;
  }
  const auto elements = node.elements();
  if (elements.empty() || elements.size() > read.size()) return node.fail("the sizes must be one to three numbers");
  for (std::size_t axis = 0; axis < elements.size(); ++axis) read[axis] = elements[axis].whole(1).value_or(1);
  sizes = read;
}

/// A number, or the text of one that no JSON number holds.
std::optional<std::string> argument_text(const JsonNode& node) {
  if (node.is_string()) return node.string();
  const auto number = node.number(-kAnyNumber, kAnyNumber);
  return number ? std::optional(fmt::format("{}", *number)) : std::nullopt;
}

/// The text of --array, or the numbers.
std::optional<isa::ArrayValues> array_values(const JsonNode& node, const std::string& where) {
  if (node.is_string()) return read_array(where, node.string().value_or(""));
  isa::ArrayValues array;
  if (!node.is_array()) node.fail("an array must be numbers, \"uniform:LIMIT\", \"rows:LENGTH\" or the name of a file");
  for (const auto& element : node.is_array() ? node.elements() : std::vector<JsonNode>{})
    array.values.push_back(element.number(-kAnyNumber, kAnyNumber).value_or(0));
  return array;
}

/// Puts the members of an object into a map, over those of the same name.
template <class Map, class Read>
void read_map(const JsonNode& launch, const char* key, Map& map, const Read& read) {
  const auto node = launch.find(key);
  if (!node) return;
  for (const auto& [name, member] : node->members())
    if (auto value = read(member)) map[name] = std::move(*value);
}

std::int64_t read_times(const JsonNode& node) {
  const auto times = node.whole(1).value_or(1);
  if (times <= kMostTimes) return times;
  node.fail("a launch can be repeated at most 10^12 times");
  return 1;
}

std::optional<isa::AddressPattern> address_pattern(const JsonNode& node) {
  const auto text = node.string();
  isa::AddressPattern pattern;
  if (!text || isa::parse_pattern(*text, pattern)) return pattern;
  node.fail("a pattern of addresses is random:BYTES or coalesced:BYTES");
  return std::nullopt;
}

/// Bytes as two hexadecimal digits each.
std::string bytes_of(const JsonNode& node) {
  const auto text = node.string().value_or("");
  std::string bytes;
  const auto digit = [](char c) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    return kDigits.find(c);
  };
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    if (digit(text[i]) < 16 && digit(text[i + 1]) < 16)
      bytes.push_back(static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1])));
  if (2 * bytes.size() != text.size()) node.fail("parameters are bytes, two hexadecimal digits (0-9, a-f) each");
  return bytes;
}

/// What record writes down of the parameters.
void read_parameters(const JsonNode& root, isa::ParameterBlock& block) {
  if (const auto node = root.find("parameters")) block.bytes = bytes_of(*node);
  const auto pointers = root.find("pointers");
  if (!pointers) return;
  for (const auto& [name, member] : pointers->members()) {
    const auto at = parse_number(name);
    if (!at || !is_whole(*at, 0))
      member.fail("pointers are named by the bytes of the parameters before them");
    else if (const auto bytes = member.whole(0))
      block.pointers[static_cast<std::int64_t>(*at)] = *bytes;
  }
}

FileLaunch read_launch(const JsonNode& root, const std::string& where, const GivenLaunch& usual) {
  FileLaunch launch{0, where, "", usual, 1};
  auto& given = launch.given;
  root.allow_keys({"entry", "block", "grid", "times", "dynamic_shared_memory", "arguments", "arrays", "trips", "taken",
                   "addresses", "file", "parameters", "pointers"});
  if (const auto node = root.find("file")) launch.file = node->string().value_or("");
  read_parameters(root, given.parameters);
  if (const auto node = root.find("entry")) given.entry = node->string().value_or("");
  if (const auto node = root.find("block")) read_sizes(*node, given.block);
  if (const auto node = root.find("grid")) read_sizes(*node, given.grid);
  if (const auto node = root.find("times")) launch.times = read_times(*node);
  if (const auto node = root.find("dynamic_shared_memory")) given.dynamic_shared_memory = node->whole(0);
  read_map(root, "arguments", given.arguments, argument_text);
  read_map(root, "arrays", given.arrays, [&](const JsonNode& node) { return array_values(node, where); });
  read_map(root, "trips", given.trips, [](const JsonNode& node) { return node.whole(1); });
  read_map(root, "taken", given.taken, [](const JsonNode& node) { return node.number(0, 1); });
  read_map(root, "addresses", given.addresses, address_pattern);
  if (root.is_object() && !root.find("grid") && !usual.grid) root.fail("the grid is missing");
  return launch;
}

}  // namespace

std::vector<FileLaunch> read_launch_file(const TextFile& file, const GivenLaunch& usual) {
  std::vector<FileLaunch> launches;
  Diagnostics problems;
  std::istringstream lines(file.text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto where = fmt::format("{}: line {}", file.name, number);
    if (launches.size() == kMostLaunches)
      throw InputError(Diagnostic{where, fmt::format("a launch file has at most {} launches", kMostLaunches), "", ""});
    try {
      const JsonDocument document(line, where, problems);
      launches.push_back(read_launch(document.root(), where, usual));
      launches.back().line = number;
    } catch (const InputError& error) {
      for (const auto& problem : error.diagnostics()) problems.add(problem);
    }
  }
  problems.throw_if_any();
  if (launches.empty())
    throw InputError(Diagnostic{file.name, "there is no launch in it", "",
                                "write one per line, as {\"entry\": \"saxpy\", \"block\": 256, \"grid\": 4096}"});
  return launches;
}

}  // namespace warpipe::app
