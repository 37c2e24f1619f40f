#include "warpipe/views/sweep_view.hpp"

#include <fmt/format.h>

#include <algorithm>

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

Records records(const SweepTable& table) {
  const auto columns = result_columns(table.names);
  Records result{table.names, {}};
  for (const auto& column : columns) result.names.push_back(column.name);
  result.names.emplace_back("error");
  for (const auto& point : table.points) {
    std::vector<Cell> row(point.values.begin(), point.values.end());
    for (const auto& column : columns) row.push_back(point.prediction ? column.cell(*point.prediction) : Cell());
    row.push_back(text_cell(point.error));
    result.rows.push_back(std::move(row));
  }
  return result;
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

}  // namespace

std::string write_text(const SweepTable& table) { return to_text(records(table)) + fastest(table); }

std::string write_csv(const SweepTable& table) { return to_csv(records(table)); }

std::string write_jsonl(const SweepTable& table) {
  const Records all = records(table);
  std::string text;
  for (const auto& row : all.rows) {
    JsonWriter json(JsonWriter::Layout::OneLine);
    write_record(json, all, row);
    text += json.text();
  }
  return text;
}

}  // namespace warpipe
