#include "warpipe/views/accuracy_report_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/accuracy_view.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

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
  return "\nMeasured against predicted time, a line through all rows:\n"
         "measured = intercept + slope x predicted. Bound fitted: the mean |error| of the\n"
         "highest bound after such a line through it.\n\n" +
         table.text();
}

std::string worst_list(const AccuracyReport& report) {
  std::string text;
  for (const WorstRow& worst : report.worst) {
    const Measurement& measurement = report.accuracy.rows[worst.row].measurement;
    text += fmt::format("  line {}: {} {:+.1f} %", measurement.line,
                        kernel_on_device(measurement.kernel, measurement.device), worst.error_percent);
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

std::string lines_of(const Ranking& ranking) {
  const auto& lines = ranking.predicted_lines;
  if (lines.empty()) return "";
  return lines.size() == 1 ? fmt::format("line {}", lines.front())
                           : fmt::format("line {} and {} equal", lines.front(), lines.size() - 1);
}

std::vector<std::string> ranking_cells(const Ranking& ranking) {
  std::vector<std::string> cells{ranking.kernel,
                                 ranking.device,
                                 ranking.problem,
                                 fmt::format("{}", ranking.rows),
                                 show_decimals(ranking.kendall, 3),
                                 show_decimals(ranking.spearman, 3)};
  for (const auto& top : ranking.top_percent) cells.push_back(show_decimals(top, 0));
  cells.push_back(show_decimals(ranking.loss_percent, 1));
  cells.push_back(ranking.rows > 0 ? fmt::format("{:.1f}", ranking.worst_loss_percent) : "");
  cells.push_back(ranking.rows > 0 ? fmt::format("line {}", ranking.best_line) : "");
  cells.push_back(lines_of(ranking));
  return cells;
}

std::string ranking_table(const std::vector<Ranking>& rankings) {
  if (rankings.empty()) return "";
  std::vector<TextTable::Column> columns{
      {"kernel", Align::Left}, {"device", Align::Left}, {"problem", Align::Left}, {"rows"}, {"Kendall"}, {"Spearman"}};
  for (const std::size_t k : kTops) columns.push_back({fmt::format("top {}", k)});
  for (const char* title : {"loss", "worst", "fastest", "predicted"}) columns.push_back({title});
  constexpr std::ptrdiff_t kProblem = 2;
  const bool has_problems = std::ranges::any_of(rankings, [](const Ranking& each) { return !each.problem.empty(); });
  if (!has_problems) columns.erase(columns.begin() + kProblem);
  TextTable table(columns);
  for (const Ranking& ranking : rankings) {
    auto cells = ranking_cells(ranking);
    if (!has_problems) cells.erase(cells.begin() + kProblem);
    table.add(std::move(cells));
  }
  return "\nRanking: the rows from the fastest, as measured and as predicted.\n"
         "Top k: percent of the k fastest that are among the k predicted fastest.\n"
         "Loss: how much longer the predicted fastest takes than the fastest, percent; worst: of equals.\n\n" +
         table.text();
}

void write_rankings(JsonWriter& json, const std::vector<Ranking>& rankings) {
  if (rankings.empty()) return;
  json.key("rankings").begin_array();
  for (const Ranking& ranking : rankings) {
    const bool any = ranking.rows > 0;
    json.begin_object().member("kernel", ranking.kernel).member("device", ranking.device);
    json.member("quantity", to_string(ranking.quantity)).member("problem", ranking.problem);
    json.member("rows", ranking.rows).member("failed", ranking.failed);
    json.member("kendall_tau_b", ranking.kendall).member("spearman", ranking.spearman);
    for (std::size_t i = 0; i < kTops.size(); ++i)
      json.member(fmt::format("top_{}_percent", kTops[i]), ranking.top_percent[i]);
    json.member("loss_percent", ranking.loss_percent);
    json.member("worst_loss_percent", any ? std::optional(ranking.worst_loss_percent) : std::nullopt);
    json.member("fastest_line", any ? std::optional(ranking.best_line) : std::nullopt);
    json.key("predicted_fastest_lines").begin_array();
    for (const std::size_t line : ranking.predicted_lines) json.value(static_cast<std::int64_t>(line));
    json.end_array().end_object();
  }
  json.end_array();
}

void write_notes(JsonWriter& json, const std::vector<std::string>& notes) {
  if (notes.empty()) return;
  json.key("notes").begin_array();
  for (const std::string& note : notes) json.value(note);
  json.end_array();
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += note + "\n";
  return text.empty() ? text : text + "\n";
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
  return notes_text(report.notes) + write_text(report.accuracy) + trend_table(report) + worst_list(report) +
         ranking_table(report.rankings);
}

std::string write_json(const AccuracyReport& report) {
  JsonWriter json;
  json.begin_object();
  write_members(json, report.accuracy);
  write_trends(json, report.trends);
  write_worst(json, report);
  write_rankings(json, report.rankings);
  write_notes(json, report.notes);
  return json.end_object().text();
}

}  // namespace warpipe
