#include "warpipe/accuracy/trend.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace warpipe {
namespace {

constexpr double kEqual = 1 + 1e-9;  ///< times whose ratio is below it are equal: they were computed from rates

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<Seconds>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> result(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]].count <= values[order[begin]].count * kEqual) ++end;
    for (std::size_t i = begin; i < end; ++i) result[order[i]] = static_cast<double>(begin + end + 1) / 2;
    begin = end;
  }
  return result;
}

std::optional<double> correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const double mean_a = mean(a), mean_b = mean(b);
  double both = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    squares_a += (a[i] - mean_a) * (a[i] - mean_a);
    squares_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (!(squares_a > 0 && squares_b > 0)) return std::nullopt;
  return both / std::sqrt(squares_a * squares_b);
}

/// Rows of one kernel on one device, as times.
struct Times {
  std::string kernel, device;
  std::vector<Seconds> measured, predicted, bound;
};

/// @return the time that the row's other number stands for; errors are of times, so that a rate needs no case of its
/// own
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
  // that both columns are of one size.
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
  return correlation(ranks(measured), ranks(predicted));
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
