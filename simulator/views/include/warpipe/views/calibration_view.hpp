#pragma once

#include <string>

#include "warpipe/accuracy/calibrate.hpp"

namespace warpipe {

/// Fitted values with their intervals, and the errors before and after, of fitted rows and of held-out rows.
///
///     2 values in closed form from 12 rows, 12 rows held out
///
///     Value          start  fitted  from    to
///     ffma.issue         2   4.012  3.981  4.043
///
///     Errors of the predicted time in percent of the measured time, before and after.
///
///     rows      kernel  number  mean |error| before  after  median  bias  worst  at line  bound only
///     fitted    chains      12                 10.2    1.1     0.9  +0.1   -2.9       14         1.0
///     held out  chains      12                 10.6    1.3     1.0  -0.2   +3.1       15         1.2
///
/// and the rows not explained by the fitted values.
std::string write_text(const Calibration& calibration);

/// An object of format "warpipe-calibration".
std::string write_json(const Calibration& calibration);

}  // namespace warpipe
