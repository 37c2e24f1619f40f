#include "fitted_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// What a value belongs to: the source of a row or of a level of the memory, and how long its name is.
struct Owner {
  std::optional<Source>* source = nullptr;
  std::size_t name_length = 0;
};

Owner owner_of(const TableParameter& parameter, Device& device) {
  if (is_of_op(parameter)) return {&device.ops[parameter.op].source, device.ops[parameter.op].name.size()};
  if (!is_of_level(parameter)) return {};
  MemoryLevel& level = device.memory->levels[parameter.level];
  return {&level.source, level.name.size()};
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
  std::vector<std::pair<std::optional<Source>*, std::vector<std::string>>> of_owner;
  std::vector<std::string> of_device;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const FittedValue& value = calibration.values[i];
    const Owner owner = owner_of(parameters[i], calibration.device);
    if (owner.source == nullptr) {
      of_device.push_back(show(value, value.name));
      continue;
    }
    auto known = std::ranges::find(of_owner, owner.source, [](const auto& each) { return each.first; });
    if (known == of_owner.end()) known = of_owner.insert(of_owner.end(), {owner.source, {}});
    known->second.push_back(show(value, value.name.substr(owner.name_length + 1)));
  }
  for (auto& [source, shown] : of_owner) {
    if (!of_device.empty()) shown.push_back("with " + join(of_device));
    *source = fitted_source(calibration, request, shown, *source);
  }
}

}  // namespace warpipe
