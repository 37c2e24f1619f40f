#include "heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chart.hpp"
#include "shown_time.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

/// Where a time stands between the shortest and the longest, as the colours do.
struct Extent {
  Seconds shortest, longest;

  double place(Seconds time) const {
    if (shortest.count <= 0 || longest <= shortest) return 0;
    return std::log(time.count / shortest.count) / std::log(longest.count / shortest.count);
  }
};

Extent range_of(const std::vector<HeatCell>& cells) {
  Extent range{cells.front().prediction->time, cells.front().prediction->time};
  for (const auto& cell : cells) {
    range.shortest = std::min(range.shortest, cell.prediction->time);
    range.longest = std::max(range.longest, cell.prediction->time);
  }
  return range;
}

Records rows(const std::vector<HeatCell>& cells, const HeatCell* best, TimeUnit unit) {
  const auto range = range_of(cells);
  Records records{{"x", "y", "time", "label", "shown", "shade", "best", "group_size", "groups", "warps", "limiter"},
                  {}};
  for (const auto& cell : cells) {
    const Prediction& prediction = *cell.prediction;
    const double time = prediction.time.count / unit.seconds;
    records.rows.push_back({cell.x, cell.y, time > 0 ? Cell(time) : Cell(),
                            fmt::format("{:.{}f}", time,
                                        time < 10    ? 2
                                        : time < 100 ? 1
                                                     : 0),
                            show_time(prediction.time), range.place(prediction.time), std::int64_t{&cell == best},
                            prediction.launch.group_size.value, prediction.launch.concurrent_groups.value,
                            prediction.launch.resident_warps,
                            prediction.bounds.empty() ? Cell() : Cell(limiter_name(prediction))});
  }
  return records;
}

}  // namespace

Figure heat_map(const std::string& x_title, const std::string& y_title, const std::vector<HeatCell>& cells,
                Seconds like, bool same_work) {
  const auto time = [](const HeatCell& cell) { return cell.prediction->time; };
  const auto& best = *std::ranges::min_element(cells, {}, time);
  const auto& worst = *std::ranges::max_element(cells, {}, time);
  const auto unit = unit_for(like);
  const auto at = [&](const HeatCell& cell) {
    return fmt::format("{} at {} {} and {} {}", show_time(cell.prediction->time), x_title, show_number(cell.x), y_title,
                       show_number(cell.y));
  };
  const auto description = fmt::format("Run time over {} and {}, {} combinations: fastest {}, slowest {}.", x_title,
                                       y_title, cells.size(), at(best), at(worst));
  const auto title = fmt::format("run time ({})", unit.name);
  Chart chart("heat_map");
  chart.data("cells", rows(cells, same_work ? &best : nullptr, unit))
      .set("/encoding/x/title", x_title)
      .set("/encoding/y/title", y_title);
  chart.set("/layer/0/encoding/color/legend/title", title);
  return {Figure::Kind::Chart,
          "heat-map",
          fmt::format("Run time ({})", unit.name),
          fmt::format("{} An empty place does not fit, or makes no whole number of groups.",
                      same_work ? "Framed: the fastest." : "The places do different work."),
          description,
          chart.text(description)};
}

}  // namespace warpipe
