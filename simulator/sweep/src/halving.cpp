#include "warpipe/sweep/halving.hpp"

#include <algorithm>

namespace warpipe {
namespace {

constexpr int kMostRungs = 6;  ///< below a 32nd of its groups, a launch says little about itself

}  // namespace

std::vector<Rung> halving_rungs(std::size_t budget, std::size_t points) {
  if (budget >= points) return {{points, 0}};
  std::vector<Rung> rungs;
  for (int count = kMostRungs; count > 0; --count) {
    const std::size_t whole = budget / static_cast<std::size_t>(count);
    const std::size_t first = whole << (count - 1);
    if (whole == 0 || (first > points && count > 1)) continue;
    for (int halvings = count - 1; halvings >= 0; --halvings)
      rungs.push_back({std::min(whole << halvings, points), halvings});
    break;
  }
  return rungs;
}

}  // namespace warpipe
