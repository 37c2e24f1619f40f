#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warpipe/views/numbers.hpp"
#include "warpipe/views/sweep_view.hpp"

namespace warpipe {
namespace {

std::string show_ratio(Ticks cycles, Ticks bound) {
  return bound.count > 0 ? fmt::format("{:.3f}", to_cycles(cycles).count / to_cycles(bound).count) : std::string();
}

bool is_parameter(const std::string& name) { return name != "group_size" && name != "groups" && name != "warps"; }

}  // namespace

PageTable page_table(const TextTable& table, const std::string& caption) {
  PageTable shown{caption.empty() ? table.columns().front().title : caption, {}, {}};
  for (const auto& column : table.columns())
    shown.columns.push_back({column.title, column.align == TextTable::Align::Right});
  for (auto row : table.rows()) {
    for (auto& cell : row) cell.erase(0, cell.find_first_not_of(' '));
    shown.rows.push_back(std::move(row));
  }
  if (caption.empty()) shown.columns.front().title.clear();
  return shown;
}

PageTable bounds_table(const Prediction& prediction) {
  PageTable table{"Bounds", {{"bound"}, {"cycles", true}, {"simulated / bound", true}, {"warps needed", true}}, {}};
  for (const auto& bound : prediction.bounds) {
    const auto needed = std::ranges::find(prediction.warps_needed, bound.name, &WarpsNeeded::name);
    table.rows.push_back({bound.name, format_cycles(bound.cycles), show_ratio(prediction.cycles, bound.cycles),
                          needed == prediction.warps_needed.end() ? "" : fmt::format("{:.1f}", needed->warps)});
  }
  if (!prediction.bounds.empty()) table.here = prediction.limiter;
  return table;
}

PageTable pipelines_table(const Prediction& prediction) {
  PageTable table{"Pipelines", {{"pipeline"}, {"utilisation", true}, {"busy cycles", true}, {"instances", true}}, {}};
  for (const auto& use : prediction.pipelines) {
    table.rows.push_back(
        {use.name, show_percent(use.utilization), format_cycles(use.busy), fmt::format("{}", use.instances)});
  }
  return table;
}

PageTable launch_table(const Prediction& prediction) {
  const Launch& launch = prediction.launch;
  PageTable table{"Launch", {{""}, {"value", true}, {"from"}}, {}};
  const auto add = [&](const std::string& name, const std::string& value, const std::string& from) {
    table.rows.push_back({name, value, from});
  };
  for (const auto& [name, value] : launch.values) {
    if (!is_parameter(name)) continue;
    const auto origin = launch.parameter_origins.find(name);
    add(name, show_number(value), origin == launch.parameter_origins.end() ? "" : to_string(origin->second));
  }
  for (const auto& [name, value] : {std::pair("group size", launch.group_size), std::pair("groups", launch.groups),
                                    std::pair("concurrent groups", launch.concurrent_groups)}) {
    add(name, fmt::format("{}", value.value), to_string(value.origin));
  }
  add("warps per group", fmt::format("{}", launch.warps_per_group), "");
  add("groups per unit", fmt::format("{}", launch.groups_per_unit), fmt::format("{} units", prediction.compute_units));
  add("resident warps", fmt::format("{}", launch.resident_warps),
      launch.occupancy ? fmt::format("occupancy {}", show_percent(*launch.occupancy)) : "");
  if (launch.limits_ignored) add("limits", "ignored", "command line");
  return table;
}

PageTable latencies_table(const Prediction& prediction) {
  PageTable table{"Where the latencies of the ops are from", {{"source"}, {"ops", true}}, {}};
  for (const auto& [kind, count] : prediction.sources.by_kind)
    table.rows.push_back({to_string(kind), fmt::format("{}", count)});
  if (prediction.sources.without_source > 0)
    table.rows.push_back({"without a source", fmt::format("{}", prediction.sources.without_source)});
  return table;
}

PageTable points_table(const std::string& caption, const std::vector<std::string>& names,
                       const std::vector<SweepPoint>& points, bool same_work) {
  PageTable table{caption + (same_work ? " (bold: the fastest)" : ""), {}, {}};
  const auto is_named = [&](std::size_t i) { return !points.empty() && !points.front().values[i].name.empty(); };
  for (std::size_t i = 0; i < names.size(); ++i) table.columns.push_back({names[i], !is_named(i)});
  const bool has_warps = std::ranges::count(names, "warps") == 0;
  if (has_warps) table.columns.push_back({"warps", true});
  for (const char* title : {"cycles", "time"}) table.columns.push_back({title, true});
  const auto has_range = [](const SweepPoint& point) { return point.prediction && point.prediction->range; };
  const bool ranges = std::ranges::any_of(points, has_range);
  if (ranges) table.columns.push_back({kInNineOfTen, true});
  const bool measured = std::ranges::any_of(points, [](const SweepPoint& point) { return point.measured.has_value(); });
  if (measured) table.columns.insert(table.columns.end(), {{"measured", true}, {"error", true}});
  table.columns.push_back({"highest bound"});
  table.columns.push_back({"x bound", true});
  const bool has_errors = std::ranges::any_of(points, [](const SweepPoint& point) { return !point.prediction; });
  if (has_errors) table.columns.push_back({"error"});
  std::optional<Seconds> shortest;
  for (const auto& point : points) {
    std::vector<std::string> cells;
    for (const auto& value : point.values) cells.push_back(show_value(value));
    if (const auto& prediction = point.prediction) {
      if (has_warps) cells.push_back(fmt::format("{}", prediction->launch.resident_warps));
      cells.push_back(format_cycles(prediction->cycles));
      cells.push_back(show_time(prediction->time));
      if (ranges) cells.push_back(prediction->range ? show_range(prediction->range->time) : "");
      if (measured) {
        const double error = point.measured ? prediction->time.count / point.measured->count - 1 : 0;
        cells.push_back(point.measured ? show_time(*point.measured) : "");
        cells.push_back(point.measured ? show_signed_percent(error) : "");
      }
      cells.push_back(prediction->bounds.empty() ? "" : limiter_name(*prediction));
      cells.push_back(prediction->bounds.empty() ? "" : fmt::format("{:.3f}", ratio_to_bound(*prediction)));
      if (same_work && (!shortest || prediction->time < *shortest)) {
        shortest = prediction->time;
        table.here = table.rows.size();
      }
    }
    cells.resize(table.columns.size());
    if (has_errors) cells.back() = point.error;
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace warpipe
