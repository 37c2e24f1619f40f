#include "warpipe/views/sweep_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/records.hpp"
#include "warpipe/views/sweep_curves.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostWorks = 10;  ///< whose fastest points are named
constexpr std::size_t kMostTies = 8;    ///< named in the text
constexpr std::size_t kMostKnees = 8;   ///< likewise

struct Column {
  std::string name;
  Cell (*cell)(const Prediction&);
};

/// Predicted less measured, as a part of measured.
double error_of(const SweepPoint& point) { return point.prediction->time.count / point.measured->count - 1; }

bool is_scored(const SweepPoint& point) { return point.prediction && point.measured; }

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

/// The columns of a sweep.
struct SweepColumns {
  std::vector<std::string> varied;
  bool range = false;     ///< where the times lie
  bool measured = false;  ///< the measured values, and the errors
};

/// The results of a point. A varied result stands with the varied values alone.
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
  if (asked.measured) names.insert(names.end(), {"measured_us", "error_percent"});
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
  if (asked.measured) {
    row.push_back(point.measured ? Cell(in_microseconds(point.measured->count)) : Cell());
    row.push_back(is_scored(point) ? Cell(100 * error_of(point)) : Cell());
  }
  row.push_back(text_cell(point.error));
  return row;
}

/// A point, without the values of no effect.
std::string show_deciding(const SweepTable& table, const SweepPoint& point, const std::vector<std::string>& no_effect) {
  SweepPoint shown;
  std::vector<Variation> variations;
  for (std::size_t i = 0; i < table.variations.size(); ++i) {
    if (std::ranges::find(no_effect, table.variations[i].name) != no_effect.end()) continue;
    variations.push_back(table.variations[i]);
    shown.values.push_back(point.values[i]);
  }
  return show_point(variations, shown);
}

/// Points with times closer than the error of the model.
std::string show_ties(const SweepTable& table, const EqualWork& same, const std::vector<std::string>& no_effect) {
  std::vector<std::string> shown;
  for (const auto* tie : same.ties) {
    auto text = show_deciding(table, *tie, no_effect);
    if (std::ranges::find(shown, text) == shown.end()) shown.push_back(std::move(text));
  }
  std::erase(shown, show_deciding(table, *same.fastest, no_effect));
  if (shown.empty()) return {};
  const std::size_t more = shown.size() - std::min(shown.size(), kMostTies);
  shown.resize(shown.size() - more);
  const auto others = more > 0 ? fmt::format(" and {} more", more) : std::string();
  return fmt::format("  ties within {:.0f} %, the model's error: {}{}\n", 100 * kTie, fmt::join(shown, ", "), others);
}

std::string show_fastest(const SweepTable& table, const EqualWork& same, const std::vector<std::string>& no_effect) {
  return fmt::format("{}, {}\n", show_deciding(table, *same.fastest, no_effect),
                     show_time(same.fastest->prediction->time));
}

/// The arrays read and written by the launches of imported code.
std::string show_work(const SweepTable& table, const std::vector<EqualWork>& works) {
  std::string text;
  for (const auto& same : works) {
    if (!same.fastest->arrays) return {};
    const auto& arrays = *same.fastest->arrays;
    const auto [read, written] = bytes_of_work(arrays);
    const bool has_results = std::ranges::any_of(arrays, &isa::ArrayReach::is_result);
    text += fmt::format("  {} reads {} and writes {}{}\n", show_point(table.variations, *same.fastest),
                        show_bytes(read), show_bytes(written), has_results ? ", without one result of each group" : "");
  }
  return text;
}

bool names_fastest(const std::vector<EqualWork>& works) {
  const bool alone = std::ranges::all_of(works, [](const EqualWork& same) { return same.points == 1; });
  return works.size() == 1 || (works.size() <= kMostWorks && !alone);
}

