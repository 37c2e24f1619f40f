#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/candidate.hpp"
#include "warpipe/engine/engine_state.hpp"
#include "warpipe/engine/leaper.hpp"
#include "warpipe/engine/simulated.hpp"
#include "warpipe/engine/teller.hpp"
#include "warpipe/engine/time.hpp"
#include "warpipe/engine/tournament.hpp"

namespace warpipe {

/// Plays a program: takes the warp that can issue first, again and again (rule 6 of the model), with groups placed
/// in between. A chooser (a scheduler, or a unit without schedulers) knows the first of its own warps, a unit the first
/// of its choosers. The first of all units issues, and it and its chooser go on alone as long as that is nobody else's
/// business (run_ahead.hpp).
/// @tparam Rule      a policy, see policy.hpp
/// @tparam Observer  see observer.hpp
template <IssuePolicy Rule, class Observer>
class Engine {
 public:
  /// @param leap  skip periods of a steady state; the result is the same. See observer.hpp for who hears them all.
  Engine(const Program& program, Observer& observer, bool leap)
      : state_(program),
        found_(state_.choosers.size()),
        first_unit_(found_.size() / state_.schedulers_per_unit, Candidate{}),
        teller_(state_, observer),
        lookahead_(Teller<Observer>::kHearsInOrder ? Lookahead{} : lookahead(program)),
        leaper_(state_, observer, leap && !Teller<Observer>::kHearsInOrder, lookahead_.of_unit) {}

  RunResult run() {
    while (true) {
      const Candidate& next = first_candidate();
      const std::int64_t placement = state_.dispatcher.next_time();
      const std::int64_t now = std::min(next.time, placement);
      if (now == kForever) break;  // nobody is left to issue, no group to place
      if (now >= leaper_.cut()) {
        if (leaper_.leap()) look_again_everywhere();
      } else if (placement <= next.time) {
        place_group();
      } else {
        play_unit(next);
        played_.note(state_.result.issued, state_.result.skipped);
      }
    }
    played_.add(state_.result.issued, state_.result.skipped);
    return state_.result;
  }

 private:
  /// The first of a chooser's warps, as far as was known when it was looked for.
  struct Found {
    Candidate first;
    std::int64_t others = kForever;  ///< nobody at another issue port may issue before
  };

  /// What a chooser found can only have moved back since, where another one took a pipeline that they share.
  static bool still_holds(const Candidate& found) {
    return found.time == kForever || found.warp->queue->opens_at() <= found.time;
  }

  /// The first of all units. It is enough to look again at the one that seems to be first.
  const Candidate& first_candidate() {
    while (true) {
      const Candidate& seems_first = first_unit_.smallest();
      if (still_holds(seems_first)) return seems_first;
      const std::size_t unit = seems_first.warp->unit;
      first_unit_.set(unit, first_of_unit(unit));
    }
  }

  /// The first of a unit's choosers.
  const Candidate& first_of_unit(std::size_t unit) {
    Found* const choosers = &found_[unit * state_.schedulers_per_unit];
    const Candidate* first = &choosers->first;
    for (std::size_t i = 0; i < state_.schedulers_per_unit; ++i) {
      Found& found = choosers[i];
      if (found.first.time > first->time) continue;
      bring_up_to_date(found);
      if (found.first < *first) first = &found.first;
    }
    return *first;
  }

  /// Where the issue port has closed meanwhile, the same warp is still the first if nobody at another issue port can
  /// come before.
  void bring_up_to_date(Found& found) {
    Candidate& first = found.first;
    if (first.time == kForever) return;
    const std::int64_t opens_at = first.warp->queue->opens_at();
    if (opens_at <= first.time) return;
    if constexpr (Rule::kHeadGoesFirst) {
      if (opens_at < found.others) {
        first.time = opens_at;
        return;
      }
    }
    found = first_of(state_.choosers[first.warp->chooser]);
  }

  /// Lets the first candidate issue, and then its unit alone as far as that may run ahead.
  void play_unit(const Candidate& first) {
    const std::size_t unit = first.warp->unit;
    const std::int64_t horizon = later(first.time, lookahead_.of_unit);
    const Candidate* next = &first;
    do {
      play_chooser(*next, std::min(horizon, later(next->time, lookahead_.of_chooser)));
      next = &first_of_unit(unit);
    } while (may_run_ahead(next->time, horizon) && next->warp->queue->is_own_of_unit);
    first_unit_.set(unit, *next);
  }

