#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "warpipe/engine/observer.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/stalls.hpp"

/// What happens in a part of a run, one execution after the other.

namespace warpipe {

/// Which part. An execution lasts from when its warp comes to it until it ends (rule 7 of the model); it belongs to the
/// window where it lies in there with any of that, even for no time at all.
struct Window {
  Ticks from, to{std::numeric_limits<std::int64_t>::max()};                             ///< half open
  std::int64_t first_group = 0, last_group = std::numeric_limits<std::int64_t>::max();  ///< by age, inclusive
  std::int64_t first_warp = 0, last_warp = std::numeric_limits<std::int64_t>::max();    ///< of a group, inclusive
  std::size_t most_executions = std::numeric_limits<std::size_t>::max();                ///< about: then `to` is now
  friend bool operator==(const Window&, const Window&) = default;
};

/// An execution of a producer that is none, or not in the recording.
inline constexpr std::size_t kNotRecorded = std::numeric_limits<std::size_t>::max();

/// One warp executes one step once. Its times follow each other:
///
///     since    its warp comes to it: placed, its previous step issued, or a barrier open
///     idle     the previous step no longer issues (stalls.hpp), so that this one's waiting begins
///     earliest the warp may issue again
///     ready    it has its operands
///     issue
///     held     it holds its scheduler (its pipeline, where there are no schedulers) no longer, or the next one issues
///     drained  of the last step of a warp: the warp ends; else as `held`
///
/// and from its issue on it goes on until its end. That is the completion of its result (the opening of a barrier), but
/// for an op that retires at issue.
struct Execution {
  std::size_t warp_slot = 0;  ///< see observer.hpp
  std::uint32_t step = 0;
  std::int64_t group = 0;  ///< its age
  Ticks since, idle, earliest, ready, issue, held, drained;
  Ticks completion, end;
  std::uint32_t last_wait = kNoWait;  ///< for the operand that came last: an index into InstructionStream::waits
  Hold hold = Hold::Nothing;
  std::uint32_t backlog = 0;          ///< of Hold::Backlog: an index into the issue port's backlogs
  std::size_t first_stage_times = 0;  ///< of Recording::stage times; one for each stage of the step
  std::size_t first_operand = 0;      ///< of Recording::operands; one for each wait of the step
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
  Window window;                      ///< as asked for, but for a `to` that `most_executions` gave
  std::vector<Execution> executions;  ///< of each warp in order; of all in the order in which they issue, or pass
  std::vector<StageTimes> stage_times;
  std::vector<std::size_t> operands;   ///< the execution that each wait is for, or kNotRecorded
  std::vector<GroupResidency> groups;  ///< in no order
  bool is_cut = false;                 ///< there would have been more than `most_executions`
};

/// Plays a program as far as the window needs it and records what is in there.
/// @complexity in instructions issued up to the end of the window, all of them played; memory in executions
Recording record(const Program& program, const Window& window);

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

/// Where a warp slot is.
struct WarpSlot {
  std::size_t unit = 0, slot = 0, warp = 0;  ///< slot of its unit, warp of its group
  std::size_t chooser = 0;                   ///< scheduler of its unit; 0 where there are none
};
WarpSlot warp_slot_of(const Program& program, std::size_t warp_slot);

/// The stream of the warp that executes.
const InstructionStream& stream_of(const Program& program, const Execution& execution);

}  // namespace warpipe
