#pragma once

#include <vector>

#include "warpipe/idg/units.hpp"

/// Interval analysis: a warp's instructions are cut where it stalls, and other warps' instructions fill the stalls.
///
/// Follows J.-C. Huang, J. H. Lee, H. Kim and H.-H. S. Lee, "GPUMech", MICRO 2014, with its equations as in the public
/// code of GCoM (J. Lee et al., ISCA 2022); GPUMech's own terms for outstanding misses and for DRAM queues are
/// recalled, not read. The contention terms of MDM (L. Wang et al., MICRO 2020) and GCoM stand beside them.

namespace warpipe {

/// A run of instructions without a stall, and the stall behind it.
struct WarpInterval {
  double instructions = 0;
  Cycles stall;             ///< until the next instruction may issue, less an issue; >= 0
  double repeats = 1;       ///< how often a warp goes through the interval
  double loads = 0;         ///< missing global memory instructions
  Cycles miss_latency;      ///< the longest of them
  Cycles shared_transfer;   ///< their time on the whole device's memory, at a unit's fair share
  Cycles longest_pipeline;  ///< their time on the busiest of the unit's own pipelines
};

struct IntervalMachine {
  double resident_warps = 1;
  double schedulers = 1;          ///< sub-cores
  Cycles issue_interval{1};       ///< of a scheduler; > 0
  bool greedy = false;            ///< greedy-then-oldest; else round robin
  double outstanding_misses = 0;  ///< MSHRs of a unit; 0: unknown, no limit
};

/// The parts of the time of one round of resident warps on a unit.
struct CycleStack {
  Cycles base;        ///< issuing
  Cycles data;        ///< stalls for results, not hidden by other warps
  Cycles structural;  ///< pipelines slower than issue
  Cycles misses;      ///< waiting for a free MSHR
  Cycles queue;       ///< waiting for memory bandwidth
};
Cycles total(const CycleStack& stack);

/// GPUMech: base and data of the whole unit, MSHR batches, and an M/D/1 queue for memory. A request waits for at most
/// half of the other requests of its interval, the mean where all come at once: a rule of ours, the paper's cap is not
/// known.
/// @param intervals  of a representative warp
CycleStack gpumech(const std::vector<WarpInterval>& intervals, const IntervalMachine& machine);

/// GCoM with MDM's memory: base and data of one sub-core, structural stalls, MSHR batches, and half of all requests in
/// the queue (all of them where they diverge and queue for longer than a miss takes).
CycleStack gcom(const std::vector<WarpInterval>& intervals, const IntervalMachine& machine);

}  // namespace warpipe
