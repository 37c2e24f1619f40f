#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/candidates.hpp"
#include "core/level_pipeline.hpp"
#include "core/notifier.hpp"
#include "core/rotation.hpp"
#include "core/scoreboard.hpp"
#include "core/simulated_counter.hpp"
#include "core/state.hpp"
#include "core/time.hpp"
#include "fast/lookahead.hpp"
#include "fast/steady_state.hpp"

namespace warpipe {

/// Simulates a program on all units of the machine, one event after the other: the placement of a group (rule 8), or
/// the issue of the first candidate (rule 6, candidates.hpp), which takes its pipelines and its scheduler (rule 5) and
/// lets its warp continue, end, or wait at a barrier (rule 7). After an issue, its scheduler and its unit keep issuing
/// until an issue could affect others (fast/lookahead.hpp); when the state repeats, whole periods are skipped
/// (fast/steady_state.hpp). Neither changes the result.
/// @tparam Rule      a policy, see policies.hpp
/// @tparam Observer  see observers/observer.hpp
template <IssuePolicy Rule, class Observer>
class Engine {
 public:
  /// @param skipping  skip periods of a steady state; without effect if the observer needs all events in the order of
  ///                  time
  Engine(const Program& program, Observer& observer, bool skipping)
      : state_(program),
        candidates_(state_),
        notifier_(state_, observer),
        has_schedulers_(program.machine.schedulers > 0),
        lookahead_(Notifier<Observer>::kNeedsTimeOrder ? Lookahead{} : lookahead(program)),
        steady_state_(state_, observer, skipping && !Notifier<Observer>::kNeedsTimeOrder, lookahead_.across_units) {}

  /// Simulates to the end, or until the observer is finished; goes on from where an earlier call stopped.
  /// @param most  instructions that may be simulated individually, in all calls together
  /// @return      nothing if it would simulate more
  std::optional<SimulationResult> run(std::int64_t most = INT64_MAX) {
    simulated_.allow(most);
    while (!notifier_.observer_is_finished()) {
      const Candidate& next = candidates_.first();
      const std::int64_t placement = state_.dispatcher.next_time();
      const std::int64_t now = std::min(next.time, placement);
      if (now == kForever) break;  // no warp is left to issue, no group to place
      if (now >= steady_state_.sync_time()) {
        if (steady_state_.try_to_skip()) candidates_.search_everywhere();
      } else if (placement <= next.time) {
        place_group();
      } else {
        issue_from_unit(next);
        simulated_.note(state_.result.issued, state_.result.skipped);
        if (simulated_.is_over()) [[unlikely]]
          return std::nullopt;
      }
    }
    simulated_.add(state_.result.issued, state_.result.skipped);
    if (!notifier_.observer_is_finished()) require_all_ended();
    return state_.result;
  }

 private:
  // ---- Order of events: the first candidate issues, then its scheduler and its unit alone, as far as that is exact.

  void issue_from_unit(const Candidate& first) {
    const std::size_t unit = first.warp->unit;
    const std::int64_t horizon = later(first.time, lookahead_.across_units);
    const Candidate* next = &first;
    do {
      issue_from_scheduler(*next, std::min(horizon, later(next->time, lookahead_.across_schedulers)));
      next = &candidates_.first_of_unit(unit);
    } while (may_issue_ahead(next->time, horizon) && next->warp->queue->is_private_to_unit);
    candidates_.set_unit(unit, *next);
  }

  [[gnu::always_inline]] void issue_from_scheduler(const Candidate& first, std::int64_t horizon) {
    const std::size_t number = first.warp->scheduler;
    Scheduler& scheduler = state_.schedulers[number];
    CachedCandidate next{first};
    do {
      issue(*next.first.warp, next.first.time, scheduler);
      next = candidates_.search(scheduler);
    } while (may_issue_ahead(next.first.time, horizon) && next.first.warp->queue->is_private_to_scheduler);
    candidates_.set_scheduler(number, next);
  }

  bool may_issue_ahead(std::int64_t time, std::int64_t horizon) const {
    return time < std::min({horizon, state_.dispatcher.next_time(), steady_state_.sync_time()});
  }

