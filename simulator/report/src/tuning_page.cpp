#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chart.hpp"
#include "shown_time.hpp"
#include "warpipe/report/html.hpp"
#include "warpipe/report/page.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/views/numbers.hpp"

/// The page of a space of configurations, for each device:
///   the best, with their possible ranks;
///   all simulated configurations, as lines through an axis for each tunable, and as points over each tunable. The
///   colour shows the limiter.

namespace warpipe {
namespace {

/// Drawn configurations: the best, and of the rest some, evenly.
constexpr std::size_t kMostLines = 400, kMostDots = 2000;
constexpr std::size_t kMostMarks = 16;  ///< values of a tunable written beside its axis

std::string shown_cell(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&cell)) return show_number(*number);
  const auto* text = std::get_if<std::string>(&cell);
  return text != nullptr ? *text : "";
}

std::string shown_values(const Tuning& tuning, std::size_t configuration) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < tuning.tunables.size(); ++i)
    texts.push_back(fmt::format("{}={}", tuning.tunables[i], shown_cell(tuning.values[configuration][i])));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The values of a tunable, numbers in their order.
std::vector<Cell> values_along(const Tuning& tuning, std::size_t tunable) {
  std::vector<Cell> values;
  for (const auto& row : tuning.values)
    if (std::ranges::find(values, row[tunable]) == values.end()) values.push_back(row[tunable]);
  const auto number = [](const Cell& cell) {
    const auto* whole = std::get_if<std::int64_t>(&cell);
    const auto* other = std::get_if<double>(&cell);
    return whole != nullptr ? static_cast<double>(*whole) : other != nullptr ? *other : 0;
  };
  std::ranges::stable_sort(values, {}, number);
  return values;
}

/// At most so many of the ranked configurations, evenly spread, the best among them.
std::vector<std::size_t> some_of(const DeviceTuning& device, std::size_t most) {
  std::vector<std::size_t> places;
  const auto count = device.ranked.size();
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    places.push_back(count <= most ? i : i * (count - 1) / (most - 1));
  return places;
}

double place_of_value(const std::vector<Cell>& values, const Cell& value) {
  const auto index = std::ranges::find(values, value) - values.begin();
  return values.size() < 2 ? 0.5 : static_cast<double>(index) / static_cast<double>(values.size() - 1);
}

Figure parallel_axes(const Tuning& tuning, const DeviceTuning& device, std::size_t number) {
  Records steps{{"line", "step", "axis", "place", "point", "shown", "limiter", "best"}, {}};
  Records marks{{"axis", "place", "value"}, {}};
  std::vector<std::vector<Cell>> values;
  for (std::size_t i = 0; i < tuning.tunables.size(); ++i) {
    values.push_back(values_along(tuning, i));
    if (values.back().size() <= kMostMarks)
      for (const auto& value : values.back())
        marks.rows.push_back({tuning.tunables[i], place_of_value(values.back(), value), shown_cell(value)});
  }
  const double fastest = *device.points[device.ranked.front()].time,
               slowest = *device.points[device.ranked.back()].time;
  const auto drawn = some_of(device, kMostLines);
  for (const auto place : drawn) {
    const auto index = device.ranked[place];
    const auto& point = device.points[index];
    const auto add = [&](std::size_t step, const std::string& axis, double at) {
      steps.rows.push_back({static_cast<std::int64_t>(place), static_cast<std::int64_t>(step), axis, at,
                            shown_values(tuning, index), show_time(Seconds{*point.time}), point.limiter,
                            std::int64_t{place == 0}});
    };
    for (std::size_t i = 0; i < values.size(); ++i)
      add(i, tuning.tunables[i], place_of_value(values[i], tuning.values[index][i]));
    const double share = slowest > fastest ? std::log(*point.time / fastest) / std::log(slowest / fastest) : 0;
    add(values.size(), "time", share);
  }
  marks.rows.push_back({std::string("time"), 0.0, show_time(Seconds{fastest})});
  marks.rows.push_back({std::string("time"), 1.0, show_time(Seconds{slowest})});
  const auto description =
      fmt::format("Each line is a configuration: its values of {}, and its run time, from {} to {}.",
                  fmt::join(tuning.tunables, ", "), show_time(Seconds{fastest}), show_time(Seconds{slowest}));
  Chart chart("parallel");
  chart.data("steps", steps).data("marks", marks);
  return {Figure::Kind::Chart,
          fmt::format("all-{}", number),
          "All tunables, and the run time (log scale)",
          fmt::format("A line is a configuration, the strong one the fastest{}. The colour is what limits.",
                      drawn.size() < device.ranked.size()
                          ? fmt::format("; {} of {} are drawn", drawn.size(), device.ranked.size())
                          : ""),
          description,
          chart.text(description)};
}