  /// Lets a candidate issue, and then its chooser alone as far as that may run ahead.
  [[gnu::always_inline]] void play_chooser(const Candidate& first, std::int64_t horizon) {
    const std::size_t number = first.warp->chooser;
    Chooser& chooser = state_.choosers[number];
    Found next{first};
    do {
      issue(*next.first.warp, next.first.time, chooser);
      next = first_of(chooser);
    } while (may_run_ahead(next.first.time, horizon) && next.first.warp->queue->is_own_of_chooser);
    found_[number] = next;
  }

  bool may_run_ahead(std::int64_t time, std::int64_t horizon) const {
    return time < std::min({horizon, state_.dispatcher.next_time(), leaper_.cut()});
  }

  /// Keeps the order of candidates (candidate.hpp), but in single values: a candidate is made for the first alone, for
  /// to copy them costs as much as an issue.
  [[gnu::always_inline]] Found first_of(const Chooser& chooser) const {
    std::int64_t first_time = kForever;
    std::int64_t first_key = 0;
    std::int64_t others = kForever;
    Warp* first = nullptr;
    chooser.for_each_queue([&](const WarpQueue& queue) {
      Warp* warp = queue.head;
      const std::int64_t time = std::max(std::max(chooser.free, queue.opens_at()), warp->ready);
      if (time > first_time) {
        others = std::min(others, time);
        return;
      }
      others = first_time;
      do {
        const std::int64_t key = key_of(*warp, chooser);
        if (time < first_time || key < first_key || (key == first_key && warp->order < first->order)) {
          first_time = time;
          first_key = key;
          first = warp;
        }
        if constexpr (Rule::kHeadGoesFirst) break;
        warp = warp->next;
      } while (warp != nullptr && warp->ready <= time);
    });
    return {{first_time, first_key, first}, others};
  }

  void look_again_at_unit(std::size_t unit) {
    const std::size_t first = unit * state_.schedulers_per_unit;
    for (std::size_t i = first; i < first + state_.schedulers_per_unit; ++i) found_[i] = first_of(state_.choosers[i]);
  }

  void look_again_everywhere() {
    for (std::size_t unit = 0; unit < state_.choosers.size() / state_.schedulers_per_unit; ++unit) {
      look_again_at_unit(unit);
      first_unit_.set(unit, first_of_unit(unit));
    }
  }

  static std::int64_t key_of(const Warp& warp, const Chooser& chooser) {
    return key_under<Rule>({warp.ready, warp.order, warp.index}, chooser.last);
  }

  void place_group() {
    const Dispatcher::Placement placed = state_.dispatcher.place();
    const std::uint32_t kind = state_.program.order.kind_of(placed.age);
    teller_.group_placed(placed, kind);
    const auto unit = static_cast<std::size_t>(placed.unit);
    const std::size_t slot = unit * state_.group_slots_per_unit + static_cast<std::size_t>(placed.slot);
    Group& group = state_.groups[slot];
    group = {.live = 0, .waiting = 0, .latest_issue = placed.time, .barrier_completion = 0, .end = placed.time};
    for (std::size_t i = 0; i < state_.warps_per_group; ++i) {
      Warp& warp = state_.warps[slot * state_.warps_per_group + i];
      warp.run_stream(state_.program.streams[state_.program.kinds[kind][i]]);
      if (warp.stream->steps.empty()) continue;  // it ends at once
      ++group.live;
      start(warp);
      warp.order = state_.order_of(placed.age, i);
      warp.end = placed.time;
      wait_for_operands(warp, placed.time);
    }
    if (group.live == 0) end_group(slot);
    look_again_at_unit(unit);
    first_unit_.set(unit, first_of_unit(unit));
    leaper_.note_placement(slot, placed.time);
  }

  /// Queues a warp whose next step may issue at `earliest` as far as its predecessor is concerned.
  [[gnu::always_inline]] void wait_for_operands(Warp& warp, std::int64_t earliest) {
    warp.ready = operands_ready(warp, earliest);
    teller_.waiting(warp, earliest);
    state_.choosers[warp.chooser].insert(warp, warp.step->issue_port);
  }

  [[gnu::always_inline]] void issue(Warp& warp, std::int64_t time, Chooser& chooser) {
    const Step& step = *warp.step;
    IssuedEvent issued = teller_.before_issue(warp, time, chooser);
    ++state_.result.issued;
    if constexpr (Rule::kRemembersLast) {
      chooser.last.order = warp.order;
      chooser.last.index = warp.index;
    }
    warp.last_issue = time;
    const std::int64_t delay = take_resources(warp, step, chooser);
    chooser.remove(warp);
    if (step.barrier) {
      teller_.issued(issued);
      arrive_at_barrier(warp, step);
    } else {
      const std::int64_t completion = time_sum(time_sum(time, step.completion.count), delay);
      const std::int64_t end = step.retires_at_issue ? time_sum(time, step.issue.count) : completion;
      const std::int64_t earliest = time_sum(time, state_.machine.warp_interval.count);
      issued.completion = completion;
      issued.end = end;
      teller_.issued(issued);
      go_on(warp, step, completion, end, earliest);
    }
  }

