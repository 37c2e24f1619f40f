#pragma once

#include <cstdint>

#include "routine.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::ptx {

/// What the words of a routine's instructions mean, in the form that is analysed and executed. Instructions and
/// registers keep their numbers; ops are chosen later.
/// @param lanes  of a warp
/// @throws InputError for an access without an address or of a type that no access has, an address that names no
///                    variable, a jump table without a register
isa::Program decode(const Routine& routine, std::int64_t lanes);

}  // namespace warpipe::ptx
