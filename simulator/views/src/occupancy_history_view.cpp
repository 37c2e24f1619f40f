#include "warpipe/views/occupancy_history_view.hpp"

#include <fmt/format.h>

#include <cmath>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

constexpr double kLongestBar = 60;  // columns

/// The warps with room on a unit, else the warps in its slots.
std::int64_t room(const OccupancyHistory& history) {
  return history.warps_per_unit.value_or(history.slots * history.warps_per_group);
}

double warps(const OccupancyHistory& history, double groups) {
  return groups * static_cast<double>(history.warps_per_group);
}

std::string bar(double share) {
  return std::string(static_cast<std::size_t>(std::lround(std::min(share, 1.0) * kLongestBar)), '#');
}

std::string title(const OccupancyHistory& history) {
  const char* of = history.units > 1 ? "on the mean of the units" : "of the unit";
  const auto& limit = history.warps_per_unit;
  return fmt::format("Occupancy over time: resident warps {}{}\n\n", of,
                     limit ? fmt::format(", which has room for {}", *limit) : std::string());
}

}  // namespace

std::string write_text(const OccupancyHistory& history) {
  TextTable table({{"from cycle"}, {"warps"}, {"", Align::Left}});
  const auto most = static_cast<double>(room(history));
  for (std::size_t i = 0; i < history.residency.occupied.size(); ++i) {
    const double resident = warps(history, mean_groups(history, i));
    table.add({format_cycles(checked_multiply(history.residency.width, static_cast<std::int64_t>(i))),
               fmt::format("{:.1f}", resident), bar(resident / most)});
  }
  const double mean = warps(history, mean_groups(history));
  return fmt::format("{}{}\n  mean {:.1f} ({}), most {}, tail {} of the time\n", title(history), table.text(2), mean,
                     show_percent(mean / most), history.residency.peak * history.warps_per_group,
                     show_percent(tail_share(history)));
}

std::string occupancy_history_json(const OccupancyHistory& history) {
  JsonWriter json(JsonWriter::Layout::Indented, 1);
  json.begin_object().member("units", history.units).member("groups_per_unit", history.slots);
  json.member("warps_per_group", history.warps_per_group);
  if (history.warps_per_unit) json.member("warps_per_unit", *history.warps_per_unit);
  json.member("mean_groups", mean_groups(history)).member("most_groups", history.residency.peak);
  json.member("tail", tail_share(history)).key("buckets").begin_array();
  for (std::size_t i = 0; i < history.residency.occupied.size(); ++i) {
    json.begin_object().member("from", checked_multiply(history.residency.width, static_cast<std::int64_t>(i)));
    json.member("to", end_of_bucket(history, i)).member("groups", mean_groups(history, i)).end_object();
  }
  return json.end_array().end_object().value_text();
}

}  // namespace warpipe
