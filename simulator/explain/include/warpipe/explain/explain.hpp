#pragma once

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

/// The nearest warp state of Nsight Compute; empty where Nsight Compute would not count the warp. A result is a "long
/// scoreboard" where the op is of global memory, a "short scoreboard" where it is of shared memory or of the special
/// functions, else a "wait" (a fixed latency); a pipeline is "math pipe throttle" for arithmetic, "LG throttle" for
/// global and "MIO throttle" for shared memory.
/// @param op  of the instruction waiting for a pipeline, or of the awaited instruction; empty: for any
std::string nsight_name(Stall stall, const std::string& op = {});

/// All executions of one instruction.
struct InstructionTimes {
  std::string id, op, text;
  std::string pipeline;
  Ticks issue, completion;  ///< issue and completion latency, of its first warp
  std::optional<SourceKind> source;
  std::int64_t executions = 0;
  StallTimes times{};  ///< issuing and drain are the time after its issues, the rest the time before them
  /// Of the time in Result: by id of the producer; in the kernel's order, without zeros.
  std::vector<std::pair<std::string, Ticks>> waits_for;
  /// Of the time in Backlog: by name of the pipeline; in file order, without zeros.
  std::vector<std::pair<std::string, Ticks>> waits_behind;
  Ticks waited_for;  ///< the time of other instructions in Result for its result
};

/// The time that warps waited for one pipeline.
struct PipelineTimes {
  std::string name;
  Ticks busy_for_others;  ///< time in Pipeline
  Ticks queue_full;       ///< time in Backlog
};

struct Explanation {
  Ticks cycles;                                ///< of the run
  Ticks total;                                 ///< warp slots x cycles: the sum of all times
  StallTimes times{};                          ///< of all units
  std::vector<StallTimes> units;               ///< by simulated unit
  std::vector<InstructionTimes> instructions;  ///< all with executions, in the kernel's order
  std::vector<PipelineTimes> pipelines;        ///< of the device, in file order
};

/// The time of an instruction's executions: all of its states.
Ticks sum(const StallTimes& times);

/// Adds up the stalls of a run by the names of the kernel and the device.
/// @param cycles, stalls  of a run of the launch's program
/// @throws ModelError for sums that overflow
Explanation explain(const LoweredLaunch& launch, Ticks cycles, const Stalls& stalls);

/// The result of a launch: simulated just now, or read from a saved result.
struct Outcome {
  Prediction prediction;
  Explanation explanation;
};

/// @return whether the states of the warps' time are known: a result may have been saved without
bool has_stalls(const Outcome& outcome);

}  // namespace warpipe
