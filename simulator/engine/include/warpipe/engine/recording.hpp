#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/stalls.hpp"

/// What happens in a window of a run, one execution after the other.

namespace warpipe {

/// A part of a run. An execution lasts from when its warp comes to it until it ends (rule 7 of the model). It is in the
/// window if any part of it overlaps the window; touching counts.
struct Window {
  Ticks from, to{std::numeric_limits<std::int64_t>::max()};                             ///< half open
  std::int64_t first_group = 0, last_group = std::numeric_limits<std::int64_t>::max();  ///< by age, inclusive
  std::int64_t first_warp = 0, last_warp = std::numeric_limits<std::int64_t>::max();    ///< of a group, inclusive
  /// About; when so many are recorded, the window ends at that time.
  std::size_t most_executions = std::numeric_limits<std::size_t>::max();
  friend bool operator==(const Window&, const Window&) = default;
};

/// Marks a producer execution that never happened or lies outside the recording.
inline constexpr std::size_t kNotRecorded = std::numeric_limits<std::size_t>::max();

/// One warp executes one step once. Its times follow each other:
///
///     since    its warp comes to it: placed, its previous step issued, or a barrier open
///     idle     the previous step no longer issues (stalls.hpp), so that this one's waiting begins
///     earliest the warp may issue again
///     ready    it has its operands, and the signal that it awaits has come
///     issue
///     held     it no longer holds its scheduler (its pipeline, where there are no schedulers), or the next one issues
///     drained  of the last step of a warp: the warp ends; else as `held`
///
/// From its issue on it lasts until its end. That is the completion of its result (the opening of a barrier), except
/// for an op that retires at issue.
struct Execution {
  std::size_t warp_slot = 0;  ///< see WarpSlot
  std::uint32_t step = 0;
  std::int64_t group = 0;  ///< its age
  Ticks since, idle, earliest, ready, issue, held, drained;
  Ticks completion, end;
  std::uint32_t last_wait = kNoWait;  ///< the operand that came last: an index into InstructionStream::waits
  bool for_signal = false;            ///< a signal came later than the operands
  Hold hold = Hold::Nothing;
  std::uint32_t backlog = 0;           ///< of Hold::Backlog: an index into the issue port's backlogs
  std::uint32_t service = kNoService;  ///< an index into InstructionStream::services
  std::size_t first_stage_times = 0;   ///< of Recording::stage_times; one for each of stages_of()
  std::size_t first_operand = 0;       ///< of Recording::operands; one for each wait of the step
};

/// How an execution goes through a further pipeline.
struct StageTimes {
  Ticks arrival, start, free;
};

/// A group in a slot.
struct GroupResidency {
  std::int64_t group = 0;  ///< its age
  std::int64_t unit = 0, slot = 0;
  Ticks placed;
  std::optional<Ticks> ended;  ///< empty where the recording ends before
};

struct Recording {
  Window window;                      ///< as asked for, except for a `to` that `most_executions` gave
  std::vector<Execution> executions;  ///< of each warp in order; of all in the order in which they issue, or pass
  std::vector<StageTimes> stage_times;
  std::vector<std::size_t> operands;   ///< the execution that each wait is for, or kNotRecorded
  std::vector<GroupResidency> groups;  ///< in no order
  bool is_cut = false;                 ///< there would have been more than `most_executions`
};

/// A stretch of a warp's time with one cause.
struct StallInterval {
  Stall stall = Stall::Issuing;
  Ticks from, to;
};

/// What a warp waits for before an execution issues: its interval, its last operand, then what was free last.
/// @return  in order, from `idle` to `issue` without a gap; none that is empty
std::vector<StallInterval> waits_of(const Execution& execution);

/// What a warp does from an execution's issue on: it issues, waits at a barrier, drains.
/// @return  in order, from `issue` on without a gap; the first is Issuing and may be empty, the others are not
std::vector<StallInterval> intervals_from_issue(const Execution& execution, const Step& step);

/// Where a warp slot is. Warp slots are numbered over all units: (unit x group slots + slot) x warps per group + warp.
struct WarpSlot {
  std::size_t unit = 0, slot = 0, warp = 0;  ///< slot of its unit, warp of its group
  std::size_t scheduler = 0;                 ///< of its unit; 0 where there are none
};
WarpSlot warp_slot_of(const Program& program, std::size_t warp_slot);

/// The stream of the warp that executes.
const InstructionStream& stream_of(const Program& program, const Execution& execution);

/// The stages that an execution goes through.
Range stages_of(const InstructionStream& stream, const Execution& execution);

}  // namespace warpipe
