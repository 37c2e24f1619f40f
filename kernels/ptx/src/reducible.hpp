#pragma once

#include "routine.hpp"

namespace warpipe::ptx {

/// Makes a routine reducible: every loop has a single entry. Code with a second entry is duplicated: the copy runs
/// until it reaches the remaining entry. Copies of labels end in "@copy". A routine that would grow beyond 10^5
/// instructions stays as it is.
/// @complexity blocks x edges for each removed entry
/// @source node splitting: A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, "Compilers", 9.7.6
void make_reducible(Routine& routine);

}  // namespace warpipe::ptx
