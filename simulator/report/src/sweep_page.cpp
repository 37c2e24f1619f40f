#include <fmt/format.h>

#include <algorithm>

#include "chart.hpp"
#include "curve.hpp"
#include "heat_map.hpp"
#include "numbers.hpp"
#include "shown_time.hpp"
#include "tables.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/report/html.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostTableRows = 500;

/// Those that have a prediction.
std::vector<const SweepPoint*> predicted(const SweepTable& table) {
  std::vector<const SweepPoint*> points;
  for (const auto& point : table.points) {
    if (point.prediction) points.push_back(&point);
  }
  return points;
}

const SweepPoint* fastest(const std::vector<const SweepPoint*>& points) {
  const auto time = [](const SweepPoint* point) { return point->prediction->time; };
  const auto best = std::ranges::min_element(points, {}, time);
  return best == points.end() ? nullptr : *best;
}

std::string values_of(const SweepTable& table, const SweepPoint& point) {
  std::string text;
  for (std::size_t i = 0; i < table.names.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", table.names[i], show_number(point.values[i]));
  return text;
}

std::vector<Figure> curves(const SweepTable& table) {
  Curve curve{table.names.front(), {}, false, std::nullopt};
  curve.is_occupancy = curve.x_title == "concurrent_groups" || curve.x_title == "occupancy";
  if (curve.is_occupancy) curve.x_title = "resident warps of a unit";
  for (const auto* point : predicted(table)) {
    const auto& prediction = *point->prediction;
    const auto warps = static_cast<double>(prediction.launch.resident_warps);
    curve.points.push_back({curve.is_occupancy ? warps : point->values.front(), &prediction});
  }
  std::ranges::stable_sort(curve.points, {}, &CurvePoint::x);
  return curve_figures(curve);
}

std::vector<Figure> heat(const SweepTable& table) {
  std::vector<HeatCell> cells;
  for (const auto* point : predicted(table)) cells.push_back({point->values[1], point->values[0], &*point->prediction});
  if (cells.empty()) return {};
  return {heat_map(table.names[1], table.names[0], cells)};
}

Figure cloud(const SweepTable& table, std::size_t index) {
  const auto points = predicted(table);
  const auto* best = fastest(points);
  Seconds longest;
  for (const auto* point : points) longest = std::max(longest, point->prediction->time);
  const auto unit = unit_for(longest);
  Records records{{"x", "time", "shown", "point", "limiter", "best"}, {}};
  for (const auto* point : points) {
    const auto& prediction = *point->prediction;
    const double time = prediction.time.count / unit.seconds;
    records.rows.push_back(
        {point->values[index], time > 0 ? Cell(time) : Cell(), show_time(prediction.time), values_of(table, *point),
         prediction.bounds.empty() ? Cell() : Cell(limiter_name(prediction)), std::int64_t{point == best}});
  }
  const auto description = fmt::format("Run time of all {} points over {}; the fastest, {}, at {}.", points.size(),
                                       table.names[index], show_time(best->prediction->time), values_of(table, *best));
  Chart chart("cloud");
  chart.data("points", records).set("/encoding/x/title", table.names[index]);
  chart.set("/encoding/y/title", fmt::format("run time ({})", unit.name));
  return {Figure::Kind::Chart,
          fmt::format("points-{}", index + 1),
          fmt::format("Run time ({}, log scale) over {}", unit.name, table.names[index]),
          "Ring: the fastest.",
          description,
          chart.text(description)};
}

std::vector<Figure> figures(const SweepTable& table) {
  if (predicted(table).empty()) return {};
  if (table.names.size() == 1) return curves(table);
  if (table.names.size() == 2) return heat(table);
  std::vector<Figure> clouds;
  for (std::size_t i = 0; i < table.names.size(); ++i) clouds.push_back(cloud(table, i));
  return clouds;
}

}  // namespace

std::string write_html(const SweepTable& table) {
  if (table.points.size() > kMostPagePoints)
    throw UsageError(Diagnostic{"--html", fmt::format("a page shows at most {} points", kMostPagePoints),
                                fmt::format("found {}", table.points.size()), "vary less, or write --csv=FILE"});
  const auto points = predicted(table);
  Page page;
  page.title = "Sweep";
  if (const auto* best = fastest(points)) {
    const auto& prediction = *best->prediction;
    page.title = fmt::format("{} on {}: sweep", prediction.kernel, prediction.device);
    page.subtitle = prediction.device_title;
    page.facts = {{"points", fmt::format("{}", table.points.size())},
                  {"fastest", show_time(prediction.time)},
                  {"fastest at", values_of(table, *best)}};
  }
  const std::size_t shown = std::min(table.points.size(), kMostTableRows);
  const std::string text = shown < table.points.size()
                               ? fmt::format("The table shows the first {} points; --csv writes all.", shown)
                               : std::string();
  const std::vector<SweepPoint> rows(table.points.begin(), table.points.begin() + static_cast<std::ptrdiff_t>(shown));
  page.sections.push_back({"Run time", text, figures(table), {points_table("Points", table.names, rows)}});
  return write_html(page);
}

}  // namespace warpipe
