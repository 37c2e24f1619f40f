#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

/// Numbers of a latency table, fitted to measured rows.

namespace warpipe {

/// The start of a calibration, and the numbers to fit.
struct FitPlan {
  /// The device as read, with points where the names ask for them. An op whose completion is fitted retires there.
  Device start;
  std::vector<TableParameter> parameters;
};

/// Reads the names of the numbers to fit:
///
///     OP.issue, OP.completion                 a constant, or each of the table's points
///     OP.completion=1,8,64                    points at so many resident warps, in place of the table's points
///     OP.per_conflict.issue, .completion      and OP.per_transaction.issue, .completion
///     OP.PIPELINE                             its lambda in a pipeline of its `then`; increments keep their ratio
///     warp_interval, group_launch_latency     of the device; likewise group_dispatch_interval, clock_hz,
///                                             launch_begin_s, launch_end_s, launch_overhead_s, launch_interval_s
///
/// @throws UsageError for a name unknown to the device (with the nearest), a repeated name, an increment missing in the
///                    op, points that are not whole and ascending
FitPlan parse_fit(const std::vector<std::string>& names, const Device& device);

struct CalibrationRequest {
  std::vector<std::string> fit;  ///< numbers to fit, as parse_fit reads them
  /// Of each kernel's rows on the device every so many-th, in the order of the file, is held out; 0: none. At least 2.
  std::size_t hold_out = 0;
  LaunchOptions launch;     ///< for all rows; a row's own values replace the values given here
  std::size_t threads = 0;  ///< at most so many rows at a time; 0: all cores; never changes the result
  std::string measured;     ///< where the rows are from, for the sources of fitted ops
};

/// A number of the table before and after.
struct FittedValue {
  std::string name;
  double start = 0, value = 0;  ///< cycles; the value has five significant digits
  Interval interval;            ///< all of a calibration together hold the true values in 99 of 100 cases
  Interval likely{};            ///< it alone lies there in 90 of 100 cases
};

/// A number not determined by the rows. It stays as it was, unless the reason says otherwise.
struct Untold {
  std::string name, reason, advice;
};

struct Calibration {
  Device device;  ///< with the fitted values, named in its sources
  std::vector<FittedValue> values;
  std::vector<Untold> untold;   ///< of probes; a calibration by names refuses instead
  bool closed_form = false;     ///< solved, not searched
  std::size_t simulations = 0;  ///< of all fitted rows, for the search and the confidence intervals
  struct Errors {
    Accuracy before, after;  ///< with the table before and after the fit
  };
  Errors fitted;
  Errors held_out;  ///< rows left out of the fit, of probes the checks
};

/// Fits numbers of a device's table to measured rows: numbers of plain chains in closed form, the rest by a search from
/// several starts for the least relative errors of the simulation itself.
/// @param measurements  rows on the device
/// @param kernels       called once for each name
/// @throws UsageError as parse_fit, and for a launch option that sets a number to fit
/// @throws ModelError for rows without a prediction, and for values not determined by the rows, by name and with advice
/// @complexity some hundreds of simulations of all fitted rows for each value
Calibration calibrate(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels, const Device& device,
                      const CalibrationRequest& request, const Progress& progress = {});

/// Fits a device to probes: to rows with the numbers probed by them in `fits`. The numbers are set one after the other,
/// each so that its rows are predicted as measured, until no number moves. A number with hardly any effect on its rows
/// is named: it stays as it was, or goes to the limit if its rows bound it from one side. Two numbers that move
/// together are named too: both are fitted, with intervals to match.
/// @param request  its `fit` and `hold_out` are not used; a row's error is taken to be 1 %
/// @throws UsageError for a number unknown to the device
/// @throws ModelError for rows without a prediction, and where no row names a number
/// @complexity some forty simulations of a row for each number
Calibration fit_probes(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
                       const Device& device, const CalibrationRequest& request, const Progress& progress = {});

}  // namespace warpipe
