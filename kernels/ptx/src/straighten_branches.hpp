#pragma once

#include "routine.hpp"

namespace warpipe::ptx {

/// Turns a branch over a jump around: `@p bra A; bra B; A:` becomes `@!p bra B; A:`, as in every compiler.
void straighten_branches(Routine& routine);

}  // namespace warpipe::ptx
