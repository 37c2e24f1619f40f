#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

/// From measured rows to numbers of a latency table.

namespace warpipe {

/// What a calibration starts from and may change.
struct FitPlan {
  /// The device as read, with points where the names ask for them. An op whose completion is fitted retires there.
  Device start;
  std::vector<TableParameter> parameters;
};

/// Reads what is to be fitted:
///
///     OP.issue, OP.completion                 a constant, or each of the table's points
///     OP.completion=1,8,64                    points at so many resident warps, in place of what the table has
///     OP.per_conflict.issue, .completion      and OP.per_transaction.issue, .completion
///     OP.PIPELINE                             its lambda in a pipeline of its `then`; increments keep their ratio
///     warp_interval, group_launch_latency     of the device; likewise group_dispatch_interval, clock_hz,
///                                             launch_begin_s, launch_end_s, launch_overhead_s, launch_interval_s
///
/// @throws UsageError for a name that the device does not have (with the nearest), one that stands twice, an increment
///                    that the op does not have, points that are not whole and ascending
FitPlan parse_fit(const std::vector<std::string>& names, const Device& device);

struct CalibrationRequest {
  std::vector<std::string> fit;  ///< what to fit, as parse_fit reads it
  /// Of each kernel's rows on the device every so many-th, in the order of the file, is held out; 0: none. At least 2.
  std::size_t hold_out = 0;
  LaunchOptions launch;     ///< for all rows; a row's own values replace what they say of the same thing
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

/// A number that the rows do not tell. It stays as it was, but where the reason says otherwise.
struct Untold {
  std::string name, reason, advice;
};

struct Calibration {
  Device device;  ///< with the fitted values, and sources that say so
  std::vector<FittedValue> values;
  std::vector<Untold> untold;   ///< of probes; a calibration by names refuses instead
  bool closed_form = false;     ///< solved, not searched
  std::size_t simulations = 0;  ///< of all fitted rows, for the search and the confidence intervals
  struct Errors {
    Accuracy before, after;  ///< with the table as it was, and with the fitted one
  };
  Errors fitted;
  Errors held_out;  ///< those that were not fitted to, of probes the checks
};

/// Fits numbers of a device's table to measured rows: those of plain chains in closed form, others by searching the
/// least relative errors of the simulation itself from several starts.
/// @param measurements  rows on that device
/// @param kernels       called once for each name
/// @throws UsageError for what parse_fit refuses, and a launch option that sets what is to be fitted
/// @throws ModelError for rows that cannot be predicted, and for values that the rows do not determine, by name and
/// with advice
/// @complexity some hundreds of simulations of all fitted rows for each value
Calibration calibrate(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels, const Device& device,
                      const CalibrationRequest& request, const Progress& progress = {});

/// Fits a device to probes: to rows that name in `fits` the numbers that they were measured for. Each number is set so
/// that its rows are predicted as they were measured, one after the other, until none moves. Named are: a number that
/// its rows hardly depend on, which stays as it was, or goes where they keep it from one side; two that move together,
/// which are fitted with intervals that say so.
/// @param request  whose `fit` and `hold_out` are not used; a row's error is taken to be 1 %
/// @throws UsageError for a number that the device does not have
/// @throws ModelError for rows that cannot be predicted, and where no row names a number
/// @complexity some forty simulations of a row for each number
Calibration fit_probes(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
                       const Device& device, const CalibrationRequest& request, const Progress& progress = {});

}  // namespace warpipe