  // ---- Rule 5: the time and resources of an issue; candidates.hpp finds its earliest issue time.

  /// Rule 5, ready time: queues a warp; its previous step allows its next issue at `earliest`.
  [[gnu::always_inline]] void queue_next_step(Warp& warp, std::int64_t earliest, Scheduler& scheduler) {
    const std::int64_t signal = warp.step->has_signals ? take_signal(warp) : kNever;
    if (signal == kForever) [[unlikely]] {
      warp.ready = earliest;  // until the signal comes
      return;
    }
    const std::int64_t operands = operands_ready(warp, earliest);
    warp.ready = std::max(operands, signal);
    notifier_.waiting(warp, earliest, signal > operands);
    scheduler.insert(warp, warp.step->issue_port);
  }

  /// Rule 5, issue: the result is complete after Lambda and the wait in further pipelines.
  [[gnu::always_inline]] void issue(Warp& warp, std::int64_t time, Scheduler& scheduler) {
    const Step& step = *warp.step;
    IssuedEvent issued = notifier_.before_issue(warp, time, scheduler);
    ++state_.result.issued;
    if constexpr (Rule::kRemembersLast) {
      scheduler.last.order = warp.order;
      scheduler.last.index = warp.index;
    }
    warp.last_issue = time;
    const std::int64_t delay = take_resources(warp, step, scheduler);
    if constexpr (Rule::kHeadGoesFirst) {
      scheduler.remove_first(*warp.queue);
    } else {
      scheduler.remove(warp);
    }
    if (step.barrier) {
      notifier_.issued(issued);
      arrive_at_barrier(warp, step);
    } else {
      const std::int64_t completion = time_sum(time_sum(time, step.completion.count), delay);
      const std::int64_t end = step.retires_at_issue ? time_sum(time, step.issue.count) : completion;
      const std::int64_t earliest = time_sum(time, until_next_issue(state_.machine, step));
      issued.completion = completion;
      issued.end = end;
      notifier_.issued(issued);
      if (step.has_signals) [[unlikely]]
        arrive_at_signal(warp, step, completion);
      go_to_next_step(warp, step, completion, end, earliest, scheduler);
    }
  }

  /// Rule 5, resources: occupies the pipeline for lambda, the scheduler for its interval, and the further pipelines.
  /// @return by how much later than Lambda its result is complete: D, its wait in further pipelines, and more for a
  ///         service by a farther level
  [[gnu::always_inline]] std::int64_t take_resources(Warp& warp, const Step& step, Scheduler& scheduler) {
    const std::int64_t time = warp.last_issue;
    *warp.queue->pipeline_free = time_sum(time, step.issue.count);
    if (has_schedulers_) scheduler.free = time_sum(time, step.scheduler_busy.count);
    if (step.stages.begin == step.stages.end) return 0;
    return step.has_services ? get_service(warp, step) : go_through_stages(warp, step.stages);
  }

  /// Rule 5, which level serves: the execution gets the next service in turn.
  /// @return as take_resources()
  [[gnu::noinline]] std::int64_t get_service(Warp& warp, const Step& step) {
    const Rotation& rotation = rotation_of(*warp.stream, step);
    const Service& service = warp.stream->services[service_in_turn(warp, rotation)];
    take_turn(warp, rotation);
    return time_sum(service.completion.count - step.completion.count, go_through_stages(warp, service.stages));
  }

