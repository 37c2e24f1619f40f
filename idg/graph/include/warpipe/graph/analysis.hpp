#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "warpipe/idg/kernel.hpp"

/// The time that the dependences alone cost, however wide the machine: no pipeline, scheduler or order of issue counts.

namespace warpipe {

struct Idg;

/// A cycle of dependences through the iterations of a loop.
struct Recurrence {
  std::size_t loop = 0;                   ///< index into Idg::loops
  Cycles per_iteration;                   ///< latencies on the cycle / iterations that it spans
  std::vector<std::size_t> instructions;  ///< each waits for the one before it, the first for the last
  std::vector<std::size_t> dependences;   ///< IdgEdge::index; the i-th leaves the i-th instruction
};

/// Finds, for each loop and each set of instructions in it that wait for one another in a circle (a strongly connected
/// component), the cycle that takes longest per iteration: no schedule runs iterations of that loop faster.
///
/// A dependence that is carried by an inner loop counts for that loop only. Where a loop or a `when` on the cycle is
/// not entered in every iteration, the true bound is lower.
/// @param idg        the graph
/// @param latencies  one per instruction, in program order
/// @return           by loop, then by first instruction; components without any latency are left out; a dependence
///                   that overrides the producer's completion counts with its own latency
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

/// Finds the longest chain where each loop runs once: no loop-carried dependence counts.
/// @param idg        the graph
/// @param latencies  one per instruction, in program order
/// @return           the chain; the first of equals
/// @complexity       V + E
CriticalPath critical_path(const Idg& idg, std::span<const InstructionLatency> latencies);

}  // namespace warpipe
