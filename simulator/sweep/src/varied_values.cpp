#include "varied_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/number.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostValues = 1'000'000;
/// How far, in steps, a range may miss its end by rounding: 0:0.3:0.1 has 0.3.
constexpr double kRounding = 1e-9;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (auto at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.push_back(text);
  return parts;
}

double number_of(const std::string& where, std::string_view written) {
  const auto number = parse_number(written);
  if (!number)
    refuse_variation(where, fmt::format("\"{}\" is not a number", written), "", fmt::format("write {}", kForms));
  return *number;
}

std::vector<double> arithmetic(const std::string& where, double low, double high, double step) {
  if (!(step > 0))
    refuse_variation(where, "STEP must be above 0", fmt::format("found {}", step), "give a positive step");
  const double count = std::floor((high - low) / step + kRounding) + 1;
  if (!(count <= static_cast<double>(kMostValues))) {
    refuse_variation(where, fmt::format("a range can have at most {} values", kMostValues),
                     fmt::format("found {}", count), "give a larger step");
  }
  std::vector<double> values;
  // MIN + i x STEP may land above MAX by a rounding.
  for (double i = 0; i < count; ++i) values.push_back(std::min(low + i * step, high));
  return values;
}

std::vector<double> geometric(const std::string& where, double low, double high, double factor) {
  if (!(low > 0))
    refuse_variation(where, "MIN of a range with a factor must be above 0", fmt::format("found {}", low), "");
  if (!(factor > 1))
    refuse_variation(where, "FACTOR must be above 1", fmt::format("found {}", factor), "write x2 to double");
  std::vector<double> values;
  for (double value = low; value <= high * (1 + kRounding); value *= factor) {
    values.push_back(std::min(value, high));
    if (values.size() > kMostValues) {
      refuse_variation(where, fmt::format("a range can have at most {} values", kMostValues), "",
                       "give a larger factor");
    }
  }
  return values;
}

std::vector<double> range(const std::string& where, const std::vector<std::string_view>& parts) {
  if (parts.size() > 3) {
    refuse_variation(where, "a range must have two or three parts", fmt::format("found {}", parts.size()),
                     fmt::format("write {}", kForms));
  }
  const double low = number_of(where, parts[0]);
  const double high = number_of(where, parts[1]);
  if (low > high) refuse_variation(where, fmt::format("MIN is above MAX: {} > {}", low, high), "", "swap them");
  const std::string_view third = parts.size() == 3 ? parts[2] : "1";
  const bool by_factor = third.starts_with('x');
  std::vector<double> values = by_factor ? geometric(where, low, high, number_of(where, third.substr(1)))
                                         : arithmetic(where, low, high, number_of(where, third));
  if (std::adjacent_find(values.begin(), values.end()) != values.end()) {
    refuse_variation(where, "a step of the range is too small to change a number", "",
                     by_factor ? "give a larger factor" : "give a larger step");
  }
  return values;
}

std::vector<double> parse_numbers(const std::string& where, std::string_view written) {
  if (const auto parts = split(written, ':'); parts.size() > 1) return range(where, parts);
  std::vector<double> values;
  for (const std::string_view part : split(written, ',')) {
    values.push_back(number_of(where, part));
    if (values.size() > kMostValues)
      refuse_variation(where, fmt::format("a list can have at most {} values", kMostValues), "", "");
  }
  return values;
}

/// 16, 16x16 or 8x8x4.
VariedValue parse_sizes(const std::string& where, std::string_view written) {
  isa::Dimensions sizes{1, 1, 1};
  const auto parts = split(written, 'x');
  for (std::size_t axis = 0; axis < parts.size(); ++axis) {
    const auto number = axis < sizes.size() ? parse_number(parts[axis]) : std::nullopt;
    if (!number || !is_whole(*number, 1))
      refuse_variation(where, fmt::format("\"{}\" is not a size", written), "",
                       "write X, XxY or XxYxZ, each a whole number from 1");
    sizes[axis] = static_cast<std::int64_t>(*number);
  }
  return VariedValue(sizes);
}

}  // namespace

void refuse_variation(const std::string& where, std::string problem, std::string found, std::string advice) {
  throw UsageError(Diagnostic{
      .where = where, .problem = std::move(problem), .found = std::move(found), .advice = std::move(advice)});
}

std::vector<VariedValue> parse_values(const std::string& where, std::string_view written, Variation::Kind kind) {
  const bool has_sizes = kind == Variation::Kind::Block || kind == Variation::Kind::Grid;
  std::vector<VariedValue> values;
  if (has_sizes && written.find(':') == std::string_view::npos) {
    for (const std::string_view part : split(written, ',')) values.push_back(parse_sizes(where, part));
    return values;
  }
  for (const double number : parse_numbers(where, written))
    values.push_back(has_sizes ? parse_sizes(where, fmt::format("{}", number)) : VariedValue(number));
  return values;
}

std::vector<VariedValue> parse_numbers_or_words(const std::string& where, std::string_view written) {
  const auto parts = split(written, ',');
  const bool is_list = std::ranges::all_of(parts, [](std::string_view part) { return parse_number(part).has_value(); });
  if (is_list || written.find(':') != std::string_view::npos)
    return parse_values(where, written, Variation::Kind::Define);
  return parse_names(where, written);
}

std::vector<VariedValue> parse_names(const std::string& where, std::string_view written) {
  std::vector<VariedValue> values;
  for (const std::string_view part : split(written, ',')) {
    if (part.empty())
      refuse_variation(where, "a name is empty", fmt::format("found \"{}\"", written),
                       "write names with commas between them");
    if (part == "-") refuse_variation(where, "standard input cannot be one of several", "", "give a file");
    values.emplace_back(std::string(part), values.size());
  }
  return values;
}

VariedValue::VariedValue(const isa::Dimensions& along_axes)
    : number(static_cast<double>(along_axes[0]) * static_cast<double>(along_axes[1]) *
             static_cast<double>(along_axes[2])),
      sizes(along_axes) {}

std::string to_string(const VariedValue& value) {
  if (!value.name.empty()) return value.name;
  if (value.has_axes()) {
    const auto& [x, y, z] = *value.sizes;
    return z > 1 ? fmt::format("{}x{}x{}", x, y, z) : fmt::format("{}x{}", x, y);
  }
  if (is_whole(std::abs(value.number), 0)) return fmt::format("{}", static_cast<std::int64_t>(value.number));
  return fmt::format("{}", value.number);
}

}  // namespace warpipe
