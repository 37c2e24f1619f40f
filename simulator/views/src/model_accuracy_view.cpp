#include "warpipe/views/model_accuracy_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "warpipe/views/records.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

/// The summaries of the simulation or of a model, under its name.
struct Scored {
  std::string name;
  const std::vector<ErrorSummary>* summaries;
};

std::vector<Scored> scored(const ModelAccuracy& accuracy) {
  std::vector<Scored> all{{"simulation", &accuracy.simulated.predicted}};
  for (const ModelScore& model : accuracy.models) all.push_back({to_string(model.model), &model.summaries});
  return all;
}

/// Over all rows with a prediction.
struct Overall {
  std::size_t rows = 0, failed = 0;
  double mean_absolute = 0, bias = 0;
  const ErrorSummary* worst = nullptr;
};

Overall overall(const std::vector<ErrorSummary>& summaries) {
  Overall all;
  for (const ErrorSummary& summary : summaries) {
    all.rows += summary.rows;
    all.failed += summary.failed;
    const auto predicted = static_cast<double>(summary.rows - summary.failed);
    if (predicted == 0) continue;
    all.mean_absolute += predicted * summary.mean_absolute_percent;
    all.bias += predicted * summary.bias_percent;
    if (all.worst == nullptr || std::abs(summary.worst_percent) > std::abs(all.worst->worst_percent))
      all.worst = &summary;
  }
  const auto predicted = static_cast<double>(all.rows - all.failed);
  if (predicted > 0) {
    all.mean_absolute /= predicted;
    all.bias /= predicted;
  }
  return all;
}

std::string error_cell(std::size_t rows, std::size_t failed, double mean_absolute) {
  if (failed == rows) return fmt::format("({})", failed);
  return failed == 0 ? fmt::format("{:.1f}", mean_absolute) : fmt::format("{:.1f} ({})", mean_absolute, failed);
}

std::string error_table(const ModelAccuracy& accuracy) {
  const std::vector<Scored> all = scored(accuracy);
  std::vector<TextTable::Column> columns{{"kernel", Align::Left}, {"device", Align::Left}, {"rows"}};
  for (const Scored& each : all) columns.push_back({each.name});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < all.front().summaries->size(); ++i) {
    const ErrorSummary& first = (*all.front().summaries)[i];
    std::vector<std::string> cells{first.kernel, first.device, fmt::format("{}", first.rows)};
    for (const Scored& each : all) {
      const ErrorSummary& summary = (*each.summaries)[i];
      cells.push_back(error_cell(summary.rows, summary.failed, summary.mean_absolute_percent));
    }
    table.add(std::move(cells));
  }
  std::vector<std::string> last{"all", "", fmt::format("{}", accuracy.simulated.rows.size())};
  for (const Scored& each : all) {
    const Overall of_all = overall(*each.summaries);
    last.push_back(error_cell(of_all.rows, of_all.failed, of_all.mean_absolute));
  }
  table.add(std::move(last));
  return table.text();
}

std::string worst_table(const ModelAccuracy& accuracy) {
  TextTable table({{"model", Align::Left},
                   {"all"},
                   {"bias"},
                   {"worst"},
                   {"kernel", Align::Left},
                   {"device", Align::Left},
                   {"at line"}});
  for (const Scored& each : scored(accuracy)) {
    const Overall all = overall(*each.summaries);
    if (all.worst == nullptr) continue;
    table.add({each.name, fmt::format("{:.1f}", all.mean_absolute), fmt::format("{:+.1f}", all.bias),
               fmt::format("{:+.1f}", all.worst->worst_percent), all.worst->kernel, all.worst->device,
               fmt::format("{}", all.worst->worst_line)});
  }
  return table.text();
}

std::string show_signed(const Measurement& measured, const std::optional<double>& predicted) {
  return predicted ? fmt::format("{:+.1f}", error_percent(measured.quantity, *predicted, measured.value)) : "";
}

