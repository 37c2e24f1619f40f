#pragma once

#include <cstddef>

#include "routine.hpp"

namespace warpipe::ptx {

/// Puts short sides of branches that reach memory under a predicate, as ptxas does: their accesses issue whether a lane
/// takes them or not. A side ends where the other one does, and has at most `longest` instructions but for copies, none
/// of which orders memory, divides or leaves the kernel. A branch that depends on data stays one, since what is said of
/// it (`--taken`) is said of branches.
/// @return branches that are gone
/// @complexity linear in the instructions, but for the registers reached by data
std::size_t predicate_accesses(Routine& routine, std::size_t longest);

}  // namespace warpipe::ptx
