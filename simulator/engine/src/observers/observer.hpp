#pragma once

#include <cstddef>
#include <cstdint>

#include "warpipe/engine/stalls.hpp"

/// The events of a run, and the interface of an observer. An observer is a template parameter of the engine: with
/// NoObserver no event costs anything.
///
/// All times are milli-cycles. Warp slots are numbered as in Layout. A step is an index into the steps of the stream of
/// the warp in the slot, given by the kind of the latest group placed there.

namespace warpipe {

/// A group was placed in a slot.
struct GroupPlacedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0;
  std::int64_t age = 0;     ///< the group's number in the order of placement
  std::uint32_t kind = 0;   ///< index into Program::kinds
  std::int64_t booked = 0;  ///< the end of all earlier work known by now: of groups, and of busy further pipelines
};

/// A warp came to its next step, at its placement, its previous issue or the opening of a barrier. If the step awaits a
/// signal, the event comes once the time of the signal is known.
struct WaitingEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::int64_t earliest = 0;  ///< allowed by the warp's previous step
  std::int64_t ready = 0;     ///< with the operands, too
  /// The last operand to come, if it comes after `earliest`: an index into InstructionStream::waits.
  std::uint32_t last_wait = kNoWait;
  /// The service of the operand's execution: an index into InstructionStream::services.
  std::uint32_t service = kNoService;
  bool for_signal = false;  ///< the awaited signal comes later than the operands
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

/// A step goes through a further pipeline while it issues. Comes before the step's IssuedEvent.
struct StageEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::uint32_t stage = 0;  ///< an index into InstructionStream::stages
  std::int64_t arrival = 0, start = 0, free = 0;
  bool waits_turn = false;  ///< the step completes later by the time of earlier work in the pipeline
};

/// The barrier of a waiting warp opens. May be notified before its time.
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

/// Observes nothing. An observer derives from it and hides the handlers and the flags to be changed.
struct NoObserver {
  /// Whether it observes warps besides groups. Then every step of every warp is notified in the order of time, and no
  /// period is skipped, unless it supports skipping.
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
