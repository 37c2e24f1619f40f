#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "warpipe/engine/engine_state.hpp"
#include "warpipe/engine/leaper.hpp"
#include "warpipe/engine/listener.hpp"
#include "warpipe/engine/time.hpp"
#include "warpipe/engine/tournament.hpp"

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
      : state_(program),
        first_(state_.choosers, Candidate{}),
        listener_(listener),
        leaper_(state_),
        leaping_(leap && !requires { Listener::kHearsIssues; }) {}

  RunResult run() {
    while (true) {
      const Candidate next = first_candidate();
      const std::int64_t placement = state_.dispatcher.next_time();
      if (placement <= next.time) {
        if (placement == kForever) break;  // nobody is left to issue, no group to place
        place_group();
      } else {
        issue(next);
        if (leaping_ && leaper_.leap(next.time)) look_again_everywhere();
      }
    }
    return state_.result;
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

  /// The first of all choosers. What a chooser found can only have moved back since, where another one took a pipeline
  /// that they share; it is enough to look again at the one that seems to be first.
  Candidate first_candidate() {
    while (true) {
      const Candidate seems_first = first_.smallest();
      if (seems_first.time == kForever) return seems_first;
      const std::size_t chooser = state_.warps[seems_first.warp].chooser;
      if (state_.resources.opens_at(chooser, seems_first.gate) <= seems_first.time) return seems_first;
      look_again(chooser);
    }
  }

  void look_again(std::size_t chooser) {
    Candidate first;
    const WaitingWarps& waiting = state_.waiting;
    waiting.for_each_gate(chooser, [&](std::size_t gate) {
      std::uint32_t warp = waiting.head(chooser, gate);
      const std::int64_t time = std::max(state_.resources.opens_at(chooser, gate), waiting[warp].ready);
      if (time > first.time) return;
      do {
        const Candidate candidate{time, key_of(chooser, warp), waiting[warp].order, warp,
                                  static_cast<std::uint32_t>(gate)};
        if (candidate < first) first = candidate;
        if constexpr (requires { Rule::kHeadGoesFirst; }) break;
        warp = waiting[warp].next;
      } while (warp != WaitingWarps::kNone && waiting[warp].ready <= time);
    });
    first_.set(chooser, first);
  }

  void look_again_at_unit(std::size_t unit) {
    for (std::size_t i = 0; i < state_.choosers_a_unit; ++i) look_again(unit * state_.choosers_a_unit + i);
  }

  void look_again_everywhere() {
    for (std::size_t chooser = 0; chooser < state_.choosers; ++chooser) look_again(chooser);
  }

  std::int64_t key_of(std::size_t chooser, std::uint32_t warp) const {
    const WaitingWarps::Entry& entry = state_.waiting[warp];
    return Rule::key({entry.ready, entry.order, state_.warps[warp].index}, state_.last[chooser]);
  }

  void place_group() {
    const Dispatcher::Placement placed = state_.dispatcher.place();
    listener_.on_group_placed({placed.time, placed.unit, placed.slot, placed.age});
    const auto unit = static_cast<std::size_t>(placed.unit);
    const std::size_t slot = unit * state_.slots_a_unit + static_cast<std::size_t>(placed.slot);
    Group& group = state_.groups[slot];
    group = {.live = 0, .waiting = 0, .latest_issue = placed.time, .barrier_completion = 0, .end = placed.time};
    for (std::size_t i = 0; i < state_.warps_a_group; ++i) {
      const auto index = static_cast<std::uint32_t>(slot * state_.warps_a_group + i);
      Warp& warp = state_.warps[index];
      if (warp.stream->steps.empty()) continue;  // it ends at once
      ++group.live;
      warp.step = 0;
      state_.scoreboard.clear(index, *warp.stream);
      wait_for_operands(index, placed.time, state_.order_of(placed.age, i));
    }
    if (group.live == 0) end_group(slot);
    look_again_at_unit(unit);
    leaper_.note_placement(slot);
  }

  /// Queues a warp whose next step may issue at `earliest` as far as its predecessor is concerned.
  void wait_for_operands(std::uint32_t index, std::int64_t earliest, std::int64_t order) {
    const Warp& warp = state_.warps[index];
    const Step& step = warp.stream->steps[warp.step];
    const std::int64_t ready = state_.scoreboard.operands_ready(index, *warp.stream, step.waits, earliest);
    state_.waiting.insert(warp.chooser, step.gate, index, ready, order);
  }

  void issue(const Candidate& chosen) {
    Warp& warp = state_.warps[chosen.warp];
    const std::size_t chooser = warp.chooser;
    const std::size_t slot = warp.group;
    const Step& step = warp.stream->steps[warp.step];
    tell_issued(chosen, warp);
    ++state_.result.issued;
    state_.waiting.remove(chooser, chosen.warp);
    if constexpr (requires { Rule::kRemembersLast; }) {
      state_.last[chooser].order = chosen.order;
      state_.last[chooser].index = warp.index;
    }
    warp.last_issue = chosen.time;
    const std::int64_t delay = take_resources(chosen.time, *warp.stream, step, chooser);
    if (step.barrier) {
      arrive_at_barrier(state_.groups[slot], chosen.time, step);
    } else {
      const std::int64_t completion = time_sum(time_sum(chosen.time, step.completion.count), delay);
      const std::int64_t end = step.retires_at_issue ? time_sum(chosen.time, step.issue.count) : completion;
      complete(chosen.warp, step, completion, end, chosen.order);
    }
    if (state_.groups[slot].waiting > 0) open_barrier_if_all_wait(slot);
    look_again(chooser);
  }

  /// Occupies the pipeline, the scheduler and what stands behind the pipeline (rule 5).
  /// @return D, the time that the instruction waits in further pipelines
  std::int64_t take_resources(std::int64_t time, const Stream& stream, const Step& step, std::size_t chooser) {
    Resources& resources = state_.resources;
    resources.gate_free(chooser, step.gate) = time_sum(time, step.issue.count);
    if (state_.machine.schedulers > 0) resources.scheduler_free(chooser) = time_sum(time, step.scheduler_busy.count);
    std::int64_t delay = 0;
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
      const Stage& stage = stream.stages[i];
      std::int64_t& free = resources.pipeline_free(stage.pipeline, chooser);
      const std::int64_t arrival = time_sum(time_sum(time, stage.after.count), delay);
      const std::int64_t start = std::max(arrival, free);
      delay = time_sum(delay, start - arrival);
      free = time_sum(start, stage.issue.count);
      state_.result.cycles.count = std::max(state_.result.cycles.count, free);
    }
    return delay;
  }

  /// An instruction's completion is known: its warp goes on to the next step or ends.
  void complete(std::uint32_t index, const Step& step, std::int64_t completion, std::int64_t end, std::int64_t order) {
    Warp& warp = state_.warps[index];
    Group& group = state_.groups[warp.group];
    state_.scoreboard.record(index, step.score, completion);
    group.end = std::max(group.end, end);
    const std::uint32_t left = warp.step;
    warp.step = state_.scoreboard.step_after(index, *warp.stream, left);
    leaper_.note_step(index, left);
    if (!warp.has_ended()) {
      std::int64_t earliest = time_sum(warp.last_issue, state_.machine.warp_interval.count);
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
    Group& group = state_.groups[slot];
    if (group.waiting < group.live) return;
    const std::int64_t opening = time_sum(group.latest_issue, group.barrier_completion);
    group.waiting = 0;
    group.barrier_completion = 0;
    for (std::size_t i = 0; i < state_.warps_a_group; ++i) {
      const auto index = static_cast<std::uint32_t>(slot * state_.warps_a_group + i);
      const Warp& warp = state_.warps[index];
      if (!warp.has_ended())
        complete(index, warp.stream->steps[warp.step], opening, opening, state_.waiting[index].order);
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

  void tell_issued(const Candidate& chosen, const Warp& warp) {
    if constexpr (requires { Listener::kHearsIssues; }) {
      listener_.on_issued({chosen.time, static_cast<std::int64_t>(warp.group / state_.slots_a_unit),
                           static_cast<std::int64_t>(warp.group % state_.slots_a_unit),
                           static_cast<std::int64_t>(chosen.warp % state_.warps_a_group),
                           warp.stream->instructions[warp.step]});
    }
  }

  EngineState state_;
  Tournament<Candidate> first_;  ///< by chooser
  Listener& listener_;
  Leaper<Rule> leaper_;
  bool leaping_;
};

}  // namespace warpipe
