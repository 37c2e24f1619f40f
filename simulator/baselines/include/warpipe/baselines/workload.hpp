#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/baselines/interval.hpp"
#include "warpipe/predict/launch.hpp"

/// The numbers of a kernel, a device and a launch for the closed forms, taken from the same graph and table as the
/// simulation.
///
/// Rules for these numbers, the same for every model:
/// - counts are a warp's, the mean over the warps of a group; one unit stands for all, with its fair share of the
///   device's single pipelines;
/// - global memory is the ops `global.*`, shared memory the ops `shared.*`, special functions the approximate functions
///   of the vocabulary (rcp rsqrt sqrt sin cos exp2 log2); all other ops but barriers are computation;
/// - a memory access is coalesced where it takes no more transactions than its op's latencies stand for;
/// - a path of a warp alone is simulated by the engine on an idle machine, so the order of its instructions and its own
///   pipelines count; in a path of some instructions, the rest takes no time.

namespace warpipe {

enum class WorkClass { Computation, SpecialFunction, SharedMemory, GlobalMemory, Barrier };

/// An instruction of the kernel, as a warp meets it.
struct InstructionLoad {
  std::string op;
  WorkClass work = WorkClass::Computation;
  double executions = 0;
  Cycles interval;          ///< between two of a unit: on its own pipeline, or at the schedulers
  Cycles transfer;          ///< on the slowest of the pipelines behind its own
  Cycles latency;           ///< Lambda; for a store without a waiting instruction: lambda
  Cycles conflicts;         ///< the bank conflicts in the interval
  double transactions = 1;  ///< of global memory
  bool coalesced = true;
  bool waited_for = true;  ///< false: a store without a waiting instruction
};

/// A pipeline, or the schedulers.
struct ResourceLoad {
  std::string name;  ///< as in the bounds of a prediction: "pipeline NAME", "schedulers"
  Cycles of_warp;    ///< time of a warp on a unit's
  Cycles alone;      ///< path of a warp alone where only this pipeline's instructions count; schedulers: 0
};

struct Workload {
  std::vector<InstructionLoad> instructions;
  std::vector<ResourceLoad> resources;                 ///< in use, in file order, the schedulers last
  std::vector<std::pair<std::string, Cycles>> bounds;  ///< cycles of each, taken by all groups; no schedule takes less
  Cycles alone;                                        ///< path of the slowest warp
  Cycles computation_alone;                            ///< the same of computation and special functions only
  Cycles memory_alone;                                 ///< of global memory only
  std::optional<std::vector<WarpInterval>> intervals;  ///< of the slowest warp; empty for too many instructions

  Launch launch;
  double groups_of_unit = 1;   ///< of the busiest
  double active_units = 1;     ///< min(P, groups)
  double warps_of_unit = 1;    ///< the mean of active units
  double resident_groups = 1;  ///< the mean of active units: min(M, groups / active units)
  double resident_warps = 1;
  double schedulers = 1;  ///< 1 where the device has none
  Cycles issue_interval;  ///< of a scheduler; 0 where the device has none
  bool greedy = false;
  Cycles replacement;  ///< group launch latency
  Hertz clock{1};
  double warp_size = 32;
  std::optional<BytesPerSecond> bandwidth;
  double transaction_bytes = 0;  ///< 0: unknown
  Cycles load_latency;           ///< Lambda of the device's `global.load`, for kernels that only store; 0: unknown
};

/// Takes a workload from a launch.
/// @param kernel, device  as read; the options are applied to copies
/// @throws as predict
/// @complexity the paths of a warp alone, for each pipeline, and one pass through its instructions
Workload workload_of(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// @return executions per warp
double executions(const Workload& workload, WorkClass work);

}  // namespace warpipe
