#pragma once

#include <cstddef>

#include "routine.hpp"

namespace warpipe::ptx {

/// Puts short sides of branches that reach memory under a predicate, as ptxas does: their accesses issue even when no
/// lane takes them. A side ends where the other side does, and has at most `longest` instructions besides copies; none
/// of them orders memory, divides or leaves the kernel. A branch on data stays, since the options for it (`--taken`)
/// speak of branches.
/// @return the number of removed branches
/// @complexity linear in the instructions, but for the registers reached by data
std::size_t predicate_accesses(Routine& routine, std::size_t longest);

}  // namespace warpipe::ptx
