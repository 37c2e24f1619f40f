#pragma once

#include <cstddef>
#include <vector>

/// What a calibration makes small, and how sure that makes it.

namespace warpipe {

/// Half the squares of small errors, and about the absolute values of large ones, so that rows that no value can
/// explain do not draw the others after them. The border lies at 2 %, the spread of good measurements.
/// @param errors  relative
double loss(const std::vector<double>& errors);

/// @return the standard deviation that the errors of a fit show in terms of this loss; at least half a percent, since
///         no measurement is better than that; relative
/// @param parameters  that were fitted; fewer than errors
/// @source Huber, Robust Statistics, 1981, section 7.6: the scale of the covariance of an M-estimate
double scale(const std::vector<double>& errors, std::size_t parameters);

}  // namespace warpipe
