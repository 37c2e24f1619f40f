#pragma once

#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/accuracy/ranking.hpp"
#include "warpipe/accuracy/suggestions.hpp"
#include "warpipe/accuracy/trend.hpp"

namespace warpipe {

/// Errors, the trend of predicted over measured times, and the likely causes of the worst errors.
struct AccuracyReport {
  Accuracy accuracy;
  std::vector<Trend> trends;            ///< as many as summaries, in their order
  std::vector<WorstRow> worst;          ///< worst first
  std::vector<Ranking> rankings = {};   ///< where they were asked for
  std::vector<std::string> notes = {};  ///< scored and unscored parts of another program's file
};

/// As write_text(Accuracy), and below it:
///
///     Measured against predicted time, a line through all rows: measured = intercept + slope x predicted.
///     Bound fitted: the mean |error| of the highest bound after such a line through it.
///
///     kernel  device   rows  slope  intercept us  rank correlation  bound only  bound fitted
///     sgemm   example     2  1.111         -22.2             1.000        22.5           0.0
///
///     Worst rows, and the number of the table whose change would mend each most:
///       line 2: sgemm on example +10.0 %, ffma.issue 2 -> 1.8 leaves -0.1 %
///
/// Above it the notes; below it the rankings where they were asked for:
///
///     kernel  device   rows  Kendall  Spearman  top 1  top 5  top 10  loss  worst  fastest  predicted
///     sgemm   example     2    1.000     1.000    100                  0.0    0.0   line 2     line 2
std::string write_text(const AccuracyReport& report);

/// As write_json(Accuracy), with "trends" and "worst_rows", and "rankings" and "notes" where there are any.
std::string write_json(const AccuracyReport& report);

}  // namespace warpipe
