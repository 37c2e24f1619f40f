#include "curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "chart.hpp"
#include "shown_time.hpp"
#include "warpipe/predict/launch_work.hpp"
#include "warpipe/sweep/equal_work.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/sweep_curves.hpp"

namespace warpipe {
namespace {

constexpr double kSpreadForLogarithms = 32;  ///< of x: beyond, even steps would hide the small values
constexpr double kAir = 1.15;                ///< above the highest value

Seconds seconds_of(const Prediction& prediction, Ticks cycles) { return to_seconds(cycles, prediction.clock); }

/// The values up the picture: times, or throughputs.
struct YAxis {
  bool is_rate = false;
  TimeUnit unit;          ///< of times
  std::string rate_unit;  ///< of throughputs

  std::string title() const {
    return is_rate ? fmt::format("throughput ({})", rate_unit) : fmt::format("run time ({})", unit.name);
  }

  /// Nothing for no time, and for work in another unit than the rest.
  std::optional<double> of(const Prediction& prediction, Seconds time) const {
    if (time.count <= 0) return std::nullopt;
    if (!is_rate) return time.count / unit.seconds;
    const auto throughput = throughput_of(prediction);
    if (throughput.unit != rate_unit || throughput.amount <= 0) return std::nullopt;
    return throughput.amount / time.count;
  }

