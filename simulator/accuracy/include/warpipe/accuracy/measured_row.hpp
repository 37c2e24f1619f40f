#pragma once

#include <optional>

#include "warpipe/accuracy/accuracy.hpp"

/// What a measured row asks of the model, and what a number of cycles means in its quantity.

namespace warpipe {

/// @return the options for all rows with the row's own values in place of what they say of the same thing
/// @throws ModelError for a column that is no parameter of the kernel, and an occupancy that is no whole number of
/// groups
LaunchOptions options_of(const Measurement& measurement, const Kernel& kernel, const Device& device,
                         const LaunchOptions& options);

/// What a run of so many cycles gives in the measured quantity; nothing for a rate of a run that takes no time.
/// @param launch  for its work
/// @param clock   of the run
/// @param device  for the overhead and the interval of launches; they count where the row's time includes the overhead
/// @throws ModelError for a rate of a kernel that does not say its work
std::optional<double> in_quantity(const Measurement& measurement, const Launch& launch, Hertz clock,
                                  const Device& device, Ticks cycles);

/// The range of a prediction in the measured quantity; nothing where it has none, and as in_quantity.
std::optional<Interval> range_in_quantity(const Measurement& measurement, const Prediction& prediction,
                                          const Device& device);

/// @return how long the measured run took; nothing for a quantity that is no time and a kernel that says no work
std::optional<Seconds> measured_time(const Measurement& measurement, const Launch& launch, Hertz clock);

}  // namespace warpipe