/// The options of a row in short, to tell rows apart.
std::string launch_of(const Measurement& measured) {
  std::string text;
  const auto add = [&](const char* name, const std::optional<std::int64_t>& value) {
    if (value) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, *value);
  };
  add("size", measured.options.group_size);
  add("groups", measured.options.groups);
  add("resident", measured.options.concurrent_groups);
  add("warps", measured.occupancy_warps);
  for (const auto& [name, value] : measured.options.parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

/// Each reason once, with the number of its rows; a reason that keeps the simulation from a row stands with the
/// simulation alone.
std::string reasons(const ModelAccuracy& accuracy) {
  std::string text;
  const auto add = [&](const std::string& model, const std::map<std::string, std::size_t>& rows_of_reason) {
    for (const auto& [reason, rows] : rows_of_reason) text += fmt::format("  {}, {} rows: {}\n", model, rows, reason);
  };
  std::map<std::string, std::size_t> simulation;
  for (const Comparison& row : accuracy.simulated.rows)
    if (!row.predicted) ++simulation[row.error];
  add("simulation", simulation);
  for (const ModelScore& model : accuracy.models) {
    std::map<std::string, std::size_t> rows_of_reason;
    for (std::size_t i = 0; i < model.why_not.size(); ++i) {
      const std::string& why = model.why_not[i];
      if (!why.empty() && why != accuracy.simulated.rows[i].error) ++rows_of_reason[why];
    }
    add(to_string(model.model), rows_of_reason);
  }
  return text.empty() ? text : "\nRows without a prediction:\n" + text;
}

Records row_records(const ModelAccuracy& accuracy) {
  Records records{{"line", "kernel", "device", "quantity", "measured", "model", "predicted", "error_percent", "error"},
                  {}};
  const auto has_range = [](const Comparison& row) { return row.range.has_value(); };
  const bool ranges = std::ranges::any_of(accuracy.simulated.rows, has_range);
  if (ranges) records.names.insert(records.names.end(), {"low", "high"});
  for (std::size_t i = 0; i < accuracy.simulated.rows.size(); ++i) {
    const Comparison& row = accuracy.simulated.rows[i];
    const Measurement& measured = row.measurement;
    const auto add = [&](const std::string& model, const std::optional<double>& predicted, const std::string& error) {
      const auto percent =
          predicted ? std::optional(error_percent(measured.quantity, *predicted, measured.value)) : std::nullopt;
      records.rows.push_back({static_cast<std::int64_t>(measured.line), measured.kernel, measured.device,
                              to_string(measured.quantity), measured.value, model, cell(predicted), cell(percent),
                              text_cell(error)});
      records.rows.back().resize(records.names.size());
    };
    add("simulation", row.predicted, row.error);
    if (row.range)
      std::ranges::copy(std::array<Cell, 2>{row.range->low, row.range->high}, records.rows.back().end() - 2);
    for (const ModelScore& model : accuracy.models) add(to_string(model.model), model.predicted[i], model.why_not[i]);
  }
  return records;
}

void write_summary(JsonWriter& json, const std::string& model, const ErrorSummary& summary) {
  const auto where_predicted = [&](double value) {
    return summary.rows > summary.failed ? std::optional(value) : std::nullopt;
  };
  json.begin_object().member("kernel", summary.kernel).member("device", summary.device).member("model", model);
  json.member("rows", summary.rows).member("failed", summary.failed);
  json.member("mean_absolute_error_percent", where_predicted(summary.mean_absolute_percent));
  json.member("bias_percent", where_predicted(summary.bias_percent));
  json.member("worst_error_percent", where_predicted(summary.worst_percent));
  json.end_object();
}

}  // namespace

std::string write_text(const ModelAccuracy& accuracy) {
  return "Mean |error| in percent of the measured time; in brackets: rows that a model cannot take.\n\n" +
         error_table(accuracy) + "\n" + worst_table(accuracy) + reasons(accuracy);
}

std::string write_row_text(const ModelAccuracy& accuracy) {
  std::vector<TextTable::Column> columns{{"line"}, {"launch", Align::Left}, {"measured"}, {"simulation"}};
  for (const ModelScore& model : accuracy.models) columns.push_back({to_string(model.model)});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < accuracy.simulated.rows.size(); ++i) {
    const Comparison& row = accuracy.simulated.rows[i];
    std::vector<std::string> cells{fmt::format("{}", row.measurement.line), launch_of(row.measurement),
                                   fmt::format("{} {}", row.measurement.value, to_string(row.measurement.quantity)),
                                   show_signed(row.measurement, row.predicted)};
    for (const ModelScore& model : accuracy.models) cells.push_back(show_signed(row.measurement, model.predicted[i]));
    table.add(std::move(cells));
  }
  return "Errors in percent of the measured time; positive: predicted too slow.\n\n" + table.text();
}

std::string write_json(const ModelAccuracy& accuracy) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-model-accuracy").member("version", std::int64_t{1});
  json.key("summary").begin_array();
  for (const Scored& each : scored(accuracy))
    for (const ErrorSummary& summary : *each.summaries) write_summary(json, each.name, summary);
  json.end_array().key("rows").begin_array();
  const Records records = row_records(accuracy);
  for (const auto& row : records.rows) write_record(json, records, row);
  json.end_array().end_object();
  return json.text();
}

std::string write_csv(const ModelAccuracy& accuracy) { return to_csv(row_records(accuracy)); }

}  // namespace warpipe