Figure over_tunable(const Tuning& tuning, const DeviceTuning& device, std::size_t number, std::size_t tunable) {
  const auto unit = unit_for(Seconds{*device.points[device.ranked.back()].time});
  const auto drawn = some_of(device, kMostDots);
  Records points{{"x", "offset", "time", "point", "shown", "limiter", "best"}, {}};
  std::vector<std::pair<double, std::vector<Cell>>> rows;
  const auto values = values_along(tuning, tunable);
  for (const auto place : drawn) {
    const auto index = device.ranked[place];
    const auto& point = device.points[index];
    const double golden = 0.618034 * static_cast<double>(place);  // spreads neighbours
    rows.push_back(
        {place_of_value(values, tuning.values[index][tunable]),
         {shown_cell(tuning.values[index][tunable]), golden - std::floor(golden), *point.time / unit.seconds,
          shown_values(tuning, index), show_time(Seconds{*point.time}), point.limiter, std::int64_t{place == 0}}});
  }
  std::ranges::stable_sort(rows, {}, &std::pair<double, std::vector<Cell>>::first);
  for (auto& [at, row] : rows) points.rows.push_back(std::move(row));
  const auto& name = tuning.tunables[tunable];
  const auto description = fmt::format("Run time of {} configurations over {}; the fastest has {}.", drawn.size(), name,
                                       shown_cell(tuning.values[device.ranked.front()][tunable]));
  Chart chart("tunable");
  chart.data("points", points).set("/encoding/x/title", name);
  chart.set("/encoding/y/title", fmt::format("run time ({})", unit.name));
  return {Figure::Kind::Chart,
          fmt::format("tunable-{}-{}", number, tunable + 1),
          fmt::format("Run time ({}, log scale) over {}", unit.name, name),
          "Ring: the fastest. The colour is what limits.",
          description,
          chart.text(description)};
}

PageTable best_table(const Tuning& tuning, const DeviceTuning& device) {
  PageTable table{"The best (ranks as they may be within the model's error)", {{"rank"}}, {}, 0};
  for (const auto& name : tuning.tunables) table.columns.push_back({name, true});
  for (const char* title : {"block", "grid"}) table.columns.push_back({title});
  for (const char* title : {"time", kInNineOfTen, "x best"}) table.columns.push_back({title, true});
  table.columns.push_back({"highest bound"});
  for (std::size_t place = 0; place < std::min(tuning.top, device.ranked.size()); ++place) {
    const auto index = device.ranked[place];
    const auto& point = device.points[index];
    const auto rank = rank_range(device, place);
    std::vector<std::string> cells{rank.low == rank.high ? fmt::format("{}", rank.low)
                                                         : fmt::format("{}-{}", rank.low, rank.high)};
    for (const auto& value : tuning.values[index]) cells.push_back(shown_cell(value));
    cells.insert(cells.end(),
                 {point.block, point.grid, show_time(Seconds{*point.time}), point.range ? show_range(*point.range) : "",
                  fmt::format("{:.3f}", *point.time / *device.points[device.ranked.front()].time), point.limiter});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Section section_of(const Tuning& tuning, const DeviceTuning& device, std::size_t number) {
  Section section{device.device, "", {}, {}};
  if (device.ranked.empty()) {
    section.text = "No configuration runs on this device.";
    return section;
  }
  const auto ties = ties_of_best(device);
  section.text = fmt::format(
      "{} of {} configurations are simulated; bounds say that the others are none of the {} best, or they fail. {} "
      "within {:.0f} % of the first: the model does not tell them apart.",
      device.ranked.size(), device.points.size(), tuning.top,
      ties == 1 ? "One other is" : fmt::format("{} others are", ties), 100 * kTie);
  section.tables.push_back(best_table(tuning, device));
  section.figures.push_back(parallel_axes(tuning, device, number));
  for (std::size_t i = 0; i < tuning.tunables.size(); ++i)
    if (values_along(tuning, i).size() > 1) section.figures.push_back(over_tunable(tuning, device, number, i));
  return section;
}

}  // namespace

Page page_of(const Tuning& tuning) {
  Page page;
  page.title = fmt::format("{}: tuning", tuning.source);
  page.subtitle = tuning.space;
  page.facts = {{"configurations", fmt::format("{}", tuning.values.size())},
                {"sources that were compiled", fmt::format("{}", tuning.sources)}};
  for (std::size_t i = 0; i < tuning.devices.size(); ++i) {
    const auto& device = tuning.devices[i];
    if (!device.ranked.empty())
      page.facts.emplace_back(fmt::format("fastest on {}", device.device),
                              fmt::format("{}: {}", show_time(Seconds{*device.points[device.ranked.front()].time}),
                                          shown_values(tuning, device.ranked.front())));
    page.sections.push_back(section_of(tuning, device, i + 1));
  }
  return page;
}

}  // namespace warpipe
