#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/engine/stalls.hpp"
#include "warpipe/predict/predict.hpp"

/// Where the time of a launch goes: by state, by instruction, by pipeline, by unit.

namespace warpipe {

/// "issuing", "warp interval", "result", "pipeline", "queue full", "scheduler", "barrier", "drain", "warp ended",
/// "slot empty".
std::string to_string(Stall stall);

/// What Nsight Compute would call a warp in that state, as far as there is something alike; empty where it would not
/// count the warp. A result is a "long scoreboard" where the producer reaches past its own pipeline (`then`) or the op
/// is of global memory, a "short scoreboard" where it is of shared memory or of a pipeline that all schedulers share,
/// else a "wait" (a fixed latency); a pipeline is "math pipe throttle" for arithmetic, "LG throttle" for global and
/// "MIO throttle" for shared memory.
/// @param op  of the instruction that waits for a pipeline, or whose result is waited for; empty: for any
std::string nsight_name(Stall stall, const std::string& op = {});

/// All executions of one instruction.
struct InstructionTimes {
  std::string id, op, text;
  std::string pipeline;
  Ticks issue, completion;  ///< lambda and Lambda, of the first warp that runs it
  std::optional<SourceKind> source;
  std::int64_t executions = 0;
  StallTimes times{};  ///< issuing and drain after it, the others before it
  /// Of the time in Result: by producer, an index into Explanation::instructions; in the kernel's order, without zeros.
  std::vector<std::pair<std::size_t, Ticks>> waits_for;
  /// Of the time in Backlog: by pipeline, an index into Explanation::pipelines; without zeros.
  std::vector<std::pair<std::size_t, Ticks>> waits_behind;
  Ticks waited_for;  ///< what others spent in Result for its result
};

/// What warps waited for at one pipeline.
struct PipelineTimes {
  std::string name;
  Ticks busy_for_others;  ///< time in Pipeline
  Ticks queue_full;       ///< time in Backlog
};

struct Explanation {
  Prediction prediction;
  Ticks total;                                 ///< places for warps x cycles: what all times add up to
  StallTimes times{};                          ///< of all units
  std::vector<StallTimes> units;               ///< by simulated unit
  std::vector<InstructionTimes> instructions;  ///< all that run, in the kernel's order
  std::vector<PipelineTimes> pipelines;        ///< of the device, in file order
};

/// The time of an instruction's executions: all of its states.
Ticks sum(const StallTimes& times);

/// Simulates a kernel on a device as predict() does, and accounts for the time of all warps.
/// @throws as predict
/// @complexity about twice predict; with all units every unit is played
Explanation explain(const Kernel& kernel, const Device& device, const LaunchOptions& options);

/// The same of a launch that is ready to be played.
/// @param options  those that it was made playable with
Explanation explain(const Playable& played, const LaunchOptions& options);

}  // namespace warpipe
