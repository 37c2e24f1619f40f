#pragma once

#include <optional>
#include <vector>

namespace warpipe {

/// Values whose ratio is below it are equal: they were computed from rates.
inline constexpr double kEqual = 1 + 1e-9;

/// Ranks from 1, the least first; equal values share the mean of theirs.
/// @param values  above or equal to 0
std::vector<double> ranks(const std::vector<double>& values);

/// Pearson's.
/// @return nothing where all values of a or all values of b are equal
std::optional<double> correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace warpipe
