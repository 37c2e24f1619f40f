#include "sweep_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "chart.hpp"
#include "curves.hpp"
#include "heat_map.hpp"
#include "shown_time.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/sweep_curves.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kManyLines = 5;  ///< from here a heat map beside the curves says more than they do

bool is_number(const Variation& variation) { return std::ranges::all_of(variation.values, &VariedValue::is_number); }

/// Sizes along axes are shown by their product.
std::string axis_title(const Variation& variation) {
  if (variation.kind == Variation::Kind::Block) return variation.name + " (threads)";
  return variation.kind == Variation::Kind::Grid ? variation.name + " (groups)" : variation.name;
}

/// The fastest points of equal work, and their ties.
std::map<const SweepPoint*, Standing> standings(const SweepTable& table) {
  std::map<const SweepPoint*, Standing> found;
  for (const auto& same : named_works(table)) {
    for (const auto* tie : same.ties) found[tie] = Standing::Tie;
    found[same.fastest] = Standing::Fastest;
  }
  return found;
}

std::vector<std::string> shown_values(const Variation& variation) {
  std::vector<std::string> shown;
  for (const auto& value : variation.values) shown.push_back(show_value(value));
  return shown;
}

std::size_t place_of(const Variation& variation, const VariedValue& value) {
  return static_cast<std::size_t>(std::ranges::find(variation.values, value) - variation.values.begin());
}

/// The span of the times of all simulations and measurements, with air around.
Interval span_of(const SweepTable& table) {
  constexpr double kAround = 1.2;
  Interval span{1e300, 0};
  const auto include = [&](Seconds time) {
    if (time.count <= 0) return;
    span = {std::min(span.low, time.count), std::max(span.high, time.count)};
  };
  for (const auto* point : predicted_points(table)) {
    const auto& prediction = *point->prediction;
    include(prediction.time);
    include(to_seconds(std::max(latency_bound(prediction), throughput_bound(prediction)), prediction.clock));
    if (point->measured) include(*point->measured);
  }
  return {span.low / kAround, span.high * kAround};
}

/// The curves of the points with `shown` true.
template <class Shown>
Curves curves_of(const SweepTable& table, const SweepAxes& axes, const std::map<const SweepPoint*, Standing>& standing,
                 Shown shown) {
  const auto& x = table.variations[axes.x];
  Curves curves{is_occupancy(x) ? "resident warps of a unit" : axis_title(x), {}, is_occupancy(x)};
  if (axes.lines) {
    curves.line_title = table.variations[*axes.lines].name;
    curves.lines = shown_values(table.variations[*axes.lines]);
  }
  curves.remark = show_measured(table);
  if (!curves.remark.empty()) curves.remark += '.';
  for (const auto* point : predicted_points(table)) {
    if (!shown(*point)) continue;
    const auto& prediction = *point->prediction;
    const auto found = standing.find(point);
    const double warps = static_cast<double>(prediction.launch.resident_warps);
    curves.points.push_back({curves.is_occupancy ? warps : point->values[axes.x].number, &prediction,
                             axes.lines ? place_of(table.variations[*axes.lines], point->values[*axes.lines]) : 0,
                             show_point(table.variations, *point),
                             found == standing.end() ? Standing::Slower : found->second, point->measured});
  }
  std::ranges::stable_sort(curves.points, {}, &CurvePoint::x);
  return curves;
}

/// A picture for each value of the third name, all with the same axis of times.
std::vector<Figure> multiples(const SweepTable& table, const SweepAxes& axes) {
  const auto& variation = table.variations[*axes.pictures];
  const auto standing = standings(table);
  const auto span = span_of(table);
  std::vector<Figure> figures;
  for (const auto& value : variation.values) {
    const auto is_shown = [&](const SweepPoint& point) { return point.values[*axes.pictures] == value; };
    auto curves = curves_of(table, axes, standing, is_shown);
    if (curves.points.empty()) continue;
    curves.part = fmt::format("{} {}", variation.name, show_value(value));
    curves.seconds = span;
    figures.push_back(time_figure(curves, fmt::format("run-time-{}", figures.size() + 1)));
  }
  return figures;
}

