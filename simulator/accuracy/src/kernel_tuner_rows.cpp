#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "foreign_rows.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/number.hpp"

/// The cache files of Kernel Tuner, whose times are in milliseconds.
/// @source Kernel Tuner, "Cache files", and kernel_tuner/schema/cache/1.1.0/schema.json

namespace warpipe {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();
constexpr double kFailedTime = 1e20;  ///< written by Kernel Tuner before 0.4 for a failed configuration
constexpr std::array<std::string_view, 3> kBlockSizes{"block_size_x", "block_size_y", "block_size_z"};
constexpr std::array<std::string_view, 3> kLaunchValues{"group_size", "groups", "concurrent_groups"};
constexpr std::array<std::string_view, 3> kProblemSizes{"problem_size_x", "problem_size_y", "problem_size_z"};

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The text as it would be were the file closed: while it runs, and where it was stopped, Kernel Tuner leaves a comma
/// in place of the two last braces.
std::string closed(std::string_view text) {
  std::string result(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (quoted && result[i] == '\\')
      ++i;
    else if (result[i] == '"')
      quoted = !quoted;
    else if (!quoted && result[i] == '{')
      ++depth;
    else if (!quoted && result[i] == '}')
      --depth;
  }
  if (quoted || depth != 2) return std::string(text);
  if (result.ends_with(',')) result.pop_back();
  return result + "}}";
}

/// The tunables of a cache, and their effect.
class Tunables {
 public:
  /// @throws UsageError for tunables without a meaning given by the user
  Tunables(const ForeignRows& rows, const Kernel& kernel, std::vector<std::string> names)
      : given_(rows.names().tunables), kernel_(kernel), names_(std::move(names)) {
    check_given();
    std::vector<std::string> open;
    for (const std::string& name : names_)
      if (targets_of(name).empty()) open.push_back(name);
    if (open.empty()) return;
    throw UsageError(Diagnostic{
        "`tunables`",
        fmt::format("{} has tunables that are no parameter of {}: {}", rows.file(), kernel.name, fmt::join(open, ", ")),
        "",
        fmt::format("give `tunables` {}=none where the kernel file holds for all their values, else NAME=PARAMETER",
                    fmt::join(open, "=none "))});
  }

  const std::vector<std::string>& names() const { return names_; }
  /// The sizes of the problem with a meaning given by the user.
  std::vector<std::string> problem_sizes() const {
    std::vector<std::string> result;
    for (const auto& [name, target] : given_)
      if (is_one_of(kProblemSizes, name)) result.push_back(name);
    return result;
  }

  bool is_needed(const std::string& name) const { return targets_of(name) != std::vector<std::string>{"none"}; }

  void put(const std::string& name, double value, LaunchOptions& options) const {
    for (const std::string& target : targets_of(name)) {
      if (target == "none") continue;
      if (target == "group_size")
        multiply(options.group_size, value);
      else if (target == "groups")
        multiply(options.groups, value);
      else if (target == "concurrent_groups")
        multiply(options.concurrent_groups, value);
      else
        options.parameters.insert_or_assign(target, value);
    }
  }

 private:
  /// A product becomes 0 unless it is a whole number from 1 to 2^53.
  static void multiply(std::optional<std::int64_t>& product, double value) {
    const double next = static_cast<double>(product.value_or(1)) * value;
    product = is_whole(next, 1) ? static_cast<std::int64_t>(next) : 0;
  }

  /// The targets of a tunable; empty where the user must give them.
  std::vector<std::string> targets_of(const std::string& name) const {
    if (const auto given = given_.find(name); given != given_.end()) return {given->second};
    std::vector<std::string> targets;
    if (kernel_.parameters.contains(name)) targets.push_back(name);
    const auto sets_group_size = [](const auto& each) { return each.second == "group_size"; };
    if (is_one_of(kBlockSizes, name) && std::ranges::none_of(given_, sets_group_size))
      targets.emplace_back("group_size");
    return targets;
  }

  void check_given() const {
    std::set<std::string> parameters;
    auto known = names_;
    known.insert(known.end(), kProblemSizes.begin(), kProblemSizes.end());
    for (const auto& [name, target] : given_) {
      const auto where = fmt::format("`tunables {}={}`", name, target);
      if (!is_one_of(known, name))
        throw UsageError(
            Diagnostic{where, fmt::format("the file has no tunable \"{}\"", name), "", suggest(name, known)});
      if (target == "none" || is_one_of(kLaunchValues, target)) continue;
      if (!kernel_.parameters.contains(target)) throw UsageError(unknown_target(where, target));
      if (!parameters.insert(target).second)
        throw UsageError(Diagnostic{where, fmt::format("{} is set twice", target), "", "leave one of them out"});
    }
  }

  Diagnostic unknown_target(const std::string& where, const std::string& target) const {
    std::vector<std::string> known(kLaunchValues.begin(), kLaunchValues.end());
    known.emplace_back("none");
    for (const auto& [name, value] : kernel_.parameters) known.push_back(name);
    return {where, fmt::format("no parameter \"{}\" in {}", target, kernel_.name), "", suggest(target, known)};
  }

