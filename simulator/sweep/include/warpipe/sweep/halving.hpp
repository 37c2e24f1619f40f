#pragma once

#include <cstddef>
#include <vector>

/// Successive halving: many points are simulated with few of their groups, the better half of them with twice as many,
/// and so on, until the last points are simulated whole. The time of the whole launch is guessed from the part, in
/// proportion; a point whose limit shows only later may be lost.
/// @source Jamieson, Talwalkar: Non-stochastic best arm identification and hyperparameter optimization, AISTATS 2016

namespace warpipe {

/// A round: the number of points, and the part of their groups.
struct Rung {
  std::size_t points = 0;
  int halvings = 0;  ///< of the groups; 0: the whole launch
  friend bool operator==(const Rung&, const Rung&) = default;
};

/// The rounds whose parts of points add up to no more than a budget. All cost alike; there are at most six.
/// @param budget  in whole points, at least 1
/// @param points  the number of points: no round is larger
std::vector<Rung> halving_rungs(std::size_t budget, std::size_t points);

}  // namespace warpipe
