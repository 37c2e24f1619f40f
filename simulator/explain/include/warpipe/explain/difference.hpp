#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/explain/explain.hpp"

/// The change from one run to another, by instruction and stall.

namespace warpipe {

/// A match of instructions of both runs: first by the same id, then among the rest by the same op, in order. An
/// instruction without a match was added or removed.
struct InstructionMatch {
  std::optional<std::size_t> a, b;  ///< indices into Explanation::instructions; never both empty
};

/// The part of the run time that an instruction spends in a state, or in waiting for another instruction.
///
/// The run is taken as the mean warp's time: the share of a part in the run time is its share in the time of all warp
/// slots. So runs of different occupancy can be compared part by part, and the changes of all parts add up to the
/// change of the run.
struct Contribution {
  std::optional<std::size_t> match;  ///< of the instruction; empty where the time belongs to none
  Stall stall = Stall::Issuing;
  std::optional<std::size_t> producer;  ///< of Stall::Result: the match of the awaited instruction
  Seconds a, b;
  double change() const { return b.count - a.count; }
};

struct Difference {
  Outcome a, b;
  std::vector<InstructionMatch> instructions;  ///< in the order of B, the removed ones last
  std::vector<Contribution> contributions;     ///< the largest change first; empty where a run has no stalls
};

/// @return how much longer B is than A, as a fraction of A; 0 where neither takes any time, and infinity where only A
///         takes none
double slowdown(const Difference& difference);

/// @complexity sorts states x instructions
Difference difference(Outcome a, Outcome b);

}  // namespace warpipe
