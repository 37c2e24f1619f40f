#include "warpipe/baselines/roofline.hpp"

#include <algorithm>
#include <cassert>

namespace warpipe {

double ridge_point(const Roofs& roofs) { return roofs.peak.count / roofs.bandwidth.count; }

OccupancyRoofline occupancy_roofline(const OccupancyRoofs& roofs) {
  OccupancyRoofline result;
  for (const auto& [name, cycles] : roofs.resources) {
    if (cycles <= result.total) continue;
    result = {cycles, name};
  }
  const Cycles latency{roofs.groups / roofs.resident_groups * roofs.latency.count};
  if (latency > result.total || result.limiter.empty()) result = {latency, "latency"};
  return result;
}

}  // namespace warpipe
