#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/engine/skipping.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Lower bounds of the time of a launch: a check of every simulation, and the baseline for its accuracy.

namespace warpipe {

struct Program;

/// @return warp instructions issued by all groups of the program
/// @throws ModelError where they do not fit 64 bits
std::int64_t instructions_issued(const Program& program);

/// The time for which all groups together occupy a pipeline, summed over its instances; a lower bound where reads and
/// writes mix there.
/// @throws ModelError where it does not fit 64 bits
Ticks busy(const Program& program, std::size_t pipeline);

/// A lower bound of the time of every simulation of a launch.
struct Bound {
  std::string name;  ///< "pipeline NAME", "schedulers", "group dispatch", "latency"
  Ticks cycles;
};

/// Little's law: the resident warps of a unit for an always busy pipeline (or always busy schedulers).
struct WarpsNeeded {
  std::string name;  ///< as in the bounds
  double warps = 0;
};

struct Bounds {
  std::vector<Bound> bounds;              ///< used pipelines in file order, schedulers, group dispatch, latency
  std::vector<WarpsNeeded> warps_needed;  ///< for the pipelines and schedulers among them
  Cycles mean_group;                      ///< the slowest warp of a group alone, the mean over all groups
};

/// @param bounds  at least one
/// @return        the highest, the first of equals
const Bound& highest(const std::vector<Bound>& bounds);

/// The bounds of a program, each from time 0, with the begin of the launch.
/// - pipeline: the sum of issue latencies on its busiest instance, or their mean over schedulers where the busiest is
///   unknown before the run, less the longest part of an issue latency behind the end of its instruction;
/// - schedulers: likewise with their intervals;
/// - group dispatch: the intervals between the placements of all groups, where the device has such an interval;
/// - latency: the waves of groups on a unit x the slowest warp alone on an idle machine, and the end of the launch.
/// @param skipping  for the simulation of one warp alone
/// @throws ModelError where a bound overflows
/// @complexity steps, and the instructions that one warp of each kind issues
/// @source rules 10.2, 10.3 and 10.7 of the model; Little's law for the warps needed
Bounds lower_bounds(const Program& program, const Device& device, Skipping skipping = Skipping::On);

/// The highest of lower_bounds. It simulates a warp in each of its turns at the services of the caches only where that
/// may be the highest: one run with the slowest services tells.
/// @throws as lower_bounds
Bound highest_bound(const Program& program, const Device& device, Skipping skipping = Skipping::On);

}  // namespace warpipe
