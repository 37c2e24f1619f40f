#pragma once

#include <cstddef>
#include <vector>

/// The loss that a calibration minimizes, and the deviation of errors that follows from it.

namespace warpipe {

/// Half the squares of small errors, and about the absolute values of large ones, so that rows that no value can
/// explain do not draw the others after them. The border lies at 2 %, the spread of good measurements.
/// @param errors  relative
double loss(const std::vector<double>& errors);

/// @return mean of the absolute errors
double mean_absolute(const std::vector<double>& errors);

/// @return the standard deviation of an error for the confidence of values with the least loss: 1.3 times the mean
///         absolute error, which is 5 % more than that of normal errors (the price of a loss that minds outliers less)
///         and 30 % more than what errors with long tails (Laplace's) need; at least half a percent, since no
///         measurement is better than that; relative
/// @param parameters  that were fitted; fewer than errors
double scale(const std::vector<double>& errors, std::size_t parameters);

}  // namespace warpipe
