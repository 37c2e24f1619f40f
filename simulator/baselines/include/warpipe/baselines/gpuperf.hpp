#pragma once

#include "warpipe/idg/units.hpp"

/// GPUPerf: MWP-CWP with arithmetic latency, instruction- and memory-level parallelism, caches and serialisation.
///
/// Follows J. Sim, A. Dasgupta, H. Kim and R. Vuduc, "A performance analysis framework for identifying potential
/// benefits in GPGPU applications", PPoPP 2012, in the form of a public reimplementation with equations (1) to (17) and
/// (A.1) to (A.7); no second reimplementation was found for a comparison. The public form truncates counts to whole
/// numbers in places; here all stay real. Divergence (O_CFdiv) is 0: a kernel's graph holds the instructions of every
/// path taken.

namespace warpipe {

/// Counts are of one warp.
struct GpuPerfInput {
  double instructions = 0;  ///< all; > 0
  double loads = 0;         ///< memory instructions
  double barriers = 0, special_functions = 0;
  Cycles bank_conflicts;  ///< extra cycles of shared memory
  double warps = 0;       ///< of the launch
  double groups = 0;      ///< of the launch
  double active_units = 1;
  double resident_warps = 1;           ///< N, per unit
  Cycles instruction_latency;          ///< mean, of computation; > 0
  Cycles issue_cycles;                 ///< warp size / SIMD width; > 0
  Cycles special_issue_cycles;         ///< warp size / SFU width
  double instruction_parallelism = 1;  ///< ILP of a warp
  double memory_parallelism = 1;       ///< MLP of a warp
  Cycles memory_latency;               ///< DRAM_lat, of one transaction
  double transactions = 1;             ///< a memory instruction
  Cycles departure;                    ///< Delta: between two transactions; > 0 where there are loads
  double miss_ratio = 1;
  Cycles hit_latency;
  double bytes_per_transaction = 0;
  BytesPerSecond bandwidth;
  Hertz clock{1};
  double sync_factor = 64;  ///< Gamma, of the machine; 64 is the value for a Tesla C2050
};

struct GpuPerfResult {
  double mwp = 0, cwp = 0, itilp = 0, itmlp = 0;
  Cycles parallel, serial;  ///< W_parallel, W_serial
  Cycles computation;       ///< T_comp
  Cycles memory;            ///< T_mem
  Cycles overlap;           ///< T_overlap
  Cycles total;             ///< T_exec = T_comp + T_mem - T_overlap
};

GpuPerfResult gpuperf(const GpuPerfInput& input);

}  // namespace warpipe
