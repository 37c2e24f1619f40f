#pragma once

#include "warpipe/explain/explain.hpp"
#include "warpipe/report/page.hpp"

namespace warpipe {

/// The time of all warp slots: by state, and by the instructions with the most of it.
Section stall_section(const Explanation& explanation);

}  // namespace warpipe
