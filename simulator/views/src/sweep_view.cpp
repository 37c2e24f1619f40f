#include "warpipe/views/sweep_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "numbers.hpp"
#include "records.hpp"

namespace warpipe {
namespace {

struct Column {
  std::string name;
  Cell (*cell)(const Prediction&);
};

/// From cycles and clock with one rounding, so that the shortest form stays short.
double time_us(const Prediction& prediction) {
  return to_cycles(prediction.cycles).count / (prediction.clock.count / 1e6);
}

Cell bound_cycles(const Prediction& prediction) {
  if (prediction.bounds.empty()) return {};
  return prediction.bounds[prediction.limiter].cycles;
}

Cell limiter(const Prediction& prediction) {
  if (prediction.bounds.empty()) return {};
  return limiter_name(prediction);
}

/// The results of a point. A result that is varied itself stands with the varied values alone.
std::vector<Column> result_columns(const std::vector<std::string>& varied) {
  std::vector<Column> columns{
      {"concurrent_groups", [](const Prediction& p) -> Cell { return p.launch.concurrent_groups.value; }},
      {"resident_warps", [](const Prediction& p) -> Cell { return p.launch.resident_warps; }},
      {"cycles", [](const Prediction& p) -> Cell { return p.cycles; }},
      {"time_us", [](const Prediction& p) -> Cell { return time_us(p); }},
      {"limiter", limiter},
      {"bound_cycles", bound_cycles},
      {"ratio_to_bound", [](const Prediction& p) -> Cell { return ratio_to_bound(p); }}};
  std::erase_if(columns, [&](const Column& column) { return std::ranges::count(varied, column.name) > 0; });
  return columns;
}

std::vector<std::string> column_names(const std::vector<std::string>& varied) {
  std::vector<std::string> names = varied;
  for (const auto& column : result_columns(varied)) names.push_back(column.name);
  names.emplace_back("error");
  return names;
}

std::vector<Cell> cells(const std::vector<std::string>& varied, const SweepPoint& point) {
  std::vector<Cell> row(point.values.begin(), point.values.end());
  for (const auto& column : result_columns(varied)) {
    row.push_back(point.prediction ? column.cell(*point.prediction) : Cell());
  }
  row.push_back(text_cell(point.error));
  return row;
}

std::string fastest(const SweepTable& table) {
  const SweepPoint* best = nullptr;
  for (const auto& point : table.points) {
    if (point.prediction && (best == nullptr || point.prediction->time < best->prediction->time)) best = &point;
  }
  if (best == nullptr) return {};
  std::string text = "\nfastest:";
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    text += fmt::format(" {}={}", table.names[i], show_number(best->values[i]));
  }
  return fmt::format("{}, {}\n", text, show_time(best->prediction->time));
}

std::string write_rows(const SweepTable& table, RowForm form) {
  const SweepRows rows(table.names, form);
  std::string text = rows.header();
  for (const auto& point : table.points) text += rows.row(point);
  return text;
}

}  // namespace

std::string write_text(const SweepTable& table) {
  Records records{column_names(table.names), {}};
  for (const auto& point : table.points) records.rows.push_back(cells(table.names, point));
  return to_text(records) + fastest(table);
}

std::string write_csv(const SweepTable& table) { return write_rows(table, RowForm::Csv); }

std::string write_jsonl(const SweepTable& table) { return write_rows(table, RowForm::JsonLines); }

SweepRows::SweepRows(std::vector<std::string> names, RowForm form)
    : varied_(std::move(names)), columns_(column_names(varied_)), form_(form) {}

std::string SweepRows::header() const { return header_line(columns_, form_); }

std::string SweepRows::row(const SweepPoint& point) const { return row_line(columns_, cells(varied_, point), form_); }

std::string SweepRows::row_start(const std::vector<double>& values) const {
  return warpipe::row_start(columns_, std::vector<Cell>(values.begin(), values.end()), form_);
}

std::string SweepRows::end_of_predicted() const { return form_ == RowForm::Csv ? ",\r\n" : "\"error\": null}\n"; }

}  // namespace warpipe
