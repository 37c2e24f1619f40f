#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/level_pipeline.hpp"
#include "core/rotation.hpp"
#include "core/state.hpp"
#include "core/time.hpp"
#include "fast/period_finder.hpp"
#include "fast/state_visitors.hpp"
#include "fast/stream_outline.hpp"
#include "policies.hpp"

/// Steady-state skipping: repeated periods are not simulated again, and the result is exactly the same.
///
/// All future events follow from the state relative to now: the step of each warp, the distances of the times at which
/// operands, pipelines and schedulers are ready, and the age order of the warps; and from counters that matter only at
/// their ends: the trips left of loops, and the waiting groups like the groups before. When the relative state comes
/// back with some counters advanced, everything since then happens again, with the counters advanced by as much, as
/// long as none reaches its end. So whole periods can be skipped at once: all times move, all counters advance.

namespace warpipe {

/// Watches a run for repeated states, and skips the periods between them. It probes the state when the reference warp
/// goes round a loop, and when the first slot gets a group. Each kind of event has a period finder of its own, to find
/// periods at every level of a loop nest, and in waves of groups.
/// @tparam Rule      the policy, with the parts of the state used by its key
/// @tparam Observer  an observer with support for skipping has a state of its own, see observers/observer.hpp
template <IssuePolicy Rule, class Observer>
class SteadyStateSkipper {
 public:
  /// @param active     else it never finds a period
  /// @param lookahead  the most time that a unit may be ahead of the rest
  SteadyStateSkipper(EngineState& state, Observer& observer, bool active, std::int64_t lookahead)
      : state_(state),
        observer_(observer),
        reference_(state.warps.data()),
        active_(active),
        has_kinds_(state.program.kinds.size() > 1),
        rotation_(longest_period(state.program)),
        lookahead_(lookahead),
        longest_interval_(longest_interval(state.program)) {
    const std::int64_t spacing = kInstructionsPerWarp * static_cast<std::int64_t>(state.warps.size() + 8);
    finders_.assign(std::min(state.scoreboard.counters_per_warp(), kMostLoops) + 1, PeriodFinder(spacing));
    if (active)
      for (const InstructionStream& stream : state.program.streams) outlines_.emplace_back(stream);
  }

  void note_placement(std::size_t group_slot, std::int64_t time) {
    const bool is_empty = state_.groups[group_slot].live == 0;
    if (is_empty) ++empty_groups_;
    if (group_slot == 0) note_event(finders_.size() - 1, time);
    if (!is_empty) ended_before_ = std::min(ended_before_, state_.layout.warp_slot(group_slot, 0));
    if (reference_->has_ended()) choose_reference();
  }

  /// Notes that a warp continues behind a step with loop ends.
  void note_loop_ends(const Warp& warp, const Step& left) {
    if (&warp != reference_) [[likely]] {
      const bool reference_waits = reference_->queue == nullptr;  // at a barrier, perhaps for most of the run
      if (!reference_waits || ++other_loop_ends_ < kPatience * state_.warps.size()) return;
      reference_ = &warp;
    }
    other_loop_ends_ = 0;
    for (std::uint32_t i = left.loop_ends.begin; i < left.loop_ends.end; ++i) {
      const std::uint32_t counter = warp.stream->loop_ends[i].counter;
      const std::size_t event = std::min<std::size_t>(counter, kMostLoops - 1);
      if (warp.counters[counter].trips_done > 0) return note_event(event, warp.last_issue);
      finders_[event].restart();  // the warp has left the loop
    }
  }

  void note_warp_end(const Warp& warp) {
    if (&warp == reference_) choose_reference();
  }

  /// The next sync point: no event at or after this time may happen before try_to_skip() is called, when all units have
  /// come to the same time.
  std::int64_t sync_time() const { return sync_time_; }

  /// Skips whole periods, if the state equals an earlier state.
  /// @return     whether time has moved
  bool try_to_skip() {
    const std::int64_t now = std::exchange(sync_time_, kForever);
    PeriodFinder& finder = finders_[event_];
    if (!finder.probe(hash(now), work())) return false;
    take_checkpoint(now);
    const Checkpoint* then = finder.find(checkpoint_);
    const std::int64_t periods = then == nullptr ? 0 : periods_to_skip(*then, checkpoint_, groups_like_before(*then));
    if (periods > 0) {
      skip(periods, *then);
      finder.restart();  // some counter is about to reach its end
      return true;
    }
    if (then != nullptr || finder.wants_to_keep(checkpoint_.work)) {
      finder.keep(checkpoint_);
      sync_again_at_next_event(now);
    }
    return false;
  }

