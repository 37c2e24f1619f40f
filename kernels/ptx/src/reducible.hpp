#pragma once

#include "routine.hpp"

namespace warpipe::ptx {

/// Makes every loop of a routine one that is entered at one place. What is entered elsewhere, too, is duplicated: the
/// copy runs until it gets to the place that stays the entry. Copies of labels end in "@copy".
/// A routine that would grow beyond 10^5 instructions stays as it is.
/// @complexity blocks x edges for each entry that goes
/// @source node splitting: A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, "Compilers", 9.7.6
void make_reducible(Routine& routine);

}  // namespace warpipe::ptx
