#include "fitted_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace warpipe {
namespace {

/// "MAPE 2.1 % of 24 rows"
std::string error_of(const Accuracy& accuracy) {
  double sum = 0;
  std::size_t rows = 0;
  for (const Comparison& row : accuracy.rows) {
    if (!row.predicted) continue;
    sum += std::abs(error_percent(row.measurement.quantity, *row.predicted, row.measurement.value));
    ++rows;
  }
  return fmt::format("{:.2f} % of {} rows", rows == 0 ? 0.0 : sum / static_cast<double>(rows), rows);
}

std::string kernels_of(const Accuracy& accuracy) {
  std::string names;
  for (const ErrorSummary& summary : accuracy.predicted) names += (names.empty() ? "" : ", ") + summary.kernel;
  return names;
}

/// "issue 4.02 (3.98 to 4.06)"
std::string show(const FittedValue& value, const std::string& name) {
  return fmt::format("{} {:.5g} ({:.4g} to {:.4g})", name, value.value, value.interval.low, value.interval.high);
}

std::string before(const std::optional<Source>& source) {
  if (!source) return "";
  return fmt::format("; what is not named here stays {}: {}{}{}", to_string(source->kind), source->reference,
                     source->method.empty() ? "" : "; ", source->method);
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// The source of a value: of its row, of its level, or of the device's own sources.
using Owner = std::optional<Source>*;

Owner owner_of(const TableParameter& parameter, Device& device) {
  if (is_of_op(parameter)) return &device.ops[parameter.op].source;
  return is_of_level(parameter) ? &device.memory->levels[parameter.level].source : nullptr;
}

Source fitted_source(const Calibration& calibration, const CalibrationRequest& request, std::vector<std::string> shown,
                     const std::optional<Source>& earlier) {
  std::string errors = "mean |error| " + error_of(calibration.fitted.after);
  if (!calibration.held_out.after.rows.empty()) errors += ", held out " + error_of(calibration.held_out.after);
  Source source;
  source.kind = SourceKind::Fitted;
  source.reference = fmt::format("{}: {}", request.measured, kernels_of(calibration.fitted.after));
  if (request.launch.clock) source.clock = fmt::format("{:g} MHz", request.launch.clock->count / 1e6);
  source.method = fmt::format("warpipe calibrate: {}; {}{}", join(shown), errors, before(earlier));
  return source;
}

}  // namespace

void put_sources(Calibration& calibration, const std::vector<TableParameter>& parameters,
                 const CalibrationRequest& request) {
  Device& device = calibration.device;
  std::map<Owner, std::vector<std::size_t>> of_owner;  // values; values of no row have sources of their own
  for (std::size_t i = 0; i < parameters.size(); ++i) of_owner[owner_of(parameters[i], device)].push_back(i);
  const auto put = [&](std::optional<Source>& source, const std::vector<std::size_t>& values) {
    std::vector<std::string> shown;
    for (const std::size_t i : values) shown.push_back(show(calibration.values[i], key_of(parameters[i], device)));
    Source fitted = fitted_source(calibration, request, shown, source);
    if (source) {
      fitted.intervals = source->intervals;
      fitted.uncalibrated = source->uncalibrated;
    }
    for (const std::size_t i : values) {
      const std::string key = key_of(parameters[i], device);
      fitted.intervals[key] = calibration.values[i].likely;
      fitted.uncalibrated.try_emplace(key, calibration.values[i].start);
    }
    source = std::move(fitted);
  };
  for (const auto& [owner, values] : of_owner) {
    if (owner != nullptr) {
      put(*owner, values);
      continue;
    }
    for (const std::size_t i : values) {
      const std::string key = key_of(parameters[i], device);
      const auto earlier = device.sources.find(key);
      std::optional<Source> source = earlier == device.sources.end() ? std::nullopt : std::optional(earlier->second);
      put(source, {i});
      device.sources.insert_or_assign(key, *source);
    }
  }
}

}  // namespace warpipe
