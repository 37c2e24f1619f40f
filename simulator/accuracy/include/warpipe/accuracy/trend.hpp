#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// How predicted and measured times go together, beyond their mean error.

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

/// The rows of one kernel on one device that have a prediction.
struct Trend {
  std::string kernel, device;
  std::size_t rows = 0;
  std::optional<Line> line;
  std::optional<double> rank_correlation;
  /// Mean |error| of the highest bound after a line through it has been fitted to these very rows: what two free
  /// numbers make of a roofline.
  std::optional<double> fitted_bound_percent;
};

/// @return one a (kernel, device), in order of first appearance
std::vector<Trend> trends(const std::vector<Comparison>& rows);

}  // namespace warpipe
