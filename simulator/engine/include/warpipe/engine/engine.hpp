#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "warpipe/engine/dispatcher.hpp"
#include "warpipe/engine/leap.hpp"
#include "warpipe/engine/listener.hpp"
#include "warpipe/engine/policy.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/resources.hpp"
#include "warpipe/engine/run.hpp"
#include "warpipe/engine/scoreboard.hpp"
#include "warpipe/engine/time.hpp"
#include "warpipe/engine/tournament.hpp"
#include "warpipe/engine/waiting_warps.hpp"

namespace warpipe {

/// Plays a program: takes the warp that can issue first, again and again (rule 6 of the model), with groups placed
/// in between. A chooser (a scheduler, or a unit without schedulers) knows the first of its own warps; the first of all
/// choosers issues, and only its chooser looks again.
/// @tparam Rule      a policy, see policy.hpp
/// @tparam Listener  see listener.hpp
template <class Rule, class Listener>
class Engine {
 public:
  /// @param leap  skip periods of a steady state; the result is the same. A listener that hears issues hears them all.
  Engine(const Program& program, Listener& listener, bool leap)
      : program_(program),
        machine_(program.machine),
        listener_(listener),
        warps_a_group_(program.stream_of_warp.size()),
        slots_(static_cast<std::size_t>(machine_.slots)),
        choosers_a_unit_(static_cast<std::size_t>(std::max<std::int64_t>(machine_.schedulers, 1))),
        dispatcher_(machine_),
        resources_(program),
        groups_(static_cast<std::size_t>(machine_.units) * slots_),
        warps_(groups_.size() * warps_a_group_),
        scoreboard_(warps_.size(), program.streams),
        waiting_(warps_.size(), choosers(), program.gates.size()),
        last_(choosers()),
        first_(choosers(), Candidate{}),
        leaping_(leap && !requires { Listener::kHearsIssues; }) {
    std::size_t counters = 0;
    for (const Stream& stream : program.streams) counters = std::max(counters, stream.trips.size());
    finders_.resize(counters + 1);
    for (LastIssued& last : last_) last.residents = static_cast<std::int64_t>(residents());
    for (std::size_t i = 0; i < warps_.size(); ++i) settle_place(i);
  }

  RunResult run() {
    while (true) {
      const Candidate next = first_candidate();
      const std::int64_t placement = dispatcher_.next_time();
      if (placement <= next.time) {
        if (placement == kForever) break;  // nobody is left to issue, no group to place
        place_group();
      } else {
        issue(next);
        if (leap_event_ != kNoEvent) try_to_leap(next.time);
      }
    }
    return result_;
  }

 private:
  /// A warp that would issue next, in the order of rule 6.
  struct Candidate {
    std::int64_t time = kForever;
    std::int64_t key = 0;
    std::int64_t order = 0;
    std::uint32_t warp = WaitingWarps::kNone;
    std::uint32_t gate = 0;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      if (a.time != b.time) return a.time < b.time;
      if (a.key != b.key) return a.key < b.key;
      return a.order < b.order;
    }
  };

  /// A place for a warp, and where the warp in it stands in its stream.
  struct Warp {
    const Stream* stream = nullptr;
    std::int64_t last_issue = 0;  ///< milli-cycles
    std::uint32_t step = 0;       ///< the next one
    std::uint32_t group = 0;      ///< its place's, over all units
    std::uint32_t chooser = 0;    ///< its place's, over all units
    std::uint32_t index = 0;      ///< slot x warps per group + warp
  };

  /// A slot, and the group in it.
  struct Group {
    std::size_t live = 0;                 ///< warps that have not ended
    std::size_t waiting = 0;              ///< of these, at the barrier
    std::int64_t latest_issue = 0;        ///< of the waiting warps' barriers and the ended warps' last instructions
    std::int64_t barrier_completion = 0;  ///< the largest Lambda of the waiting barriers
    std::int64_t end = 0;                 ///< the latest end of its instructions so far
  };

