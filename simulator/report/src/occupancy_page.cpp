#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bars.hpp"
#include "chart.hpp"
#include "curves.hpp"
#include "tables.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/occupancy_view.hpp"

namespace warpipe {
namespace {

/// A need of a group, and its changes.
struct Need {
  const char* id;
  const char* title;  ///< "registers per thread"
  std::int64_t GroupNeeds::*value;
  std::int64_t step;
  std::int64_t most;
};

std::vector<Need> needs_of(const OccupancyReport& report) {
  const auto& limits = report.limits;
  constexpr std::int64_t kMostRegisters = 255, kMostThreads = 1024, kKibibyte = 1024;
  std::vector<Need> needs{{"group-size", "threads per group", &GroupNeeds::group_size, report.warp_size,
                           std::min(limits.threads_per_group.value_or(kMostThreads), kMostThreads)}};
  if (limits.registers_per_unit.value_or(0) > 0 && report.needs.registers_per_thread > 0)
    needs.push_back({"registers", "registers per thread", &GroupNeeds::registers_per_thread, 1,
                     std::min(limits.registers_per_thread.value_or(kMostRegisters), kMostRegisters)});
  if (const auto most = limits.shared_memory_per_unit.value_or(0); most > 0)
    needs.push_back({"shared-memory", "bytes of shared memory per group", &GroupNeeds::shared_memory_per_group,
                     kKibibyte, limits.shared_memory_per_group.value_or(most)});
  return needs;
}

/// The resident warps with another need; nothing where a group fits no unit, or nothing binds.
std::vector<Cell> row_at(const OccupancyReport& report, const Need& need, std::int64_t value) {
  auto needs = report.needs;
  needs.*need.value = value;
  try {
    const auto found = occupancy(needs, report.limits, report.warp_size);
    if (!found.groups) return {};
    return {value, *found.groups * found.warps_per_group, fmt::format("{} {}", value, need.title),
            to_string(found.limiters.front())};
  } catch (const ModelError&) {
    return {};  // a group of this need fits no unit, as the picture then shows
  }
}

Figure steps_figure(const OccupancyReport& report, const Need& need) {
  const std::int64_t now = report.needs.*need.value;
  Records steps{{"x", "warps", "shown", "limiter"}, {}}, here = steps;
  for (std::int64_t value = need.step; value <= need.most; value += need.step)
    if (auto row = row_at(report, need, value); !row.empty()) steps.rows.push_back(std::move(row));
  if (auto row = row_at(report, need, now); !row.empty()) here.rows.push_back(std::move(row));
  const auto description =
      fmt::format("The warps that reside on a unit over {}, up to {}; now {}.", need.title, need.most, now);
  Chart chart("steps");
  chart.data("steps", steps).data("now", here).set("/encoding/x/title", need.title);
  return {.id = need.id,
          .title = fmt::format("Over {}", need.title),
          .caption = fmt::format("Ring: {} now.", now),
          .description = description,
          .content = chart.text(description)};
}

Section limits_section(const OccupancyReport& report) {
  Bars bars{{}, {"limits", "other"}, "groups that the limit allows"};
  const auto& [warps, groups, bounds, limiters] = report.occupancy;
  for (const auto& bound : bounds) {
    const bool limits = std::ranges::count(limiters, bound.limit) > 0;
    bars.bars.push_back({to_string(bound.limit), static_cast<double>(bound.groups), fmt::format("{}", bound.groups),
                         limits ? "limits" : "other", ""});
  }
  Section section{"Limits", show_occupancy(report), {}, {}};
  if (bars.bars.empty()) return section;
  const auto description =
      fmt::format("The groups that each of {} limits allows a unit to hold; the lowest one binds.", bars.bars.size());
  section.figures.push_back(bars_figure({.id = "limits",
                                         .title = "Groups of a unit, by limit",
                                         .caption = "The shortest bar limits the occupancy.",
                                         .description = description},
                                        bars));
  section.tables.push_back(page_table(table_of(report)));
  return section;
}

Section times_section(const OccupancyReport& report, const std::vector<SweepPoint>& points) {
  Section section{"Time", "The launch with fewer groups resident on a unit at a time.", {}, {}};
  Curves curves{"resident warps of a unit", {}, true};
  for (const auto& point : points) {
    if (!point.prediction) continue;
    const auto& launch = point.prediction->launch;
    curves.points.push_back({static_cast<double>(launch.resident_warps), &*point.prediction});
    if (launch.slots == report.concurrent_groups.value) curves.launch = static_cast<double>(launch.resident_warps);
  }
  if (!curves.points.empty()) section.figures.push_back(time_figure(curves, "run-time"));
  return section;
}

}  // namespace

Page page_of(const OccupancyReport& report, const std::vector<SweepPoint>& points) {
  Page page{fmt::format("{} on {}: occupancy", report.kernel, report.device), report.device_title, {}, {}};
  if (report.occupancy.groups) page.facts.emplace_back("groups of a unit", fmt::format("{}", *report.occupancy.groups));
  page.sections.push_back(limits_section(report));
  Section steps{"Steps", "What a unit would hold if a group needed more or less of one thing.", {}, {}, true};
  for (const auto& need : needs_of(report)) steps.figures.push_back(steps_figure(report, need));
  page.sections.push_back(std::move(steps));
  if (auto times = times_section(report, points); !times.figures.empty()) page.sections.push_back(std::move(times));
  return page;
}

}  // namespace warpipe
