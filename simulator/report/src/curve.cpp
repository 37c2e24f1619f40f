#include "curve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chart.hpp"
#include "shown_time.hpp"
#include "warpipe/predict/launch_work.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

constexpr double kSpreadForLogarithms = 32;  ///< of x, from which even steps would hide the small values

/// A chart on a logarithmic axis has no place for nothing.
Cell positive(double value) { return value > 0 ? Cell(value) : Cell(); }

/// What a series has at a point.
struct Place {
  const Prediction& prediction;
  TimeUnit unit;
  std::string rate_unit;  ///< of the curve
  std::string series;
  Ticks cycles;

  double seconds() const { return to_seconds(cycles, prediction.clock).count; }
  Cell time() const { return positive(seconds() / unit.seconds); }
  /// Nothing where the amount of its work is known in another unit than that of the others.
  Cell rate() const {
    const auto throughput = throughput_of(prediction);
    return throughput.unit == rate_unit && seconds() > 0 ? positive(throughput.amount / seconds()) : Cell();
  }
};

Cell shown_rate(const Place& place) {
  const auto rate = place.rate();
  const auto* number = std::get_if<double>(&rate);
  return number ? Cell(fmt::format("{:.4g} {}", *number, place.rate_unit)) : Cell();
}

std::vector<Cell> row(double x, const Place& place) {
  const Prediction& prediction = place.prediction;
  return {x,
          place.series,
          place.time(),
          place.rate(),
          prediction.launch.concurrent_groups.value,
          prediction.launch.resident_warps,
          cell(prediction.launch.occupancy),
          show_time(Seconds{place.seconds()}),
          shown_rate(place),
          prediction.bounds.empty() ? Cell() : Cell(limiter_name(prediction)),
          prediction.bounds.empty() ? Cell() : Cell(ratio_to_bound(prediction))};
}

TimeUnit unit_of(const Curve& curve) {
  Seconds longest;
  for (const auto& point : curve.points) longest = std::max(longest, point.prediction->time);
  return unit_for(longest);
}

std::string rate_unit_of(const Curve& curve) { return throughput_of(*curve.points.front().prediction).unit; }

Records empty_rows() {
  return {{"x", "series", "time", "rate", "groups", "warps", "occupancy", "shown", "shown_rate", "limiter", "ratio"},
          {}};
}

Records rows(const Curve& curve) {
  const auto unit = unit_of(curve);
  const auto rate = rate_unit_of(curve);
  Records records = empty_rows();
  for (const auto& [x, prediction] : curve.points) {
    for (const auto& place : {Place{*prediction, unit, rate, "simulated", prediction->cycles},
                              Place{*prediction, unit, rate, "latency bound", latency_bound(*prediction)},
                              Place{*prediction, unit, rate, "throughput bound", throughput_bound(*prediction)}}) {
      records.rows.push_back(row(x, place));
    }
  }
  return records;
}

Records launch_rows(const Curve& curve) {
  Records records = empty_rows();
  for (const auto& [x, prediction] : curve.points) {
    if (x == curve.launch)
      records.rows.push_back(
          row(x, {*prediction, unit_of(curve), rate_unit_of(curve), "simulated", prediction->cycles}));
  }
  return records;
}

Records knee_rows(const Curve& curve) {
  Records records{{"x", "label"}, {}};
  if (const auto x = knee(curve)) records.rows.push_back({*x, fmt::format("knee: {} warps", show_number(*x))});
  return records;
}

bool wants_logarithms(const Curve& curve) {
  const double least = curve.points.front().x, most = curve.points.back().x;
  return !curve.is_occupancy && least > 0 && most / least >= kSpreadForLogarithms;
}

/// A tick at each point, where there are few.
void set_ticks(const Curve& curve, Chart& chart) {
  constexpr std::size_t kMostTicks = 16;
  if (curve.points.size() > kMostTicks) return;
  std::vector<double> ticks;
  for (const auto& point : curve.points) ticks.push_back(point.x);
  chart.set("/encoding/x/axis/values", ticks);
}