  std::size_t choosers() const { return static_cast<std::size_t>(machine_.units) * choosers_a_unit_; }
  std::size_t residents() const { return slots_ * warps_a_group_; }

  void settle_place(std::size_t warp) {
    const std::size_t unit = warp / residents();
    const std::size_t index = warp % residents();
    warps_[warp].stream = &program_.streams[program_.stream_of_warp[warp % warps_a_group_]];
    warps_[warp].group = static_cast<std::uint32_t>(warp / warps_a_group_);
    warps_[warp].chooser = static_cast<std::uint32_t>(unit * choosers_a_unit_ + index % choosers_a_unit_);
    warps_[warp].index = static_cast<std::uint32_t>(index);
    warps_[warp].step = static_cast<std::uint32_t>(warps_[warp].stream->steps.size());  // nobody is there yet
  }

  bool has_ended(const Warp& warp) const { return warp.step >= warp.stream->steps.size(); }

  /// The first of all choosers. What a chooser found can only have moved back since, where another one took a pipeline
  /// that they share; it is enough to look again at the one that seems to be first.
  Candidate first_candidate() {
    while (true) {
      const Candidate seems_first = first_.smallest();
      if (seems_first.time == kForever) return seems_first;
      const std::size_t chooser = warps_[seems_first.warp].chooser;
      if (resources_.opens_at(chooser, seems_first.gate) <= seems_first.time) return seems_first;
      look_again(chooser);
    }
  }

  void look_again(std::size_t chooser) {
    Candidate first;
    waiting_.for_each_gate(chooser, [&](std::size_t gate) {
      std::uint32_t warp = waiting_.head(chooser, gate);
      const std::int64_t time = std::max(resources_.opens_at(chooser, gate), waiting_[warp].ready);
      if (time > first.time) return;
      do {
        const Candidate candidate{time, key_of(chooser, warp), waiting_[warp].order, warp,
                                  static_cast<std::uint32_t>(gate)};
        if (candidate < first) first = candidate;
        if constexpr (requires { Rule::kHeadGoesFirst; }) break;
        warp = waiting_[warp].next;
      } while (warp != WaitingWarps::kNone && waiting_[warp].ready <= time);
    });
    first_.set(chooser, first);
  }

  std::int64_t key_of(std::size_t chooser, std::uint32_t warp) const {
    return Rule::key({waiting_[warp].ready, waiting_[warp].order, warps_[warp].index}, last_[chooser]);
  }

  void place_group() {
    const Dispatcher::Placement placed = dispatcher_.place();
    const std::size_t slot = static_cast<std::size_t>(placed.unit) * slots_ + static_cast<std::size_t>(placed.slot);
    listener_.on_group_placed({placed.time, placed.unit, placed.slot, placed.age});
    Group& group = groups_[slot];
    group = {.live = 0, .waiting = 0, .latest_issue = placed.time, .barrier_completion = 0, .end = placed.time};
    for (std::size_t i = 0; i < warps_a_group_; ++i) {
      const auto warp = static_cast<std::uint32_t>(slot * warps_a_group_ + i);
      const Stream& stream = *warps_[warp].stream;
      if (stream.steps.empty()) continue;  // it has ended
      ++group.live;
      warps_[warp].step = 0;
      if (anchor_ == WaitingWarps::kNone) anchor_ = warp;
      scoreboard_.clear(warp, stream);
      wait_for_operands(warp, placed.time,
                        placed.age * static_cast<std::int64_t>(warps_a_group_) + static_cast<std::int64_t>(i));
    }
    if (group.live == 0) end_group(slot);
    look_again_at_unit(static_cast<std::size_t>(placed.unit));
    if (leaping_ && slot == 0) leap_event_ = kPlacementEvent;
  }

  void look_again_at_unit(std::size_t unit) {
    for (std::size_t i = 0; i < choosers_a_unit_; ++i) look_again(unit * choosers_a_unit_ + i);
  }

