#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "warpipe/explain/timeline.hpp"

namespace warpipe {

/// The states of warps cycle by cycle, a line for each execution of an instruction, as text.
///
///     Timeline of worked on tiny: cycles 0 to 440 of 440, a column is 10 cycles
///
///                                             0         100       200       300       400
///     group  warp  instruction                |         |         |         |         |
///         0     0  index        imad          I
///         0     0  load_x       global.load   IeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeE
///         0     0  load_y       global.load    IeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeE
///         0     0  fma          ffma            =======================================IeE
///         0     0  store_y      global.store                                           ==I
///
///     I issues   e executes   E completes   b waits at the barrier
///     = waits for an operand   - warp interval
///     s scheduler busy   p pipeline busy   q queue full
///
/// A column shows the issue if it is in there, else the completion, else the longest state.
/// @param width  most places of a line; without it the chart has up to 80
std::string write_text(const Timeline& timeline, std::optional<std::size_t> width = std::nullopt);

/// The same as a JSON value, with all times in cycles: a member of a result.
std::string timeline_json(const Timeline& timeline);

}  // namespace warpipe
