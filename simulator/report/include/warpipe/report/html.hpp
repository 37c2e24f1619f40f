#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpipe/report/launch_report.hpp"
#include "warpipe/report/program_report.hpp"
#include "warpipe/sweep/what_if.hpp"
#include "warpipe/views/accuracy_report_view.hpp"
#include "warpipe/views/comparison_view.hpp"
#include "warpipe/views/difference_view.hpp"
#include "warpipe/views/occupancy_view.hpp"
#include "warpipe/views/sweep_view.hpp"
#include "warpipe/views/tuning_view.hpp"

/// Results as one HTML file that needs no other and no network: charts, the graph, and tables beside them. The same
/// result gives the same bytes. Names and texts of files are shown as they are, never taken for markup.

namespace warpipe {

/// @return whether the build has embedded the software that draws
bool has_charts();
/// @throws InputError where it has not
void require_charts();

/// Time and throughput over occupancy with both bounds and the knee, group sizes, bounds, roofline, graph, launch.
std::string write_html(const LaunchReport& report);

/// The most points of a sweep that a page shows.
inline constexpr std::size_t kMostPagePoints = 5000;

/// The time over the number of most values, with both bounds: a line for each value of a second name, a picture for
/// each of a third. Two numbers of many values are a heat map; what is no curve is all points over each name.
/// @throws UsageError for more than kMostPagePoints
std::string write_html(const SweepTable& table);

/// The best of a space on each device; the time over each tunable and all tunables at once, coloured by what limits.
std::string write_html(const Tuning& tuning);

/// Predicted against measured times, and the errors of the rows by kernel and device.
std::string write_html(const AccuracyReport& report);

/// What each change saves, and the elasticities.
std::string write_html(const WhatIf& what_if);

/// Before and after: the time by state and by line of the source, what changed most first.
std::string write_html(const Difference& difference);

/// What limits the occupancy, what it would be with other needs of a group, and the time over it.
/// @param points  over concurrent groups; may be empty
std::string write_html(const OccupancyReport& report, const std::vector<SweepPoint>& points);

/// The time by kernel, and the timeline.
std::string write_html(const ProgramReport& report);

/// The models of the literature and the simulation over occupancy.
std::string write_html(const LaunchComparison& comparison);

}  // namespace warpipe
