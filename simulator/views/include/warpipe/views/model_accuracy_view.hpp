#pragma once

#include <string>

#include "warpipe/baselines/model_accuracy.hpp"

namespace warpipe {

/// The mean |error| of the simulation and of every model by kernel and device, over all rows, and the worst row of
/// each.
///
///     Mean |error| in percent of the measured time; in brackets: rows that a model cannot take.
///
///     kernel  device   rows  simulation  roofline  hong-kim
///     sgemm   example     3         7.5      22.5   9.0 (1)
///     all                 3         7.5      22.5   9.0 (1)
///
///     Model       all   bias  worst  kernel  device   at line
///     simulation  7.5   +2.5  +10.0  sgemm   example        2
std::string write_text(const ModelAccuracy& accuracy);
/// A line per measured row: its measurement, and the error of the simulation and of every model in percent.
///
///     line  groups  concurrent  measured  simulation  roofline
///        2      40           2   100 us        +10.0     -20.0
std::string write_row_text(const ModelAccuracy& accuracy);
/// An object of format "warpipe-model-accuracy": summaries by kernel, device and model, and all rows.
std::string write_json(const ModelAccuracy& accuracy);
/// RFC 4180: a row per measurement and model, the simulation first.
std::string write_csv(const ModelAccuracy& accuracy);

}  // namespace warpipe
