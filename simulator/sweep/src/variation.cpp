#include "warpipe/sweep/variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "varied_values.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/latency_tables/device_path.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"
#include "warpipe/predict/instruction_number.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

constexpr std::size_t kMostPoints = 10'000'000;

constexpr std::array<std::pair<std::string_view, Kind>, 3> kNamed{{
    {"kernel", Kind::Kernel},
    {"device", Kind::Device},
    {"policy", Kind::Policy},
}};

constexpr std::array<std::pair<std::string_view, Kind>, 4> kLaunchNames{{
    {"group_size", Kind::GroupSize},
    {"groups", Kind::Groups},
    {"concurrent_groups", Kind::ConcurrentGroups},
    {"occupancy", Kind::Occupancy},
}};

void require_known(const std::string& where, const std::string& name, const std::vector<std::string>& known,
                   const std::string& what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  refuse_variation(where, fmt::format("no {} \"{}\"", what, name), "", suggest(name, known));
}

std::vector<std::string> ids_of(const std::vector<Instruction>& instructions) {
  std::vector<std::string> ids;
  for (const Instruction& instruction : instructions) ids.push_back(instruction.id);
  return ids;
}

/// ID.conflict_degree or ID.transactions.
std::optional<Variation> instruction_variation(const std::string& where, const std::string& name,
                                               const Kernel& kernel) {
  const auto number = instruction_number(name);
  if (!number) return std::nullopt;
  require_known(where, number->id, ids_of(kernel.instructions), "instruction");
  return Variation{.name = name,
                   .kind = number->key == "transactions" ? Kind::Transactions : Kind::ConflictDegree,
                   .target = number->id,
                   .values = {}};
}

Variation named_variation(const std::string& where, const std::string& name, const Kernel& kernel,
                          const Device& device) {
  std::vector<std::string> known;
  for (const auto& [launch_name, kind] : kLaunchNames) {
    if (name == launch_name) return {.name = name, .kind = kind, .target = {}, .values = {}};
    known.emplace_back(launch_name);
  }
  if (const auto variation = instruction_variation(where, name, kernel)) return *variation;
  if (is_device_path(name)) return {.name = name, .kind = Kind::DeviceNumber, .target = name, .values = {}};
  const std::vector<std::string> numbers = number_names(device);
  const bool is_parameter = kernel.parameters.contains(name);
  const bool is_number = std::ranges::find(numbers, name) != numbers.end();
  if (!is_parameter && !is_number) {
    for (const auto& [parameter, value] : kernel.parameters) known.push_back(parameter);
    const bool is_near = !nearest_name(name, numbers).empty();
    refuse_variation(where, fmt::format("no \"{}\" in the launch, the kernel or the device", name), "",
                     suggest(name, is_near && nearest_name(name, known).empty() ? numbers : known));
  }
  return {.name = name, .kind = is_parameter ? Kind::Parameter : Kind::DeviceNumber, .target = name, .values = {}};
}

std::string found(double value) { return fmt::format("found {}", value); }

void require_number_at_path(const Device& device, const std::string& where, const std::string& path, double value) {
  try {
    with_number(device, path, value);
  } catch (const UsageError& error) {
    const Diagnostic& problem = error.diagnostics().front();
    refuse_variation(where, problem.problem, problem.found, problem.advice);
  }
}

void require_numbers_of(const Device& device, const std::string& where, const Variation& variation) {
  if (variation.kind != Kind::DeviceNumber) return;
  for (const auto& [value, sizes, name] : variation.values) {
    if (is_device_path(variation.target)) {
      require_number_at_path(device, where, variation.target, value);
      continue;
    }
    if (std::string problem = number_problem(variation.target, value, device); !problem.empty())
      refuse_variation(where, std::move(problem), found(value), "");
  }
}

void require_whole(const std::string& where, const Variation& variation) {
  if (variation.kind == Kind::Parameter || variation.kind == Kind::Argument || variation.kind == Kind::DeviceNumber)
    return;
  for (const auto& [value, sizes, name] : variation.values)
    if (!sizes && !is_whole(value, 1))
      refuse_variation(where, fmt::format("values of {} must be whole numbers from 1 to 2^53", variation.name),
                       found(value), "choose MIN and STEP or FACTOR so that every value is whole");
}

