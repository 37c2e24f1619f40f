#include "warpipe/accuracy/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fit_rows.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"
#include "warpipe/parallel/loops.hpp"

namespace warpipe {
namespace {

constexpr int kSteps = 2;             ///< towards the value with the least error
constexpr double kProbe = 1.1;        ///< a factor, to see how a row depends on a parameter
constexpr double kLeastPower = 0.02;  ///< below it a row does not depend on a parameter
constexpr double kMostChange = 4;     ///< a factor, either way
constexpr double kSame = 0.001;       ///< errors this near are equal

std::vector<std::string> ops_of(const Kernel& kernel) {
  std::vector<std::string> ops;
  for (const Instruction& instruction : kernel.instructions) ops.push_back(instruction.op);
  return ops;
}

/// Few enough digits to be read, and the same on every machine.
double rounded(double value) { return parse_number(fmt::format("{:.4g}", value)).value_or(value); }

/// The error of a row when one parameter is changed by a factor.
double error_with(const FitRows& row, Device device, const TableParameter& parameter, double factor) {
  set_value(parameter, value_of(parameter, device) * factor, device);
  return row.errors(device).front();
}

/// A factor on a parameter, and the error of a row with it.
struct Change {
  double factor = 1, error = 0;
};

/// Takes the time of the row for a power of the parameter, twice.
std::optional<Change> best_change(const FitRows& row, const Device& device, const TableParameter& parameter,
                                  double error) {
  double known = kProbe;
  double error_there = error_with(row, device, parameter, known);
  std::optional<Change> best;
  for (int step = 0; step < kSteps; ++step) {
    const double power = (std::log1p(error_there) - std::log1p(error)) / std::log(known);
    if (!(std::abs(power) > kLeastPower)) return best;
    known = std::clamp(std::exp(-std::log1p(error) / power), 1 / kMostChange, kMostChange);
    if (known == 1) return best;
    error_there = error_with(row, device, parameter, known);
    if (!best || std::abs(error_there) < std::abs(best->error)) best = {known, error_there};
  }
  return best;
}

bool is_better(const Change& a, const Change& b) {
  const double difference = std::abs(a.error) - std::abs(b.error);
  if (std::abs(difference) > kSame) return difference < 0;
  return std::abs(std::log(a.factor)) < std::abs(std::log(b.factor));
}

std::optional<Suggestion> suggestion_for(const Measurement& measurement, const Kernel& kernel, const Device& device,
                                         const LaunchOptions& options) {
  const FitRows row(
      {measurement}, [&](const std::string&) { return kernel; }, device, options, 1);
  const double error = row.errors(device).front();
  std::optional<Change> best;
  std::optional<Suggestion> suggestion;
  for (const TableParameter& parameter : parameters_of(device, ops_of(row.kernel(0)))) {
    const double value = value_of(parameter, device);
    if (!(value > 0)) continue;
    const auto change = best_change(row, device, parameter, error);
    if (!change || !(std::abs(change->error) + kSame < std::abs(error))) continue;
    if (best && !is_better(*change, *best)) continue;
    best = change;
    const double suggested = rounded(value * change->factor);
    const double left = error_with(row, device, parameter, suggested / value);
    suggestion = Suggestion{parameter.name, value, suggested, std::round(left * 1e8) / 1e6 + 0.0};  // -0 becomes 0
  }
  return suggestion;
}

}  // namespace

std::vector<WorstRow> worst_rows(const std::vector<Comparison>& rows, const Lookup<Kernel>& kernels,
                                 const Lookup<Device>& devices, const LaunchOptions& options, std::size_t count,
                                 std::size_t threads, const Progress& progress) {
  std::vector<WorstRow> worst;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].predicted) continue;
    const Measurement& measurement = rows[i].measurement;
    worst.push_back({i, error_percent(measurement.quantity, *rows[i].predicted, measurement.value), {}});
  }
  std::ranges::stable_sort(worst, std::greater(), [](const WorstRow& row) { return std::abs(row.error_percent); });
  worst.resize(std::min(count, worst.size()));
  std::map<std::string, Kernel> found_kernels;
  std::map<std::string, Device> found_devices;
  for (const WorstRow& each : worst) {
    const Measurement& measurement = rows[each.row].measurement;
    if (!found_kernels.contains(measurement.kernel))
      found_kernels.emplace(measurement.kernel, kernels(measurement.kernel));
    if (!found_devices.contains(measurement.device))
      found_devices.emplace(measurement.device, devices(measurement.device));
  }
  for_each_index(
      worst.size(), threads,
      [&](std::size_t i) {
        const Measurement& measurement = rows[worst[i].row].measurement;
        worst[i].suggestion = suggestion_for(measurement, found_kernels.at(measurement.kernel),
                                             found_devices.at(measurement.device), options);
      },
      progress);
  return worst;
}

}  // namespace warpipe
