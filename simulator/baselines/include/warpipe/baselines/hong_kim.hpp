#pragma once

#include "warpipe/idg/units.hpp"

/// MWP-CWP: memory-warp and computation-warp parallelism.
///
/// Follows S. Hong and H. Kim, "An analytical model for a GPU architecture with memory-level and thread-level
/// parallelism awareness", ISCA 2009, as three independent public reimplementations agree on it. Where published
/// versions disagree:
/// - MWP, CWP and Rep are rounded or truncated in places; here all stay real. The paper's own example cuts MWP to 2.28;
/// - the second case asks for CWP >= MWP *or* more computation than memory cycles; so here;
/// - Rep as a real number cancels the occupancy: the curve against occupancy is nearly flat in the saturated case. A
///   curve a unit is had with `repetitions` = 1.

namespace warpipe {

/// Counts are of one warp; bytes and warps are plain numbers.
struct HongKimInput {
  double computation_instructions = 0;
  double coalesced_loads = 0;    ///< memory instructions, coalesced
  double uncoalesced_loads = 0;  ///< both together > 0
  double barriers = 0;
  Cycles memory_latency;         ///< Mem_LD: of one transaction on an idle machine
  Cycles coalesced_departure;    ///< between two coalesced accesses of a unit
  Cycles uncoalesced_departure;  ///< between two transactions of an uncoalesced access
  double uncoalesced_transactions = 1;
  Cycles issue_cycles;         ///< between two instructions of a unit
  double resident_warps = 1;   ///< n, per unit
  double resident_groups = 1;  ///< per unit
  double active_units = 1;
  double repetitions = 1;  ///< Rep: groups / (resident groups x active units)
  double bytes_per_load = 0;
  BytesPerSecond bandwidth;
  Hertz clock{1};
};

enum class HongKimCase {
  EnoughWarps,  ///< MWP = CWP = n: all memory periods overlap
  MemoryBound,  ///< CWP >= MWP, or more computation than memory cycles
  ComputeBound  ///< MWP > CWP
};

struct HongKimResult {
  Cycles memory_period;    ///< Mem_L
  Cycles departure_delay;  ///< between two memory instructions of a unit
  double mwp_without_bandwidth = 0;
  double mwp_peak_bandwidth = 0;
  double mwp = 0, cwp = 0;
  HongKimCase which = HongKimCase::EnoughWarps;
  Cycles execution;        ///< Exec_cycles
  Cycles synchronization;  ///< Synch_cost
  Cycles total;            ///< of a unit, all repetitions
};

/// @param input  at least one memory instruction; positive issue cycles, latency, departures, clock
HongKimResult hong_kim(const HongKimInput& input);

}  // namespace warpipe
