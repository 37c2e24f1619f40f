#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "warpipe/idg/kernel.hpp"

/// Lower bounds from dependences alone, however wide the machine: no pipeline, scheduler or order of issue counts.

namespace warpipe {

struct Idg;

/// A cycle of dependences through the iterations of a loop.
struct Recurrence {
  std::size_t loop = 0;                   ///< index into Idg::loops
  Cycles per_iteration;                   ///< latencies on the cycle / iterations spanned by it
  std::vector<std::size_t> instructions;  ///< each waits for its predecessor, the first for the last
  std::vector<std::size_t> dependences;   ///< IdgEdge::index; the i-th leaves the i-th instruction
};

/// Finds, for each loop and each strongly connected component in it (instructions waiting for one another in a circle),
/// the cycle with the longest time per iteration: no schedule runs iterations of the loop faster.
///
/// A dependence carried by an inner loop counts for the inner loop only. If a loop or a `when` on the cycle is not
/// entered in every iteration, the true bound is lower.
/// @param idg        the graph
/// @param latencies  by instruction, in program order
/// @return           by loop, then by first instruction; components without any latency are left out; a dependence with
///                   its own latency counts with it in place of the producer's completion
/// @complexity       (V + E) x depth of the loop nest, and Howard's policy iteration for each component
/// @source           maximum cycle ratio: A. Dasdan, "Experimental analysis of the fastest optimum cycle ratio and
///                   mean algorithms", ACM TODAES 9(4), 2004
std::vector<Recurrence> recurrences(const Idg& idg, std::span<const InstructionLatency> latencies);

/// The longest chain of dependences within one pass through the body.
struct CriticalPath {
  Cycles length;                          ///< from the first issue to the last end
  std::vector<std::size_t> instructions;  ///< in program order; empty for a kernel without instructions
  std::vector<std::size_t> dependences;   ///< IdgEdge::index; the i-th leaves the i-th instruction
};

/// Finds the longest chain, each loop running once: no loop-carried dependence counts.
/// @param idg        the graph
/// @param latencies  by instruction, in program order
/// @return           the chain; the first of equals
/// @complexity       V + E
CriticalPath critical_path(const Idg& idg, std::span<const InstructionLatency> latencies);

}  // namespace warpipe
