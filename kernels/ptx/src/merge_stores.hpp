#pragma once

#include "routine.hpp"

namespace warpipe::ptx {

/// Merges stores where both sides of a branch only store, to the same addresses: each pair becomes one store of a
/// selected value, and the branch goes. A compare and swap is an example.
/// @return the number of removed stores
/// @complexity linear in the instructions
std::size_t merge_stores(Routine& routine);

}  // namespace warpipe::ptx
