#pragma once

#include <span>
#include <vector>

#include "warpipe/idg/units.hpp"

/// Volkov's model: a warp's throughput is the smaller of occupancy / latency bound and the throughput bound.
///
/// Follows V. Volkov, "Understanding Latency Hiding on GPUs", thesis, Berkeley 2016, chapters 3 and 4. There is one
/// published version. The thesis drops one of two terms of the mix by generation: the issue term on G80 and GT200, the
/// arithmetic term from Fermi on; here a term is dropped by an interval of 0.

namespace warpipe {

/// Cycles per warp of its instructions on some kind of functional units.
/// @param instructions  warp instructions on it
/// @param warp_size     lanes of a warp
/// @param lanes         of the unit, all schedulers together; > 0
Cycles functional_unit_bound(double instructions, double warp_size, double lanes);

/// Cycles per warp at the schedulers of a unit.
/// @param issues      warp instructions; a dual-issued pair counts once, a replay once more
/// @param schedulers  of the unit; > 0
Cycles issue_bound(double issues, double schedulers);

/// Cycles per warp in shared memory: one for each way of each access.
/// @param conflict_degrees  per access
Cycles shared_memory_bound(std::span<const int> conflict_degrees);

/// Cycles per warp of global memory.
/// @param moved    bytes moved per warp, wasted bytes included
/// @param a_cycle  bytes per cycle by a unit's share of the memory; > 0
Cycles global_memory_bound(double moved, double a_cycle);

/// @param warps             resident on a unit
/// @param latency_bound     longest path of a warp; > 0
/// @param throughput_bound  cycles per warp of the tightest resource; 0: none
/// @return                  finished warps per cycle of a unit
double warp_throughput(double warps, Cycles latency_bound, Cycles throughput_bound);

/// When the warps of a group go on behind a barrier: the latest arrival + the barrier's own latency.
/// @param arrivals  one per warp; at least one
Cycles barrier_opens(std::span<const Cycles> arrivals, Cycles barrier_latency);

/// Volkov's mix: alpha dependent additions for each dependent load, all back to back.
struct Mix {
  double additions = 0;    ///< alpha
  Cycles memory_latency;   ///< of an idle machine
  Cycles memory_interval;  ///< between two loads of a unit at full bandwidth; > 0
  Cycles add_latency;
  Cycles add_interval;    ///< between two additions of a unit; 0: left out
  Cycles issue_interval;  ///< between two issues of a unit; 0: left out
};

/// @return loads completed by a unit per cycle with so many warps
double mix_throughput(const Mix& mix, double warps);

/// @return warps from which the throughput no longer grows
double mix_warps_needed(const Mix& mix);

/// The largest need of any mix of these additions and loads.
struct Cusp {
  double additions = 0;  ///< alpha where it stands: both resources are full at once
  double warps = 0;      ///< the sum of the needs of pure additions and pure loads
};

/// @param mix  add_interval > 0; `additions` and the issue term take no part
Cusp mix_cusp(const Mix& mix);

}  // namespace warpipe
