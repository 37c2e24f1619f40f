#include "verbs/sweep_measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "command_line/data_files.hpp"
#include "terminal/messages.hpp"
#include "warpipe/accuracy/csv.hpp"
#include "warpipe/accuracy/measured_row.hpp"
#include "warpipe/tune/space.hpp"

namespace warpipe::app {
namespace {

FormulaValue value_in_table(const VariedValue& value) {
  return value.is_number() ? FormulaValue(value.number) : FormulaValue(to_string(value));
}

std::optional<FormulaValue> number(const std::optional<std::int64_t>& given) {
  return given ? std::optional(FormulaValue(*given)) : std::nullopt;
}

/// The values of a table's columns for rows of this sweep, by name; nothing where a value is not known.
std::map<std::string, std::optional<FormulaValue>> fixed_columns(const Sweep& sweep) {
  const LaunchOptions& options = sweep.options;
  const auto kernel = sweep.models.all().front().kernel.first(sweep.variations);
  std::map<std::string, std::optional<FormulaValue>> fixed{{"kernel", FormulaValue(kernel->kernel.name)},
                                                           {"group_size", number(options.group_size)},
                                                           {"groups", number(options.groups)},
                                                           {"concurrent_groups", number(options.concurrent_groups)},
                                                           {"occupancy", number(options.occupancy)}};
  for (const auto& [name, value] : kernel->kernel.parameters) fixed[name] = FormulaValue(value);
  for (const auto& [name, value] : options.parameters) fixed[name] = FormulaValue(value);
  for (const auto& variation : sweep.variations) fixed.erase(variation.name);
  return fixed;
}

std::vector<std::string> columns_of(const TextFile& file) {
  CsvProblems problems(file.name);
  const auto rows = read_csv(file.text, problems);
  problems.throw_if_any();
  return rows.empty() ? std::vector<std::string>() : rows.front().cells;
}

/// The column of a variation in a table: its name, or of a macro or an argument the name without "define." or "arg.".
std::string column_of(const Variation& variation, const std::vector<std::string>& columns) {
  const auto has = [&](const std::string& name) { return std::ranges::find(columns, name) != columns.end(); };
  const bool is_short = variation.kind == Variation::Kind::Define || variation.kind == Variation::Kind::Argument;
  return is_short && !has(variation.name) && has(variation.target) ? variation.target : variation.name;
}

/// The points of a sweep as a space of configurations: the varied names first, then the constant columns.
TuningSpace space_of(const Sweep& sweep, const TextFile& file) {
  TuningSpace space;
  space.file = file.name;
  const auto columns = columns_of(file);
  for (const auto& variation : sweep.variations) {
    Tunable tunable{column_of(variation, columns), {}};
    for (const auto& value : variation.values) tunable.values.push_back(value_in_table(value));
    space.tunables.push_back(std::move(tunable));
  }
  const auto fixed = fixed_columns(sweep);
  for (const auto& column : columns) {
    const auto found = fixed.find(column);
    if (found == fixed.end()) continue;
    if (!found->second)
      refuse("--measured",
             fmt::format("the rows of {} have a column \"{}\", which neither varies nor is given", file.name, column),
             "", "vary it, give it, or leave the column out");
    space.tunables.push_back({column, {*found->second}});
  }
  return space;
}

bool varies(const std::vector<Variation>& variations, Variation::Kind kind) {
  return std::ranges::count(variations, kind, &Variation::kind) > 0;
}

/// Whether rows of launches give all varied values.
bool vary_launches(const std::vector<Variation>& variations) {
  using Kind = Variation::Kind;
  return std::ranges::all_of(variations, [](const Variation& variation) {
    constexpr std::array kOfLaunches{Kind::GroupSize, Kind::Groups,    Kind::ConcurrentGroups,
                                     Kind::Occupancy, Kind::Parameter, Kind::Kernel,
                                     Kind::Device};
    return std::ranges::find(kOfLaunches, variation.kind) != kOfLaunches.end();
  });
}

std::vector<Measurement> rows_of(const TextFile& file, const Sweep& sweep) {
  const auto& model = sweep.models.all().front();
  MeasurementFilter filter;
  if (!varies(sweep.variations, Variation::Kind::Kernel))
    filter.kernel = model.kernel.first(sweep.variations)->kernel.name;
  if (!varies(sweep.variations, Variation::Kind::Device)) filter.device = model.device->name;
  return read_measurements_csv(file.text, file.name, filter);
}

/// Whether a row gives the varied value.
bool says(const Measurement& row, const Variation& variation) {
  const LaunchOptions& options = row.options;
  switch (variation.kind) {
    case Variation::Kind::GroupSize:
      return options.group_size.has_value();
    case Variation::Kind::Groups:
      return options.groups.has_value();
    case Variation::Kind::ConcurrentGroups:
    case Variation::Kind::Occupancy:
      return options.concurrent_groups || row.occupancy_warps;
    case Variation::Kind::Parameter:
      return options.parameters.contains(variation.name);
    default:
      return true;
  }
}

/// Whether a row is of the predicted launch.
bool is_of(const Measurement& row, const Prediction& prediction) {
  const Launch& launch = prediction.launch;
  const auto same = [](const std::optional<std::int64_t>& said, std::int64_t value) {
    return said.value_or(value) == value;
  };
  const auto same_parameter = [&](const auto& said) {
    const auto found = launch.values.find(said.first);
    return found != launch.values.end() && found->second == said.second;
  };
  return row.kernel == prediction.kernel && row.device == prediction.device &&
         same(row.options.group_size, launch.group_size.value) && same(row.options.groups, launch.groups.value) &&
         same(row.options.concurrent_groups, launch.concurrent_groups.value) &&
         same(row.occupancy_warps, launch.resident_warps) &&
         std::ranges::all_of(row.options.parameters, same_parameter);
}

}  // namespace

MeasuredPoints::MeasuredPoints(const Arguments& arguments, const Sweep& sweep) : variations_(sweep.variations) {
  const auto path = arguments.value("measured");
  if (!path) return;
  are_given_ = true;
  const auto file = read_input(*path);
  if (vary_launches(variations_)) {
    rows_ = rows_of(file, sweep);
    std::erase_if(rows_, [&](const Measurement& row) {
      return std::ranges::any_of(variations_, [&](const Variation& variation) { return !says(row, variation); });
    });
    return;
  }
  auto space = space_of(sweep, file);
  if (const auto others = add_measured(file, space); others > 0)
    warn(sweep.voice,
         fmt::format("{}: {} row{} of no point of the sweep", *path, others, others == 1 ? " is" : "s are"));
  const auto& device = *sweep.models.all().front().device;
  const bool devices = varies(variations_, Variation::Kind::Device);
  const auto* of_device = devices ? nullptr : times_on(space, device.name, device.title, true);
  for (const auto& times : space.measured) {
    if (!devices && &times != of_device) continue;
    for (const auto& [places, time] : times.by_values) {
      const auto end = places.begin() + static_cast<std::ptrdiff_t>(variations_.size());
      if (time.seconds) seconds_.emplace(std::vector(places.begin(), end), *time.seconds);
    }
  }
}

std::optional<Seconds> MeasuredPoints::at(const SweepPoint& point) const {
  if (!point.prediction) return std::nullopt;
  const Prediction& prediction = *point.prediction;
  double sum = 0, count = 0;
  for (const auto& row : rows_) {
    if (!is_of(row, prediction)) continue;
    const auto time = measured_time(row, prediction.launch, prediction.clock);
    if (time) sum += time->count, ++count;
  }
  if (count > 0) return Seconds{sum / count};
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    const auto& all = variations_[i].values;
    places.push_back(static_cast<std::uint32_t>(std::ranges::find(all, point.values[i]) - all.begin()));
  }
  const auto found = seconds_.find(places);
  return found == seconds_.end() ? std::nullopt : std::optional(Seconds{found->second});
}

}  // namespace warpipe::app