/// Points with less work are faster, so their times alone say nothing.
std::string fastest_of_equal_work(const SweepTable& table, const std::vector<EqualWork>& works,
                                  const std::vector<std::string>& no_effect) {
  std::string text = fmt::format("\nThe points do different work ({} varies)", changes_of_work(table.variations));
  const bool few = works.size() <= kMostWorks;
  if (!names_fastest(works)) {
    text += ": none is called the fastest.\n";
  } else {
    text += "; fastest of equal work:\n";
    for (const auto& same : works)
      text += "  " + show_fastest(table, same, no_effect) + show_ties(table, same, no_effect);
  }
  if (few) text += show_work(table, works);
  if (const auto* highest = highest_throughput(table.points, table.variations)) {
    const auto [unit, amount] = throughput_of(*highest, table.variations);
    text += fmt::format("highest throughput: {}, {:.4g} {}\n", show_point(table.variations, *highest),
                        amount / highest->prediction->time.count, unit);
  }
  return text;
}

std::string show_no_effect(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return fmt::format("\n{} {} no effect in this launch: all values take the same time.\n", fmt::join(names, ", "),
                     names.size() == 1 ? "has" : "have");
}

std::string fastest(const SweepTable& table) {
  const auto works = equal_work(table.variations, table.points);
  if (works.empty()) return {};
  const auto no_effect = without_effect(table.variations, table.points);
  auto text = show_no_effect(no_effect);
  if (works.size() > 1) {
    text += fastest_of_equal_work(table, works, no_effect);
  } else if (no_effect.size() < table.variations.size()) {
    text += "\nfastest: " + show_fastest(table, works.front(), no_effect) + show_ties(table, works.front(), no_effect);
  }
  if (std::ranges::any_of(works, &EqualWork::by_lanes))
    text += "Where an array is read or written is not known of each access: as many lanes count as the same work.\n";
  return text;
}

/// The values of a point at some of the names: "n=512 device=h100".
std::string show_values(const SweepTable& table, const std::vector<std::size_t>& names,
                        const std::vector<VariedValue>& values) {
  SweepPoint shown;
  shown.values = values;
  std::vector<Variation> variations;
  for (const auto name : names) variations.push_back(table.variations[name]);
  return show_point(variations, shown);
}

