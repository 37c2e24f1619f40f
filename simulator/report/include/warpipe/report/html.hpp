#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpipe/report/launch_report.hpp"
#include "warpipe/report/page.hpp"
#include "warpipe/report/program_report.hpp"
#include "warpipe/sweep/what_if.hpp"
#include "warpipe/views/accuracy_report_view.hpp"
#include "warpipe/views/comparison_view.hpp"
#include "warpipe/views/difference_view.hpp"
#include "warpipe/views/occupancy_view.hpp"
#include "warpipe/views/sweep_view.hpp"
#include "warpipe/views/tuning_view.hpp"

/// Results as pages: charts, the graph, and tables beside them, as one HTML file without need of other files or a
/// network; or the tables alone, as Markdown. The same result gives the same bytes. Names and texts of files are shown
/// as they are, never taken for markup.

namespace warpipe {

/// @return whether the build has embedded the drawing software
bool has_charts();
/// @throws InputError where it has not
void require_charts();

/// Time and throughput over occupancy with both bounds and the knee, group sizes, bounds, roofline, graph, launch.
Page page_of(const LaunchReport& report);

/// The most points of a sweep on a page.
inline constexpr std::size_t kMostPagePoints = 5000;

/// The time over the number of most values, with both bounds: a line for each value of a second name, a picture for
/// each of a third. Two numbers of many values are a heat map; any other sweep is all points over each name.
/// @throws UsageError for more than kMostPagePoints
Page page_of(const SweepTable& table);

/// The best of a space on each device; the time over each tunable and all tunables at once, coloured by the limiter.
Page page_of(const Tuning& tuning);

/// Predicted against measured times, and the errors of the rows by kernel and device.
Page page_of(const AccuracyReport& report);

/// The saving of each change, and the elasticities.
Page page_of(const WhatIf& what_if);

/// Before and after: the time by state and by line of the source, the largest change first.
Page page_of(const Difference& difference);

/// The limits of the occupancy, the occupancy with other needs of a group, and the time over the occupancy.
/// @param points  over concurrent groups; may be empty
Page page_of(const OccupancyReport& report, const std::vector<SweepPoint>& points);

/// The time by kernel, and the timeline.
Page page_of(const ProgramReport& report);

/// The models of the literature and the simulation over occupancy.
Page page_of(const LaunchComparison& comparison);

/// The page of a result as an HTML file.
template <class... Results>
std::string write_html(const Results&... results) {
  return write_html(page_of(results...));
}

}  // namespace warpipe
