#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "warpipe/engine/engine_state.hpp"
#include "warpipe/engine/leap.hpp"

namespace warpipe {

/// Watches a run for states that come back, and skips what would happen again (leap.hpp says why that is exact). It
/// looks when one warp, the anchor, goes round a loop, and when the first slot gets a group: each kind of event has a
/// period finder of its own, so that periods are found at every level of a loop nest, and in waves of groups.
/// @tparam Rule      the policy: what of the state it looks at
/// @tparam Observer  one that leaps along has a state of its own, see observer.hpp
template <IssuePolicy Rule, class Observer>
class Leaper {
 public:
  /// @param active     else it never finds anything
  /// @param run_ahead  how far what has been played may lie behind what comes first in the order of time
  Leaper(EngineState& state, Observer& observer, bool active, std::int64_t run_ahead)
      : state_(state),
        observer_(observer),
        anchor_(state.warps.data()),
        active_(active),
        has_kinds_(state.program.kinds.size() > 1),
        run_ahead_(run_ahead) {
    std::size_t counters = 0;
    for (const InstructionStream& stream : state.program.streams) counters = std::max(counters, stream.trips.size());
    finders_.assign(counters + 1,
                    PeriodFinder(kInstructionsPerWarp * static_cast<std::int64_t>(state.warps.size() + 8)));
  }

  void note_placement(std::size_t slot, std::int64_t time) {
    if (slot == 0) note(finders_.size() - 1, time);
    if (anchor_->has_ended()) move_anchor();
  }

  /// A warp goes on behind a step at which loops end.
  void note_loop_ends(const Warp& warp, const Step& left) {
    if (&warp != anchor_) [[likely]] {
      const bool anchor_stands = anchor_->queue == nullptr;  // at a barrier, perhaps for most of the run
      if (!anchor_stands || ++passed_by_ < kPatience * state_.warps.size()) return;
      anchor_ = &warp;
    }
    passed_by_ = 0;
    for (std::uint32_t i = left.loop_ends.begin; i < left.loop_ends.end; ++i) {
      const std::uint32_t counter = warp.stream->loop_ends[i].counter;
      if (warp.counters[counter].trips_done > 0) return note(counter, warp.last_issue);
      finders_[counter].start_anew();  // the warp has left that loop
    }
  }

  void note_end(const Warp& warp) {
    if (&warp == anchor_) move_anchor();
  }

  /// Nothing at or after this time may happen before leap() is called.
  std::int64_t cut() const { return cut_; }

  /// Skips whole periods, where the state at an event is one that was there before.
  /// @return     whether time has moved
  bool leap() {
    const std::int64_t now = std::exchange(cut_, kForever);
    PeriodFinder& finder = finders_[event_];
    if (!finder.wants(fingerprint(now), state_.result.issued)) return false;
    take_checkpoint(now);
    const Checkpoint* then = finder.find(checkpoint_);
    const std::int64_t periods = then == nullptr ? 0 : periods_to_skip(*then, checkpoint_, groups_like_before(*then));
    if (periods > 0) {
      skip(periods, *then);
      finder.start_anew();  // some counter is about to reach its end
      return true;
    }
    if (then != nullptr || finder.is_to_replace(checkpoint_.issued)) {
      finder.keep(checkpoint_);
      look_one_round_later(now);
    }
    return false;
  }

 private:
  /// Others may have run ahead of the event; what comes behind them all is the same whenever the event is. The rarer of
  /// two events has priority.
  void note(std::size_t event, std::int64_t time) {
    finders_[event].note(time);
    if (cut_ != kForever && event <= event_) {
      if (time == event_time_) cut_ = time;  // time stands still, perhaps for long
    } else if (active_ && finders_[event].is_due(state_.result.issued)) {
      event_ = event;
      event_time_ = time;
      cut_ = later(time, run_ahead_ + 1);
    }
  }

  /// Most periods are one round long, and may not last.
  void look_one_round_later(std::int64_t now) {
    const std::int64_t round = finders_[event_].round();
    if (round > 0 && round <= run_ahead_) cut_ = later(now, round);
  }

  void move_anchor() {
    const auto live = std::ranges::find_if(state_.warps, [](const Warp& warp) { return !warp.has_ended(); });
    if (live != state_.warps.end()) anchor_ = &*live;
  }

  /// Where each warp stands, and when it is ready: where these agree the rest mostly does.
  Fingerprint fingerprint(std::int64_t now) {
    Fingerprint print;
    RelativeState words(print, now, 0);
    for (Warp& warp : state_.warps) visit_position(warp, words);
    return print;
  }

  void take_checkpoint(std::int64_t now) {
    checkpoint_.now = now;
    checkpoint_.issued = state_.result.issued;
    checkpoint_.placed = state_.dispatcher.placed();
    checkpoint_.words.clear();
    RelativeState words(checkpoint_.words, now, state_.order_of(checkpoint_.placed, 0));
    visit(words);
    checkpoint_.counters.clear();
    state_.for_each_counter([this](const LoopCounter& counter, std::int64_t trips) {
      checkpoint_.counters.push_back({counter.trips_done, counter.restarts, trips});
    });
    if constexpr (kObserverLeaps) {
      const auto& [lasting, tallies] = std::pair(observer_.lasting(), observer_.tallies());
      checkpoint_.lasting.assign(lasting.begin(), lasting.end());
      checkpoint_.tallies.assign(tallies.begin(), tallies.end());
    }
  }