  const std::map<std::string, std::string>& given_;
  const Kernel& kernel_;
  std::vector<std::string> names_;
};

std::vector<std::string> texts(const std::optional<JsonNode>& list) {
  std::vector<std::string> result;
  if (!list) return result;
  for (const JsonNode& each : list->elements())
    if (auto text = each.string()) result.push_back(std::move(*text));
  return result;
}

/// @return a number, 0 or 1 for a truth value
std::optional<double> tunable_value(const JsonNode& node, const std::string& name) {
  if (node.is_number()) return node.number(-kAny, kAny);
  if (!node.is_string() && !node.is_object() && !node.is_array() && !node.is_null())
    if (const auto flag = node.boolean()) return *flag ? 1 : 0;
  node.fail("a tunable of the model must be a number", fmt::format("give `tunables {}=none`", name));
  return std::nullopt;
}

/// The sizes of the problem along its axes, by their names.
void put_problem_size(const JsonNode& root, const Tunables& tunables, LaunchOptions& options) {
  const auto wanted = tunables.problem_sizes();
  const auto node = wanted.empty() ? std::nullopt : root.require("problem_size");
  if (!node) return;
  const auto sizes = node->is_array() ? node->elements() : std::vector<JsonNode>{*node};
  for (const std::string& name : wanted) {
    const auto axis = static_cast<std::size_t>(name.back() - 'x');
    if (axis >= sizes.size())
      node->fail(fmt::format("the problem has no {}", name), "give the value with `parameters`");
    else if (const auto value = tunable_value(sizes[axis], name))
      tunables.put(name, *value, options);
  }
}

/// Reads the launch of a configuration, on top of the values common to all.
void read_configuration(const JsonNode& configuration, const Tunables& tunables, LaunchOptions& options) {
  for (const std::string& name : tunables.names()) {
    const auto node = configuration.require(name);
    if (!node || !tunables.is_needed(name)) continue;
    if (const auto value = tunable_value(*node, name)) tunables.put(name, *value, options);
  }
  for (const auto& [value, name] : {std::pair{options.group_size, "group size"},
                                    {options.groups, "groups"},
                                    {options.concurrent_groups, "concurrent groups"}})
    if (value && *value < 1) configuration.fail(fmt::format("the tunables give no {} from 1 to 2^53", name));
}

/// Reads the time of a configuration.
/// @return why it has none, "InvalidConfig"; empty where it has one
std::string read_time(const JsonNode& configuration, Measurement& measurement) {
  const auto time = configuration.require("time");
  if (!time) return "";
  if (time->is_null()) return "null";
  if (time->is_string()) return time->string().value_or("");
  const auto milliseconds = time->number(-kAny, kAny);
  if (milliseconds && *milliseconds >= kFailedTime) return "1e20";
  if (milliseconds && *milliseconds > 0)
    measurement.value = *milliseconds * 1e3;
  else if (milliseconds)
    time->fail("a measured time must be a number above 0", "remove the configuration");
  return "";
}

/// The first lines of configurations.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  /// @param key  of the configuration, behind the configuration of the last call
  std::size_t of(const std::string& key) {
    JsonWriter quoted(JsonWriter::Layout::OneLine);
    quoted.value(key);
    const auto found = text_.find(quoted.value_text(), at_);
    if (found == std::string_view::npos) return line_;
    line_ += static_cast<std::size_t>(std::count(text_.begin() + at_, text_.begin() + found, '\n'));
    at_ = found;
    return line_;
  }

 private:
  std::string_view text_;
  std::string_view::size_type at_ = 0;
  std::size_t line_ = 1;
};

void read_configurations(std::string_view text, const JsonNode& root, const JsonNode& cache, ForeignRows& rows) {
  const auto kernel_node = root.require("kernel_name"), device_node = root.require("device_name");
  const auto kernel_name = kernel_node ? kernel_node->string() : std::nullopt;
  const auto device_name = device_node ? device_node->string() : std::nullopt;
  const auto names = texts(root.require("tune_params_keys"));
  if (!kernel_name || !device_name) return;
  const Kernel* kernel = rows.kernel(*kernel_name);
  std::optional<Tunables> tunables;
  LaunchOptions of_all;
  if (kernel != nullptr) {
    tunables.emplace(rows, *kernel, names);
    put_problem_size(root, *tunables, of_all);
  }
  Lines lines(text);
  for (const auto& [key, configuration] : cache.members()) {
    auto measurement = rows.begin(lines.of(key), *kernel_name, *device_name);
    if (!measurement) continue;
    if (!configuration.is_object()) {
      configuration.fail("a configuration must be an object");
      continue;
    }
    measurement->options = of_all;
    measurement->source = key;
    const auto failed = read_time(configuration, *measurement);
    if (!failed.empty()) {
      rows.has_no_time(failed);
      continue;
    }
    read_configuration(configuration, *tunables, measurement->options);
    rows.add(std::move(*measurement));
  }
}

}  // namespace

bool is_kernel_tuner(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{' &&
         text.find("\"tune_params_keys\"") != std::string_view::npos;
}

void read_kernel_tuner(std::string_view text, ForeignRows& rows) {
  const std::string whole = closed(text);
  Diagnostics diagnostics;
  const JsonDocument document(whole, rows.file(), diagnostics);
  const auto root = document.root();
  const auto cache = root.require("cache");
  if (cache) read_configurations(text, root, *cache, rows);
  diagnostics.throw_if_any();
  if (whole != text) rows.note("The file was left open: more configurations may follow when the tuner goes on.");
}

}  // namespace warpipe
