#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace warpipe {

struct Minimum {
  std::vector<double> at;
  double value = 0;
  std::size_t evaluations = 0;
};

/// How much work a search may do.
struct SearchEffort {
  std::size_t samples = 12;  ///< points drawn over the range; searches start from the best
  std::size_t starts = 3;    ///< from drawn points, besides the given and the scanned point
};

/// @return the most calls of the function by a search
std::size_t most_evaluations(std::size_t dimensions, const SearchEffort& effort);

/// Searches the least value of a function without its derivatives: from the given point, from the best of a scan along
/// each coordinate and from the best of points drawn by a seeded generator, by a quadratic model (BOBYQA; in one
/// dimension by a subplex); then in smaller steps around the best, and last by a subplex, which minds no kinks. The
/// same function gives the same result, always.
/// @param start   where to begin; one coordinate at least
/// @param spread  distance of drawn points from the start in each coordinate; the search goes three times as far
/// Exceptions of the function go on to the caller.
Minimum minimize(const std::function<double(const std::vector<double>&)>& function, const std::vector<double>& start,
                 double spread, const SearchEffort& effort);

}  // namespace warpipe
