#include "fitted_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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

std::string before(const Op& op) {
  if (!op.source) return "";
  return fmt::format("; what is not named here stays {}: {}{}{}", to_string(op.source->kind), op.source->reference,
                     op.source->method.empty() ? "" : "; ", op.source->method);
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

void put_sources(Calibration& calibration, const std::vector<TableParameter>& parameters,
                 const CalibrationRequest& request) {
  std::map<std::size_t, std::vector<std::string>> of_op;
  std::vector<std::string> of_device;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const FittedValue& value = calibration.values[i];
    if (!is_of_op(parameters[i])) {
      of_device.push_back(show(value, value.name));
      continue;
    }
    const auto prefix = calibration.device.ops[parameters[i].op].name.size() + 1;
    of_op[parameters[i].op].push_back(show(value, value.name.substr(prefix)));
  }
  std::string errors = "mean |error| " + error_of(calibration.fitted.after);
  if (!calibration.held_out.after.rows.empty()) errors += ", held out " + error_of(calibration.held_out.after);
  for (auto& [index, shown] : of_op) {
    Op& op = calibration.device.ops[index];
    if (!of_device.empty()) shown.push_back("with " + join(of_device));
    Source source;
    source.kind = SourceKind::Fitted;
    source.reference = fmt::format("{}: {}", request.measured, kernels_of(calibration.fitted.after));
    if (request.launch.clock) source.clock = fmt::format("{:g} MHz", request.launch.clock->count / 1e6);
    source.method = fmt::format("warpipe calibrate: {}; {}{}", join(shown), errors, before(op));
    op.source = source;
  }
}

}  // namespace warpipe
