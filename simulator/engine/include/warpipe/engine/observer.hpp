#pragma once

#include <cstddef>
#include <cstdint>

/// What the engine tells while it runs. A observer is a template parameter: with NoObserver nothing is left of it.
///
/// All times are milli-cycles. A warp slot is where a warp resides, counted over all units: (unit x slots + slot) x
/// warps per group + warp; a step is an index into the steps of that warp's stream, which is that of the kind of group
/// that was placed there last.

namespace warpipe {

/// A group came to a slot.
struct PlacedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0;
  std::int64_t age = 0;    ///< number in which the group was placed
  std::uint32_t kind = 0;  ///< index into Program::kinds
};

inline constexpr std::uint32_t kNoWait = UINT32_MAX;

/// A warp came to its next step, at its placement, its previous issue or the opening of a barrier.
struct WaitingEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::int64_t earliest = 0;  ///< as far as the warp's previous step is concerned
  std::int64_t ready = 0;     ///< when it also has its operands
  std::uint32_t last_wait =
      kNoWait;  ///< for the operand that comes last, if it comes later: an index into InstructionStream::waits
};

/// What was free last, where a ready instruction had to wait for something else than its own warp.
enum class Hold : std::uint8_t { Nothing, Scheduler, Pipeline, Backlog };

/// A step issued.
struct IssuedEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::int64_t time = 0;
  Hold hold = Hold::Nothing;
  std::uint32_t backlog = 0;    ///< of Hold::Backlog: an index into the issue port's backlogs
  std::int64_t completion = 0;  ///< not known yet for a barrier
  std::int64_t end = 0;         ///< likewise; later or earlier than the completion (retires_at)
};

/// A step that issues goes through a further pipeline; told before its IssuedEvent.
struct StageEvent {
  std::size_t warp_slot = 0;
  std::uint32_t step = 0;
  std::uint32_t stage = 0;  ///< an index into InstructionStream::stages
  std::int64_t arrival = 0, start = 0, free = 0;
};

/// The barrier opens at which a warp waits. May be told before that time.
struct PassedEvent {
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
struct EndedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0;
};

/// Listens to nothing. Derive and hide what you want to hear, and the flags that you want to be otherwise.
struct NoObserver {
  /// Whether it hears of warps, not of groups alone: every step of every warp, all in the order of time, and nothing is
  /// leapt over.
  static constexpr bool kHearsWarps = false;
  /// Whether it hears each warp's steps in order, but one warp may be ahead of another, and periods are skipped: what
  /// it keeps takes part in that, by `visit(visitor)`, `lasting()` and `tallies()`, see leap.hpp.
  static constexpr bool kLeaps = false;

  void on_group_placed(const PlacedEvent&) {}
  void on_waiting(const WaitingEvent&) {}
  void on_stage(const StageEvent&) {}
  void on_issued(const IssuedEvent&) {}
  void on_barrier_passed(const PassedEvent&) {}
  void on_warp_ended(const WarpEndedEvent&) {}
  void on_group_ended(const EndedEvent&) {}
};

}  // namespace warpipe
