#pragma once

#include "warpipe/explain/explain.hpp"
#include "warpipe/report/page.hpp"

namespace warpipe {

/// Where the time of all warp slots goes: by state, and by the instructions that take most of it.
Section stall_section(const Explanation& explanation);

}  // namespace warpipe
