#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/stalls.hpp"

/// The executions in a window of a run, one after the other.

namespace warpipe {

/// A part of a run. An execution lasts from its warp's arrival at the step until its end (rule 7 of the model). It is
/// in the window if any part of it overlaps the window; touching counts.
struct Window {
  Ticks from, to{std::numeric_limits<std::int64_t>::max()};                             ///< half open
  std::int64_t first_group = 0, last_group = std::numeric_limits<std::int64_t>::max();  ///< by age, inclusive
  std::int64_t first_warp = 0, last_warp = std::numeric_limits<std::int64_t>::max();    ///< of a group, inclusive
  /// About; with this many recorded, the window ends at the current time.
  std::size_t most_executions = std::numeric_limits<std::size_t>::max();
  friend bool operator==(const Window&, const Window&) = default;
};

/// Marks a producer execution missing in the run or outside the recording.
inline constexpr std::size_t kNotRecorded = std::numeric_limits<std::size_t>::max();

/// An execution of a step by a warp. Its times follow each other:
///
///     since    its warp comes to it: placed, its previous step issued, or a barrier open
///     idle     the previous step no longer issues (stalls.hpp), and the wait for this step begins
///     earliest the warp may issue again
///     ready    the operands and the awaited signal are there
///     issue
///     held     the warp no longer holds its scheduler (its pipeline, without schedulers), or the next step issues
///     drained  of the last step of a warp: the warp ends; else as `held`
///
/// From its issue on it lasts until its end: the completion of its result (the opening of a barrier), except for an op
/// that retires at issue.
struct Execution {
  std::size_t warp_slot = 0;  ///< see WarpSlot
  std::uint32_t step = 0;
  std::int64_t group = 0;  ///< its age
  Ticks since, idle, earliest, ready, issue, held, drained;
  Ticks completion, end;
  std::uint32_t last_wait = kNoWait;  ///< the last operand to come: an index into InstructionStream::waits
  bool for_signal = false;            ///< a signal came later than the operands
  Hold hold = Hold::Nothing;
  std::uint32_t backlog = 0;           ///< of Hold::Backlog: an index into the issue port's backlogs
  std::uint32_t service = kNoService;  ///< an index into InstructionStream::services
  std::size_t first_stage_times = 0;   ///< of Recording::stage_times, by stage in stages_of()
  std::size_t first_operand = 0;       ///< of Recording::operands, by wait of the step
};

/// The times of an execution in a further pipeline.
struct StageTimes {
  Ticks arrival, start, free;
};

/// A group in a slot.
struct GroupResidency {
  std::int64_t group = 0;  ///< its age
  std::int64_t unit = 0, slot = 0;
  Ticks placed;
  std::optional<Ticks> ended;  ///< empty if the recording ends before
};

struct Recording {
  Window window;                      ///< as requested, with `to` reduced by `most_executions`
  std::vector<Execution> executions;  ///< of each warp in order; of all warps in the order of issue, or of passing
  std::vector<StageTimes> stage_times;
  std::vector<std::size_t> operands;   ///< the execution awaited by each wait, or kNotRecorded
  std::vector<GroupResidency> groups;  ///< in no order
  bool is_cut = false;                 ///< cut off by `most_executions`
};

/// A stretch of a warp's time with one cause.
struct StallInterval {
  Stall stall = Stall::Issuing;
  Ticks from, to;
};

/// The waits of a warp before an execution issues: its interval, its last operand, then the last resource to be free.
/// @return  in order, from `idle` to `issue` without a gap; none is empty
std::vector<StallInterval> waits_of(const Execution& execution);

/// The states of a warp from an execution's issue on: it issues, waits at a barrier, drains.
/// @return  in order, from `issue` on without a gap; the first is Issuing and may be empty, the rest are not
std::vector<StallInterval> intervals_from_issue(const Execution& execution, const Step& step);

/// The place of a warp slot. Warp slots are numbered over all units: (unit x group slots + slot) x warps per group +
/// warp.
struct WarpSlot {
  std::size_t unit = 0, slot = 0, warp = 0;  ///< slot of its unit, warp of its group
  std::size_t scheduler = 0;                 ///< of its unit; 0 without schedulers
};
WarpSlot warp_slot_of(const Program& program, std::size_t warp_slot);

/// The stream of the executing warp.
const InstructionStream& stream_of(const Program& program, const Execution& execution);

/// The stages of an execution.
Range stages_of(const InstructionStream& stream, const Execution& execution);

}  // namespace warpipe
