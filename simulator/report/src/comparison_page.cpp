#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "chart.hpp"
#include "curves.hpp"
#include "shown_time.hpp"
#include "tables.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/comparison_view.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

Seconds seconds_of(const LaunchComparison& comparison, Cycles cycles) {
  return {cycles.count / comparison.clock.count};
}

/// The simulation, and the models with an estimate at some occupancy.
std::vector<std::string> lines_of(const LaunchComparison& comparison) {
  std::vector<std::string> lines{"simulation"};
  for (const auto& launch : comparison.launches)
    for (const auto& estimate : launch.estimates)
      if (const auto name = to_string(estimate.model); estimate.cycles && std::ranges::count(lines, name) == 0)
        lines.push_back(name);
  return lines;
}

Seconds longest_of(const LaunchComparison& comparison) {
  Seconds longest;
  for (const auto& launch : comparison.launches) {
    longest = std::max(longest, to_seconds(launch.simulated, comparison.clock));
    for (const auto& estimate : launch.estimates)
      if (estimate.cycles) longest = std::max(longest, seconds_of(comparison, *estimate.cycles));
  }
  return longest;
}

Records rows_of(const LaunchComparison& comparison, TimeUnit unit) {
  auto records = curve_records();
  for (const auto& launch : comparison.launches) {
    const auto add = [&](const std::string& line, Seconds time, const std::string& limiter) {
      records.rows.push_back({launch.resident_warps, "simulated", line, time.count / unit.seconds, line,
                              launch.concurrent_groups, launch.resident_warps, cell(launch.occupancy), show_time(time),
                              text_cell(limiter), Cell(), Cell()});
    };
    add("simulation", to_seconds(launch.simulated, comparison.clock), "");
    for (const auto& estimate : launch.estimates)
      if (estimate.cycles) add(to_string(estimate.model), seconds_of(comparison, *estimate.cycles), estimate.limiter);
  }
  return records;
}

Figure models_figure(const LaunchComparison& comparison) {
  const auto unit = unit_for(longest_of(comparison));
  const auto lines = lines_of(comparison);
  const auto description =
      fmt::format("Run time over the resident warps of a unit, of the simulation and {} models.", lines.size() - 1);
  Chart chart("curves");
  chart.data("curves", rows_of(comparison, unit));
  for (const char* empty : {"knee", "launch", "measured"}) chart.data(empty, {});
  chart.set("/encoding/x/title", "resident warps of a unit");
  chart.set("/layer/1/encoding/y/title", fmt::format("run time ({})", unit.name));
  chart.set("/layer/1/encoding/y/scale/type", "log").set("/layer/1/encoding/y/scale/padding", std::int64_t{12});
  chart.set("/layer/1/encoding/color/field", "line").set("/layer/2/encoding/color/field", "line");
  chart.set("/layer/1/encoding/color/scale/domain", lines).set("/layer/1/encoding/color/scale/range", "lines");
  chart.set("/layer/1/encoding/strokeDash/legend", Cell());
  return {.id = "models",
          .title = fmt::format("Run time of each model ({}, log scale)", unit.name),
          .caption = "The simulation is what warpipe predicts; the others are the models of the literature.",
          .description = description,
          .content = chart.text(description)};
}

}  // namespace

Page page_of(const LaunchComparison& comparison) {
  Page page{fmt::format("{} on {}: models", comparison.kernel, comparison.device), comparison.device_title, {}, {}};
  Section section{"Models beside the simulation",
                  "The table: time of each model / time of the simulation; below 1 the model says faster.",
                  {},
                  {page_table(table_of(comparison), "Over occupancy")}};
  if (!comparison.launches.empty()) section.figures.push_back(models_figure(comparison));
  PageTable reasons{"Not applied", {{"model"}, {"why"}}, {}};
  for (const auto& [model, why] : not_applied(comparison)) reasons.rows.push_back({model, why});
  page.sections.push_back(std::move(section));
  if (!reasons.rows.empty()) page.sections.push_back({"Models that say nothing here", "", {}, {std::move(reasons)}});
  return page;
}

}  // namespace warpipe