  /// Rule 5, `then`: in each further pipeline the instruction starts when it has arrived and the pipeline is free.
  [[gnu::always_inline]] std::int64_t go_through_stages(const Warp& warp, Range stages) {
    std::int64_t delay = 0;
    for (std::uint32_t i = stages.begin; i < stages.end; ++i) {
      const Stage& stage = warp.stream->stages[i];
      const std::size_t instance = state_.pipeline_free.instance(stage.pipeline, warp.scheduler);
      std::int64_t& free = state_.pipeline_free[instance];
      const std::int64_t arrival = time_sum(time_sum(warp.last_issue, stage.after.count), delay);
      const std::int64_t start = std::max(arrival, free);
      std::int64_t waits = start - arrival;
      bool waits_turn = waits > 0;
      if (state_.machine.pipelines[stage.pipeline].latency) [[unlikely]] {
        const LevelDelay at_level = state_.level_pipelines[instance].take(arrival, free, stage);
        waits = at_level.time;
        waits_turn = waits_turn && at_level.is_late;
      } else {
        free = time_sum(start, stage.issue.count);
      }
      delay = time_sum(delay, waits);
      notifier_.stage(warp, {.stage = i, .arrival = arrival, .start = start, .free = free, .waits_turn = waits_turn});
      state_.result.cycles.count = std::max(state_.result.cycles.count, free);
    }
    return delay;
  }

  /// Rule 3: with an instruction's completion known, its warp goes to the next step in program order, or ends.
  /// @param earliest  when this step allows the next step to issue
  [[gnu::always_inline]] void go_to_next_step(Warp& warp, const Step& step, std::int64_t completion, std::int64_t end,
                                              std::int64_t earliest, Scheduler& scheduler) {
    keep_completion(warp, step.score, completion);
    warp.end = std::max(warp.end, end);
    if (step.loop_ends.begin == step.loop_ends.end) {
      ++warp.step;
    } else {
      warp.step = step_after_loops(warp, step);
      steady_state_.note_loop_ends(warp, step);
    }
    if (warp.step == warp.behind_last) [[unlikely]] {
      end_warp(warp);
    } else {
      queue_next_step(warp, earliest, scheduler);
    }
  }

  // ---- Rule 7: barriers and ends.

  /// Rule 7, barrier: the warp waits until every live warp of its group waits.
  void arrive_at_barrier(const Warp& warp, const Step& step) {
    Group& group = state_.groups[warp.group_slot];
    ++group.waiting;
    group.latest_issue = std::max(group.latest_issue, warp.last_issue);
    group.barrier_completion = std::max(group.barrier_completion, step.completion.count);
    if (group.waiting == group.live) open_barrier(warp.group_slot);
  }

  /// Rule 7, opening: all go on at the latest issue of the group's warps + the largest Lambda of their barriers.
  void open_barrier(std::size_t group_slot) {
    Group& group = state_.groups[group_slot];
    const std::int64_t opening = time_sum(group.latest_issue, group.barrier_completion);
    group.waiting = 0;
    group.barrier_completion = 0;
    for (std::size_t i = 0; i < state_.layout.warps_per_group; ++i) {
      Warp& warp = state_.warps[state_.layout.warp_slot(group_slot, i)];
      if (warp.has_ended()) continue;
      const std::int64_t earliest = time_sum(warp.last_issue, until_next_issue(state_.machine, *warp.step));
      notifier_.barrier_passed(warp, opening);
      go_to_next_step(warp, *warp.step, opening, opening, std::max(earliest, opening), scheduler_of(warp));
    }
    candidates_.search_schedulers_of(state_.layout.unit_of_group_slot(group_slot));
  }

  /// Rule 7, ends: a warp has ended when its last instruction has issued; a group ends with the last of its warps.
  void end_warp(Warp& warp) {
    warp.step = nullptr;
    notifier_.warp_ended(warp);
    steady_state_.note_warp_end(warp);
    Group& group = state_.groups[warp.group_slot];
    group.end = std::max(group.end, warp.end);
    group.latest_issue = std::max(group.latest_issue, warp.last_issue);
    if (--group.live == 0) {
      end_group(warp.group_slot);
    } else if (group.waiting == group.live) {
      open_barrier(warp.group_slot);
    }
  }

  void end_group(std::size_t group_slot) {
    const std::int64_t end = state_.groups[group_slot].end;
    const auto unit = static_cast<std::int64_t>(state_.layout.unit_of_group_slot(group_slot));
    const auto slot = static_cast<std::int64_t>(state_.layout.slot_of_unit(group_slot));
    state_.result.cycles.count = std::max(state_.result.cycles.count, time_sum(end, state_.machine.launch_end.count));
    notifier_.group_ended(end, unit, slot);
    state_.dispatcher.group_ended(end, unit, slot);
  }

