#pragma once

#include <cstddef>
#include <cstdint>

#include "warpipe/engine/stalls.hpp"

/// The events of a run, and what an observer of them is. An observer is a template parameter of the engine: with
/// NoObserver no event costs anything.
///
/// All times are milli-cycles. Warp slots are numbered as in Layout. A step is an index into the steps of the stream
/// that the warp in that slot runs, which follows from the kind of the group that was placed there last.

namespace warpipe {

/// A group was placed in a slot.
struct GroupPlacedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0;
  std::int64_t age = 0;    ///< number in which the group was placed
  std::uint32_t kind = 0;  ///< index into Program::kinds
};

/// A warp came to its next step, at its placement, its previous issue or the opening of a barrier. Where that awaits a
/// signal, it is notified when it is known when that comes.
struct WaitingEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::int64_t earliest = 0;  ///< as far as the warp's previous step is concerned
  std::int64_t ready = 0;     ///< when it also has its operands
  /// The operand that comes last, if it comes after `earliest`: an index into InstructionStream::waits.
  std::uint32_t last_wait = kNoWait;
  /// That the execution got whose result that is: an index into InstructionStream::services.
  std::uint32_t service = kNoService;
  bool for_signal = false;  ///< the signal that it awaits comes later than its operands
};

/// A step issued.
struct IssuedEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::int64_t time = 0;
  Hold hold = Hold::Nothing;
  std::uint32_t backlog = 0;           ///< of Hold::Backlog: an index into the issue port's backlogs
  std::uint32_t service = kNoService;  ///< an index into InstructionStream::services
  std::int64_t completion = 0;         ///< not known yet for a barrier
  std::int64_t end = 0;                ///< likewise; later or earlier than the completion (retires_at)
};

/// A step that issues goes through a further pipeline. Comes before the step's IssuedEvent.
struct StageEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::uint32_t stage = 0;  ///< an index into InstructionStream::stages
  std::int64_t arrival = 0, start = 0, free = 0;
  bool waits_turn = false;  ///< the step completes later by the time for which others have the pipeline
};

/// The barrier at which a warp waits opens. May be notified before that time.
struct BarrierPassedEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::int64_t time = 0;
};

/// A warp issued its last step; its end may lie ahead.
struct WarpEndedEvent {
  std::size_t warp_slot = 0;
  std::int64_t time = 0;
};

/// All warps of a group ended; its end may lie ahead.
struct GroupEndedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0;
};

/// Observes nothing. An observer derives from it and hides the handlers and the flags that are to be different.
struct NoObserver {
  /// Whether it observes warps and not groups alone. Then every step of every warp is notified in the order of time,
  /// and nothing is skipped, unless it supports skipping.
  static constexpr bool kWantsWarpEvents = false;
  /// Whether it is content with each warp's steps in order, where one warp may be ahead of another, and takes part in
  /// steady-state skipping: `visit(visitor)` passes its state to a visitor, see fast/state_visitors.hpp.
  static constexpr bool kSupportsSkipping = false;

  /// Whether it needs no further events, so that the simulation may stop.
  static constexpr bool is_finished() { return false; }

  void on_group_placed(const GroupPlacedEvent&) {}
  void on_waiting(const WaitingEvent&) {}
  void on_stage(const StageEvent&) {}
  void on_issued(const IssuedEvent&) {}
  void on_barrier_passed(const BarrierPassedEvent&) {}
  void on_warp_ended(const WarpEndedEvent&) {}
  void on_group_ended(const GroupEndedEvent&) {}
};

}  // namespace warpipe
