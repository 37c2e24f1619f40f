#pragma once

#include <string>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/idg/json_writer.hpp"

namespace warpipe {

/// Errors by kernel and device, the bound-only baseline beside them, and the rows without a prediction.
///
///     Errors of the predicted time in percent of the measured time; positive: predicted too slow.
///     Bound only: the mean |error| of the highest analytic bound alone, the baseline to beat.
///
///     kernel  device   rows  failed  mean |error|  std dev  bias  worst  at line  bound only
///     sgemm   example     3       1           7.5      7.5  +2.5  +10.0        2        22.5
///
///     Rows without a prediction:
///       line 4: sgemm on example: group does not fit
std::string write_text(const Accuracy& accuracy);
/// An object of format "warpipe-accuracy": the errors by kernel and device, and all rows.
std::string write_json(const Accuracy& accuracy);
/// Writes the members of the object into an open object.
void write_members(JsonWriter& json, const Accuracy& accuracy);
/// RFC 4180: a row per measurement, in the order of the file.
std::string write_csv(const Accuracy& accuracy);

/// The line above the rows of write_csv.
std::string accuracy_header();
/// A row of write_csv.
std::string accuracy_row(const Comparison& row);
/// Reads a row of accuracy_row for its measurement; without the measured time, which the row lacks.
/// @throws InputError for any other row
Comparison read_accuracy_row(const std::string& row, const Measurement& measurement);
/// The start of the row of a measurement, "line" to "measured", with the comma behind them.
std::string accuracy_row_start(const Measurement& row);

}  // namespace warpipe
