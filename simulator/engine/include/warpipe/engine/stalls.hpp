#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "warpipe/engine/run.hpp"

/// Where the warps' time went.
///
/// A warp slot for a warp (units x slots x warps per group of them) is at every moment of a run in one of these states,
/// so that the times add up, without remainder, to places x cycles:
///
///   issuing       it issued and holds its scheduler (its pipeline, where there are no schedulers)
///   interval      it must not issue again so soon (`warp_interval`)
///   result        it waits for an operand; charged to the one that comes last
///   pipeline      it is ready, and its pipeline is busy
///   backlog       it is ready, and the queue in front of a further pipeline is full
///   scheduler     it is ready, and its scheduler is busy or has chosen another warp
///   barrier       it waits for the other warps of its group
///   drain         it issued its last step and waits for the last of its results
///   ended         it ended, and others of its group have not
///   empty         no group is in the slot
///
/// From a step's issue on, a warp is issuing, then kept by its interval, then waits for the operands of the next step;
/// from when these are there, the rest is charged to what was free last, the scheduler before the pipeline.

namespace warpipe {

enum class Stall { Issuing, Interval, Result, Pipeline, Backlog, Scheduler, Barrier, Drain, Ended, Empty };
inline constexpr std::size_t kStalls = 10;

/// Time by state.
using StallTimes = std::array<Ticks, kStalls>;

/// Of all executions of one step of one stream.
struct StepStalls {
  std::int64_t executions = 0;
  /// Issuing and drain after it, the others before it; none ended or empty.
  StallTimes times{};
  std::vector<Ticks> backlogs;  ///< of the time in Backlog: by backlog of its issue port
  std::vector<Ticks> waits;     ///< of the time in Result: by wait of the step
  friend bool operator==(const StepStalls&, const StepStalls&) = default;
};

struct Stalls {
  std::vector<std::vector<StepStalls>> steps;  ///< by stream and step
  std::vector<StallTimes> units;               ///< by unit; each adds up to slots x warps per group x cycles
  friend bool operator==(const Stalls&, const Stalls&) = default;
};

struct StalledRun {
  RunResult result;
  Stalls stalls;
};

/// Plays a program to its end, as run() does with the same result, and accounts for the warps' time.
/// @param leap  periods of a steady state are skipped, but every unit is played
/// @throws as run(), also where a sum of the warps' times does not fit 64 bits; GateError where Skipping::Verify finds
/// a difference in a stall time too
StalledRun run_accounted(const Program& program, Skipping leap = Skipping::On);

}  // namespace warpipe
