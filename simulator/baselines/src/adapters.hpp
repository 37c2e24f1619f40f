#pragma once

#include <string>
#include <vector>

#include "warpipe/baselines/gpuperf.hpp"
#include "warpipe/baselines/hong_kim.hpp"
#include "warpipe/baselines/models.hpp"
#include "warpipe/baselines/zhang_owens.hpp"

/// The inputs of each published model, from a workload.

namespace warpipe {

/// @return the inputs of the memory models missing in the device; empty where nothing is missing
std::string missing_for_memory_models(const Workload& workload);

/// Mem_LD is the mean Lambda of coalesced loads; of all loads where none is coalesced, less the departures of their
/// further transactions; of the device's `global.load` for a kernel that only stores. Departures are lambda on the
/// accesses' own pipeline, stores count as memory instructions, Issue_cycles is the mean interval of all other
/// instructions.
HongKimInput hong_kim_input(const Workload& workload);

/// ILP and MLP are the sum of latencies over the path of a warp alone, of computation and of loads; the latency of an
/// instruction is the mean of computation; a hit level is part of the op, so every access misses with its own Lambda.
GpuPerfInput gpuperf_input(const Workload& workload, const ModelInputs& inputs);

/// Global memory, shared memory, and the instruction pipeline of all else, if used by the kernel.
std::vector<Component> zhang_owens_components(const Workload& workload);

/// @param groups  resident on a unit
IntervalMachine interval_machine(const Workload& workload, const ModelInputs& inputs, double groups);

}  // namespace warpipe
