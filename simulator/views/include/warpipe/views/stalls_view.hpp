#pragma once

#include <string>

#include "warpipe/study/explain.hpp"

namespace warpipe {

/// Where the warps' time goes, as text. By state, in the order in which a warp goes through them; below a state what is
/// waited for, the most first. All rows add up to the run.
///
///     Stalls           share  cycles a warp  in Nsight Compute
///       issuing        0.3 %            1.0  selected
///       result        92.3 %          376.3
///         load_x      60.0 %          244.6  long scoreboard
///         load_y      32.3 %          131.7  long scoreboard
///       pipeline       4.9 %           20.0
///         memory       4.9 %           20.0  LG throttle
///       drain          2.5 %           10.0  drain
///       all          100.0 %          407.3
///
/// What is below half a percent is one row, "N more". "Cycles a warp" are the mean over all places for warps; places x cycles is the whole.
std::string write_stalls_text(const Explanation& explanation);

/// The same as a JSON value, with the times of each unit: a member of a result.
std::string stalls_json(const Explanation& explanation);

}  // namespace warpipe
