#pragma once

#include <span>
#include <string>
#include <vector>

#include "warpipe/idg/units.hpp"

/// Zhang and Owens in its min form: the slowest of the instruction pipeline, shared memory and global memory, each by
/// its own throughput curve against the number of warps.
///
/// Follows Y. Zhang and J. D. Owens, "A quantitative performance analysis model for GPU architectures", HPCA 2011, as
/// reimplemented: throughput(n) = min over the components. The original's curves are measured; here an instruction has
/// the curve of its dependent chain, min(n / Lambda, 1 / lambda), as shown by a microbenchmark. In the original as
/// recalled, few groups with barriers put the components one after the other; the rule is left out here.

namespace warpipe {

/// A kind of instruction within a component.
struct ChainedInstructions {
  double executions = 0;  ///< by one warp
  Cycles interval;        ///< lambda of the unit
  Cycles latency;         ///< Lambda
};

struct Component {
  std::string name;
  std::vector<ChainedInstructions> instructions;
};

/// @return cycles of a unit a warp: each instruction takes the larger of its interval and latency / warps
/// @param warps  resident on the unit; > 0
Cycles component_interval(const Component& component, double warps);

struct ZhangOwensResult {
  Cycles of_warp;         ///< cycles of a unit per warp
  std::string component;  ///< the slowest; the first of equals
};

/// @param components  at least one
ZhangOwensResult zhang_owens(std::span<const Component> components, double warps);

}  // namespace warpipe
