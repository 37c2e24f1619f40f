#include "warpipe/accuracy/trend.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "ranks.hpp"

namespace warpipe {
namespace {

/// Rows of a kernel on a device, as times.
struct Times {
  std::string kernel, device;
  std::vector<Seconds> measured, predicted, bound;
};

/// @return the time for another number of the row; errors are of times, so a rate needs no case of its own
Seconds time_of(const Comparison& row, double said) {
  const double error = error_percent(row.measurement.quantity, said, row.measurement.value) / 100;
  return {row.measured_time->count * (1 + error)};
}

std::vector<Times> times_of(const std::vector<Comparison>& rows) {
  std::vector<Times> groups;
  for (const Comparison& row : rows) {
    const Measurement& measurement = row.measurement;
    auto group = std::ranges::find_if(groups, [&](const Times& times) {
      return times.kernel == measurement.kernel && times.device == measurement.device;
    });
    if (group == groups.end()) group = groups.insert(group, {measurement.kernel, measurement.device, {}, {}, {}});
    if (!row.predicted || !row.bound_only || !row.measured_time) continue;
    group->measured.push_back(*row.measured_time);
    group->predicted.push_back(time_of(row, *row.predicted));
    group->bound.push_back(time_of(row, *row.bound_only));
  }
  return groups;
}

std::optional<double> fitted_error_percent(const std::vector<Seconds>& measured, const std::vector<Seconds>& bound) {
  const auto line = fit_line(measured, bound);
  if (!line) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    sum += std::abs((line->intercept.count + line->slope * bound[i].count) / measured[i].count - 1);
  }
  return 100 * sum / static_cast<double>(measured.size());
}

}  // namespace

std::optional<Line> fit_line(const std::vector<Seconds>& measured, const std::vector<Seconds>& predicted) {
  assert(measured.size() == predicted.size());
  // intercept x + slope y = 1 for each row, x = 1 / measured, y = predicted / measured. Scaled by the largest time, so
  // both columns are of the same size.
  double largest = 0;
  for (const Seconds& time : measured) largest = std::max(largest, time.count);
  double xx = 0, xy = 0, yy = 0, x1 = 0, y1 = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double x = largest / measured[i].count;
    const double y = predicted[i].count / measured[i].count;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    x1 += x;
    y1 += y;
  }
  constexpr double kDiffers = 1e-6;  // of the square of the sine between the columns
  const double determinant = xx * yy - xy * xy;
  if (!(determinant > kDiffers * xx * yy)) return std::nullopt;
  return Line{(xx * y1 - xy * x1) / determinant, Seconds{largest * (yy * x1 - xy * y1) / determinant}};
}

std::optional<double> rank_correlation(const std::vector<Seconds>& measured, const std::vector<Seconds>& predicted) {
  const auto ranks_of = [](const std::vector<Seconds>& times) {
    std::vector<double> values;
    for (const Seconds& time : times) values.push_back(time.count);
    return ranks(values);
  };
  return correlation(ranks_of(measured), ranks_of(predicted));
}

std::vector<Trend> trends(const std::vector<Comparison>& rows) {
  std::vector<Trend> result;
  for (const Times& times : times_of(rows)) {
    Trend trend{times.kernel, times.device, times.measured.size(), {}, {}, {}};
    if (trend.rows > 0) {
      trend.line = fit_line(times.measured, times.predicted);
      trend.rank_correlation = rank_correlation(times.measured, times.predicted);
      trend.fitted_bound_percent = fitted_error_percent(times.measured, times.bound);
    }
    result.push_back(std::move(trend));
  }
  return result;
}

}  // namespace warpipe
