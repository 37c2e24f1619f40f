#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "chart.hpp"
#include "shown_time.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/report/page.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr double kBand = 0.2;

std::string group_of(const std::string& kernel, const std::string& device) {
  return fmt::format("{} on {}", kernel, device);
}

/// A row to draw: its times, and the error.
struct TimedRow {
  const Comparison* row;
  Seconds measured, predicted;
  double error;
};

std::vector<TimedRow> timed_rows(const Accuracy& accuracy) {
  std::vector<TimedRow> rows;
  for (const auto& row : accuracy.rows) {
    if (!row.predicted || !row.measured_time || row.measured_time->count <= 0) continue;
    const double error = error_percent(row.measurement.quantity, *row.predicted, row.measurement.value);
    rows.push_back({&row, *row.measured_time, Seconds{row.measured_time->count * (1 + error / 100)}, error});
  }
  return rows;
}

Records point_rows(const std::vector<TimedRow>& rows, TimeUnit unit) {
  Records records{{"group", "line", "measured", "predicted", "shown_measured", "shown_predicted", "error", "said"}, {}};
  for (const auto& [row, measured, predicted, error] : rows) {
    const auto& measurement = row->measurement;
    records.rows.push_back({group_of(measurement.kernel, measurement.device),
                            static_cast<std::int64_t>(measurement.line), measured.count / unit.seconds,
                            predicted.count > 0 ? Cell(predicted.count / unit.seconds) : Cell(), show_time(measured),
                            show_time(predicted), error, "prediction, a row"});
  }
  return records;
}

Records band_rows(Seconds least, Seconds most, TimeUnit unit) {
  Records records{{"measured", "low", "high"}, {}};
  for (const double value : {least.count / unit.seconds, most.count / unit.seconds})
    records.rows.push_back({value, value * (1 - kBand), value * (1 + kBand)});
  return records;
}

Records mean_rows(const Accuracy& accuracy) {
  Records records{{"group", "said", "error"}, {}};
  for (std::size_t i = 0; i < accuracy.predicted.size(); ++i) {
    const auto& summary = accuracy.predicted[i];
    if (summary.rows == summary.failed) continue;
    const auto group = group_of(summary.kernel, summary.device);
    records.rows.push_back({group, "mean |error|", summary.mean_absolute_percent});
    records.rows.push_back({group, "bound only: mean |error|", accuracy.bound_only[i].mean_absolute_percent});
  }
  return records;
}

std::vector<Figure> figures(const Accuracy& accuracy) {
  const auto rows = timed_rows(accuracy);
  if (rows.empty()) return {};
  const auto [least, most] = std::ranges::minmax(rows, {}, &TimedRow::measured);
  const auto unit = unit_for(most.measured);
  const auto points = point_rows(rows, unit);
  const auto within =
      std::ranges::count_if(rows, [](const TimedRow& row) { return std::abs(row.error) <= 100 * kBand; });
  const auto about = fmt::format("Predicted against measured time of {} rows; {} are within 20 % of the measured time.",
                                 rows.size(), within);
  Chart scatter("predicted");
  scatter.data("rows", points).data("band", band_rows(least.measured, most.measured, unit));
  scatter.set("/layer/1/encoding/x/title", fmt::format("measured time ({}, log scale)", unit.name));
  scatter.set("/layer/1/encoding/y/title", fmt::format("predicted time ({}, log scale)", unit.name));
  const auto errors = fmt::format(
      "Errors of {} rows in {} groups of one kernel on one device, in percent of the measured "
      "time, with the mean absolute error of each group and that of the highest bound alone.",
      rows.size(), accuracy.predicted.size());
  return {{Figure::Kind::Chart, "predicted", fmt::format("Predicted against measured time ({})", unit.name),
           fmt::format("Dashed: as measured; shaded: within 20 %: {} of {} rows. Above the line: predicted too slow.",
                       within, rows.size()),
           about, scatter.text(about)},
          {Figure::Kind::Chart, "errors", "Errors (percent of the measured time)",
           "A tick is a row, a diamond a mean |error| of the rows.", errors,
           Chart("errors").data("rows", points).data("means", mean_rows(accuracy)).text(errors)}};
}

std::string percent(double value) { return fmt::format("{:.1f}", value); }
std::string signed_percent(double value) { return fmt::format("{:+.1f}", value); }

