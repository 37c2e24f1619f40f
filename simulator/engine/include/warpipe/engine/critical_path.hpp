#pragma once

#include <cstddef>
#include <cstdint>

#include "warpipe/idg/units.hpp"

/// The critical path of a run: the chain of events that decides its cycles.
///
/// Every event happens when the last of its conditions is met. Followed back from the end, these conditions form a
/// chain down to time 0, through warps, pipelines, schedulers, barriers and slots. Its links add up, without remainder,
/// to the cycles of the run. Of two conditions met at the same time, a wait of the warp itself comes first, then the
/// scheduler, then the pipeline.

namespace warpipe {

/// The reason for the time between an event and the event before it.
enum class PathEdge : std::uint8_t {
  Launch,     ///< the slot was free only then (`launch_begin_s`, `group_launch_latency`)
  Dispatch,   ///< the group before it was placed just then (`group_dispatch_interval`)
  Interval,   ///< the warp's previous instruction issued just then (`warp_interval`, `stall`)
  Result,     ///< an operand came
  Pipeline,   ///< a pipeline was busy with another instruction
  Transit,    ///< an instruction was on its way to a further pipeline
  Backlog,    ///< the queue in front of a further pipeline was full
  Scheduler,  ///< the scheduler was busy with another instruction
  Barrier,    ///< the last warp came to the barrier, the last arrival to the signal
  Drain,      ///< the group's last result came, or the data written by the launch arrived (`launch_end_s`)
};
inline constexpr std::size_t kPathEdges = 10;

inline constexpr std::uint32_t kNoStep = UINT32_MAX;

/// The place of an event.
struct PathPoint {
  std::uint32_t warp_slot = 0;   ///< over all units, see WarpSlot
  std::uint32_t step = kNoStep;  ///< of the warp's stream; kNoStep for a placement or end of a group
  std::uint32_t stream = 0;      ///< the warp's, an index into Program::streams; 0 for a placement or end of a group
};

/// From an event to the next event, decided by it.
struct PathLink {
  PathEdge edge = PathEdge::Launch;
  std::uint32_t pipeline = 0;  ///< of Pipeline, Transit and Backlog
  PathPoint cause, effect;     ///< for Pipeline, Backlog and Scheduler: the instruction busy there, and the waiting
                               ///< instruction
  Ticks from, to;
};

struct PathLimits {
  std::size_t fold_at = std::size_t{1} << 20;     ///< events to keep before the links shared by all paths are reported
  std::size_t most_nodes = std::size_t{1} << 26;  ///< events to keep in all, 32 bytes each
};

}  // namespace warpipe
