#pragma once

#include <optional>

#include "warpipe/accuracy/accuracy.hpp"

/// The options of a measured row, and its quantity for a number of cycles.

namespace warpipe {

/// @return the options for all rows, with the row's own values in place of theirs
/// @throws ModelError for a column that is no parameter of the kernel, and an occupancy of no whole number of groups
LaunchOptions options_of(const Measurement& measurement, const Kernel& kernel, const Device& device,
                         const LaunchOptions& options);

/// The measured quantity of a run of so many cycles; nothing for a rate of a run without time.
/// @param launch  for its work
/// @param clock   of the run
/// @param device  for the overhead and the interval of launches; they count where the row's time includes the overhead
/// @throws ModelError for a rate of a kernel without stated work
std::optional<double> in_quantity(const Measurement& measurement, const Launch& launch, Hertz clock,
                                  const Device& device, Ticks cycles);

/// The range of a prediction in the measured quantity; nothing where it has none, and as in_quantity.
std::optional<Interval> range_in_quantity(const Measurement& measurement, const Prediction& prediction,
                                          const Device& device);

/// @return the time of the measured run; nothing for a rate of a kernel without stated work
std::optional<Seconds> measured_time(const Measurement& measurement, const Launch& launch, Hertz clock);

}  // namespace warpipe