  /// Occupies the pipeline, the scheduler and what stands behind the pipeline (rule 5).
  /// @return D, the time that the instruction waits in further pipelines
  [[gnu::always_inline]] std::int64_t take_resources(const Warp& warp, const Step& step, Chooser& chooser) {
    const std::int64_t time = warp.last_issue;
    *warp.queue->pipeline_free = time_sum(time, step.issue.count);
    if (state_.machine.schedulers > 0) chooser.free = time_sum(time, step.scheduler_busy.count);
    return step.stages.begin == step.stages.end ? 0 : go_through_stages(warp, step);
  }

  std::int64_t go_through_stages(const Warp& warp, const Step& step) {
    std::int64_t delay = 0;
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
      const Stage& stage = warp.stream->stages[i];
      std::int64_t& free = state_.resources.pipeline_free(stage.pipeline, warp.chooser);
      const std::int64_t arrival = time_sum(time_sum(warp.last_issue, stage.after.count), delay);
      const std::int64_t start = std::max(arrival, free);
      delay = time_sum(delay, start - arrival);
      free = time_sum(start, stage.issue.count);
      teller_.stage(warp, i, arrival, start, free);
      state_.result.cycles.count = std::max(state_.result.cycles.count, free);
    }
    return delay;
  }

  /// An instruction's completion is known: its warp goes on to the next step or ends.
  /// @param earliest  when the next step may issue as far as this one is concerned
  [[gnu::always_inline]] void go_on(Warp& warp, const Step& step, std::int64_t completion, std::int64_t end,
                                    std::int64_t earliest) {
    record(warp, step.score, completion);
    warp.end = std::max(warp.end, end);
    if (step.loop_ends.begin == step.loop_ends.end) {
      ++warp.step;
    } else {
      warp.step = step_after_loops(warp, step);
      leaper_.note_loop_ends(warp, step);
    }
    if (warp.step == warp.behind_last) [[unlikely]] {
      end_warp(warp);
    } else {
      wait_for_operands(warp, earliest);
    }
  }

  void end_warp(Warp& warp) {
    warp.step = nullptr;
    teller_.warp_ended(warp);
    leaper_.note_end(warp);
    Group& group = state_.groups[warp.group];
    group.end = std::max(group.end, warp.end);
    group.latest_issue = std::max(group.latest_issue, warp.last_issue);
    if (--group.live == 0) {
      end_group(warp.group);
    } else if (group.waiting == group.live) {
      open_barrier(warp.group);
    }
  }

  void arrive_at_barrier(const Warp& warp, const Step& step) {
    Group& group = state_.groups[warp.group];
    ++group.waiting;
    group.latest_issue = std::max(group.latest_issue, warp.last_issue);
    group.barrier_completion = std::max(group.barrier_completion, step.completion.count);
    if (group.waiting == group.live) open_barrier(warp.group);
  }

  /// Rule 7: every warp of the group that has not ended waits.
  void open_barrier(std::size_t slot) {
    Group& group = state_.groups[slot];
    const std::int64_t opening = time_sum(group.latest_issue, group.barrier_completion);
    group.waiting = 0;
    group.barrier_completion = 0;
    for (std::size_t i = 0; i < state_.warps_per_group; ++i) {
      Warp& warp = state_.warps[slot * state_.warps_per_group + i];
      if (warp.has_ended()) continue;
      const std::int64_t earliest = time_sum(warp.last_issue, state_.machine.warp_interval.count);
      teller_.barrier_passed(warp, opening);
      go_on(warp, *warp.step, opening, opening, std::max(earliest, opening));
    }
    look_again_at_unit(slot / state_.group_slots_per_unit);
  }

  void end_group(std::size_t slot) {
    const std::int64_t end = state_.groups[slot].end;
    const auto unit = static_cast<std::int64_t>(slot / state_.group_slots_per_unit);
    const auto slot_of_unit = static_cast<std::int64_t>(slot % state_.group_slots_per_unit);
    state_.result.cycles.count = std::max(state_.result.cycles.count, end);
    teller_.group_ended(end, unit, slot_of_unit);
    state_.dispatcher.group_ended(end, unit, slot_of_unit);
  }

  EngineState state_;
  std::vector<Found> found_;          ///< by chooser
  Tournament<Candidate> first_unit_;  ///< by unit
  Teller<Observer> teller_;
  Lookahead lookahead_;
  Leaper<Rule, Observer> leaper_;
  SimulatedCounter played_;
};

}  // namespace warpipe
