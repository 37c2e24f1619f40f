#pragma once

#include <cstddef>

#include "routine.hpp"

namespace warpipe::ptx {

/// Makes loads of neighbouring words of shared memory one load of 8 or 16 bytes, of constant memory one of 8, at the
/// place of the first, where the address is known to be a multiple of that: as ptxas does, which places variables of 16
/// bytes and more at multiples of 16. A load passes nothing that orders memory, no store that may reach its bytes, and
/// no other use of its register.
/// @return how many loads went into others
/// @complexity linear in the instructions, times the open loads of a block
std::size_t widen_loads(Routine& routine);

}  // namespace warpipe::ptx