PageTable summary_table(const Accuracy& accuracy) {
  PageTable table{"Errors of the predicted time, percent of the measured",
                  {{"kernel"},
                   {"device"},
                   {"rows", true},
                   {"failed", true},
                   {"mean |error|", true},
                   {"std dev", true},
                   {"bias", true},
                   {"worst", true},
                   {"at line", true},
                   {"bound only", true}},
                  {}};
  for (std::size_t i = 0; i < accuracy.predicted.size(); ++i) {
    const auto& summary = accuracy.predicted[i];
    std::vector<std::string> cells{summary.kernel, summary.device, fmt::format("{}", summary.rows),
                                   fmt::format("{}", summary.failed)};
    if (summary.rows > summary.failed) {
      cells.insert(cells.end(),
                   {percent(summary.mean_absolute_percent), percent(summary.standard_deviation_percent),
                    signed_percent(summary.bias_percent), signed_percent(summary.worst_percent),
                    fmt::format("{}", summary.worst_line), percent(accuracy.bound_only[i].mean_absolute_percent)});
    }
    cells.resize(table.columns.size());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

PageTable worst_table(const AccuracyReport& report) {
  PageTable table{"Worst rows, and the number of the table whose change would mend each most",
                  {{"line", true}, {"kernel"}, {"device"}, {"error", true}, {"mended by"}, {"leaves", true}},
                  {}};
  for (const auto& worst : report.worst) {
    const auto& measurement = report.accuracy.rows[worst.row].measurement;
    const auto& suggestion = worst.suggestion;
    table.rows.push_back({fmt::format("{}", measurement.line), measurement.kernel, measurement.device,
                          signed_percent(worst.error_percent) + " %",
                          suggestion ? fmt::format("{} {:.4g} -> {:.4g}", suggestion->parameter, suggestion->value,
                                                   suggestion->suggested)
                                     : "no number alone",
                          suggestion ? signed_percent(suggestion->error_percent) + " %" : ""});
  }
  return table;
}

PageTable failed_table(const Accuracy& accuracy) {
  PageTable table{"Rows without a prediction", {{"line", true}, {"kernel"}, {"device"}, {"why"}}, {}};
  for (const auto& row : accuracy.rows) {
    const auto& measurement = row.measurement;
    if (!row.predicted)
      table.rows.push_back({fmt::format("{}", measurement.line), measurement.kernel, measurement.device, row.error});
  }
  return table;
}

PageTable ranking_table(const std::vector<Ranking>& rankings) {
  PageTable table{"Rows from the fastest, as measured and as predicted",
                  {{"kernel"}, {"device"}, {"problem"}, {"rows", true}, {"Kendall", true}, {"Spearman", true}},
                  {}};
  for (const std::size_t k : kTops) table.columns.push_back({fmt::format("top {} %", k), true});
  for (const char* title : {"loss %", "worst loss %", "fastest at line"}) table.columns.push_back({title, true});
  for (const auto& ranking : rankings) {
    std::vector<std::string> cells{ranking.kernel,
                                   ranking.device,
                                   ranking.problem,
                                   fmt::format("{}", ranking.rows),
                                   show_decimals(ranking.kendall, 3),
                                   show_decimals(ranking.spearman, 3)};
    for (const auto& top : ranking.top_percent) cells.push_back(show_decimals(top, 0));
    cells.push_back(show_decimals(ranking.loss_percent, 1));
    if (ranking.rows > 0) {
      cells.push_back(percent(ranking.worst_loss_percent));
      cells.push_back(fmt::format("{}", ranking.best_line));
    }
    cells.resize(table.columns.size());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

Page page_of(const AccuracyReport& report) {
  const auto& accuracy = report.accuracy;
  std::set<std::string> kernels, devices;
  double sum = 0;
  std::size_t predicted = 0;
  for (const auto& summary : accuracy.predicted) {
    kernels.insert(summary.kernel);
    devices.insert(summary.device);
    predicted += summary.rows - summary.failed;
    sum += summary.mean_absolute_percent * static_cast<double>(summary.rows - summary.failed);
  }
  Page page{
      "Predicted against measured",
      fmt::format("kernels: {}; devices: {}; no row left out", fmt::join(kernels, ", "), fmt::join(devices, ", ")),
      {{"rows", fmt::format("{}", accuracy.rows.size())},
       {"without a prediction", fmt::format("{}", accuracy.rows.size() - predicted)}},
      {{"Predicted and measured", "", figures(accuracy), {}},
       {"Errors by kernel and device",
        "Bound only: the highest analytic bound alone, the baseline to beat.",
        {},
        {summary_table(accuracy)}}}};
  if (predicted > 0)
    page.facts.emplace_back("mean |error| of all rows", fmt::format("{:.1f} %", sum / static_cast<double>(predicted)));
  if (!report.rankings.empty())
    page.sections.push_back({"Ranking",
                             "Top k: percent of the k fastest rows that are among the k predicted fastest. Loss: how "
                             "much longer the predicted fastest takes than the fastest.",
                             {},
                             {ranking_table(report.rankings)}});
  if (!report.notes.empty())
    page.facts.emplace_back("measured by another program", fmt::format("{}", fmt::join(report.notes, " ")));
  if (!report.worst.empty()) page.sections.push_back({"Worst rows", "", {}, {worst_table(report)}});
  if (predicted < accuracy.rows.size())
    page.sections.push_back({"Rows without a prediction", "", {}, {failed_table(accuracy)}});
  return page;
}

}  // namespace warpipe