  std::string show(const Prediction& prediction, Seconds time) const {
    const auto value = of(prediction, time);
    if (!value) return {};
    return is_rate ? fmt::format("{:.4g} {}", *value, rate_unit) : show_time(time);
  }
};

YAxis y_axis_of(const Curves& curves, bool is_rate) {
  Seconds shown{curves.seconds ? curves.seconds->high : 0};
  for (const auto& point : curves.points) shown = std::max(shown, point.prediction->time);
  for (const auto& point : curves.points)
    if (point.x == curves.launch) shown = point.prediction->time;  // as the page says it of the launch
  return {is_rate, unit_for(shown), throughput_of(*curves.points.front().prediction).unit};
}

Cell show_standing(Standing standing) {
  return standing == Standing::Fastest ? Cell("fastest") : standing == Standing::Tie ? Cell("tie") : Cell();
}

std::string line_of(const Curves& curves, const CurvePoint& point) {
  return curves.lines.empty() ? std::string() : curves.lines[point.line];
}

std::vector<Cell> row(const Curves& curves, const CurvePoint& point, const YAxis& y, const std::string& series,
                      Ticks cycles) {
  const Prediction& prediction = *point.prediction;
  const auto time = seconds_of(prediction, cycles);
  const bool bounded = !prediction.bounds.empty();
  return {point.x,
          series,
          text_cell(line_of(curves, point)),
          cell(y.of(prediction, time)),
          text_cell(point.name),
          prediction.launch.concurrent_groups.value,
          prediction.launch.resident_warps,
          cell(prediction.launch.occupancy),
          text_cell(y.show(prediction, time)),
          bounded ? Cell(limiter_name(prediction)) : Cell(),
          bounded ? Cell(ratio_to_bound(prediction)) : Cell(),
          series == "simulated" ? show_standing(point.standing) : Cell()};
}

Records rows(const Curves& curves, const YAxis& y) {
  Records records = curve_records();
  for (const auto& point : curves.points) {
    const auto& prediction = *point.prediction;
    records.rows.push_back(row(curves, point, y, "simulated", prediction.cycles));
    records.rows.push_back(row(curves, point, y, "latency bound", latency_bound(prediction)));
    records.rows.push_back(row(curves, point, y, "throughput bound", throughput_bound(prediction)));
  }
  return records;
}

Records launch_rows(const Curves& curves, const YAxis& y) {
  Records records = curve_records();
  for (const auto& point : curves.points) {
    if (point.x == curves.launch) records.rows.push_back(row(curves, point, y, "simulated", point.prediction->cycles));
  }
  return records;
}

Records measured_rows(const Curves& curves, const YAxis& y) {
  Records records{{"x", "line", "y", "point", "measured", "simulated", "error"}, {}};
  for (const auto& point : curves.points) {
    if (!point.measured) continue;
    const auto& prediction = *point.prediction;
    records.rows.push_back({point.x, text_cell(line_of(curves, point)), cell(y.of(prediction, *point.measured)),
                            text_cell(point.name), y.show(prediction, *point.measured),
                            y.show(prediction, prediction.time),
                            show_signed_percent(prediction.time.count / point.measured->count - 1)});
  }
  return records;
}

std::size_t number_of_lines(const Curves& curves) { return std::max<std::size_t>(curves.lines.size(), 1); }

/// A single line has a label at its knee; the knees of several lines are in the caption.
Records knee_rows(const Curves& curves) {
  Records records{{"x", "line", "label"}, {}};
  for (std::size_t line = 0; line < number_of_lines(curves); ++line) {
    const auto x = knee(curves, line);
    if (!x) continue;
    records.rows.push_back({*x, curves.lines.empty() ? Cell() : Cell(curves.lines[line]),
                            curves.lines.empty() ? fmt::format("knee: {} warps", show_knee(*x)) : std::string()});
  }
  return records;
}

bool wants_logarithms(const Curves& curves) {
  const double least = curves.points.front().x, most = curves.points.back().x;
  return !curves.is_occupancy && least > 0 && most / least >= kSpreadForLogarithms;
}

/// A tick at each point, where there are few.
void set_ticks(const Curves& curves, Chart& chart) {
  constexpr std::size_t kMostTicks = 16;
  std::set<double> ticks;
  for (const auto& point : curves.points) ticks.insert(point.x);
  if (ticks.size() <= kMostTicks) chart.set("/encoding/x/axis/values", std::vector(ticks.begin(), ticks.end()));
}

/// The rates allowed by latency alone leave the picture, or nothing else would fill it.
double highest_rate_to_show(const Curves& curves, const YAxis& y) {
  double highest = 0;
  for (const auto& point : curves.points) {
    const auto& prediction = *point.prediction;
    for (const Ticks cycles : {prediction.cycles, throughput_bound(prediction)})
      highest = std::max(highest, y.of(prediction, seconds_of(prediction, cycles)).value_or(0));
    if (point.measured) highest = std::max(highest, y.of(prediction, *point.measured).value_or(0));
  }
  return highest * kAir;
}

void set_y_axis(const Curves& curves, const YAxis& y, Chart& chart) {
  chart.set("/layer/1/encoding/y/title", y.title());
  if (y.is_rate) {
    chart.set("/layer/1/encoding/y/scale/domainMax", highest_rate_to_show(curves, y));
    return;
  }
  chart.set("/layer/1/encoding/y/scale/type", "log");
  chart.set("/layer/1/encoding/y/scale/padding", std::int64_t{12});
  if (!curves.seconds) return;
  chart.set("/layer/1/encoding/y/scale/domainMin", curves.seconds->low / y.unit.seconds);
  chart.set("/layer/1/encoding/y/scale/domainMax", curves.seconds->high / y.unit.seconds);
}

/// Lines are told apart by their colours, bounds by their dashes alone.
void set_lines(const Curves& curves, Chart& chart) {
  if (curves.lines.empty()) return;
  for (const char* layer : {"/layer/0", "/layer/1", "/layer/2", "/layer/4"}) {
    chart.set(fmt::format("{}/encoding/color/field", layer).c_str(), "line");
    chart.set(fmt::format("{}/encoding/color/type", layer).c_str(), "nominal");
  }
  chart.set("/layer/1/encoding/color/scale/domain", curves.lines);
  chart.set("/layer/1/encoding/color/legend/title", curves.line_title);
  chart.set("/layer/2/encoding/color/legend", Cell());
  chart.set("/layer/1/mark/strokeWidth", 1.3);
}

std::string chart(const Curves& curves, const YAxis& y, const std::string& description) {
  Chart chart("curves");
  chart.data("curves", rows(curves, y)).data("knee", knee_rows(curves));
  chart.data("launch", launch_rows(curves, y)).data("measured", measured_rows(curves, y));
  chart.set("/encoding/x/title", curves.x_title);
  if (wants_logarithms(curves)) chart.set("/encoding/x/scale/type", "log");
  set_ticks(curves, chart);
  set_y_axis(curves, y, chart);
  set_lines(curves, chart);
  const double least = curves.points.front().x, most = curves.points.back().x;
  if (const auto x = knee(curves); curves.lines.empty() && x && *x > (least + most) / 2)
    chart.set("/layer/6/mark/align", "right").set("/layer/6/mark/dx", std::int64_t{-6});
  return chart.text(description);
}

/// "1 at 50.3 warps, 2 at 25.1 warps"
std::string show_knees(const Curves& curves) {
  std::vector<std::string> shown;
  for (std::size_t line = 0; line < curves.lines.size(); ++line)
    if (const auto x = knee(curves, line)) shown.push_back(fmt::format("{} at {}", curves.lines[line], show_knee(*x)));
  return fmt::format("{}", fmt::join(shown, ", "));
}

/// A sentence: where the curve begins, where it is lowest and where its bounds meet.
std::string described(const Curves& curves) {
  const auto shortest =
      std::ranges::min_element(curves.points, {}, [](const CurvePoint& point) { return point.prediction->time; });
  const auto at = [&](const CurvePoint& point) {
    const auto line = curves.lines.empty() ? "" : fmt::format(" and {} {}", curves.line_title, line_of(curves, point));
    return fmt::format("{} at {}{}", show_time(point.prediction->time), show_number(point.x), line);
  };
  if (!curves.lines.empty()) {
    const auto knees = show_knees(curves);
    return fmt::format("over {}, a line for each of {} values of {}: shortest {}{}.", curves.x_title,
                       curves.lines.size(), curves.line_title, at(*shortest),
                       knees.empty() ? "" : fmt::format("; knees: {}", knees));
  }
  const auto x = knee(curves);
  return fmt::format("over {}: simulated {}, {}, fastest {}; {}.", curves.x_title, at(curves.points.front()),
                     at(curves.points.back()), at(*shortest),
                     x ? fmt::format("from {} on the throughput bound is the higher one", show_knee(*x))
                       : "the two bounds do not cross");
}

/// The sentence on the knees.
std::string about_knees(const Curves& curves) {
  if (!curves.is_occupancy) return {};
  if (!curves.lines.empty()) {
    const auto knees = show_knees(curves);
    if (knees.empty()) return " They cross at no line.";
    return fmt::format(" They cross at the knees, {}: {}.", curves.line_title, knees);
  }
  if (const auto x = knee(curves))
    return fmt::format(
        " From {} resident warps on, the knee, that is the throughput bound: before it more warps hide more latency, "
        "behind it only less work helps.",
        show_knee(*x));
  const auto& first = *curves.points.front().prediction;
  return latency_bound(first) < throughput_bound(first) ? " A throughput binds from the first group on."
                                                        : " They do not cross: latency binds at every occupancy.";
}

std::string about_rings(const Curves& curves) {
  if (curves.launch) return " Ring: this launch.";
  const auto has = [&](Standing standing) {
    return std::ranges::count(curves.points, standing, &CurvePoint::standing) > 0;
  };
  std::string text = has(Standing::Fastest) ? " Ring: the fastest." : "";
  if (has(Standing::Tie)) text += fmt::format(" Small rings: within {:.0f} % of it, the model's error.", 100 * kTie);
  return text;
}

std::string caption(const Curves& curves) {
  const auto measured =
      std::ranges::any_of(curves.points, [](const auto& point) { return point.measured.has_value(); });
  return fmt::format("Dashed: no schedule is faster than the higher of the two bounds.{}{}{}{}", about_knees(curves),
                     about_rings(curves), measured ? " Diamonds: measured." : "",
                     curves.remark.empty() ? "" : " " + curves.remark);
}

Figure figure(const Curves& curves, const YAxis& y, const std::string& id, const std::string& title,
              const std::string& caption) {
  const auto part = curves.part.empty() ? std::string() : curves.part + ": ";
  const auto text = fmt::format("{}{} {}", part, title, described(curves));
  return {Figure::Kind::Chart, id, part + title, caption, text, chart(curves, y, text)};
}

}  // namespace

Records curve_records() {
  return {
      {"x", "series", "line", "y", "point", "groups", "warps", "occupancy", "shown", "limiter", "ratio", "standing"},
      {}};
}

std::optional<double> knee(const Curves& curves, std::size_t line) {
  if (!curves.is_occupancy) return std::nullopt;
  CurveOfOccupancy curve;
  for (const auto& point : curves.points)
    if (point.line == line) curve.points.push_back({point.x, point.prediction});
  return knee(curve);
}

Figure time_figure(const Curves& curves, const std::string& id) {
  const auto y = y_axis_of(curves, false);
  return figure(curves, y, id, fmt::format("Run time ({}, log scale)", y.unit.name), caption(curves));
}

Figure throughput_figure(const Curves& curves, const std::string& id) {
  const auto y = y_axis_of(curves, true);
  return figure(
      curves, y, id, fmt::format("Throughput ({})", y.rate_unit),
      "The same simulations; the bounds are ceilings here. The latency bound may leave the picture at the top.");
}

}  // namespace warpipe
