#include "warpipe/baselines/littles_law.hpp"

#include <cassert>

namespace warpipe {

double warps_needed(Cycles latency, Cycles interval) {
  assert(interval.count > 0);
  return latency.count / interval.count;
}

double in_flight(std::span<const Flow> flows) {
  double all = 0;
  for (const Flow& flow : flows) all += flow.a_cycle * flow.latency.count;
  return all;
}

}  // namespace warpipe
