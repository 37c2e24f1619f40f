#include "command_line/launch_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>

#include "command_line/options.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe::app {
namespace {

constexpr std::size_t kMostLaunches = 1'000'000;
constexpr std::int64_t kMostTimes = 1'000'000'000'000;
constexpr double kAnyNumber = std::numeric_limits<double>::max();

/// A member of a launch, read by the type of the place of the option with its name.
struct Member {
  JsonNode node;
  std::string where;   ///< for messages about files
  std::int64_t least;  ///< of a whole number
};

/// A number, or three along x, y and z, or fewer.
void read(const Member& member, isa::Dimensions& sizes) {
  sizes = {1, 1, 1};
  const auto elements = member.node.is_array() ? member.node.elements() : std::vector{member.node};
  if (elements.empty() || elements.size() > sizes.size())
    return member.node.fail("the sizes must be one to three numbers");
  for (std::size_t axis = 0; axis < elements.size(); ++axis) sizes[axis] = elements[axis].whole(1).value_or(1);
}

void read(const Member& member, std::int64_t& value) { value = member.node.whole(member.least).value_or(member.least); }
void read(const Member& member, double& value) { value = member.node.number(0, 1).value_or(0); }
void read(const Member& member, std::string& value) { value = member.node.string().value_or(""); }

void read(const Member& member, isa::AddressPattern& pattern) {
  const auto text = member.node.string();
  if (text && !isa::parse_pattern(*text, pattern))
    member.node.fail("a pattern of addresses is random:BYTES or coalesced:BYTES");
}

/// The text of --array, or the numbers.
void read(const Member& member, isa::ArrayValues& array) {
  array = {};
  if (member.node.is_string()) {
    array = read_array(member.where, member.node.string().value_or(""));
  } else if (!member.node.is_array()) {
    member.node.fail("an array must be numbers, \"uniform:LIMIT\", \"rows:LENGTH\" or the name of a file");
  } else {
    for (const auto& element : member.node.elements())
      array.values.push_back(element.number(-kAnyNumber, kAnyNumber).value_or(0));
  }
}

template <class Value>
void read(const Member& member, std::optional<Value>& value) {
  read(member, value.emplace());
}

/// Puts the members of an object into a map, over members of the same name.
template <class Value>
void read(const Member& member, std::map<std::string, Value>& map) {
  for (const auto& [name, node] : member.node.members()) read({node, member.where, member.least}, map[name]);
}

/// Arguments are numbers, or the text of numbers that JSON cannot hold.
void read(const Member& member, std::map<std::string, std::string>& map) {
  for (const auto& [name, node] : member.node.members()) {
    const auto number = node.is_string() ? std::nullopt : node.number(-kAnyNumber, kAnyNumber);
    map[name] = number ? fmt::format("{}", *number) : node.is_string() ? node.string().value_or("") : "";
  }
}

/// The places of options in a launch.
template <class Use>
void for_each_place(const Use& use) {
  for (const auto& option : all_options())
    std::visit(
        [&](auto place) {
          if constexpr (requires(GivenLaunch given) { given.*place; }) use(option, place);
        },
        option.traits.place);
}

std::int64_t read_times(const JsonNode& node) {
  const auto times = node.whole(1).value_or(1);
  if (times <= kMostTimes) return times;
  node.fail("a launch can be repeated at most 10^12 times");
  return 1;
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

/// The parameters as `record` writes them.
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
  std::vector<std::string_view> keys{"times", "file", "parameters", "pointers"};
  if (const auto node = root.find("file")) launch.file = node->string().value_or("");
  read_parameters(root, launch.given.parameters);
  for_each_place([&](const Option& option, auto place) {
    const auto key = option.traits.field;
    keys.push_back(key);
    if (const auto node = root.find(std::string(key))) read({*node, where, option.traits.least}, launch.given.*place);
  });
  root.allow_keys(keys);
  if (const auto node = root.find("times")) launch.times = read_times(*node);
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
