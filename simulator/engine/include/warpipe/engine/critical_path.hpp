#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "warpipe/engine/run.hpp"

/// The critical path of a run: the chain of events that ends it.
///
/// Whatever happens in a run happens when the last of what it needs is there. Followed back from the end, that gives
/// one chain down to time 0, through warps, pipelines, schedulers, barriers and slots; its links add up, without
/// remainder, to the cycles of the run. Where two things are there at the same time, what the warp itself waited for
/// comes first, then the scheduler, then the pipeline.

namespace warpipe {

/// Why an event of the chain came no sooner than so long after the one before it.
enum class PathEdge : std::uint8_t {
  Launch,     ///< the slot was free only then (`group_launch_latency`)
  Dispatch,   ///< the group before it was placed just then (`group_dispatch_interval`)
  Interval,   ///< the warp's previous instruction issued just then (`warp_interval`)
  Result,     ///< an operand came
  Pipeline,   ///< a pipeline was busy with another instruction
  Transit,    ///< an instruction was on its way to a further pipeline
  Backlog,    ///< the queue in front of a further pipeline was full
  Scheduler,  ///< the scheduler was busy with another instruction
  Barrier,    ///< the last warp came to the barrier
  Drain,      ///< the group's last result came
};
inline constexpr std::size_t kPathEdges = 10;

inline constexpr std::uint32_t kNoStep = UINT32_MAX;

/// What happened, and where.
struct PathPoint {
  std::uint32_t warp_slot = 0;   ///< as in the events of a observer
  std::uint32_t step = kNoStep;  ///< of the warp's stream; kNoStep where a group came or ended
  std::uint32_t stream = 0;      ///< the warp's, an index into Program::streams; 0 where a group came or ended
};

/// From one event to the next one that it decided.
struct PathLink {
  PathEdge edge = PathEdge::Launch;
  std::uint32_t pipeline = 0;  ///< of Pipeline, Transit and Backlog
  PathPoint cause, effect;     ///< for Pipeline, Backlog and Scheduler: who was busy there, and who waited
  Ticks from, to;
};

struct PathLimits {
  std::size_t fold_at = std::size_t{1} << 20;     ///< events kept before those that all paths share are told
  std::size_t most_nodes = std::size_t{1} << 26;  ///< events kept in all, 32 bytes each
};

/// Plays a program to its end, as run() does with the same result, all of it: nothing is leapt over.
/// @param hear  called for each link of the critical path, from time 0 on, as soon as it is certain; from 0 to the
///              cycles of the run without a gap. Links of no length are among them
/// @throws ModelError as run(), and where more than `most_nodes` events may still be part of the path
/// @complexity as run() without leaping, about three times; memory in events that may still be part of the path: those
///             back to where the paths to all that is under way join
RunResult trace_critical_path(const Program& program, const std::function<void(const PathLink&)>& hear,
                              const PathLimits& limits = {});

}  // namespace warpipe
