#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/idg/units.hpp"

/// Where the warps' time went.
///
/// A warp slot (units x group slots x warps per group of them) is at every moment of a run in one of these states; the
/// times add up, without remainder, to warp slots x cycles:
///
///   issuing       its warp issued and holds its scheduler (its pipeline, without schedulers)
///   interval      its warp must not issue again so soon (`warp_interval`, `stall`)
///   result        its warp waits for an operand; charged to the last operand to come
///   pipeline      its warp is ready, and its pipeline is busy
///   backlog       its warp is ready, and the queue in front of a further pipeline is full
///   scheduler     its warp is ready, and its scheduler is busy or has chosen another warp
///   barrier       its warp waits for other warps of its group, at a barrier or for a signal
///   drain         its warp issued its last step and waits for the last of its results
///   ended         its warp ended, and some warps of its group have not
///   empty         no group is in the slot
///
/// From a step's issue on, a warp is issuing, then kept by its interval, then waits for the operands of the next step.
/// Once the operands are there, the rest is charged to the last resource to be free, the scheduler before the pipeline.

namespace warpipe {

enum class Stall { Issuing, Interval, Result, Pipeline, Backlog, Scheduler, Barrier, Drain, Ended, Empty };
inline constexpr std::size_t kStalls = 10;

/// Time by state.
using StallTimes = std::array<Ticks, kStalls>;

/// The stalls of all executions of a step of a stream.
struct StepStalls {
  std::int64_t executions = 0;
  /// Issuing and drain after an execution, all other states before it; none ended or empty.
  StallTimes times{};
  std::vector<Ticks> backlogs;  ///< of the time in Backlog: by backlog of its issue port
  std::vector<Ticks> waits;     ///< of the time in Result: by wait of the step
  /// Of the time in each of `waits`: by service of its producer, as given to the awaited execution.
  std::vector<std::vector<Ticks>> services;
  friend bool operator==(const StepStalls&, const StepStalls&) = default;
};

struct Stalls {
  std::vector<std::vector<StepStalls>> steps;  ///< by stream and step
  std::vector<StallTimes> units;               ///< by unit; each adds up to slots x warps per group x cycles
  friend bool operator==(const Stalls&, const Stalls&) = default;
};

/// The last resource to be free for a ready instruction, if it waited for more than its own warp.
enum class Hold : std::uint8_t { Nothing, Scheduler, Pipeline, Backlog };

/// In place of an index into InstructionStream::waits: some other wait ended last.
inline constexpr std::uint32_t kNoWait = UINT32_MAX;
/// In place of an index into InstructionStream::services: the step has no services.
inline constexpr std::uint32_t kNoService = UINT32_MAX;

}  // namespace warpipe
