#include "warpipe/views/sweep_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warpipe/predict/launch_work.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/records.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostWorks = 10;  ///< whose fastest points are named

struct Column {
  std::string name;
  Cell (*cell)(const Prediction&);
};

Cell bound_cycles(const Prediction& prediction) {
  if (prediction.bounds.empty()) return {};
  return prediction.bounds[prediction.limiter].cycles;
}

Cell limiter(const Prediction& prediction) {
  if (prediction.bounds.empty()) return {};
  return limiter_name(prediction);
}

Cell end_of_range_us(const Prediction& prediction, double Interval::*end) {
  if (!prediction.range) return {};
  return in_microseconds(prediction.range->time.*end);
}

/// What stands in the columns of a sweep.
struct SweepColumns {
  std::vector<std::string> varied;
  bool range = false;  ///< where the times lie
};

/// The results of a point. A result that is varied itself stands with the varied values alone.
std::vector<Column> result_columns(const SweepColumns& asked) {
  std::vector<Column> columns{
      {"concurrent_groups", [](const Prediction& p) -> Cell { return p.launch.concurrent_groups.value; }},
      {"resident_warps", [](const Prediction& p) -> Cell { return p.launch.resident_warps; }},
      {"cycles", [](const Prediction& p) -> Cell { return p.cycles; }},
      {"time_us", [](const Prediction& p) -> Cell { return time_us(p); }},
      {"limiter", limiter},
      {"bound_cycles", bound_cycles},
      {"ratio_to_bound", [](const Prediction& p) -> Cell { return ratio_to_bound(p); }}};
  if (asked.range) {
    columns.push_back({"low_us", [](const Prediction& p) { return end_of_range_us(p, &Interval::low); }});
    columns.push_back({"high_us", [](const Prediction& p) { return end_of_range_us(p, &Interval::high); }});
  }
  std::erase_if(columns, [&](const Column& column) { return std::ranges::count(asked.varied, column.name) > 0; });
  return columns;
}

std::vector<std::string> column_names(const SweepColumns& asked) {
  std::vector<std::string> names = asked.varied;
  for (const auto& column : result_columns(asked)) names.push_back(column.name);
  names.emplace_back("error");
  return names;
}

std::vector<Cell> value_cells(const std::vector<VariedValue>& values) {
  std::vector<Cell> row;
  for (const auto& value : values) row.push_back(value.is_number() ? Cell(value.number) : Cell(to_string(value)));
  return row;
}

std::vector<Cell> cells(const SweepColumns& asked, const SweepPoint& point) {
  auto row = value_cells(point.values);
  for (const auto& column : result_columns(asked)) {
    row.push_back(point.prediction ? column.cell(*point.prediction) : Cell());
  }
  row.push_back(text_cell(point.error));
  return row;
}

std::string show_fastest(const SweepTable& table, const EqualWork& same) {
  return fmt::format("{}, {}\n", show_point(table.variations, *same.fastest),
                     show_time(same.fastest->prediction->time));
}

/// Points that do less work are faster, which says nothing.
std::string fastest_of_equal_work(const SweepTable& table, const std::vector<EqualWork>& works) {
  std::string text = fmt::format("\nThe points do different work ({} varies)", changes_of_work(table.variations));
  const bool alone = std::ranges::all_of(works, [](const EqualWork& same) { return same.points == 1; });
  if (alone || works.size() > kMostWorks) {
    text += ": none is called the fastest.\n";
  } else {
    text += "; fastest of equal work:\n";
    for (const auto& same : works) text += "  " + show_fastest(table, same);
  }
  if (const auto* highest = highest_throughput(table.points)) {
    const auto [unit, amount] = throughput_of(highest->prediction->launch);
    text += fmt::format("highest throughput: {}, {:.4g} {}\n", show_point(table.variations, *highest),
                        amount / highest->prediction->time.count, unit);
  }
  return text;
}

std::string fastest(const SweepTable& table) {
  const auto works = equal_work(table.variations, table.points);
  if (works.empty()) return {};
  if (works.size() > 1) return fastest_of_equal_work(table, works);
  return "\nfastest: " + show_fastest(table, works.front());
}

SweepColumns columns_of(const SweepTable& table) {
  const auto has_range = [](const SweepPoint& point) { return point.prediction && point.prediction->range; };
  return {names_of(table.variations), std::ranges::any_of(table.points, has_range)};
}

std::string write_rows(const SweepTable& table, RowForm form) {
  const auto [names, range] = columns_of(table);
  const SweepRows rows(names, form, range);
  std::string text = rows.header();
  for (const auto& point : table.points) text += rows.row(point);
  return text;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Variation>& variations) {
  std::vector<std::string> names;
  for (const auto& variation : variations) names.push_back(variation.name);
  return names;
}

/// From cycles and clock with one rounding, so that the shortest form stays short.
double time_us(const Prediction& prediction) {
  return to_cycles(prediction.cycles).count / (prediction.clock.count / 1e6);
}

std::string show_value(const VariedValue& value) {
  return value.is_number() ? show_number(value.number) : to_string(value);
}

std::string show_point(const std::vector<Variation>& variations, const SweepPoint& point) {
  std::string text;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const auto& value = point.values[i];
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", variations[i].name, show_value(value));
  }
  return text;
}

std::string write_text(const SweepTable& table) {
  const SweepColumns columns = columns_of(table);
  Records records{column_names(columns), {}};
  for (const auto& point : table.points) records.rows.push_back(cells(columns, point));
  return to_text(records) + fastest(table);
}

std::string write_csv(const SweepTable& table) { return write_rows(table, RowForm::Csv); }

std::string write_jsonl(const SweepTable& table) { return write_rows(table, RowForm::JsonLines); }

SweepRows::SweepRows(std::vector<std::string> names, RowForm form, bool range)
    : varied_(std::move(names)), range_(range), columns_(column_names({varied_, range})), form_(form) {}

std::string SweepRows::header() const { return header_line(columns_, form_); }

std::string SweepRows::row(const SweepPoint& point) const {
  return row_line(columns_, cells({varied_, range_}, point), form_);
}

std::string SweepRows::row_start(const std::vector<VariedValue>& values) const {
  return warpipe::row_start(columns_, value_cells(values), form_);
}

std::string SweepRows::end_of_predicted() const { return form_ == RowForm::Csv ? ",\r\n" : "\"error\": null}\n"; }

}  // namespace warpipe
