#pragma once

#include "page.hpp"
#include "warpipe/explain/explain.hpp"

namespace warpipe {

/// Where the time of all warp slots goes: by state, and by the instructions that take most of it.
Section stall_section(const Explanation& explanation);

}  // namespace warpipe
