#include "warpipe/views/accuracy_report_view.hpp"

#include <fmt/format.h>

#include "text_table.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/accuracy_view.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr double kMicro = 1e-6;

std::string trend_table(const AccuracyReport& report) {
  TextTable table({{"kernel", Align::Left},
                   {"device", Align::Left},
                   {"rows"},
                   {"slope"},
                   {"intercept us"},
                   {"rank correlation"},
                   {"bound only"},
                   {"bound fitted"}});
  for (std::size_t i = 0; i < report.trends.size(); ++i) {
    const Trend& trend = report.trends[i];
    std::vector<std::string> cells(8);
    cells[0] = trend.kernel;
    cells[1] = trend.device;
    cells[2] = fmt::format("{}", trend.rows);
    if (trend.line) {
      cells[3] = fmt::format("{:.3f}", trend.line->slope);
      cells[4] = fmt::format("{:.4g}", trend.line->intercept.count / kMicro);
    }
    if (trend.rank_correlation) cells[5] = fmt::format("{:.3f}", *trend.rank_correlation);
    if (trend.rows > 0) cells[6] = fmt::format("{:.1f}", report.accuracy.bound_only[i].mean_absolute_percent);
    if (trend.fitted_bound_percent) cells[7] = fmt::format("{:.1f}", *trend.fitted_bound_percent);
    table.add(std::move(cells));
  }
  return "\nMeasured against predicted time, a line through all rows: measured = intercept + slope x predicted.\n"
         "Bound fitted: the mean |error| of the highest bound after such a line through it.\n\n" +
         table.text();
}

std::string worst_list(const AccuracyReport& report) {
  std::string text;
  for (const WorstRow& worst : report.worst) {
    const Measurement& measurement = report.accuracy.rows[worst.row].measurement;
    text += fmt::format("  line {}: {} on {} {:+.1f} %", measurement.line, measurement.kernel, measurement.device,
                        worst.error_percent);
    if (const auto& suggestion = worst.suggestion) {
      text += fmt::format(", {} {:.4g} -> {:.4g} leaves {:+.1f} %", suggestion->parameter, suggestion->value,
                          suggestion->suggested, suggestion->error_percent);
    } else {
      text += ", no number alone mends it";
    }
    text += "\n";
  }
  if (text.empty()) return text;
  return "\nWorst rows, and the number of the table whose change would mend each most:\n" + text;
}

void write_trends(JsonWriter& json, const std::vector<Trend>& trends) {
  json.key("trends").begin_array();
  for (const Trend& trend : trends) {
    json.begin_object().member("kernel", trend.kernel).member("device", trend.device).member("rows", trend.rows);
    const bool has_line = trend.line.has_value();
    json.member("slope", has_line ? std::optional(trend.line->slope) : std::nullopt);
    json.member("intercept_us", has_line ? std::optional(trend.line->intercept.count / kMicro) : std::nullopt);
    json.member("rank_correlation", trend.rank_correlation);
    json.member("bound_fitted_mean_absolute_error_percent", trend.fitted_bound_percent).end_object();
  }
  json.end_array();
}

void write_worst(JsonWriter& json, const AccuracyReport& report) {
  json.key("worst_rows").begin_array();
  for (const WorstRow& worst : report.worst) {
    json.begin_object().member("line", report.accuracy.rows[worst.row].measurement.line);
    json.member("error_percent", worst.error_percent).key("remedy");
    if (const auto& suggestion = worst.suggestion) {
      json.begin_object().member("parameter", suggestion->parameter).member("value", suggestion->value);
      json.member("mended", suggestion->suggested).member("error_percent", suggestion->error_percent).end_object();
    } else {
      json.null();
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string write_text(const AccuracyReport& report) {
  return write_text(report.accuracy) + trend_table(report) + worst_list(report);
}

std::string write_json(const AccuracyReport& report) {
  JsonWriter json;
  json.begin_object();
  write_members(json, report.accuracy);
  write_trends(json, report.trends);
  write_worst(json, report);
  return json.end_object().text();
}

}  // namespace warpipe
