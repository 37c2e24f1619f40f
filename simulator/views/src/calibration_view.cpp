#include "warpipe/views/calibration_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

/// A row further off than this is named: no fitted value explains it.
constexpr double kUnexplainedPercent = 5;

std::vector<double> errors_of(const Accuracy& accuracy, const std::string& kernel) {
  std::vector<double> errors;
  for (const Comparison& row : accuracy.rows) {
    if (!row.predicted || (!kernel.empty() && row.measurement.kernel != kernel)) continue;
    errors.push_back(error_percent(row.measurement.quantity, *row.predicted, row.measurement.value));
  }
  return errors;
}

double mean_absolute(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) sum += std::abs(error);
  return errors.empty() ? 0 : sum / static_cast<double>(errors.size());
}

double median_absolute(std::vector<double> errors) {
  if (errors.empty()) return 0;
  for (double& error : errors) error = std::abs(error);
  std::ranges::sort(errors);
  const std::size_t middle = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
}

/// The errors of the rows of a kernel, or of all.
struct Line {
  std::string part, kernel;  ///< "fitted" or "held out"; empty: all kernels
  std::size_t rows = 0;
  double before = 0, after = 0, median = 0;
  std::optional<ErrorSummary> summary;  ///< of one kernel
  double bound_only = 0;
};

std::vector<Line> lines_of(const std::string& part, const Calibration::Errors& errors) {
  std::vector<Line> lines;
  const auto add = [&](const std::string& kernel) -> Line& {
    const auto after = errors_of(errors.after, kernel);
    return lines.emplace_back(Line{part,
                                   kernel,
                                   after.size(),
                                   mean_absolute(errors_of(errors.before, kernel)),
                                   mean_absolute(after),
                                   median_absolute(after),
                                   {},
                                   0});
  };
  for (std::size_t i = 0; i < errors.after.predicted.size(); ++i) {
    Line& line = add(errors.after.predicted[i].kernel);
    line.summary = errors.after.predicted[i];
    line.bound_only = errors.after.bound_only[i].mean_absolute_percent;
  }
  if (lines.size() > 1) add("");
  return lines;
}

std::vector<Line> all_lines(const Calibration& calibration) {
  auto lines = lines_of("fitted", calibration.fitted);
  for (auto& line : lines_of("held out", calibration.held_out)) lines.push_back(std::move(line));
  return lines;
}

std::string headline(const Calibration& calibration) {
  std::string text =
      fmt::format("{} {} from {} rows", calibration.values.size(), calibration.values.size() == 1 ? "value" : "values",
                  calibration.fitted.after.rows.size());
  if (!calibration.held_out.after.rows.empty()) {
    text += fmt::format(", {} rows held out", calibration.held_out.after.rows.size());
  }
  return text + (calibration.closed_form
                     ? ", in closed form\n"
                     : fmt::format(", searched in {} simulations of them\n", calibration.simulations));
}

std::string value_table(const Calibration& calibration) {
  TextTable table({{"Value", Align::Left}, {"start"}, {"fitted"}, {"from"}, {"to"}});
  for (const auto& value : calibration.values) {
    table.add({value.name, fmt::format("{:.5g}", value.start), fmt::format("{:.5g}", value.value),
               fmt::format("{:.4g}", value.interval.low), fmt::format("{:.4g}", value.interval.high)});
  }
  return table.text();
}

std::string error_table(const Calibration& calibration) {
  TextTable table({{"rows", Align::Left},
                   {"kernel", Align::Left},
                   {"number"},
                   {"mean |error| before"},
                   {"after"},
                   {"median"},
                   {"bias"},
                   {"worst"},
                   {"at line"},
                   {"bound only"}});
  for (const auto& line : all_lines(calibration)) {
    std::vector<std::string> cells{line.part,
                                   line.kernel.empty() ? "all" : line.kernel,
                                   fmt::format("{}", line.rows),
                                   fmt::format("{:.1f}", line.before),
                                   fmt::format("{:.1f}", line.after),
                                   fmt::format("{:.1f}", line.median)};
    if (line.summary) {
      cells.push_back(fmt::format("{:+.1f}", line.summary->bias_percent));
      cells.push_back(fmt::format("{:+.1f}", line.summary->worst_percent));
      cells.push_back(fmt::format("{}", line.summary->worst_line));
      cells.push_back(fmt::format("{:.1f}", line.bound_only));
    }
    cells.resize(10);
    table.add(std::move(cells));
  }
  return table.text();
}

