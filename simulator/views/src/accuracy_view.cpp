#include "warpipe/views/accuracy_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/accuracy/csv.hpp"
#include "warpipe/idg/number.hpp"
#include "warpipe/views/records.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

std::string show_error(double percent) { return fmt::format("{:.1f}", percent); }
std::string show_signed(double percent) { return fmt::format("{:+.1f}", percent); }

bool has_prediction(const ErrorSummary& summary) { return summary.rows > summary.failed; }

std::string summary_table(const Accuracy& accuracy) {
  TextTable table({{"kernel", Align::Left},
                   {"device", Align::Left},
                   {"rows"},
                   {"failed"},
                   {"mean |error|"},
                   {"std dev"},
                   {"bias"},
                   {"worst"},
                   {"at line"},
                   {"bound only"}});
  for (std::size_t i = 0; i < accuracy.predicted.size(); ++i) {
    const auto& summary = accuracy.predicted[i];
    std::vector<std::string> cells{summary.kernel, summary.device, fmt::format("{}", summary.rows),
                                   fmt::format("{}", summary.failed)};
    if (has_prediction(summary)) {
      for (auto text :
           {show_error(summary.mean_absolute_percent), show_error(summary.standard_deviation_percent),
            show_signed(summary.bias_percent), show_signed(summary.worst_percent),
            fmt::format("{}", summary.worst_line), show_error(accuracy.bound_only[i].mean_absolute_percent)}) {
        cells.push_back(std::move(text));
      }
    }
    cells.resize(10);
    table.add(std::move(cells));
  }
  return table.text();
}

/// The number of measured values in the predicted ranges, where 9 of 10 should lie.
std::string rows_in_range(const Accuracy& accuracy) {
  std::size_t inside = 0, rows = 0;
  for (const Comparison& row : accuracy.rows) {
    if (!row.range) continue;
    ++rows;
    if (row.range->low <= row.measurement.value && row.measurement.value <= row.range->high) ++inside;
  }
  if (rows == 0) return "";
  return fmt::format("\n{} of {} measured values lie in the ranges of their predictions, {:.0f} %; 90 are expected.\n",
                     inside, rows, 100 * static_cast<double>(inside) / static_cast<double>(rows));
}

std::string failed_rows(const Accuracy& accuracy) {
  std::string text;
  for (const auto& row : accuracy.rows) {
    if (row.predicted) continue;
    text += fmt::format("  line {}: {}: {}\n", row.measurement.line,
                        kernel_on_device(row.measurement.kernel, row.measurement.device), row.error);
  }
  return text.empty() ? text : "\nRows without a prediction:\n" + text;
}

Cell error_cell(const Comparison& row, const std::optional<double>& predicted) {
  if (!predicted) return {};
  return error_percent(row.measurement.quantity, *predicted, row.measurement.value);
}

Cell end_cell(const Comparison& row, double Interval::*end) {
  if (!row.range) return {};
  return (*row.range).*end;
}

const std::vector<std::string>& column_names() {
  static const std::vector<std::string> names{
      "line",     "kernel",   "device",    "group_size",    "groups",     "concurrent_groups",        "occupancy_warps",
      "quantity", "measured", "predicted", "error_percent", "bound_only", "bound_only_error_percent", "low",
      "high",     "source",   "error"};
  return names;
}

/// The cells of a row in the CSV of measured data, but for its source.
std::vector<Cell> measured_cells(const Measurement& row) {
  return {static_cast<std::int64_t>(row.line),
          row.kernel,
          row.device,
          cell(row.options.group_size),
          cell(row.options.groups),
          cell(row.options.concurrent_groups),
          cell(row.occupancy_warps),
          to_string(row.quantity),
          row.value};
}

std::vector<Cell> cells(const Comparison& row) {
  std::vector<Cell> all = measured_cells(row.measurement);
  for (Cell& further :
       std::vector<Cell>{cell(row.predicted), error_cell(row, row.predicted), cell(row.bound_only),
                         error_cell(row, row.bound_only), end_cell(row, &Interval::low), end_cell(row, &Interval::high),
                         text_cell(row.measurement.source), text_cell(row.error)}) {
    all.push_back(std::move(further));
  }
  return all;
}

void write_summary(JsonWriter& json, const ErrorSummary& summary, const ErrorSummary& bound_only) {
  json.begin_object().member("kernel", summary.kernel).member("device", summary.device);
  json.member("rows", summary.rows).member("failed", summary.failed);
  const auto percent = [&](std::string_view name, double value) {
    json.member(name, has_prediction(summary) ? std::optional(value) : std::nullopt);
  };
  percent("mean_absolute_error_percent", summary.mean_absolute_percent);
  percent("standard_deviation_percent", summary.standard_deviation_percent);
  percent("bias_percent", summary.bias_percent);
  percent("worst_error_percent", summary.worst_percent);
  json.member("worst_line", has_prediction(summary) ? std::optional(summary.worst_line) : std::nullopt);
  percent("bound_only_mean_absolute_error_percent", bound_only.mean_absolute_percent);
  json.end_object();
}

}  // namespace

std::string write_text(const Accuracy& accuracy) {
  return "Errors of the predicted time in percent of the measured time; positive:\n"
         "predicted too slow. Bound only: the mean |error| of the highest analytic bound\n"
         "alone, the baseline to beat.\n\n" +
         summary_table(accuracy) + rows_in_range(accuracy) + failed_rows(accuracy);
}

void write_members(JsonWriter& json, const Accuracy& accuracy) {
  json.member("format", "warpipe-accuracy").member("version", std::int64_t{1});
  json.key("summary").begin_array();
  for (std::size_t i = 0; i < accuracy.predicted.size(); ++i) {
    write_summary(json, accuracy.predicted[i], accuracy.bound_only[i]);
  }
  json.end_array().key("rows").begin_array();
  const Records columns{column_names(), {}};
  for (const auto& row : accuracy.rows) write_record(json, columns, cells(row));
  json.end_array();
}

std::string write_json(const Accuracy& accuracy) {
  JsonWriter json;
  json.begin_object();
  write_members(json, accuracy);
  return json.end_object().text();
}

std::string write_csv(const Accuracy& accuracy) {
  std::string text = accuracy_header();
  for (const auto& row : accuracy.rows) text += accuracy_row(row);
  return text;
}

std::string accuracy_header() { return header_line(column_names(), RowForm::Csv); }

std::string accuracy_row(const Comparison& row) { return row_line(column_names(), cells(row), RowForm::Csv); }

Comparison read_accuracy_row(const std::string& row, const Measurement& measurement) {
  CsvProblems problems("row");
  const auto found = read_csv(row, problems);
  const auto& names = column_names();
  if (found.size() != 1 || found.front().cells.size() != names.size())
    problems.add(measurement.line, "", "the row has other columns than this command writes", "", "");
  problems.throw_if_any();
  const auto text = [&](std::string_view name) {
    const auto index = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    return found.front().cells[index];
  };
  return {measurement, parse_number(text("predicted")), parse_number(text("bound_only")), text("error")};
}

std::string accuracy_row_start(const Measurement& row) {
  return row_start(column_names(), measured_cells(row), RowForm::Csv);
}

}  // namespace warpipe
