#include "warpipe/views/sweep_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpipe {
namespace {

constexpr std::string_view kLatency = "latency";
constexpr std::size_t kMostLinesOfCurves = 8;  ///< of a picture, whose colours are told apart
constexpr std::size_t kMostPictures = 9;       ///< beside each other

bool is_number(const Variation& variation) { return std::ranges::all_of(variation.values, &VariedValue::is_number); }

/// Every choice of a value for each of these names.
std::vector<std::vector<VariedValue>> choices(const std::vector<Variation>& variations,
                                              const std::vector<std::size_t>& names) {
  std::vector<std::vector<VariedValue>> all{{}};
  for (const auto name : names) {
    std::vector<std::vector<VariedValue>> longer;
    for (const auto& before : all)
      for (const auto& value : variations[name].values) {
        longer.push_back(before);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

/// The predictions with these values of these names.
CurveOfOccupancy curve_at(const SweepTable& table, const SweepKnee& at) {
  CurveOfOccupancy curve;
  for (const auto& point : table.points) {
    bool is_part = point.prediction.has_value();
    for (std::size_t i = 0; i < at.names.size(); ++i) is_part = is_part && point.values[at.names[i]] == at.values[i];
    if (is_part)
      curve.points.push_back({static_cast<double>(point.prediction->launch.resident_warps), &*point.prediction});
  }
  std::ranges::stable_sort(curve.points, {}, &CurveOfOccupancy::Point::warps);
  return curve;
}

}  // namespace

Ticks throughput_bound(const Prediction& prediction) {
  Ticks highest;
  for (const auto& bound : prediction.bounds) {
    if (bound.name != kLatency) highest = std::max(highest, bound.cycles);
  }
  return highest;
}

Ticks latency_bound(const Prediction& prediction) {
  const auto bound = std::ranges::find(prediction.bounds, kLatency, &Bound::name);
  return bound == prediction.bounds.end() ? Ticks{} : bound->cycles;
}

bool is_occupancy(const Variation& variation) {
  return variation.kind == Variation::Kind::ConcurrentGroups || variation.kind == Variation::Kind::Occupancy;
}

std::optional<SweepAxes> axes_of(const std::vector<Variation>& variations) {
  std::vector<std::size_t> names;
  for (std::size_t i = 0; i < variations.size(); ++i)
    if (variations.size() == 1 || variations[i].values.size() > 1) names.push_back(i);
  std::ranges::stable_sort(names, std::ranges::greater{},
                           [&](std::size_t name) { return variations[name].values.size(); });
  const auto first_number = std::ranges::find_if(names, [&](std::size_t name) { return is_number(variations[name]); });
  if (first_number == names.end() || names.size() > 3) return std::nullopt;
  const auto as_many = [&](std::size_t name) {  // of as many values the occupancy
    return is_occupancy(variations[name]) && variations[name].values.size() == variations[*first_number].values.size();
  };
  const auto occupancy = std::ranges::find_if(names, as_many);
  SweepAxes axes{occupancy == names.end() ? *first_number : *occupancy, {}, {}};
  std::erase(names, axes.x);
  if (!names.empty()) axes.lines = names[0];
  if (names.size() > 1) axes.pictures = names[1];
  const auto values = [&](std::optional<std::size_t> name) { return name ? variations[*name].values.size() : 0; };
  if (values(axes.lines) > kMostLinesOfCurves || values(axes.pictures) > kMostPictures) return std::nullopt;
  return axes;
}

std::optional<double> knee(const CurveOfOccupancy& curve) {
  const CurveOfOccupancy::Point* before = nullptr;
  for (const auto& point : curve.points) {
    const auto lead = [](const CurveOfOccupancy::Point& at) {  // of the rate allowed by latency
      return 1 / to_cycles(throughput_bound(*at.prediction)).count - 1 / to_cycles(latency_bound(*at.prediction)).count;
    };
    if (throughput_bound(*point.prediction) < latency_bound(*point.prediction)) {
      before = &point;
      continue;
    }
    if (before == nullptr) return std::nullopt;
    const double first = lead(*before), last = lead(point);
    return std::isfinite(first) ? before->warps + (point.warps - before->warps) * first / (first - last) : point.warps;
  }
  return std::nullopt;
}

std::vector<SweepKnee> knees_of(const SweepTable& table) {
  const auto axes = axes_of(table.variations);
  if (!axes || !is_occupancy(table.variations[axes->x]) || table.has_best_alone) return {};
  SweepKnee at;
  for (const auto& name : {axes->pictures, axes->lines})
    if (name) at.names.push_back(*name);
  std::vector<SweepKnee> knees;
  for (auto& values : choices(table.variations, at.names)) {
    at.values = std::move(values);
    const auto warps = knee(curve_at(table, at));
    if (!warps) continue;
    knees.push_back(at);
    knees.back().warps = *warps;
  }
  return knees;
}

std::string show_knee(double warps) { return fmt::format("{:.3g}", warps); }

}  // namespace warpipe