/// From how many resident warps on the throughput bound is the higher bound.
///
///     knees in resident warps, from which on the throughput bound is the higher one: 50.3 (conflict_degree=1)
std::string show_knees(const SweepTable& table) {
  auto knees = knees_of(table);
  if (knees.empty()) return {};
  if (knees.front().names.empty())
    return fmt::format("knee: {} resident warps, from which on the throughput bound is the higher one\n",
                       show_knee(knees.front().warps));
  const std::size_t more = knees.size() - std::min(knees.size(), kMostKnees);
  knees.resize(knees.size() - more);
  std::vector<std::string> shown;
  for (const auto& knee : knees)
    shown.push_back(fmt::format("{} ({})", show_knee(knee.warps), show_values(table, knee.names, knee.values)));
  return fmt::format("knees in resident warps, from which on the throughput bound is the higher one: {}{}\n",
                     fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

void write_values(JsonWriter& json, const SweepTable& table, const std::vector<std::size_t>& names,
                  const std::vector<VariedValue>& values) {
  json.begin_object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    json.key(table.variations[names[i]].name);
    values[i].is_number() ? json.value(values[i].number) : json.value(to_string(values[i]));
  }
  json.end_object();
}

void write_values(JsonWriter& json, const SweepTable& table, const SweepPoint& point) {
  std::vector<std::size_t> names(table.variations.size());
  std::iota(names.begin(), names.end(), std::size_t{0});
  write_values(json, table, names, point.values);
}

/// Of each set of equal work, as the text names them.
void write_fastest(JsonWriter& json, const SweepTable& table) {
  json.key("fastest").begin_array();
  for (const auto& same : named_works(table)) {
    json.begin_object();
    write_values(json.key("at"), table, *same.fastest);
    json.member("time_us", time_us(*same.fastest->prediction)).key("ties").begin_array();
    for (const auto* tie : same.ties) write_values(json, table, *tie);
    json.end_array().end_object();
  }
  json.end_array();
}

void write_knees(JsonWriter& json, const SweepTable& table) {
  json.key("knees").begin_array();
  for (const auto& knee : knees_of(table)) {
    json.begin_object();
    write_values(json.key("at"), table, knee.names, knee.values);
    json.member("resident_warps", knee.warps).end_object();
  }
  json.end_array();
}

SweepColumns columns_of(const SweepTable& table) {
  const auto has_range = [](const SweepPoint& point) { return point.prediction && point.prediction->range; };
  return {names_of(table.variations), std::ranges::any_of(table.points, has_range), has_measured(table)};
}

std::string write_rows(const SweepTable& table, RowForm form) {
  const auto columns = columns_of(table);
  const auto names = column_names(columns);
  std::string text = header_line(names, form);
  for (const auto& point : table.points) text += row_line(names, cells(columns, point), form);
  return text;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Variation>& variations) {
  std::vector<std::string> names;
  for (const auto& variation : variations) names.push_back(variation.name);
  return names;
}

/// From cycles and clock with a single rounding, so the shortest form stays short.
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

std::vector<EqualWork> named_works(const SweepTable& table) {
  auto works = equal_work(table.variations, table.points);
  return names_fastest(works) ? works : std::vector<EqualWork>();
}

bool has_measured(const SweepTable& table) {
  return std::ranges::any_of(table.points, [](const SweepPoint& point) { return point.measured.has_value(); });
}

std::string show_measured(const SweepTable& table) {
  const SweepPoint* worst = nullptr;
  std::size_t scored = 0;
  double sum = 0;
  for (const auto& point : table.points) {
    if (!is_scored(point)) continue;
    ++scored;
    sum += std::abs(error_of(point));
    if (worst == nullptr || std::abs(error_of(point)) > std::abs(error_of(*worst))) worst = &point;
  }
  if (worst == nullptr) return {};
  return fmt::format("{} of {} points measured: mean |error| {}, worst {} at {}", scored, table.points.size(),
                     show_percent(sum / static_cast<double>(scored)), show_signed_percent(error_of(*worst)),
                     show_point(table.variations, *worst));
}

std::string write_text(const SweepTable& table) {
  const SweepColumns columns = columns_of(table);
  Records records{column_names(columns), {}};
  for (const auto& point : table.points) records.rows.push_back(cells(columns, point));
  const auto measured = show_measured(table);
  return to_text(records) + fastest(table) + show_knees(table) + (measured.empty() ? "" : measured + "\n");
}

std::string write_json(const SweepTable& table) {
  const auto columns = columns_of(table);
  const Records records{column_names(columns), {}};
  JsonWriter json;
  json.begin_object().member("format", "warpipe-sweep").member("version", std::int64_t{1}).key("varied").begin_array();
  for (const auto& name : columns.varied) json.value(name);
  json.end_array().key("points").begin_array();
  for (const auto& point : table.points) write_record(json, records, cells(columns, point));
  json.end_array();
  write_fastest(json, table);
  write_knees(json, table);
  json.key("without_effect").begin_array();
  for (const auto& name : without_effect(table.variations, table.points)) json.value(name);
  return json.end_array().end_object().text();
}

std::string write_csv(const SweepTable& table) { return write_rows(table, RowForm::Csv); }

std::string write_jsonl(const SweepTable& table) { return write_rows(table, RowForm::JsonLines); }

SweepRows::SweepRows(std::vector<std::string> names, RowForm form, bool range)
    : varied_(std::move(names)), range_(range), columns_(column_names({varied_, range, false})), form_(form) {}

std::string SweepRows::header() const { return header_line(columns_, form_); }

std::string SweepRows::row(const SweepPoint& point) const {
  return row_line(columns_, cells({varied_, range_, false}, point), form_);
}

std::string SweepRows::row_start(const std::vector<VariedValue>& values) const {
  return warpipe::row_start(columns_, value_cells(values), form_);
}

std::string SweepRows::end_of_predicted() const { return form_ == RowForm::Csv ? ",\r\n" : "\"error\": null}\n"; }

}  // namespace warpipe
