#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/explain/explain.hpp"

/// The change from one run to another, and the instructions and stalls that account for it.

namespace warpipe {

/// Instructions of both runs that stand for each other: those of the same id, then of the rest those of the same op, in
/// order. One that has no match was added or removed.
struct InstructionMatch {
  std::optional<std::size_t> a, b;  ///< indices into Explanation::instructions; at least one of them
};

/// The part of the run time that an instruction spends in a state, or in waiting for another instruction.
///
/// The run is taken as the mean warp's time: a part gets the share of the run time that it has of the time of all warp
/// slots. So runs of different occupancy can be compared part by part, and the changes of all parts add up to the
/// change of the run.
struct Contribution {
  std::optional<std::size_t> match;  ///< of the instruction; empty where the time belongs to none
  Stall stall = Stall::Issuing;
  std::optional<std::size_t> producer;  ///< of Stall::Result: the match of the instruction that was waited for
  Seconds a, b;
  double change() const { return b.count - a.count; }
};

struct Difference {
  Outcome a, b;
  std::vector<InstructionMatch> instructions;  ///< in the order of B, those that were removed last
  std::vector<Contribution> contributions;     ///< the largest change first; empty where a run has no stalls
};

/// @return the time by which B is longer than A, as a fraction of A; 0 where neither takes any time, and infinity where
///         only A takes none
double slowdown(const Difference& difference);

/// @complexity sorts states x instructions
Difference difference(Outcome a, Outcome b);

}  // namespace warpipe
