#pragma once

#include "routine.hpp"

namespace warpipe::ptx {

/// Turns a branch over a jump around: `@p bra A; bra B; A:` is `@!p bra B; A:`, which every compiler makes of it.
void straighten_branches(Routine& routine);

}  // namespace warpipe::ptx
