#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/idg/units.hpp"

/// Where the warps' time went.
///
/// A warp slot (units x group slots x warps per group of them) is at every moment of a run in one of these states, so
/// that the times add up, without remainder, to warp slots x cycles:
///
///   issuing       its warp issued and holds its scheduler (its pipeline, where there are no schedulers)
///   interval      its warp must not issue again so soon (`warp_interval`, `stall`)
///   result        its warp waits for an operand; charged to the one that comes last
///   pipeline      its warp is ready, and its pipeline is busy
///   backlog       its warp is ready, and the queue in front of a further pipeline is full
///   scheduler     its warp is ready, and its scheduler is busy or has chosen another warp
///   barrier       its warp waits for other warps of its group, at a barrier or for a signal
///   drain         its warp issued its last step and waits for the last of its results
///   ended         its warp ended, and others of its group have not
///   empty         no group is in the slot
///
/// From a step's issue on, a warp is issuing, then kept by its interval, then waits for the operands of the next step.
/// From when these are there, the rest is charged to what was free last, the scheduler before the pipeline.

namespace warpipe {

enum class Stall { Issuing, Interval, Result, Pipeline, Backlog, Scheduler, Barrier, Drain, Ended, Empty };
inline constexpr std::size_t kStalls = 10;

/// Time by state.
using StallTimes = std::array<Ticks, kStalls>;

/// Of all executions of one step of one stream.
struct StepStalls {
  std::int64_t executions = 0;
  /// Issuing and drain after an execution, the others before it; none ended or empty.
  StallTimes times{};
  std::vector<Ticks> backlogs;  ///< of the time in Backlog: by backlog of its issue port
  std::vector<Ticks> waits;     ///< of the time in Result: by wait of the step
  /// Of the time in each of `waits`: by service of its producer, the one that the awaited execution got.
  std::vector<std::vector<Ticks>> services;
  friend bool operator==(const StepStalls&, const StepStalls&) = default;
};

struct Stalls {
  std::vector<std::vector<StepStalls>> steps;  ///< by stream and step
  std::vector<StallTimes> units;               ///< by unit; each adds up to slots x warps per group x cycles
  friend bool operator==(const Stalls&, const Stalls&) = default;
};

/// What was free last, where a ready instruction had to wait for something other than its own warp.
enum class Hold : std::uint8_t { Nothing, Scheduler, Pipeline, Backlog };

/// In place of an index into InstructionStream::waits: the operands did not come last.
inline constexpr std::uint32_t kNoWait = UINT32_MAX;
/// In place of an index into InstructionStream::services: the step has none.
inline constexpr std::uint32_t kNoService = UINT32_MAX;

}  // namespace warpipe
