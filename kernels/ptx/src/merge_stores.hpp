#pragma once

#include "routine.hpp"

namespace warpipe::ptx {

/// Where both sides of a branch only store, to the same addresses, their stores become one in which the values are
/// selected, and the branch goes: a compare and swap.
/// @return the stores that are gone
/// @complexity linear in the instructions
std::size_t merge_stores(Routine& routine);

}  // namespace warpipe::ptx
