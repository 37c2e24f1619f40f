#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/study/number.hpp"
#include "warpipe/study/sweep.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

constexpr std::size_t kMostValues = 1'000'000;
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
                   std::string rule) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  fail(where, std::move(rule), fmt::format("found \"{}\"", name), suggest(name, known));
}

std::vector<std::string> names_of(const std::vector<Op>& ops) {
  std::vector<std::string> names;
  for (const Op& op : ops) names.push_back(op.name);
  return names;
}

std::vector<std::string> ids_of(const std::vector<Instruction>& instructions) {
  std::vector<std::string> ids;
  for (const Instruction& instruction : instructions) ids.push_back(instruction.id);
  return ids;
}

/// A name without a dot: of the launch, or a parameter.
Variation plain_variation(const std::string& where, const std::string& name, const Kernel& kernel) {
  std::vector<std::string> known;
  for (const auto& [launch_name, kind] : kLaunchNames) {
    if (name == launch_name) return {.name = name, .kind = kind, .target = {}, .values = {}};
    known.emplace_back(launch_name);
  }
  for (const auto& [parameter, value] : kernel.parameters) known.push_back(parameter);
  require_known(where, name, known, "the name is one of the launch or a parameter of the kernel");
  return {.name = name, .kind = Kind::Parameter, .target = name, .values = {}};
}

/// A name with a dot: OP.issue, OP.completion, ID.conflict_degree, ID.transactions. An op may hold dots itself.
Variation dotted_variation(const std::string& where, const std::string& name, std::size_t dot, const Kernel& kernel,
                           const Device& device) {
  const std::string field = name.substr(dot + 1);
  Variation variation{.name = name, .target = name.substr(0, dot), .values = {}};
  require_known(where, field, {"issue", "completion", "conflict_degree", "transactions"},
                "a name with a dot is OP.issue, OP.completion, ID.conflict_degree or ID.transactions");
  if (field == "issue" || field == "completion") {
    variation.kind = Kind::OpLatency;
    variation.field = field == "issue" ? LatencyField::Issue : LatencyField::Completion;
    require_known(where, variation.target, names_of(device.ops), "an op of the device stands before the dot");
  } else {
    variation.kind = field == "transactions" ? Kind::Transactions : Kind::ConflictDegree;
    require_known(where, variation.target, ids_of(kernel.instructions),
                  "an instruction of the kernel stands before the dot");
  }
  return variation;
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

std::vector<double> parse_values(const std::string& where, std::string_view written) {
  if (const auto parts = split(written, ':'); parts.size() > 1) return range(where, parts);
  std::vector<double> values;
  for (const std::string_view part : split(written, ',')) {
    values.push_back(number_of(where, part));
    if (values.size() > kMostValues) fail(where, fmt::format("a list has at most {} values", kMostValues), "", "");
  }
  return values;
}

void require_in_domain(const std::string& where, const Variation& variation) {
  const auto found = [](double value) { return fmt::format("found {}", value); };
  for (const double value : variation.values) {
    if (variation.kind == Kind::OpLatency) {
      if (value < 0 || value > kLargestLatency) fail(where, "a latency is from 0 to 1e9 cycles", found(value), "");
    } else if (variation.kind != Kind::Parameter && !is_whole(value, 1)) {
      fail(where, fmt::format("values of {} are whole numbers from 1 to 2^53", variation.name), found(value),
           "choose MIN and STEP or FACTOR so that every value is whole");
    }
  }
}

}  // namespace

Variation parse_variation(std::string_view text, const Kernel& kernel, const Device& device) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) {
    fail(fmt::format("--vary {}", text), "a variation is NAME=VALUES",
         "found no =", fmt::format("{} after NAME=", kForms));
  }
  const std::string name(text.substr(0, equals));
  const std::string where = fmt::format("--vary {}", name);
  const auto dot = name.rfind('.');
  Variation variation = dot == std::string::npos ? plain_variation(where, name, kernel)
                                                 : dotted_variation(where, name, dot, kernel, device);
  variation.values = parse_values(where, text.substr(equals + 1));
  require_in_domain(where, variation);
  return variation;
}

}  // namespace warpipe