/// What latency alone would allow leaves the picture, or nothing else would fill it.
double highest_rate_to_show(const Curve& curve) {
  constexpr double kAir = 1.15;
  double highest = 0;
  const auto unit = rate_unit_of(curve);
  for (const auto& [x, prediction] : curve.points) {
    const auto [own_unit, amount] = throughput_of(*prediction);
    if (own_unit != unit) continue;
    for (const Ticks cycles : {prediction->cycles, throughput_bound(*prediction)}) {
      const double seconds = to_seconds(cycles, prediction->clock).count;
      if (seconds > 0) highest = std::max(highest, amount / seconds);
    }
  }
  return highest * kAir;
}

std::string chart(const Curve& curve, const char* name, const std::string& y_title, const std::string& description) {
  Chart chart(name);
  chart.data("curves", rows(curve)).data("knee", knee_rows(curve)).data("launch", launch_rows(curve));
  chart.set("/encoding/x/title", curve.x_title).set("/layer/1/encoding/y/title", y_title);
  if (wants_logarithms(curve)) chart.set("/encoding/x/scale/type", "log");
  set_ticks(curve, chart);
  if (name == std::string_view("curve_rate"))
    chart.set("/layer/1/encoding/y/scale/domainMax", highest_rate_to_show(curve));
  const double least = curve.points.front().x, most = curve.points.back().x;
  if (const auto x = knee(curve); x && *x > (least + most) / 2)
    chart.set("/layer/4/mark/align", "right").set("/layer/4/mark/dx", std::int64_t{-6});
  return chart.text(description);
}

/// In one sentence, where the curve begins, where it is lowest and where its bounds meet.
std::string described(const Curve& curve) {
  const auto& first = curve.points.front();
  const auto& last = curve.points.back();
  const auto best =
      std::ranges::min_element(curve.points, {}, [](const CurvePoint& point) { return point.prediction->time; });
  const auto at = [](const CurvePoint& point) {
    return fmt::format("{} at {}", show_time(point.prediction->time), show_number(point.x));
  };
  const auto x = knee(curve);
  return fmt::format("over {}: simulated {}, {}, fastest {}; {}.", curve.x_title, at(first), at(last), at(*best),
                     x ? fmt::format("from {} on the throughput bound is the higher one", show_number(*x))
                       : "the two bounds do not cross");
}

std::string caption(const Curve& curve) {
  if (!curve.is_occupancy) return "Dashed: no schedule is faster than the higher of the two bounds.";
  const std::string bounds = "Dashed: no schedule is faster than the higher of the two bounds. ";
  const auto& first = *curve.points.front().prediction;
  if (const auto x = knee(curve))
    return bounds + fmt::format(
                        "From {} resident warps on, the knee, that is the throughput bound: before it more warps "
                        "hide more latency, behind it only less work helps. Ring: this launch.",
                        show_number(*x));
  return bounds + (latency_bound(first) < throughput_bound(first)
                       ? "A throughput binds from the first group on. Ring: this launch."
                       : "They do not cross: latency binds at every occupancy. Ring: this launch.");
}

}  // namespace

std::optional<double> knee(const Curve& curve) {
  if (!curve.is_occupancy) return std::nullopt;
  const auto throughput_binds = [](const CurvePoint& point) {
    return throughput_bound(*point.prediction) >= latency_bound(*point.prediction);
  };
  const auto first = std::ranges::find_if(curve.points, throughput_binds);
  if (first == curve.points.begin() || first == curve.points.end()) return std::nullopt;
  return first->x;
}

std::vector<Figure> curve_figures(const Curve& curve) {
  if (curve.points.empty()) return {};
  const auto unit = unit_of(curve);
  const auto rate = rate_unit_of(curve);
  const auto time_text = "Run time " + described(curve);
  const auto rate_text = fmt::format("Throughput in {} {}", rate, described(curve));
  return {{Figure::Kind::Chart, "run-time", fmt::format("Run time ({}, log scale)", unit.name), caption(curve),
           time_text, chart(curve, "curve_time", fmt::format("run time ({})", unit.name), time_text)},
          {Figure::Kind::Chart, "throughput", fmt::format("Throughput ({})", rate),
           "The same simulations; the bounds are ceilings here. The latency bound may leave the picture at the top.",
           rate_text, chart(curve, "curve_rate", fmt::format("throughput ({})", rate), rate_text)}};
}

}  // namespace warpipe