/// Rows with large errors left by the fitted values, in the order of the file.
std::vector<const Comparison*> unexplained(const Calibration& calibration) {
  std::vector<const Comparison*> rows;
  for (const auto* accuracy : {&calibration.fitted.after, &calibration.held_out.after}) {
    for (const Comparison& row : accuracy->rows) {
      if (!row.predicted) continue;
      const double error = error_percent(row.measurement.quantity, *row.predicted, row.measurement.value);
      if (std::abs(error) > kUnexplainedPercent) rows.push_back(&row);
    }
  }
  std::ranges::stable_sort(rows, {}, [](const Comparison* row) { return row->measurement.line; });
  return rows;
}

std::string unexplained_rows(const Calibration& calibration) {
  const auto rows = unexplained(calibration);
  if (rows.empty()) return "";
  std::string text = fmt::format("\nRows that these values leave more than {:g} % off:\n", kUnexplainedPercent);
  for (const Comparison* row : rows) {
    text += fmt::format("  line {}: {} {:+.1f} %\n", row->measurement.line, printable(row->measurement.kernel),
                        error_percent(row->measurement.quantity, *row->predicted, row->measurement.value));
  }
  return text;
}

std::string untold_values(const Calibration& calibration) {
  if (calibration.untold.empty()) return "";
  std::string text = "\nNot told by these rows, and left as it was unless it says otherwise:\n";
  for (const Untold& each : calibration.untold)
    text += fmt::format("  {}: {}; {}\n", each.name, each.reason, each.advice);
  return text;
}

void write_untold(JsonWriter& json, const Calibration& calibration) {
  json.key("untold").begin_array();
  for (const Untold& each : calibration.untold)
    json.begin_object()
        .member("name", each.name)
        .member("reason", each.reason)
        .member("advice", each.advice)
        .end_object();
  json.end_array();
}

void write_values(JsonWriter& json, const Calibration& calibration) {
  json.key("values").begin_array();
  for (const auto& value : calibration.values) {
    json.begin_object().member("name", value.name).member("start", value.start).member("fitted", value.value);
    json.member("from", value.interval.low).member("to", value.interval.high).end_object();
  }
  json.end_array();
}

void write_errors(JsonWriter& json, const Calibration& calibration) {
  json.key("errors").begin_array();
  for (const auto& line : all_lines(calibration)) {
    json.begin_object().member("rows", line.part).key("kernel");
    json.value(line.kernel.empty() ? std::nullopt : std::optional(line.kernel)).member("number", line.rows);
    json.member("mean_absolute_error_percent_before", line.before);
    json.member("mean_absolute_error_percent", line.after).member("median_absolute_error_percent", line.median);
    if (line.summary) {
      json.member("bias_percent", line.summary->bias_percent);
      json.member("standard_deviation_percent", line.summary->standard_deviation_percent);
      json.member("worst_error_percent", line.summary->worst_percent).member("worst_line", line.summary->worst_line);
      json.member("bound_only_mean_absolute_error_percent", line.bound_only);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string write_text(const Calibration& calibration) {
  return headline(calibration) + "\n" + value_table(calibration) + untold_values(calibration) +
         "\nErrors of the predicted time in percent of the measured time, before and after.\n\n" +
         error_table(calibration) + unexplained_rows(calibration);
}

std::string write_json(const Calibration& calibration) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-calibration").member("version", std::int64_t{1});
  json.member("device", calibration.device.name).member("closed_form", calibration.closed_form);
  json.member("simulations", calibration.simulations);
  write_values(json, calibration);
  if (!calibration.untold.empty()) write_untold(json, calibration);
  write_errors(json, calibration);
  json.key("unexplained_lines").begin_array();
  for (const Comparison* row : unexplained(calibration)) json.value(row->measurement.line);
  return json.end_array().end_object().text();
}

}  // namespace warpipe