  // ---- Rule 7: signals.

  /// Rule 7, awaits: the phase awaited by the warp's next step.
  /// @return when it is complete, perhaps long ago; kForever if unknown yet, and it is not taken
  [[gnu::noinline]] std::int64_t take_signal(const Warp& warp) {
    const std::uint32_t signal = signals_of(*warp.stream, *warp.step).awaits;
    if (signal == kNoSignal) return kNever;
    const auto warp_slot = static_cast<std::size_t>(&warp - state_.warps.data());
    const std::int64_t complete = state_.signals.next_phase(warp_slot, signal);
    if (complete != kForever) state_.signals.pass(warp_slot, signal);
    return complete;
  }

  /// Rule 7, arrives: if the arrival completes a phase, the warps of the group waiting for it go on.
  [[gnu::noinline]] void arrive_at_signal(const Warp& warp, const Step& step, std::int64_t completion) {
    const std::uint32_t signal = signals_of(*warp.stream, step).arrives;
    if (signal == kNoSignal || !state_.signals.arrive(warp.group_slot, signal, warp.last_issue, completion)) return;
    for (std::size_t i = 0; i < state_.layout.warps_per_group; ++i) {
      Warp& other = state_.warps[state_.layout.warp_slot(warp.group_slot, i)];
      if (&other != &warp && awaits(other, signal)) queue_next_step(other, other.ready, scheduler_of(other));
    }
    candidates_.search_schedulers_of(state_.layout.unit_of_group_slot(warp.group_slot));
  }

  static bool awaits(const Warp& warp, std::uint32_t signal) {
    if (warp.has_ended() || warp.queue != nullptr) return false;
    return signals_of(*warp.stream, *warp.step).awaits == signal;
  }

  /// @throws ModelError for warps waiting for each other for good
  void require_all_ended() const {
    for (const Warp& warp : state_.warps) {
      if (warp.has_ended()) continue;
      const std::uint32_t signal = signals_of(*warp.stream, *warp.step).awaits;
      if (signal != kNoSignal)
        throw never_comes(state_.program.signals[signal],
                          state_.layout.warp_of_group(static_cast<std::size_t>(&warp - state_.warps.data())));
    }
  }

  // ---- Rule 8: groups come to free slots, in the order of dispatcher.hpp.

  void place_group() {
    const Dispatcher::Placement placed = state_.dispatcher.place();
    const std::uint32_t kind = state_.program.order.kind_of(placed.age);
    notifier_.group_placed(placed, kind);
    const std::size_t group_slot = state_.layout.group_slot(placed.unit, placed.slot);
    Group& group = state_.groups[group_slot];
    state_.signals.start_group(group_slot, kind);
    group = {.live = 0, .waiting = 0, .latest_issue = placed.time, .barrier_completion = 0, .end = placed.time};
    for (std::size_t i = 0; i < state_.layout.warps_per_group; ++i) {
      Warp& warp = state_.warps[state_.layout.warp_slot(group_slot, i)];
      warp.run_stream(state_.program.streams[state_.program.kinds[kind][i]]);
      if (warp.stream->steps.empty()) continue;  // it ends at once
      ++group.live;
      warp.order = state_.order_of(placed.age, i);
      start(warp);
      warp.end = placed.time;
      queue_next_step(warp, placed.time, scheduler_of(warp));
    }
    if (group.live == 0) end_group(group_slot);
    candidates_.search_unit(static_cast<std::size_t>(placed.unit));
    steady_state_.note_placement(group_slot, placed.time);
  }

  Scheduler& scheduler_of(const Warp& warp) { return state_.schedulers[warp.scheduler]; }

  EngineState state_;
  Candidates<Rule> candidates_;
  Notifier<Observer> notifier_;
  const bool has_schedulers_;
  Lookahead lookahead_;
  SteadyStateSkipper<Rule, Observer> steady_state_;
  SimulatedCounter simulated_;
};

}  // namespace warpipe