 private:
  static std::int64_t longest_interval(const Program& program) {
    std::int64_t longest = 0;
    for (const InstructionStream& stream : program.streams)
      for (const Step& step : stream.steps) longest = std::max(longest, until_next_issue(program.machine, step));
    return longest;
  }

  /// Plans a sync point as long after the event as units may be ahead of it: the states at two sync points are equal if
  /// the states at their events are. The rarer of two events has priority.
  void note_event(std::size_t event, std::int64_t time) {
    finders_[event].note_event(time);
    if (sync_time_ != kForever && event <= event_) {
      if (time == event_time_) sync_time_ = time;  // time stands still, perhaps for long
    } else if (active_ && finders_[event].is_due(work())) {
      event_ = event;
      event_time_ = time;
      sync_time_ = later(time, lookahead_ + 1);
    }
  }

  /// Most periods last exactly from an event to the next. The kept state is compared there at once, since the steady
  /// state may be short.
  void sync_again_at_next_event(std::int64_t now) {
    const std::int64_t distance = finders_[event_].event_distance();
    if (distance > 0 && distance <= lookahead_) sync_time_ = later(now, distance);
  }

  /// Takes the first resident warp; each slot is passed once after each placement there.
  void choose_reference() {
    while (ended_before_ < state_.warps.size() && state_.warps[ended_before_].has_ended()) ++ended_before_;
    if (ended_before_ < state_.warps.size()) reference_ = &state_.warps[ended_before_];
  }

  /// The simulated work: instructions, and groups without any.
  std::int64_t work() const { return state_.result.issued + empty_groups_; }

  /// The hash of each warp's step and ready time: if these agree, the rest of the state mostly does.
  StateHash hash(std::int64_t now) {
    StateHash of_positions;
    StateSerialiser serialiser(of_positions, now, 0);
    for (Warp& warp : state_.warps) visit_position(warp, serialiser);
    return of_positions;
  }

  void take_checkpoint(std::int64_t now) {
    for (LevelPipeline& level : state_.level_pipelines) level.forget(now);
    state_.signals.forget(now);
    checkpoint_.now = now;
    checkpoint_.issued = state_.result.issued;
    checkpoint_.work = work();
    checkpoint_.placed = state_.dispatcher.placed();
    CheckpointWriter writer(checkpoint_, state_.order_of(checkpoint_.placed, 0));
    visit(writer);
  }

  /// The waiting groups that repeat the kinds of the groups placed between a past state and the checkpoint, in their
  /// order.
  std::int64_t groups_like_before(const Checkpoint& then) const {
    const std::int64_t placed = checkpoint_.placed - then.placed;
    const std::int64_t left = state_.dispatcher.groups_left();
    return placed == 0 ? left : state_.program.order.repeats(checkpoint_.placed, placed, left);
  }

  /// Skips periods like the period from a past state to the checkpoint.
  void skip(std::int64_t periods, const Checkpoint& then) {
    const std::int64_t time = product(checkpoint_.now - then.now, periods);
    const std::int64_t instructions = product(checkpoint_.issued - then.issued, periods);
    const std::int64_t groups = (checkpoint_.placed - then.placed) * periods;
    StateShifter shifter(then, checkpoint_, periods, time, state_.order_of(groups, 0));
    visit(shifter);
    for (PeriodFinder& finder : finders_) finder.shift(time);
    state_.dispatcher.skip_groups(groups);
    state_.result.issued = time_sum(state_.result.issued, instructions);
    state_.result.skipped += instructions;
  }

  /// @throws ModelError for a product above 64 bits
  static std::int64_t product(std::int64_t a, std::int64_t b) { return checked_multiply(Ticks{a}, b).count; }

  template <class Visitor>
  void visit(Visitor& visitor) {
    if constexpr (Rule::kRemembersLast)  // compared with the orders before they move
      for (std::size_t i = 0; i < state_.schedulers.size(); ++i) visit_last_issued(i, visitor);
    for (std::int64_t& free : state_.pipeline_free) visitor.time(free);
    for (LevelPipeline& level : state_.level_pipelines) level.visit(visitor);
    for (Scheduler& scheduler : state_.schedulers) visitor.time(scheduler.free);
    state_.dispatcher.visit(visitor);
    visit_first_turn(visitor);
    visitor.time(state_.result.cycles.count);
    for (std::size_t i = 0; i < state_.groups.size(); ++i) visit_group(i, visitor);
    if constexpr (Observer::kSupportsSkipping) observer_.visit(visitor);
  }

