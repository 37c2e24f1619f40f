#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// The line and the rank correlation of predicted and measured times, beyond their mean error.

namespace warpipe {

/// measured = intercept + slope x predicted, with the least squares of the relative errors. A launch overhead or a
/// fixed start shows in the intercept, a wrong latency in the slope.
struct Line {
  double slope = 1;
  Seconds intercept;
};

/// @param measured, predicted  as many; measured > 0
/// @return  nothing where the predictions do not differ
std::optional<Line> fit_line(const std::vector<Seconds>& measured, const std::vector<Seconds>& predicted);

/// Spearman's: 1 where the slower of any two rows is predicted slower, equal values sharing their ranks.
/// @return nothing where all measured or all predicted times are equal
std::optional<double> rank_correlation(const std::vector<Seconds>& measured, const std::vector<Seconds>& predicted);

/// The rows with a prediction, of one kernel on one device.
struct Trend {
  std::string kernel, device;
  std::size_t rows = 0;
  std::optional<Line> line;
  std::optional<double> rank_correlation;
  /// Mean |error| of the highest bound after a line through it has been fitted to these very rows: a roofline with two
  /// free numbers.
  std::optional<double> fitted_bound_percent;
};

/// @return a trend per (kernel, device), in order of first appearance
std::vector<Trend> trends(const std::vector<Comparison>& rows);

}  // namespace warpipe
