#include "warpipe/study/variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/study/number.hpp"
#include "warpipe/study/table_parameter.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

constexpr std::size_t kMostValues = 1'000'000;
constexpr std::size_t kMostPoints = 10'000'000;
/// How far, in steps, a range may miss its end by rounding: 0:0.3:0.1 has 0.3.
constexpr double kRounding = 1e-9;
constexpr double kLargestLatency = 1e9;  ///< cycles, as in the files
constexpr std::string_view kForms = "write 1,2,4 or MIN:MAX or MIN:MAX:STEP or MIN:MAX:xFACTOR";

constexpr std::array<std::pair<std::string_view, Kind>, 4> kLaunchNames{{
    {"group_size", Kind::GroupSize},
    {"groups", Kind::Groups},
    {"concurrent_groups", Kind::ConcurrentGroups},
    {"occupancy", Kind::Occupancy},
}};

[[noreturn]] void fail(const std::string& where, std::string rule, std::string found, std::string advice) {
  throw UsageError(
      Diagnostic{.where = where, .rule = std::move(rule), .found = std::move(found), .advice = std::move(advice)});
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (auto at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.push_back(text);
  return parts;
}

void require_known(const std::string& where, const std::string& name, const std::vector<std::string>& known,
                   const std::string& what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  fail(where, fmt::format("no {} \"{}\"", what, name), "", suggest(name, known));
}

std::vector<std::string> ids_of(const std::vector<Instruction>& instructions) {
  std::vector<std::string> ids;
  for (const Instruction& instruction : instructions) ids.push_back(instruction.id);
  return ids;
}

/// ID.conflict_degree or ID.transactions.
std::optional<Variation> instruction_variation(const std::string& where, const std::string& name,
                                               const Kernel& kernel) {
  const auto dot = name.rfind('.');
  const std::string field = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (field != "conflict_degree" && field != "transactions") return std::nullopt;
  Variation variation{.name = name, .target = name.substr(0, dot), .values = {}};
  variation.kind = field == "transactions" ? Kind::Transactions : Kind::ConflictDegree;
  require_known(where, variation.target, ids_of(kernel.instructions), "instruction");
  return variation;
}

Variation named_variation(const std::string& where, const std::string& name, const Kernel& kernel,
                          const Device& device) {
  std::vector<std::string> known;
  for (const auto& [launch_name, kind] : kLaunchNames) {
    if (name == launch_name) return {.name = name, .kind = kind, .target = {}, .values = {}};
    known.emplace_back(launch_name);
  }
  if (const auto variation = instruction_variation(where, name, kernel)) return *variation;
  const std::vector<std::string> numbers = number_names(device);
  const bool is_parameter = kernel.parameters.contains(name);
  const bool is_number = std::ranges::find(numbers, name) != numbers.end();
  if (!is_parameter && !is_number) {
    for (const auto& [parameter, value] : kernel.parameters) known.push_back(parameter);
    known.insert(known.end(), numbers.begin(), numbers.end());
    require_known(where, name, known, "such name of the launch, the kernel or the device:");
  }
  return {.name = name, .kind = is_parameter ? Kind::Parameter : Kind::DeviceNumber, .target = name, .values = {}};
}

double number_of(const std::string& where, std::string_view written) {
  const auto number = parse_number(written);
  if (!number) fail(where, "a value is a number", fmt::format("found \"{}\"", written), std::string(kForms));
  return *number;
}

std::vector<double> arithmetic(const std::string& where, double low, double high, double step) {
  if (!(step > 0)) fail(where, "STEP is above 0", fmt::format("found {}", step), "give a positive step");
  const double count = std::floor((high - low) / step + kRounding) + 1;
  if (!(count <= static_cast<double>(kMostValues))) {
    fail(where, fmt::format("a range has at most {} values", kMostValues), fmt::format("found {}", count),
         "give a larger step");
  }
  std::vector<double> values;
  // MIN + i x STEP may land above MAX by a rounding.
  for (double i = 0; i < count; ++i) values.push_back(std::min(low + i * step, high));
  return values;
}

std::vector<double> geometric(const std::string& where, double low, double high, double factor) {
  if (!(low > 0)) fail(where, "MIN of a range with a factor is above 0", fmt::format("found {}", low), "");
  if (!(factor > 1)) fail(where, "FACTOR is above 1", fmt::format("found {}", factor), "write x2 to double");
  std::vector<double> values;
  for (double value = low; value <= high * (1 + kRounding); value *= factor) {
    values.push_back(std::min(value, high));
    if (values.size() > kMostValues) {
      fail(where, fmt::format("a range has at most {} values", kMostValues), "", "give a larger factor");
    }
  }
  return values;
}

std::vector<double> range(const std::string& where, const std::vector<std::string_view>& parts) {
  if (parts.size() > 3) {
    fail(where, "a range has two or three parts", fmt::format("found {}", parts.size()), std::string(kForms));
  }
  const double low = number_of(where, parts[0]);
  const double high = number_of(where, parts[1]);
  if (low > high) fail(where, "MIN is at most MAX", fmt::format("found {} > {}", low, high), "swap them");
  const std::string_view third = parts.size() == 3 ? parts[2] : "1";
  const bool by_factor = third.starts_with('x');
  std::vector<double> values = by_factor ? geometric(where, low, high, number_of(where, third.substr(1)))
                                         : arithmetic(where, low, high, number_of(where, third));
  if (std::adjacent_find(values.begin(), values.end()) != values.end()) {
    fail(where, "each step of a range leads to another number", "found one too small to change a double",
         by_factor ? "give a larger factor" : "give a larger step");
  }
  return values;
}

std::vector<double> parse_numbers(const std::string& where, std::string_view written) {
  if (const auto parts = split(written, ':'); parts.size() > 1) return range(where, parts);
  std::vector<double> values;
  for (const std::string_view part : split(written, ',')) {
    values.push_back(number_of(where, part));
    if (values.size() > kMostValues) fail(where, fmt::format("a list has at most {} values", kMostValues), "", "");
  }
  return values;
}

/// 16, 16x16 or 8x8x4.
VariedValue parse_sizes(const std::string& where, std::string_view written) {
  ptx::Dimensions sizes{1, 1, 1};
  const auto parts = split(written, 'x');
  for (std::size_t axis = 0; axis < parts.size(); ++axis) {
    const auto number = axis < sizes.size() ? parse_number(parts[axis]) : std::nullopt;
    if (!number || !is_whole(*number, 1))
      fail(where, fmt::format("\"{}\" is no size", written), "", "write X, XxY or XxYxZ, each a whole number from 1");
    sizes[axis] = static_cast<std::int64_t>(*number);
  }
  return VariedValue(sizes);
}

std::vector<VariedValue> parse_values(const std::string& where, std::string_view written, Kind kind) {
  const bool has_sizes = kind == Kind::Block || kind == Kind::Grid;
  std::vector<VariedValue> values;
  if (has_sizes && written.find(':') == std::string_view::npos) {
    for (const std::string_view part : split(written, ',')) values.push_back(parse_sizes(where, part));
    return values;
  }
  for (const double number : parse_numbers(where, written))
    values.push_back(has_sizes ? parse_sizes(where, fmt::format("{}", number)) : VariedValue(number));
  return values;
}

void require_in_domain(const std::string& where, const Variation& variation) {
  const bool any_number = variation.kind == Kind::Parameter || variation.kind == Kind::Argument;
  const auto found = [](double value) { return fmt::format("found {}", value); };
  for (const auto& [value, sizes] : variation.values) {
    if (variation.kind == Kind::DeviceNumber) {
      if (value < 0 || value > kLargestLatency) fail(where, "a latency is from 0 to 1e9 cycles", found(value), "");
    } else if (!any_number && !sizes && !is_whole(value, 1)) {
      fail(where, fmt::format("values of {} are whole numbers from 1 to 2^53", variation.name), found(value),
           "choose MIN and STEP or FACTOR so that every value is whole");
    }
  }
}

/// NAME=VALUES.
struct Written {
  std::string name, where;
  std::string_view values;
};

Written split_at_equals(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos)
    fail(fmt::format("--vary {}", text), "a variation is NAME=VALUES",
         "found no =", fmt::format("{} after NAME=", kForms));
  const std::string name(text.substr(0, equals));
  return {name, fmt::format("--vary {}", name), text.substr(equals + 1)};
}

