#include "warpipe/explain/occupancy_history.hpp"

#include <algorithm>
#include <utility>

#include "warpipe/engine/observe.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

double share(Ticks part, Ticks whole) {
  return whole.count == 0 ? 0.0 : static_cast<double>(part.count) / static_cast<double>(whole.count);
}

}  // namespace

Ticks end_of_bucket(const OccupancyHistory& history, std::size_t bucket) {
  return std::min(checked_multiply(history.residency.width, static_cast<std::int64_t>(bucket + 1)), history.cycles);
}

double mean_groups(const OccupancyHistory& history, std::size_t bucket) {
  const Ticks begin = checked_multiply(history.residency.width, static_cast<std::int64_t>(bucket));
  const Ticks time{end_of_bucket(history, bucket).count - begin.count};
  return share(history.residency.occupied[bucket], time) / static_cast<double>(history.units);
}

double mean_groups(const OccupancyHistory& history) {
  return share(history.residency.total, history.cycles) / static_cast<double>(history.units);
}

double tail_share(const OccupancyHistory& history) { return share(history.residency.tail, history.cycles); }

OccupancyHistory occupancy_history(const LoweredLaunch& launch, Ticks cycles, Residency residency) {
  OccupancyHistory history;
  history.units = launch.program.machine.units;
  history.slots = launch.program.machine.group_slots;
  history.warps_per_group = launch.launch.warps_per_group;
  history.warps_per_unit = launch.device.limits.warps_per_unit;
  history.cycles = cycles;
  history.residency = std::move(residency);
  return history;
}

}  // namespace warpipe
