#include "warpipe/baselines/roofline.hpp"

#include <algorithm>
#include <cassert>

namespace warpipe {

double ridge_point(const Roofs& roofs) { return roofs.peak.count / roofs.bandwidth.count; }

OpsPerSecond attainable(const Roofs& roofs, double intensity) {
  return {std::min(roofs.peak.count, intensity * roofs.bandwidth.count)};
}

RooflineTime roofline_time(const Roofs& roofs, double operations, double bytes) {
  assert(roofs.peak.count > 0 && roofs.bandwidth.count > 0);
  RooflineTime time{{operations / roofs.peak.count}, {bytes / roofs.bandwidth.count}, {}, false};
  time.total = std::max(time.math, time.memory);
  time.memory_bound = time.memory > time.math;
  return time;
}

Utilization utilization(const Roofs& roofs, double operations, double bytes, Seconds measured) {
  assert(measured.count > 0);
  const RooflineTime time = roofline_time(roofs, operations, bytes);
  return {time.math.count / measured.count, time.memory.count / measured.count, time.total.count / measured.count};
}

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
