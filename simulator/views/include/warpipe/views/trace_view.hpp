#pragma once

#include <functional>
#include <string_view>

#include "warpipe/explain/trace.hpp"

/// A part of a run for programs that show traces. The text comes in pieces, so no piece holds all of it.

namespace warpipe {

using TakePiece = std::function<void(std::string_view)>;

/// As Chrome trace events (JSON, object form), for Perfetto and chrome://tracing.
///
///     {"displayTimeUnit": "ns", "otherData": {"kernel": "worked", "device": "tiny", ...}, "traceEvents": [
///     {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "unit 0"}},
///     {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "slot 0 warp 0"}},
///     {"ph": "X", "pid": 1, "tid": 2, "ts": 6, "dur": 8, "name": "load_a", "cat": "instruction", "args": {...}},
///     {"ph": "s", "pid": 1, "tid": 2, "ts": 6, "id": 3, "name": "dependence", "cat": "dependence"},
///     {"ph": "f", "bp": "e", "pid": 1, "tid": 2, "ts": 414, "id": 3, "name": "dependence", "cat": "dependence"},
///     ...
///     ]}
///
/// A microsecond of the trace is a cycle, a nanosecond a milli-cycle. A unit is a process; the device, with the
/// pipelines shared by all units, is one more. A process has threads for the slots, with their groups; for the warps,
/// with each issue of an instruction and each wait with its cause; and for each instance of a pipeline, with its
/// occupants. Arrows lead from the issue of a producer to the issue of its consumer. No two events of a thread overlap.
/// @source Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
void write_chrome_trace(const Trace& trace, const TakePiece& take);

}  // namespace warpipe