  /// Queues a warp whose next step may issue at `earliest` as far as its predecessor is concerned.
  void wait_for_operands(std::uint32_t index, std::int64_t earliest, std::int64_t order) {
    const Warp& warp = warps_[index];
    const Step& step = warp.stream->steps[warp.step];
    const std::int64_t ready = scoreboard_.operands_ready(index, *warp.stream, step.waits, earliest);
    waiting_.insert(warp.chooser, step.gate, index, ready, order);
  }

  void issue(const Candidate& chosen) {
    Warp& warp = warps_[chosen.warp];
    const std::size_t chooser = warp.chooser;
    const Step& step = warp.stream->steps[warp.step];
    tell_issued(chosen, warp);
    ++result_.issued;
    waiting_.remove(chooser, chosen.warp);
    last_[chooser].order = chosen.order;
    last_[chooser].index = warp.index;
    warp.last_issue = chosen.time;
    resources_.gate_free(chooser, step.gate) = time_sum(chosen.time, step.issue.count);
    if (machine_.schedulers > 0) resources_.scheduler_free(chooser) = time_sum(chosen.time, step.scheduler_busy.count);
    const std::int64_t delay = go_through_stages(chosen.time, *warp.stream, step, chooser);
    if (step.barrier) {
      arrive_at_barrier(groups_[warp.group], chosen.time, step);
    } else {
      const std::int64_t completion = time_sum(time_sum(chosen.time, step.completion.count), delay);
      const std::int64_t end = step.retires_at_issue ? time_sum(chosen.time, step.issue.count) : completion;
      complete(chosen.warp, step, completion, end, chosen.order);
    }
    if (groups_[warp.group].waiting > 0) open_barrier_if_all_wait(warp.group);
    look_again(chooser);
  }

