#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "warpipe/engine/engine_state.hpp"
#include "warpipe/engine/leap.hpp"

namespace warpipe {

/// Watches a run for states that come back, and skips what would happen again (leap.hpp says why that is exact). It
/// looks when one warp, the anchor, goes round a loop, and when the first slot gets a group: each kind of event has a
/// period finder of its own, so that periods are found at every level of a loop nest, and in waves of groups.
/// @tparam Rule  the policy: what of the state it looks at
template <class Rule>
class Leaper {
 public:
  explicit Leaper(EngineState& state) : state_(state) {
    std::size_t counters = 0;
    for (const Stream& stream : state.program.streams) counters = std::max(counters, stream.trips.size());
    finders_.resize(kFirstLoopEvent + counters);
  }

  void note_placement(std::size_t slot) {
    if (slot == 0) event_ = kPlacementEvent;
    if (state_.warps[anchor_].has_ended()) move_anchor();
  }

  /// A warp went on behind a step, to another one or to its end.
  void note_step(std::uint32_t index, std::uint32_t left) {
    if (index != anchor_) [[likely]]
      return;
    const Warp& warp = state_.warps[index];
    if (warp.has_ended()) {
      move_anchor();
    } else if (warp.step <= left && event_ == kNoEvent) {
      const Range ends = warp.stream->steps[left].loop_ends;
      std::uint32_t end = ends.begin;  // loops inside the one that goes round have just started anew
      while (state_.scoreboard.counter(index, warp.stream->loop_ends[end].counter).trips_done == 0) ++end;
      event_ = kFirstLoopEvent + warp.stream->loop_ends[end].counter;
    }
  }

  /// Skips whole periods, where the state at an event is one that was there before.
  /// @param now  the time of the last issue
  /// @return     whether time has moved
  bool leap(std::int64_t now) {
    if (event_ == kNoEvent) [[likely]]
      return false;
    PeriodFinder& finder = finders_[std::exchange(event_, kNoEvent)];
    if (!finder.is_due(state_.result.issued)) return false;
    take_checkpoint(now);
    const Checkpoint* then = finder.look(checkpoint_);
    if (then == nullptr) return false;
    const std::int64_t periods = periods_to_skip(*then, checkpoint_, state_.dispatcher.groups_left());
    if (periods == 0) return false;
    skip(periods, *then);
    return true;
  }

 private:
  void move_anchor() {
    const auto live = std::ranges::find_if(state_.warps, [](const Warp& warp) { return !warp.has_ended(); });
    if (live != state_.warps.end()) anchor_ = static_cast<std::uint32_t>(live - state_.warps.begin());
  }

  void take_checkpoint(std::int64_t now) {
    checkpoint_.now = now;
    checkpoint_.issued = state_.result.issued;
    checkpoint_.placed = state_.dispatcher.placed();
    RelativeState words(checkpoint_.words, now, state_.order_of(checkpoint_.placed, 0));
    visit(words);
    checkpoint_.counters.clear();
    state_.for_each_counter([this](const Scoreboard::Counter& counter, std::int64_t trips) {
      checkpoint_.counters.push_back({counter.trips_done, counter.restarts, trips});
    });
  }

  /// Skips periods like the one from a state in the past to the checkpoint.
  void skip(std::int64_t periods, const Checkpoint& then) {
    const std::int64_t time = product(checkpoint_.now - then.now, periods);
    const std::int64_t instructions = product(checkpoint_.issued - then.issued, periods);
    const std::int64_t groups = (checkpoint_.placed - then.placed) * periods;
    Shift shift(time, state_.order_of(groups, 0));
    visit(shift);
    std::size_t i = 0;
    state_.for_each_counter([&](Scoreboard::Counter& counter, std::int64_t) {
      counter.trips_done += (checkpoint_.counters[i].value - then.counters[i].value) * periods;
      ++i;
    });
    state_.dispatcher.skip_groups(groups);
    state_.result.issued = time_sum(state_.result.issued, instructions);
    state_.result.skipped += instructions;
  }

  /// @throws ModelError where it does not fit 64 bits
  static std::int64_t product(std::int64_t a, std::int64_t b) { return checked_multiply(Ticks{a}, b).count; }

  /// Shows the whole state but the running counters to a visitor.
  template <class Visitor>
  void visit(Visitor& visitor) {
    if constexpr (requires { Rule::kRemembersLast; })  // before the warps move that these are held against
      for (std::size_t chooser = 0; chooser < state_.choosers; ++chooser) visit_last(chooser, visitor);
    state_.resources.visit(visitor);
    state_.dispatcher.visit(visitor);
    visitor.time(state_.result.cycles.count);
    for (std::size_t slot = 0; slot < state_.groups.size(); ++slot) visit_group(slot, visitor);
  }

  template <class Visitor>
  void visit_group(std::size_t slot, Visitor& visitor) {
    Group& group = state_.groups[slot];
    visitor.exact(static_cast<std::int64_t>(group.live));
    if (group.live == 0) return;
    visitor.exact(static_cast<std::int64_t>(group.waiting));
    visitor.time(group.latest_issue);
    visitor.exact(group.barrier_completion);
    visitor.time(group.end);
    for (std::size_t i = 0; i < state_.warps_a_group; ++i) visit_warp(slot * state_.warps_a_group + i, visitor);
  }

  template <class Visitor>
  void visit_warp(std::size_t index, Visitor& visitor) {
    Warp& warp = state_.warps[index];
    visitor.exact(warp.step);
    if (warp.has_ended()) return;
    WaitingWarps::Entry& entry = state_.waiting[static_cast<std::uint32_t>(index)];
    const bool is_at_barrier = entry.gate == WaitingWarps::kNone;
    visitor.exact(is_at_barrier);
    if (!is_at_barrier) {
      if constexpr (requires { Rule::kHeadGoesFirst; }) {
        visitor.time_since_ever(entry.ready);  // who has waited longest goes first
      } else {
        visitor.time(entry.ready);
      }
    }
    visitor.order(entry.order);
    visitor.time(warp.last_issue, state_.machine.warp_interval.count);
    state_.scoreboard.visit_times(index, *warp.stream, visitor);
  }

  /// A warp that has ended will not be issued again, whoever is in its place.
  template <class Visitor>
  void visit_last(std::size_t chooser, Visitor& visitor) {
    LastIssued& last = state_.last[chooser];
    visitor.exact(last.index);
    if (last.index < 0) return;
    const std::size_t index =
        chooser / state_.choosers_a_unit * state_.residents + static_cast<std::size_t>(last.index);
    const bool is_there =
        !state_.warps[index].has_ended() && state_.waiting[static_cast<std::uint32_t>(index)].order == last.order;
    visitor.exact(is_there);
    if (is_there) visitor.order(last.order);
  }

  static constexpr std::size_t kPlacementEvent = 0;
  static constexpr std::size_t kFirstLoopEvent = 1;  ///< one a loop counter
  static constexpr std::size_t kNoEvent = SIZE_MAX;

  EngineState& state_;
  std::uint32_t anchor_ = 0;  ///< the warp whose loops are watched
  std::size_t event_ = kNoEvent;
  std::vector<PeriodFinder> finders_;  ///< by event
  Checkpoint checkpoint_;
};

}  // namespace warpipe
