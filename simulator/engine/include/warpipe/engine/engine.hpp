#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "warpipe/engine/candidate.hpp"
#include "warpipe/engine/engine_state.hpp"
#include "warpipe/engine/leaper.hpp"
#include "warpipe/engine/listener.hpp"
#include "warpipe/engine/time.hpp"
#include "warpipe/engine/tournament.hpp"

namespace warpipe {

/// Plays a program: takes the warp that can issue first, again and again (rule 6 of the model), with groups placed
/// in between. A chooser (a scheduler, or a unit without schedulers) knows the first of its own warps; the first of all
/// choosers issues, and goes on alone as long as that is nobody else's business (run_ahead.hpp).
/// @tparam Rule      a policy, see policy.hpp
/// @tparam Listener  see listener.hpp
template <class Rule, class Listener>
class Engine {
 public:
  /// @param leap  skip periods of a steady state; the result is the same. A listener that hears issues hears them all,
  ///              in the order of time.
  Engine(const Program& program, Listener& listener, bool leap)
      : state_(program),
        first_(state_.choosers.size(), Candidate{}),
        listener_(listener),
        leaper_(state_, leap && !kHearsIssues),
        lookahead_(kHearsIssues ? 0 : lookahead(program)) {}

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
        issue_from(next);
      }
    }
    return state_.result;
  }

 private:
  static constexpr bool kHearsIssues = requires { Listener::kHearsIssues; };

  /// The first of all choosers. What a chooser found can only have moved back since, where another one took a pipeline
  /// that they share; it is enough to look again at the one that seems to be first.
  const Candidate& first_candidate() {
    while (true) {
      const Candidate& seems_first = first_.smallest();
      if (seems_first.time == kForever || seems_first.warp->queue->opens_at() <= seems_first.time) return seems_first;
      look_again(seems_first.warp->chooser);
    }
  }

  /// Lets the first candidate issue, and then its chooser alone as far as it may run ahead.
  void issue_from(Candidate next) {
    const std::size_t number = next.warp->chooser;
    Chooser& chooser = state_.choosers[number];
    const std::int64_t horizon = lookahead_ < kForever - next.time ? next.time + lookahead_ : kForever;
    do {
      issue(next, chooser);
      next = first_of(chooser);
    } while (next.time < std::min({horizon, state_.dispatcher.next_time(), leaper_.cut()}) &&
             next.warp->queue->is_private);
    first_.set(number, next);
  }

  [[gnu::always_inline]] Candidate first_of(const Chooser& chooser) const {
    Candidate first;
    chooser.for_each_queue([&](const WarpQueue& queue) {
      Warp* warp = queue.head;
      const std::int64_t time = std::max(std::max(chooser.free, queue.opens_at()), warp->ready);
      if (time > first.time) return;
      do {
        const Candidate candidate{time, key_of(*warp, chooser), warp->order, warp};
        if (candidate < first) first = candidate;
        if constexpr (requires { Rule::kHeadGoesFirst; }) break;
        warp = warp->next;
      } while (warp != nullptr && warp->ready <= time);
    });
    return first;
  }

  void look_again(std::size_t chooser) { first_.set(chooser, first_of(state_.choosers[chooser])); }

  void look_again_at_unit(std::size_t unit) {
    for (std::size_t i = 0; i < state_.choosers_a_unit; ++i) look_again(unit * state_.choosers_a_unit + i);
  }

  void look_again_everywhere() {
    for (std::size_t i = 0; i < state_.choosers.size(); ++i) look_again(i);
  }

  static std::int64_t key_of(const Warp& warp, const Chooser& chooser) {
    return Rule::key({warp.ready, warp.order, warp.index}, chooser.last);
  }

  void place_group() {
    const Dispatcher::Placement placed = state_.dispatcher.place();
    listener_.on_group_placed({placed.time, placed.unit, placed.slot, placed.age});
    const auto unit = static_cast<std::size_t>(placed.unit);
    const std::size_t slot = unit * state_.slots_a_unit + static_cast<std::size_t>(placed.slot);
    Group& group = state_.groups[slot];
    group = {.live = 0, .waiting = 0, .latest_issue = placed.time, .barrier_completion = 0, .end = placed.time};
    for (std::size_t i = 0; i < state_.warps_a_group; ++i) {
      Warp& warp = state_.warps[slot * state_.warps_a_group + i];
      if (warp.stream->steps.empty()) continue;  // it ends at once
      ++group.live;
      start(warp);
      warp.order = state_.order_of(placed.age, i);
      warp.end = placed.time;
      wait_for_operands(warp, placed.time);
    }
    if (group.live == 0) end_group(slot);
    look_again_at_unit(unit);
    leaper_.note_placement(slot, placed.time);
  }

  /// Queues a warp whose next step may issue at `earliest` as far as its predecessor is concerned.
  [[gnu::always_inline]] void wait_for_operands(Warp& warp, std::int64_t earliest) {
    warp.ready = operands_ready(warp, earliest);
    state_.choosers[warp.chooser].insert(warp, warp.step->gate);
  }

  [[gnu::always_inline]] void issue(const Candidate& chosen, Chooser& chooser) {
    Warp& warp = *chosen.warp;
    const Step& step = *warp.step;
    tell_issued(chosen.time, warp);
    ++state_.result.issued;
    if constexpr (requires { Rule::kRemembersLast; }) {
      chooser.last.order = warp.order;
      chooser.last.index = warp.index;
    }
    warp.last_issue = chosen.time;
    const std::int64_t delay = take_resources(warp, step, chooser);
    chooser.remove(warp);
    if (step.barrier) {
      arrive_at_barrier(warp, step);
    } else {
      const std::int64_t completion = time_sum(time_sum(chosen.time, step.completion.count), delay);
      const std::int64_t end = step.retires_at_issue ? time_sum(chosen.time, step.issue.count) : completion;
      const std::int64_t earliest = time_sum(chosen.time, state_.machine.warp_interval.count);
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
    for (std::size_t i = 0; i < state_.warps_a_group; ++i) {
      Warp& warp = state_.warps[slot * state_.warps_a_group + i];
      if (warp.has_ended()) continue;
      const std::int64_t earliest = time_sum(warp.last_issue, state_.machine.warp_interval.count);
      go_on(warp, *warp.step, opening, opening, std::max(earliest, opening));
    }
    look_again_at_unit(slot / state_.slots_a_unit);
  }

  void end_group(std::size_t slot) {
    const std::int64_t end = state_.groups[slot].end;
    const auto unit = static_cast<std::int64_t>(slot / state_.slots_a_unit);
    const auto slot_of_unit = static_cast<std::int64_t>(slot % state_.slots_a_unit);
    state_.result.cycles.count = std::max(state_.result.cycles.count, end);
    listener_.on_group_ended({end, unit, slot_of_unit});
    state_.dispatcher.group_ended(end, unit, slot_of_unit);
  }

  void tell_issued(std::int64_t time, const Warp& warp) {
    if constexpr (kHearsIssues) {
      const auto step = static_cast<std::size_t>(warp.step - warp.stream->steps.data());
      listener_.on_issued({time, static_cast<std::int64_t>(warp.group / state_.slots_a_unit),
                           static_cast<std::int64_t>(warp.group % state_.slots_a_unit),
                           static_cast<std::int64_t>(warp.index % state_.warps_a_group),
                           warp.stream->instructions[step]});
    }
  }

  EngineState state_;
  Tournament<Candidate> first_;  ///< by chooser
  Listener& listener_;
  Leaper<Rule> leaper_;
  std::int64_t lookahead_;
};

}  // namespace warpipe