  /// The turn at which the rotations of the next group's first warp begin.
  template <class Visitor>
  void visit_first_turn(Visitor& visitor) {
    const bool matters = state_.dispatcher.groups_left() > 0;
    visitor.value(matters ? state_.order_of(state_.dispatcher.placed(), 0) & (rotation_ - 1) : 0);
  }

  template <class Visitor>
  void visit_group(std::size_t group_slot, Visitor& visitor) {
    Group& group = state_.groups[group_slot];
    visitor.value(static_cast<std::int64_t>(group.live));
    if (group.live == 0) return;
    visitor.value(static_cast<std::int64_t>(group.waiting));
    visitor.time(group.latest_issue);
    visitor.value(group.barrier_completion);
    visitor.time(group.end);
    state_.signals.visit(group_slot, visitor);
    for (std::size_t i = 0; i < state_.layout.warps_per_group; ++i)
      visit_warp(state_.warps[state_.layout.warp_slot(group_slot, i)], visitor);
  }

  template <class Visitor>
  void visit_warp(Warp& warp, Visitor& visitor) {
    visit_position(warp, visitor);
    if (warp.has_ended()) return;
    visitor.order(warp.order);
    visitor.time(warp.end);
    visitor.time(warp.last_issue, longest_interval_);
    const InstructionStream& stream = *warp.stream;
    const StreamOutline& outline = outlines_[static_cast<std::size_t>(&stream - state_.program.streams.data())];
    visit_completions(warp, outline.producers, visitor);
    std::uint32_t loop = outline.loop_at[static_cast<std::size_t>(warp.step - stream.steps.data())];
    for (; loop != StreamOutline::kNoLoop; loop = outline.loop_around[loop])
      visitor.counter(warp.counters[loop], stream.trips[loop]);
  }

  template <class Visitor>
  void visit_position(Warp& warp, Visitor& visitor) {
    visitor.value(warp.has_ended());
    if (warp.has_ended()) return;
    visitor.value(warp.step - warp.stream->steps.data());
    if (has_kinds_) visitor.value(warp.stream - state_.program.streams.data());
    visit_rotations(warp, visitor);
    const bool waits_for_others = warp.queue == nullptr;
    visitor.value(waits_for_others);
    if (waits_for_others) {  // the ready time decides only if it lies ahead
      if (!warp.step->barrier) visitor.time(warp.ready);
      return;
    }
    if constexpr (Rule::kUsesReady) {
      visitor.absolute_time(warp.ready);  // the length of its wait decides
    } else {
      visitor.time(warp.ready);
    }
  }

  /// An ended warp will not issue again, whatever warp is in its slot now.
  template <class Visitor>
  void visit_last_issued(std::size_t scheduler, Visitor& visitor) {
    LastIssued& last = state_.schedulers[scheduler].last;
    visitor.value(last.index);
    if (last.index < 0) return;
    const std::size_t first_warp_slot =
        state_.layout.unit_of_scheduler(scheduler) * state_.layout.warp_slots_per_unit();
    const Warp& warp = state_.warps[first_warp_slot + static_cast<std::size_t>(last.index)];
    const bool is_there = !warp.has_ended() && warp.order == last.order;
    visitor.value(is_there);
    if (is_there) visitor.order(last.order);
  }

  /// Instructions from one probe to the next; then the probes cost some hundredths of the simulation.
  static constexpr std::int64_t kInstructionsPerWarp = 12;
  /// Loops with a finder of their own. A finder's kept state takes as much memory as the state.
  static constexpr std::size_t kMostLoops = 64;
  /// Loop ends of other warps, per warp, before a reference warp waiting at a barrier is replaced.
  static constexpr std::size_t kPatience = 16;

  EngineState& state_;
  Observer& observer_;
  const Warp* reference_;            ///< the warp with watched loops
  std::size_t ended_before_ = 0;     ///< the warps in the slots before have ended
  std::int64_t empty_groups_ = 0;    ///< placed one by one, without instructions
  std::size_t other_loop_ends_ = 0;  ///< of other warps while the reference warp waits at a barrier
  bool active_;
  bool has_kinds_;         ///< a warp slot may hold warps with different streams, one after the other
  std::int64_t rotation_;  ///< the turns of later warps repeat after this number
  std::int64_t lookahead_;
  std::int64_t longest_interval_;  ///< from an issue to the warp's next issue without further waits
  std::size_t event_ = 0;
  std::int64_t event_time_ = 0;
  std::int64_t sync_time_ = kForever;
  /// By event: by loop counter, inner loops first, loops beyond the first few in one; the last is for placements.
  std::vector<PeriodFinder> finders_;
  std::vector<StreamOutline> outlines_;  ///< by stream
  Checkpoint checkpoint_;
};

}  // namespace warpipe
