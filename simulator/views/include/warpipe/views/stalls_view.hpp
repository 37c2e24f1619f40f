#pragma once

#include <string>

#include "warpipe/explain/explain.hpp"

namespace warpipe {

/// The warps' time, as text: by state, in a warp's order, and below a state by awaited instruction or pipeline, the
/// most first. All rows add up to the run.
///
///     Stalls        share  cycles per warp  in Nsight Compute
///       issuing     5.9 %           26.0  selected
///       result     94.1 %          414.0
///         load_y   89.1 %          392.0  long scoreboard
///         fma       3.9 %           17.0  wait
///         index     1.1 %            5.0  wait
///       all       100.0 %          440.0
///
/// Parts below half a percent are one row, "N more". "Cycles per warp" are the mean over all warp slots; the whole is
/// warp slots x cycles.
std::string write_stalls_text(const Explanation& explanation);

}  // namespace warpipe
