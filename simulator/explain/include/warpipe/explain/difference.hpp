#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/explain/outcome.hpp"

/// What changed from one run to another, and which instruction or stall accounts for it.

namespace warpipe {

/// Instructions of both runs that stand for each other: those of the same id, then of the rest those of the same op, in
/// order. One that has no match was added or removed.
struct InstructionMatch {
  std::optional<std::size_t> a, b;  ///< indices into Outcome::instructions; one at least
};

/// What a state of an instruction, or for what it waits, takes of the run time.
///
/// The mean warp's time is the run: of the time that all places for warps have, each part is so many seconds of the run
/// as its share. So parts of runs with another occupancy can be held against each other, and the changes of all parts
/// add up to the change of the run.
struct Contribution {
  std::optional<std::size_t> match;  ///< of the instruction; empty where the time belongs to none
  Stall stall = Stall::Issuing;
  std::optional<std::size_t> producer;  ///< of a result: the match of the instruction that it is waited for
  Seconds a, b;
  double change() const { return b.count - a.count; }
};

struct Difference {
  Outcome a, b;
  std::vector<InstructionMatch> instructions;  ///< in the order of B, those that were removed last
  std::vector<Contribution> contributions;     ///< the largest change first; empty where a run was not accounted for
};

/// @return how much longer B takes than A, as a fraction of A; 0 where neither takes any time, and infinity where only
///         A takes none
double slowdown(const Difference& difference);

/// @complexity sorts states x instructions
Difference difference(Outcome a, Outcome b);

}  // namespace warpipe
