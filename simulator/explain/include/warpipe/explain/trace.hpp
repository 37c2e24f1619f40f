#pragma once

#include <cstdint>
#include <string>

#include "warpipe/engine/recording.hpp"
#include "warpipe/predict/lower.hpp"

/// A recorded part of a run, and the names of everything in it.

namespace warpipe {

struct Trace {
  const LoweredLaunch& launch;  ///< outlives the trace
  Recording recording;
  Ticks cycles;  ///< of the whole run
};

/// @param cycles  of the whole run
/// @throws ModelError for a window beginning behind the end of the run, its groups or their warps
void require_something(const LoweredLaunch& launch, const Window& window, Ticks cycles);

const Step& step_of(const Trace& trace, const Execution& execution);
const Instruction& instruction_of(const Trace& trace, const Execution& execution);

/// The cause of a warp's wait: the id of the producer of its last operand, or the name of the pipeline that is busy or
/// whose queue is full; empty for other states.
std::string cause_of(const Trace& trace, const Execution& execution, Stall stall);

/// A state with its cause in words: "waits for load", "pipeline lsu busy", "queue of dram full", "scheduler busy",
/// "warp interval", "at the barrier", "drains".
std::string wait_text(const Trace& trace, const Execution& execution, Stall stall);

/// "cycles 0 to 5000 of 7171960.929" or "groups 3 to 4 of 410, cycles 0 to 17000 of 7172623.97".
std::string shown_part(const Trace& trace);
/// The groups and warps of the part shown: "", "groups 3 to 4 of 410, warp 0 of 8, ".
std::string shown_ranges(const Trace& trace);

/// The time from the first to the last event of a recording.
struct Span {
  Ticks from, to;
};
Span span_of(const Trace& trace);

}  // namespace warpipe