Figure heat(const SweepTable& table) {
  std::vector<HeatCell> cells;
  for (const auto* point : predicted_points(table))
    cells.push_back({point->values[1].number, point->values[0].number, &*point->prediction});
  const auto shortest =
      *std::ranges::min_element(cells, {}, [](const HeatCell& cell) { return cell.prediction->time; });
  return heat_map(table.variations[1].name, table.variations[0].name, cells, shortest.prediction->time,
                  named_works(table).size() == 1);
}

/// The fastest point; null where the points do different work.
const SweepPoint* fastest(const SweepTable& table) {
  const auto works = named_works(table);
  return works.size() == 1 ? works.front().fastest : nullptr;
}

Figure cloud(const SweepTable& table, std::size_t index) {
  const auto points = predicted_points(table);
  const auto* best = fastest(table);
  Seconds longest;
  for (const auto* point : points) longest = std::max(longest, point->prediction->time);
  const auto unit = unit_for(longest);
  const bool named = has_names(table.variations[index]);
  Records records{{"x", "time", "shown", "point", "limiter", "best"}, {}};
  for (const auto* point : points) {
    const auto& prediction = *point->prediction;
    const double time = prediction.time.count / unit.seconds;
    const auto& value = point->values[index];
    records.rows.push_back({named ? Cell(value.name) : Cell(value.number), time > 0 ? Cell(time) : Cell(),
                            show_time(prediction.time), show_point(table.variations, *point),
                            prediction.bounds.empty() ? Cell() : Cell(limiter_name(prediction)),
                            std::int64_t{point == best}});
  }
  const auto name = axis_title(table.variations[index]);
  auto description = fmt::format("Run time of all {} points over {}.", points.size(), name);
  if (best != nullptr)
    description +=
        fmt::format(" The fastest, {}, at {}.", show_time(best->prediction->time), show_point(table.variations, *best));
  Chart chart("cloud");
  chart.data("points", records).set("/encoding/x/title", name);
  if (named) chart.set("/encoding/x/type", std::string("nominal")).set("/encoding/x/sort", Cell());
  chart.set("/encoding/y/title", fmt::format("run time ({})", unit.name));
  return {Figure::Kind::Chart,
          fmt::format("points-{}", index + 1),
          fmt::format("Run time ({}, log scale) over {}", unit.name, name),
          best != nullptr ? "Ring: the fastest." : "The points do different work.",
          description,
          chart.text(description)};
}

}  // namespace

std::vector<const SweepPoint*> predicted_points(const SweepTable& table) {
  std::vector<const SweepPoint*> points;
  for (const auto& point : table.points) {
    if (point.prediction) points.push_back(&point);
  }
  return points;
}

Section sweep_section(const SweepTable& table) {
  Section section{"Run time", "", {}, {}};
  if (predicted_points(table).empty()) return section;
  const auto& variations = table.variations;
  const auto axes = axes_of(variations);
  const bool is_map = variations.size() == 2 && std::ranges::all_of(variations, is_number);
  if (axes && axes->pictures) {
    section.figures = multiples(table, *axes);
    section.are_multiples = true;
  } else if (axes) {
    const auto curves = curves_of(table, *axes, standings(table), [](const SweepPoint&) { return true; });
    section.figures = {time_figure(curves, "run-time"), throughput_figure(curves, "throughput")};
    if (is_map && curves.lines.size() >= kManyLines) section.figures.push_back(heat(table));
  } else if (is_map) {
    section.figures = {heat(table)};
  } else {
    for (std::size_t i = 0; i < variations.size(); ++i) section.figures.push_back(cloud(table, i));
  }
  return section;
}

}  // namespace warpipe