  /// @return the time that the instruction waits in further pipelines: D of rule 5
  std::int64_t go_through_stages(std::int64_t time, const Stream& stream, const Step& step, std::size_t chooser) {
    std::int64_t delay = 0;
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
      const Stage& stage = stream.stages[i];
      std::int64_t& free = resources_.pipeline_free(stage.pipeline, chooser);
      const std::int64_t arrival = time_sum(time_sum(time, stage.after.count), delay);
      const std::int64_t start = std::max(arrival, free);
      delay = time_sum(delay, start - arrival);
      free = time_sum(start, stage.issue.count);
      result_.cycles.count = std::max(result_.cycles.count, free);
    }
    return delay;
  }

  /// An instruction's completion is known: its warp goes on to the next step or ends.
  void complete(std::uint32_t index, const Step& step, std::int64_t completion, std::int64_t end, std::int64_t order) {
    Warp& warp = warps_[index];
    Group& group = groups_[warp.group];
    scoreboard_.record(index, step.score, completion);
    group.end = std::max(group.end, end);
    const std::uint32_t left = warp.step;
    warp.step = scoreboard_.step_after(index, *warp.stream, left);
    if (index == anchor_) [[unlikely]]
      note_step_of_anchor(index, left);
    if (!has_ended(warp)) {
      std::int64_t earliest = time_sum(warp.last_issue, machine_.warp_interval.count);
      if (step.barrier) earliest = std::max(earliest, completion);
      wait_for_operands(index, earliest, order);
    } else {
      group.latest_issue = std::max(group.latest_issue, warp.last_issue);
      if (--group.live == 0) end_group(warp.group);
    }
  }

  static void arrive_at_barrier(Group& group, std::int64_t time, const Step& step) {
    ++group.waiting;
    group.latest_issue = std::max(group.latest_issue, time);
    group.barrier_completion = std::max(group.barrier_completion, step.completion.count);
  }

  /// Rule 7: the barrier of a group opens when every warp that has not ended waits there.
  void open_barrier_if_all_wait(std::size_t slot) {
    Group& group = groups_[slot];
    if (group.waiting < group.live) return;
    const std::int64_t opening = time_sum(group.latest_issue, group.barrier_completion);
    group.waiting = 0;
    group.barrier_completion = 0;
    for (std::size_t i = 0; i < warps_a_group_; ++i) {
      const auto index = static_cast<std::uint32_t>(slot * warps_a_group_ + i);
      const Warp& warp = warps_[index];
      if (has_ended(warp)) continue;
      complete(index, warp.stream->steps[warp.step], opening, opening, waiting_[index].order);
    }
    look_again_at_unit(slot / slots_);
  }

  void end_group(std::size_t slot) {
    const std::int64_t end = groups_[slot].end;
    const auto unit = static_cast<std::int64_t>(slot / slots_);
    const auto slot_of_unit = static_cast<std::int64_t>(slot % slots_);
    result_.cycles.count = std::max(result_.cycles.count, end);
    listener_.on_group_ended({end, unit, slot_of_unit});
    dispatcher_.group_ended(end, unit, slot_of_unit);
  }

  void tell_issued(const Candidate& chosen, const Warp& warp) {
    if constexpr (requires { Listener::kHearsIssues; }) {
      listener_.on_issued(
          {chosen.time, static_cast<std::int64_t>(warp.group / slots_), static_cast<std::int64_t>(warp.group % slots_),
           static_cast<std::int64_t>(chosen.warp % warps_a_group_), warp.stream->instructions[warp.step]});
    }
  }

  /// Leaping looks at the state when one warp, the anchor, goes round a loop, and when the first slot gets a group.
  void note_step_of_anchor(std::uint32_t index, std::uint32_t left) {
    const Warp& warp = warps_[index];
    if (has_ended(warp)) {
      const auto live = std::ranges::find_if(warps_, [this](const Warp& other) { return !has_ended(other); });
      anchor_ = live == warps_.end() ? WaitingWarps::kNone : static_cast<std::uint32_t>(live - warps_.begin());
    } else if (warp.step <= left && leaping_ && leap_event_ == kNoEvent) {
      const Range ends = warp.stream->steps[left].loop_ends;
      std::uint32_t end = ends.begin;  // loops inside the one that goes round have just started anew
      while (scoreboard_.counter(index, warp.stream->loop_ends[end].counter).trips_done == 0) ++end;
      leap_event_ = kPlacementEvent + 1 + warp.stream->loop_ends[end].counter;
    }
  }

  void try_to_leap(std::int64_t now) {
    PeriodFinder& finder = finders_[std::exchange(leap_event_, kNoEvent)];
    if (!finder.is_due(result_.issued)) return;
    take_checkpoint(now);
    const Checkpoint* then = finder.look(checkpoint_);
    if (then == nullptr) return;
    const std::int64_t periods = periods_to_skip(*then, checkpoint_, dispatcher_.groups_left());
    if (periods > 0) skip(periods, *then);
  }

  void take_checkpoint(std::int64_t now) {
    checkpoint_.now = now;
    checkpoint_.issued = result_.issued;
    checkpoint_.placed = dispatcher_.placed();
    RelativeState words(checkpoint_.words, now, order_of_next_group());
    visit(words);
    checkpoint_.counters.clear();
    for_each_counter([this](const Scoreboard::Counter& counter, std::int64_t trips) {
      checkpoint_.counters.push_back({counter.trips_done, counter.restarts, trips});
    });
  }

  /// Skips whole periods, each like the one from a state in the past to the checkpoint.
  void skip(std::int64_t periods, const Checkpoint& then) {
    const Ticks time = checked_multiply(Ticks{checkpoint_.now - then.now}, periods);
    const std::int64_t groups = (checkpoint_.placed - then.placed) * periods;
    const std::int64_t instructions =
        checked_multiply(Ticks{checkpoint_.issued - then.issued}, periods).count;  // or there are too many to count
    Shift shift(time.count, groups * static_cast<std::int64_t>(warps_a_group_));
    visit(shift);
    std::size_t i = 0;
    for_each_counter([&](Scoreboard::Counter& counter, std::int64_t) {
      counter.trips_done += (checkpoint_.counters[i].value - then.counters[i].value) * periods;
      ++i;
    });
    dispatcher_.skip_groups(groups);
    result_.issued = time_sum(result_.issued, instructions);
    result_.skipped += instructions;
    for (std::size_t chooser = 0; chooser < choosers(); ++chooser) look_again(chooser);
  }

  std::int64_t order_of_next_group() const { return dispatcher_.placed() * static_cast<std::int64_t>(warps_a_group_); }

  template <class Visit>
  void for_each_counter(Visit visit) {
    for (std::size_t index = 0; index < warps_.size(); ++index) {
      const Warp& warp = warps_[index];
      if (has_ended(warp)) continue;
      for (std::size_t i = 0; i < warp.stream->trips.size(); ++i)
        visit(scoreboard_.counter(index, i), warp.stream->trips[i]);
    }
  }

  /// Shows the whole state but the running counters to a visitor, see leap.hpp.
  template <class Visitor>
  void visit(Visitor& visitor) {
    if constexpr (requires { Rule::kRemembersLast; })  // before the warps move that these are held against
      for (std::size_t chooser = 0; chooser < choosers(); ++chooser) visit_last(chooser, visitor);
    resources_.visit(visitor);
    dispatcher_.visit(visitor);
    visitor.time(result_.cycles.count);
    for (std::size_t slot = 0; slot < groups_.size(); ++slot) {
      Group& group = groups_[slot];
      visitor.exact(static_cast<std::int64_t>(group.live));
      if (group.live == 0) continue;
      visitor.exact(static_cast<std::int64_t>(group.waiting));
      visitor.time(group.latest_issue);
      visitor.exact(group.barrier_completion);
      visitor.time(group.end);
      for (std::size_t i = 0; i < warps_a_group_; ++i) visit_warp(slot * warps_a_group_ + i, visitor);
    }
  }

  template <class Visitor>
  void visit_warp(std::size_t index, Visitor& visitor) {
    Warp& warp = warps_[index];
    visitor.exact(warp.step);
    if (has_ended(warp)) return;
    WaitingWarps::Entry& entry = waiting_[static_cast<std::uint32_t>(index)];
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
    visitor.time(warp.last_issue, machine_.warp_interval.count);
    scoreboard_.visit_times(index, *warp.stream, visitor);
  }

  /// A warp that has ended will not be issued again, whoever is in its place.
  template <class Visitor>
  void visit_last(std::size_t chooser, Visitor& visitor) {
    LastIssued& last = last_[chooser];
    visitor.exact(last.index);
    if (last.index < 0) return;
    const std::size_t index = chooser / choosers_a_unit_ * residents() + static_cast<std::size_t>(last.index);
    const bool is_there = !has_ended(warps_[index]) && waiting_[static_cast<std::uint32_t>(index)].order == last.order;
    visitor.exact(is_there);
    if (is_there) visitor.order(last.order);
  }

  static constexpr std::size_t kPlacementEvent = 0;  ///< the loops' events follow
  static constexpr std::size_t kNoEvent = SIZE_MAX;

  const Program& program_;
  const Machine& machine_;
  Listener& listener_;
  std::size_t warps_a_group_, slots_, choosers_a_unit_;
  Dispatcher dispatcher_;
  Resources resources_;
  std::vector<Group> groups_;
  std::vector<Warp> warps_;
  Scoreboard scoreboard_;
  WaitingWarps waiting_;
  std::vector<LastIssued> last_;  ///< by chooser
  Tournament<Candidate> first_;   ///< by chooser
  bool leaping_;
  std::uint32_t anchor_ = WaitingWarps::kNone;  ///< the warp whose loops are watched
  std::size_t leap_event_ = kNoEvent;
  std::vector<PeriodFinder> finders_;  ///< by event
  Checkpoint checkpoint_;
  RunResult result_;
};

}  // namespace warpipe