void require_policies(const std::string& where, const Variation& variation) {
  std::vector<std::string> known;
  for (const PolicyRow& row : kPolicies) known.emplace_back(row.name);
  for (const VariedValue& value : variation.values) require_known(where, value.name, known, "policy");
}

/// NAME=VALUES.
struct Written {
  std::string name, where;
  std::string_view values;
};

Written split_at_equals(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos)
    refuse_variation(fmt::format("`vary {}`", text), "there is no = after the name", "",
                     fmt::format("write NAME=, and then {}", kForms));
  const std::string name(text.substr(0, equals));
  return {name, fmt::format("`vary {}`", name), text.substr(equals + 1)};
}

Variation with_values(Variation variation, const Written& written) {
  variation.values = parse_values(written.where, written.values, variation.kind);
  require_whole(written.where, variation);
  return variation;
}

}  // namespace

Variation parse_variation(std::string_view text, const Kernel& kernel, const Device& device) {
  const Written written = split_at_equals(text);
  Variation variation = with_values(named_variation(written.where, written.name, kernel, device), written);
  require_numbers_of(device, written.where, variation);
  return variation;
}

std::optional<Variation> parse_import_variation(std::string_view text) {
  constexpr std::string_view kArgument = "arg.";
  const Written written = split_at_equals(text);
  const auto& name = written.name;
  if (name == "block") return with_values({.name = name, .kind = Kind::Block, .target = {}, .values = {}}, written);
  if (name == "grid") return with_values({.name = name, .kind = Kind::Grid, .target = {}, .values = {}}, written);
  if (!name.starts_with(kArgument)) return std::nullopt;
  return with_values({.name = name, .kind = Kind::Argument, .target = name.substr(kArgument.size()), .values = {}},
                     written);
}

bool has_names(const Variation& variation) {
  return std::ranges::find(kNamed, variation.kind, &std::pair<std::string_view, Kind>::second) != kNamed.end() ||
         std::ranges::any_of(variation.values, [](const VariedValue& value) { return !value.name.empty(); });
}

std::optional<Variation> parse_define(std::string_view text) {
  constexpr std::string_view kDefine = "define.";
  const Written written = split_at_equals(text);
  if (!written.name.starts_with(kDefine)) return std::nullopt;
  Variation variation{
      .name = written.name, .kind = Kind::Define, .target = written.name.substr(kDefine.size()), .values = {}};
  if (!is_name(variation.target))
    refuse_variation(written.where, fmt::format("\"{}\" is not the name of a macro", variation.target), "",
                     "write letters, digits and _, with no digit at the start");
  variation.values = parse_numbers_or_words(written.where, written.values);
  return variation;
}

std::optional<Variation> parse_named_variation(std::string_view text) {
  const Written written = split_at_equals(text);
  const auto named = std::ranges::find(kNamed, written.name, &std::pair<std::string_view, Kind>::first);
  if (named == kNamed.end()) return std::nullopt;
  Variation variation{.name = written.name, .kind = named->second, .target = {}, .values = {}};
  variation.values = parse_names(written.where, written.values);
  if (variation.kind == Kind::Policy) require_policies(written.where, variation);
  return variation;
}

std::size_t number_of_points(const std::vector<Variation>& variations) {
  std::size_t count = 1;
  for (const Variation& variation : variations) {
    if (variation.values.empty()) return 0;
  }
  for (const Variation& variation : variations) {
    // Both factors are small enough for a product of 64 bits.
    count *= variation.values.size();
    if (count > kMostPoints) {
      throw UsageError(Diagnostic{
          .where = "`vary`",
          .problem = fmt::format("with \"{}\" the sweep has more than {} points", variation.name, kMostPoints),
          .found = "",
          .advice = "vary fewer values, or in several sweeps"});
    }
  }
  return count;
}

std::vector<VariedValue> values_of_point(std::size_t index, const std::vector<Variation>& variations) {
  std::vector<VariedValue> values(variations.size(), 0.0);
  for (std::size_t i = variations.size(); i-- > 0;) {
    const std::vector<VariedValue>& choices = variations[i].values;
    values[i] = choices[index % choices.size()];
    index /= choices.size();
  }
  return values;
}

}  // namespace warpipe