  /// The groups that wait and are of the kinds that were placed from a state in the past to the checkpoint, in the same
  /// order again and again.
  std::int64_t groups_like_before(const Checkpoint& then) const {
    const std::int64_t placed = checkpoint_.placed - then.placed;
    const std::int64_t left = state_.dispatcher.groups_left();
    return placed == 0 ? left : state_.program.order.repeats(checkpoint_.placed, placed, left);
  }

  /// Skips periods like the one from a state in the past to the checkpoint.
  void skip(std::int64_t periods, const Checkpoint& then) {
    const std::int64_t time = product(checkpoint_.now - then.now, periods);
    const std::int64_t instructions = product(checkpoint_.issued - then.issued, periods);
    const std::int64_t groups = (checkpoint_.placed - then.placed) * periods;
    Shift shift(time, state_.order_of(groups, 0));
    visit(shift);
    std::size_t i = 0;
    state_.for_each_counter([&](LoopCounter& counter, std::int64_t) {
      counter.trips_done += (checkpoint_.counters[i].value - then.counters[i].value) * periods;
      ++i;
    });
    for (PeriodFinder& finder : finders_) finder.shift(time);
    state_.dispatcher.skip_groups(groups);
    state_.result.issued = time_sum(state_.result.issued, instructions);
    state_.result.skipped += instructions;
    if constexpr (kObserverLeaps) skip_of_observer(periods, then);
  }

  void skip_of_observer(std::int64_t periods, const Checkpoint& then) {
    const std::span<LastingTime> lasting = observer_.lasting();
    for (std::size_t i = 0; i < lasting.size(); ++i)
      lasting[i].since = moved_on(checkpoint_.lasting[i].since, then.lasting[i].since, periods);
    const std::span<std::int64_t> tallies = observer_.tallies();
    for (std::size_t i = 0; i < tallies.size(); ++i)
      tallies[i] = moved_on(checkpoint_.tallies[i], then.tallies[i], periods);
  }

  static std::int64_t moved_on(std::int64_t now, std::int64_t then, std::int64_t periods) {
    return time_sum(now, product(now - then, periods));
  }

  /// @throws ModelError where it does not fit 64 bits
  static std::int64_t product(std::int64_t a, std::int64_t b) { return checked_multiply(Ticks{a}, b).count; }

  /// Shows the whole state but the running counters to a visitor.
  template <class Visitor>
  void visit(Visitor& visitor) {
    if constexpr (Rule::kRemembersLast)  // before the warps move that these are held against
      for (std::size_t i = 0; i < state_.choosers.size(); ++i) visit_last(i, visitor);
    state_.resources.visit(visitor);
    for (Chooser& chooser : state_.choosers) visitor.time(chooser.free);
    state_.dispatcher.visit(visitor);
    visitor.time(state_.result.cycles.count);
    for (std::size_t slot = 0; slot < state_.groups.size(); ++slot) visit_group(slot, visitor);
    if constexpr (kObserverLeaps) observer_.visit(visitor);
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
    for (std::size_t i = 0; i < state_.warps_per_group; ++i)
      visit_warp(state_.warps[slot * state_.warps_per_group + i], visitor);
  }

  template <class Visitor>
  void visit_warp(Warp& warp, Visitor& visitor) {
    visit_position(warp, visitor);
    if (warp.has_ended()) return;
    visitor.order(warp.order);
    visitor.time(warp.end);
    visitor.time(warp.last_issue, state_.machine.warp_interval.count);
    visit_completions(warp, visitor);
  }

  template <class Visitor>
  void visit_position(Warp& warp, Visitor& visitor) {
    visitor.exact(warp.has_ended());
    if (warp.has_ended()) return;
    visitor.exact(warp.step - warp.stream->steps.data());
    if (has_kinds_) visitor.exact(warp.stream - state_.program.streams.data());
    const bool is_at_barrier = warp.queue == nullptr;
    visitor.exact(is_at_barrier);
    if (is_at_barrier) return;
    if constexpr (Rule::kUsesReady) {
      visitor.time_since_ever(warp.ready);  // how long it has waited decides
    } else {
      visitor.time(warp.ready);
    }
  }

  /// A warp that has ended will not be issued again, whoever is in its warp slot.
  template <class Visitor>
  void visit_last(std::size_t chooser, Visitor& visitor) {
    LastIssued& last = state_.choosers[chooser].last;
    visitor.exact(last.index);
    if (last.index < 0) return;
    const std::size_t unit = chooser / state_.schedulers_per_unit;
    const Warp& warp = state_.warps[unit * state_.residents + static_cast<std::size_t>(last.index)];
    const bool is_there = !warp.has_ended() && warp.order == last.order;
    visitor.exact(is_there);
    if (is_there) visitor.order(last.order);
  }

  static constexpr bool kObserverLeaps = Observer::kLeaps;
  /// SimulatedInstructions from one look to the next; then the looks cost some hundredths of what playing costs.
  static constexpr std::int64_t kInstructionsPerWarp = 12;
  /// Loop ends of others, for each warp, that an anchor may stand at a barrier.
  static constexpr std::size_t kPatience = 16;

  EngineState& state_;
  Observer& observer_;
  const Warp* anchor_;         ///< the warp whose loops are watched
  std::size_t passed_by_ = 0;  ///< loop ends of others while it stands at a barrier
  bool active_;
  bool has_kinds_;  ///< a warp slot may hold warps with different streams, one after the other
  std::int64_t run_ahead_;
  std::size_t event_ = 0;
  std::int64_t event_time_ = 0;
  std::int64_t cut_ = kForever;
  std::vector<PeriodFinder> finders_;  ///< by event: by loop counter, the inner ones first; the last is for placements
  Checkpoint checkpoint_;
};

}  // namespace warpipe
