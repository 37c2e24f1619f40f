#pragma once

#include <cstddef>
#include <vector>

/// The loss minimized by a calibration, and the resulting deviation of errors.

namespace warpipe {

/// Half the squares of small errors, and about the absolute values of large errors, so that rows beyond any explanation
/// do not draw the rest after them. The border lies at 2 %, the spread of good measurements.
/// @param errors  relative
double loss(const std::vector<double>& errors);

/// @return mean of the absolute errors
double mean_absolute(const std::vector<double>& errors);

/// @return the standard deviation of an error for the confidence of values with the least loss: 1.3 times the mean
///         absolute error, about 4 % more than the factor of normal errors (the price of a loss that minds outliers
///         less) and 30 % more than the factor of errors with long tails (Laplace's); at least half a percent, since no
///         measurement is better; relative
/// @param parameters  number of fitted values; fewer than errors
double scale(const std::vector<double>& errors, std::size_t parameters);

}  // namespace warpipe
