#include <fmt/format.h>

#include <algorithm>

#include "bars.hpp"
#include "curves.hpp"
#include "heat_map.hpp"
#include "roofline_chart.hpp"
#include "shown_time.hpp"
#include "stall_section.hpp"
#include "tables.hpp"
#include "warpipe/predict/launch_work.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/summary_view.hpp"

namespace warpipe {
namespace {

std::vector<std::pair<std::string, std::string>> facts(const Prediction& prediction) {
  const Launch& launch = prediction.launch;
  std::vector<std::pair<std::string, std::string>> facts{{"run time", show_time(prediction.time)},
                                                         {"cycles", format_cycles(prediction.cycles)}};
  if (prediction.range) facts.emplace_back(kInNineOfTen, show_range(prediction.range->time));
  if (!prediction.bounds.empty())
    facts.emplace_back("limited by",
                       fmt::format("{} ({:.3f} x)", limiter_name(prediction), ratio_to_bound(prediction)));
  facts.emplace_back("resident warps",
                     launch.occupancy ? fmt::format("{} ({})", launch.resident_warps, show_percent(*launch.occupancy))
                                      : fmt::format("{}", launch.resident_warps));
  const double seconds = prediction.time.count;
  if (launch.flops && seconds > 0)
    facts.emplace_back("operations", fmt::format("{:.4g} GFLOP/s", *launch.flops / seconds / 1e9));
  if (const auto memory = memory_throughput(prediction); memory && seconds > 0)
    facts.emplace_back("memory", fmt::format("{:.4g} {}", memory->amount / seconds, memory->unit));
  if (const auto caches = show_caches(prediction); !caches.empty()) facts.emplace_back("caches", caches);
  return facts;
}

Section warnings_section(const Prediction& prediction) {
  PageTable table{"What to keep in mind, and what cannot be true", {{"warning"}}, {}};
  for (const auto& warning : prediction.warnings) table.rows.push_back({warning});
  return {"Warnings", "", {}, {table}};
}

Section occupancy_section(const LaunchReport& report) {
  if (report.occupancies.empty()) return {"Occupancy", "", {}, {}};
  Curves curves{"resident warps of a unit", {}, true, static_cast<double>(report.base.launch.resident_warps)};
  for (const auto& point : report.occupancies) {
    if (point.prediction)
      curves.points.push_back({static_cast<double>(point.prediction->launch.resident_warps), &*point.prediction});
  }
  return {"Occupancy",
          "The same launch with fewer or more groups resident on a unit at a time.",
          {time_figure(curves, "run-time"), throughput_figure(curves, "throughput")},
          {points_table("Over occupancy", {"groups"}, report.occupancies, true)}};
}

Section group_size_section(const LaunchReport& report) {
  std::vector<HeatCell> cells;
  std::vector<SweepPoint> points;
  for (const auto& point : report.group_sizes) {
    if (!point.prediction) continue;
    cells.push_back({point.values[0].number, point.values[1].number, &*point.prediction});
    points.push_back(point);
  }
  Section section{
      "Group size and occupancy", "The same work in smaller or larger groups, more or fewer of them resident.", {}, {}};
  if (cells.empty()) {
    section.text = fmt::format("Not shown: {}.", report.why_one_group_size.empty() ? "no other group size makes a model"
                                                                                   : report.why_one_group_size);
    return section;
  }
  section.figures.push_back(heat_map("group size", "resident warps", cells, report.base.time, true));
  return section;
}

Section bounds_section(const Prediction& prediction) {
  Bars bars{{}, {"simulated", "latency bound", "throughput bound"}, "bound, share of the simulated time", true};
  for (const auto& bound : prediction.bounds) {
    const double part = share(bound.cycles, prediction.cycles);
    bars.bars.push_back({bound.name, part, show_percent(part),
                         bound.name == "latency" ? "latency bound" : "throughput bound",
                         fmt::format("{} cycles", format_cycles(bound.cycles))});
  }
  const auto description =
      fmt::format("Each bound as a share of the simulated {} cycles; the highest is {}.",
                  format_cycles(prediction.cycles), prediction.bounds.empty() ? "none" : limiter_name(prediction));
  return {
      "What limits it",
      "No schedule is faster than a bound. Near 100 %: that pipeline is always busy, or warps wait for results all the "
      "time.",
      {bars_figure({.id = "bounds", .title = "Bounds (share of the simulated time)", .description = description},
                   bars)},
      {bounds_table(prediction), pipelines_table(prediction)}};
}

Section roofline_section(const LaunchReport& report) {
  Section section{"Roofline", "", {}, {}};
  if (auto figure = roofline_figure(report)) {
    section.figures.push_back(std::move(*figure));
  } else {
    section.text = fmt::format("Not shown: {}.", why_no_roofline(report));
  }
  return section;
}

/// Each line with its work; the rows around lines, with nothing but their text, stay where they are.
Section source_section(const LaunchReport& report) {
  Section section{"Source",
                  "Share: of the time of all warps. Sectors: the bytes that lanes use of each that they touch. A "
                  "pipeline's column: the part of the run for which the line keeps it busy.",
                  {},
                  {}};
  if (!report.source) return section;
  auto table = page_table(*report.source, "By line, or by instruction");
  table.columns.back().is_code = true;
  // The code stands where it is seen on a narrow screen, too.
  constexpr std::ptrdiff_t kOfCode = 3;
  const auto move_code = [](auto& cells) { std::rotate(cells.begin() + kOfCode, cells.end() - 1, cells.end()); };
  move_code(table.columns);
  for (auto& row : table.rows) move_code(row);
  section.tables.push_back(std::move(table));
  return section;
}

Section graph_section(const LaunchReport& report) {
  Section section{"Instruction dependence graph",
                  "What one warp does, and what waits for what. Each box: the instruction, its op, its issue and "
                  "completion latency. Frames are loops.",
                  {},
                  {}};
  if (report.graph.empty()) {
    section.text = report.why_no_graph;
    return section;
  }
  section.figures.push_back(
      {Figure::Kind::Graph, "graph", report.base.kernel, "Scroll in it where it is wider than the screen.",
       fmt::format("Instruction dependence graph of {} with the critical path and the recurrences "
                   "of its loops; `warpipe graph` writes it as text.",
                   report.base.kernel),
       report.graph});
  return section;
}

}  // namespace

Page page_of(const LaunchReport& report) {
  const Prediction& base = report.base;
  const auto units = base.units == Units::All ? fmt::format("all {} units simulated", base.compute_units)
                                              : fmt::format("one unit stands for {}", base.compute_units);
  Page page{fmt::format("{} on {}", base.kernel, base.device),
            fmt::format("{}{}at {}, {}, policy {}", base.device_title, base.device_title.empty() ? "" : " ",
                        show_clock(base.clock), units, to_string(base.policy)),
            facts(base),
            {occupancy_section(report),
             bounds_section(base),
             stall_section(report.explanation),
             source_section(report),
             group_size_section(report),
             roofline_section(report),
             graph_section(report),
             {"Launch", "", {}, {launch_table(base), latencies_table(base)}}}};
  page.sentence = report.sentence;
  if (!base.warnings.empty()) page.sections.insert(page.sections.begin(), warnings_section(base));
  return page;
}

}  // namespace warpipe
