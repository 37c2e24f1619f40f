#include <fmt/format.h>

#include <algorithm>

#include "chart.hpp"
#include "curve.hpp"
#include "heat_map.hpp"
#include "shown_time.hpp"
#include "tables.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/views/numbers.hpp"

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

/// The fastest point; null where the points do different work, or none has a prediction.
const SweepPoint* fastest(const SweepTable& table) {
  const auto works = equal_work(table.variations, table.points);
  return works.size() == 1 ? works.front().fastest : nullptr;
}

/// How many others the model does not tell from the fastest.
std::size_t as_fast(const SweepTable& table) { return equal_work(table.variations, table.points).front().ties.size(); }

std::vector<Figure> curves(const SweepTable& table) {
  Curve curve{table.variations.front().name, {}, false, std::nullopt};
  curve.is_occupancy = curve.x_title == "concurrent_groups" || curve.x_title == "occupancy";
  if (curve.is_occupancy) curve.x_title = "resident warps of a unit";
  for (const auto* point : predicted(table)) {
    const auto& prediction = *point->prediction;
    const auto warps = static_cast<double>(prediction.launch.resident_warps);
    curve.points.push_back({curve.is_occupancy ? warps : point->values.front().number, &prediction});
  }
  std::ranges::stable_sort(curve.points, {}, &CurvePoint::x);
  return curve_figures(curve);
}

std::vector<Figure> heat(const SweepTable& table) {
  std::vector<HeatCell> cells;
  for (const auto* point : predicted(table))
    cells.push_back({point->values[1].number, point->values[0].number, &*point->prediction});
  if (cells.empty()) return {};
  return {heat_map(table.variations[1].name, table.variations[0].name, cells, fastest(table) != nullptr)};
}

/// Sizes along axes are shown by their product.
std::string axis_title(const Variation& variation) {
  if (variation.kind == Variation::Kind::Block) return variation.name + " (threads)";
  return variation.kind == Variation::Kind::Grid ? variation.name + " (groups)" : variation.name;
}

Figure cloud(const SweepTable& table, std::size_t index) {
  const auto points = predicted(table);
  const auto* best = fastest(table);
  Seconds longest;
  for (const auto* point : points) longest = std::max(longest, point->prediction->time);
  const auto unit = unit_for(longest);
  const bool named = has_names(table.variations[index].kind);
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

std::vector<Figure> figures(const SweepTable& table) {
  if (predicted(table).empty()) return {};
  const bool numbers = std::ranges::all_of(table.variations, [](const Variation& variation) {
    return std::ranges::all_of(variation.values, &VariedValue::is_number);
  });
  if (numbers && table.variations.size() == 1) return curves(table);
  if (numbers && table.variations.size() == 2) return heat(table);
  std::vector<Figure> clouds;
  for (std::size_t i = 0; i < table.variations.size(); ++i) clouds.push_back(cloud(table, i));
  return clouds;
}

}  // namespace

std::string write_html(const SweepTable& table) {
  if (table.points.size() > kMostPagePoints)
    throw UsageError(Diagnostic{"`html`", fmt::format("a page can show at most {} points", kMostPagePoints),
                                fmt::format("found {}", table.points.size()), "vary less, or write `csv`"});
  const auto points = predicted(table);
  const auto* best = fastest(table);
  Page page;
  page.title = "Sweep";
  if (!points.empty()) {
    const auto& prediction = *points.front()->prediction;
    const auto varies = [&](Variation::Kind kind) {
      return std::ranges::count(table.variations, kind, &Variation::kind);
    };
    const bool kernels = varies(Variation::Kind::Kernel) > 0, devices = varies(Variation::Kind::Device) > 0;
    page.title = fmt::format("{} on {}: sweep", kernels ? "kernels" : prediction.kernel,
                             devices ? "devices" : prediction.device);
    if (!devices) page.subtitle = prediction.device_title;
    page.facts = {{"points", fmt::format("{}", table.points.size())}};
  }
  if (best != nullptr) {
    page.facts.emplace_back("fastest", show_time(best->prediction->time));
    page.facts.emplace_back("fastest at", show_point(table.variations, *best));
    if (const auto others = as_fast(table); others > 0)
      page.facts.emplace_back(fmt::format("within {:.0f} % of it", 100 * kTie),
                              fmt::format("{} other{}", others, others == 1 ? "" : "s"));
  } else if (!points.empty()) {
    page.facts.emplace_back("work", "differs: none is the fastest");
    if (const auto* highest = highest_throughput(table.points, table.variations))
      page.facts.emplace_back("highest throughput at", show_point(table.variations, *highest));
  }
  const std::size_t shown = std::min(table.points.size(), kMostTableRows);
  const std::string text =
      shown < table.points.size()
          ? fmt::format("The table shows the first {} points; a CSV file holds all of them.", shown)
          : std::string();
  const std::vector<SweepPoint> rows(table.points.begin(), table.points.begin() + static_cast<std::ptrdiff_t>(shown));
  page.sections.push_back(
      {"Run time", text, figures(table), {points_table("Points", names_of(table.variations), rows, best != nullptr)}});
  return write_html(page);
}

}  // namespace warpipe
