#include "warpipe/views/comparison_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "warpipe/views/numbers.hpp"
#include "warpipe/views/records.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

bool has_ranges(const LaunchComparison& comparison) {
  return std::ranges::any_of(comparison.launches,
                             [](const ComparedLaunch& launch) { return launch.range.has_value(); });
}

/// The models with an estimate at some occupancy, by their place.
std::vector<std::size_t> applied(const LaunchComparison& comparison) {
  std::vector<std::size_t> places;
  const std::size_t models = comparison.launches.empty() ? 0 : comparison.launches.front().estimates.size();
  for (std::size_t i = 0; i < models; ++i)
    if (std::ranges::any_of(comparison.launches,
                            [i](const ComparedLaunch& launch) { return launch.estimates[i].cycles.has_value(); }))
      places.push_back(i);
  return places;
}

Records records(const LaunchComparison& comparison) {
  Records all{{"concurrent_groups", "resident_warps", "model", "cycles", "time_us", "ratio_to_simulation", "limiter",
               "why_not"},
              {}};
  const bool ranges = has_ranges(comparison);
  if (ranges) all.names.insert(all.names.end(), {"low_us", "high_us"});
  const double cycles_per_us = comparison.clock.count / 1e6;
  for (const ComparedLaunch& launch : comparison.launches) {
    all.rows.push_back({launch.concurrent_groups,
                        launch.resident_warps,
                        std::string("simulation"),
                        launch.simulated,
                        to_cycles(launch.simulated).count / cycles_per_us,
                        1.0,
                        {},
                        {}});
    if (launch.range)
      for (const double end : {launch.range->time.low, launch.range->time.high})
        all.rows.back().emplace_back(in_microseconds(end));
    for (const Estimate& estimate : launch.estimates) {
      const auto cycles = estimate.cycles ? std::optional(estimate.cycles->count) : std::nullopt;
      const auto time = cycles ? std::optional(*cycles / cycles_per_us) : std::nullopt;
      all.rows.push_back({launch.concurrent_groups, launch.resident_warps, to_string(estimate.model), cell(cycles),
                          cell(time), cell(ratio_to_simulation(estimate, launch.simulated)),
                          text_cell(estimate.limiter), text_cell(estimate.why_not)});
      all.rows.back().resize(all.names.size());
    }
  }
  return all;
}

}  // namespace

TextTable table_of(const LaunchComparison& comparison) {
  const std::vector<std::size_t> places = applied(comparison);
  const bool ranges = has_ranges(comparison);
  std::vector<TextTable::Column> columns{{"groups"}, {"warps"}, {"occupancy"}, {"simulated"}};
  if (ranges) columns.push_back({kInNineOfTen});
  for (const std::size_t i : places) columns.push_back({to_string(comparison.launches.front().estimates[i].model)});
  TextTable table(std::move(columns));
  for (const ComparedLaunch& launch : comparison.launches) {
    std::vector<std::string> cells{fmt::format("{}", launch.concurrent_groups),
                                   fmt::format("{}", launch.resident_warps),
                                   launch.occupancy ? show_percent(*launch.occupancy) : "",
                                   show_time(to_seconds(launch.simulated, comparison.clock))};
    if (ranges) cells.push_back(launch.range ? show_range(launch.range->time) : "");
    for (const std::size_t i : places) {
      const auto ratio = ratio_to_simulation(launch.estimates[i], launch.simulated);
      cells.push_back(ratio ? fmt::format("{:.3f}", *ratio) : "");
    }
    table.add(std::move(cells));
  }
  return table;
}

std::vector<NotApplied> not_applied(const LaunchComparison& comparison) {
  std::set<std::pair<std::size_t, std::string>> found;
  for (const ComparedLaunch& launch : comparison.launches)
    for (std::size_t i = 0; i < launch.estimates.size(); ++i)
      if (!launch.estimates[i].cycles) found.emplace(i, launch.estimates[i].why_not);
  std::vector<NotApplied> reasons;
  for (const auto& [model, why] : found)
    reasons.push_back({to_string(comparison.launches.front().estimates[model].model), why});
  return reasons;
}

std::string write_text(const LaunchComparison& comparison) {
  auto text = kernel_on_device(comparison.kernel, comparison.device, comparison.device_title) +
              "\nTime of each model / time of the simulation; below 1: the model says faster.\n\n" +
              table_of(comparison).text();
  const auto reasons = not_applied(comparison);
  if (!reasons.empty()) text += "\nNot applied:\n";
  for (const auto& [model, why] : reasons) text += fmt::format("  {}: {}\n", model, why);
  return text;
}

std::string write_json(const LaunchComparison& comparison) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-comparison").member("version", std::int64_t{1});
  json.member("kernel", comparison.kernel).member("device", comparison.device);
  json.member("clock_hz", comparison.clock.count);
  json.key("rows").begin_array();
  const Records all = records(comparison);
  for (const auto& row : all.rows) write_record(json, all, row);
  json.end_array().end_object();
  return json.text();
}

std::string write_csv(const LaunchComparison& comparison) { return to_csv(records(comparison)); }

}  // namespace warpipe