Variation with_values(Variation variation, const Written& written) {
  variation.values = parse_values(written.where, written.values, variation.kind);
  require_in_domain(written.where, variation);
  return variation;
}

}  // namespace

VariedValue::VariedValue(const ptx::Dimensions& along_axes)
    : number(static_cast<double>(along_axes[0]) * static_cast<double>(along_axes[1]) *
             static_cast<double>(along_axes[2])),
      sizes(along_axes) {}

std::string to_string(const VariedValue& value) {
  if (value.has_axes()) {
    const auto& [x, y, z] = *value.sizes;
    return z > 1 ? fmt::format("{}x{}x{}", x, y, z) : fmt::format("{}x{}", x, y);
  }
  if (is_whole(std::abs(value.number), 0)) return fmt::format("{}", static_cast<std::int64_t>(value.number));
  return fmt::format("{}", value.number);
}

Variation parse_variation(std::string_view text, const Kernel& kernel, const Device& device) {
  const Written written = split_at_equals(text);
  return with_values(named_variation(written.where, written.name, kernel, device), written);
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

std::size_t number_of_points(const std::vector<Variation>& variations) {
  std::size_t count = 1;
  for (const Variation& variation : variations) {
    if (variation.values.empty()) return 0;
  }
  for (const Variation& variation : variations) {
    // Both factors are small enough that a product of 64 bits holds them.
    count *= variation.values.size();
    if (count > kMostPoints) {
      throw UsageError(Diagnostic{.where = "--vary",
                                  .rule = fmt::format("a sweep has at most {} points", kMostPoints),
                                  .found = fmt::format("found more, at \"{}\"", variation.name),
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
