#pragma once

#include <cstddef>

#include "routine.hpp"

namespace warpipe::ptx {

/// Merges loads of neighbouring words into a wide load at the place of the first: of 8 or 16 bytes from shared memory,
/// of 8 from constant memory. The address must be a known multiple of that size: ptxas does the same, and places
/// variables of 16 bytes and more at multiples of 16. A load passes no instruction that orders memory, no store that
/// may reach its bytes, and no other use of its register.
/// @return the number of loads merged into others
/// @complexity linear in the instructions, times the open loads of a block
std::size_t widen_loads(Routine& routine);

}  // namespace warpipe::ptx
