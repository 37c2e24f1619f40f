#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "warpipe/engine/dispatcher.hpp"
#include "warpipe/engine/gates.hpp"
#include "warpipe/engine/listener.hpp"
#include "warpipe/engine/policy.hpp"
#include "warpipe/engine/program.hpp"
#include "warpipe/engine/resources.hpp"
#include "warpipe/engine/run.hpp"
#include "warpipe/engine/time.hpp"
#include "warpipe/engine/tournament.hpp"
#include "warpipe/engine/waiting_warps.hpp"
#include "warpipe/engine/warp.hpp"

namespace warpipe {

/// Plays a program: takes the warp that can issue first, again and again (rule 6 of the model), with groups placed
/// in between. A warp that waits for operands stands in the queue of its next step's gate; what a queue's warps
/// share, the time its gate opens, is looked up once a queue and not once a warp.
/// @tparam Chooser   a policy, see policy.hpp
/// @tparam Listener  see listener.hpp
template <class Chooser, class Listener>
class Engine {
 public:
  Engine(const Program& program, Listener& listener)
      : program_(program),
        machine_(program.machine),
        listener_(listener),
        gates_(find_gates(program)),
        warps_a_group_(program.stream_of_warp.size()),
        slots_(static_cast<std::size_t>(machine_.slots)),
        units_(static_cast<std::size_t>(machine_.units)),
        choosers_(std::max<std::size_t>(static_cast<std::size_t>(machine_.schedulers), 1)),
        dispatcher_(machine_),
        resources_(machine_),
        warps_(units_ * slots_ * warps_a_group_),
        groups_(units_ * slots_),
        scoreboard_(warps_.size(), program.streams),
        waiting_(warps_.size(), units_, gates_.gates.size() * choosers_),
        last_(units_ * choosers_),
        first_(units_, Candidate{}) {
    for (LastIssued& last : last_) last.residents = machine_.slots * static_cast<std::int64_t>(warps_a_group_);
  }

  RunResult run() {
    while (true) {
      const Candidate next = first_candidate();
      const std::int64_t placement = dispatcher_.next_time();
      if (placement == kForever && next.time == kForever) break;
      if (placement <= next.time) {
        place_group();
      } else {
        issue(next);
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
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return std::tie(a.time, a.key, a.order) < std::tie(b.time, b.key, b.order);
    }
    friend bool operator==(const Candidate&, const Candidate&) = default;
  };

  /// A resident warp's place.
  struct Place {
    std::size_t unit, slot, warp, chooser;
  };

  Place place_of(std::uint32_t warp) const {
    const std::size_t group = warp / warps_a_group_;
    const std::size_t unit = group / slots_;
    return {unit, group % slots_, warp % warps_a_group_, (warp - unit * residents()) % choosers_};
  }
  std::size_t residents() const { return slots_ * warps_a_group_; }
  Group& group_of(const Place& place) { return groups_[place.unit * slots_ + place.slot]; }

  /// The first of all units. What was found for a unit can only move back while another unit uses a pipeline of the
  /// device, so it is enough to look again at the one that seems to be first.
  Candidate first_candidate() {
    while (true) {
      const Candidate seems_first = first_.smallest();
      if (seems_first.time == kForever) return seems_first;
      const std::size_t unit = seems_first.warp / residents();
      const Candidate is_first = units_ == 1 ? seems_first : first_of(unit);
      if (is_first == seems_first) return is_first;
      first_.set(unit, is_first);
    }
  }

  Candidate first_of(std::size_t unit) const {
    Candidate first;
    waiting_.for_each_queue(unit, [&](std::size_t queue) {
      const std::size_t chooser = queue % choosers_;
      const std::int64_t opens = resources_.opens_at(gates_.gates[queue / choosers_], unit, chooser);
      const std::uint32_t head = waiting_.head(unit, queue);
      const std::int64_t time = std::max(opens, waiting_[head].ready);
      if (time > first.time) return;
      for (std::uint32_t warp = head; warp != WaitingWarps::kNone && waiting_[warp].ready <= time;
           warp = waiting_[warp].next) {
        const Candidate candidate{time, key_of(unit, chooser, warp), waiting_[warp].order, warp};
        if (candidate < first) first = candidate;
        if constexpr (requires { Chooser::kHeadGoesFirst; }) break;
      }
    });
    return first;
  }

  std::int64_t key_of(std::size_t unit, std::size_t chooser, std::uint32_t warp) const {
    const auto index = static_cast<std::int64_t>(warp - unit * residents());
    return Chooser::key({waiting_[warp].ready, waiting_[warp].order, index}, last_[unit * choosers_ + chooser]);
  }

  void place_group() {
    const Dispatcher::Placement placed = dispatcher_.place();
    const auto unit = static_cast<std::size_t>(placed.unit);
    const auto slot = static_cast<std::size_t>(placed.slot);
    listener_.on_group_placed({placed.time, placed.unit, placed.slot, placed.age});
    Group& group = groups_[unit * slots_ + slot];
    group = {.live = 0, .waiting = 0, .latest_issue = placed.time, .barrier_completion = 0, .end = placed.time};
    for (std::size_t i = 0; i < warps_a_group_; ++i) {
      const Stream& stream = program_.streams[program_.stream_of_warp[i]];
      if (stream.steps.empty()) continue;  // it has ended
      const auto warp = static_cast<std::uint32_t>((unit * slots_ + slot) * warps_a_group_ + i);
      warps_[warp] = {&stream, 0, placed.time, placed.time};
      scoreboard_.clear(warp, stream);
      ++group.live;
      const std::int64_t order = placed.age * static_cast<std::int64_t>(warps_a_group_) + static_cast<std::int64_t>(i);
      wait_for_operands(warp, place_of(warp), placed.time, order);
    }
    if (group.live == 0) end_group(group, unit, slot);
    first_.set(unit, first_of(unit));
  }

  /// Queues a warp whose next step may issue at `earliest` as far as its predecessors are concerned.
  void wait_for_operands(std::uint32_t warp, const Place& place, std::int64_t earliest, std::int64_t order) {
    const Stream& stream = *warps_[warp].stream;
    const std::uint32_t step = warps_[warp].step;
    std::int64_t ready = earliest;
    for (std::uint32_t i = stream.steps[step].waits.begin; i < stream.steps[step].waits.end; ++i)
      ready = std::max(ready, scoreboard_.completion(warp, stream.waits[i]));
    const std::uint32_t gate = gates_.of_step[static_cast<std::size_t>(&stream - program_.streams.data())][step];
    waiting_.insert(place.unit, static_cast<std::uint32_t>(gate * choosers_ + place.chooser), warp, ready, order);
  }

  void issue(const Candidate& chosen) {
    const Place place = place_of(chosen.warp);
    Warp& warp = warps_[chosen.warp];
    const Stream& stream = *warp.stream;
    const Step& step = stream.steps[warp.step];
    listener_.on_issued({chosen.time, static_cast<std::int64_t>(place.unit), static_cast<std::int64_t>(place.slot),
                         static_cast<std::int64_t>(place.warp), step.instruction});
    ++result_.issued;
    waiting_.remove(place.unit, chosen.warp);
    LastIssued& last = last_[place.unit * choosers_ + place.chooser];
    last.order = chosen.order;
    last.index = static_cast<std::int64_t>(chosen.warp - place.unit * residents());
    const std::int64_t delay = take_resources(chosen.time, stream, step, place);
    warp.last_issue = chosen.time;
    if (step.barrier) {
      arrive_at_barrier(chosen.time, step, group_of(place));
    } else {
      const std::int64_t completion = time_sum(time_sum(chosen.time, step.completion.count), delay);
      const std::int64_t end = step.retires_at_issue ? time_sum(chosen.time, step.issue.count) : completion;
      complete(chosen.warp, place, step, completion, end, chosen.order);
    }
    open_barrier_if_all_wait(place);
    first_.set(place.unit, first_of(place.unit));
  }

  /// Occupies the scheduler, the pipeline and what stands behind it.
  /// @return the time that the instruction waits in further pipelines
  std::int64_t take_resources(std::int64_t time, const Stream& stream, const Step& step, const Place& place) {
    resources_.pipeline_free(step.pipeline, place.unit, place.chooser) = time_sum(time, step.issue.count);
    if (resources_.has_schedulers())
      resources_.scheduler_free(place.unit, place.chooser) = time_sum(time, step.scheduler_busy.count);
    std::int64_t delay = 0;
    for (std::uint32_t i = step.stages.begin; i < step.stages.end; ++i) {
      const Stage& stage = stream.stages[i];
      std::int64_t& free = resources_.pipeline_free(stage.pipeline, place.unit, place.chooser);
      const std::int64_t arrival = time_sum(time_sum(time, stage.after.count), delay);
      const std::int64_t start = std::max(arrival, free);
      delay = time_sum(delay, start - arrival);
      free = time_sum(start, stage.issue.count);
      result_.cycles.count = std::max(result_.cycles.count, free);
    }
    return delay;
  }

  /// An instruction's completion is known: the warp goes on to its next step or ends.
  void complete(std::uint32_t index, const Place& place, const Step& step, std::int64_t completion, std::int64_t end,
                std::int64_t order) {
    Warp& warp = warps_[index];
    Group& group = group_of(place);
    scoreboard_.record(index, step.score, completion);
    group.end = std::max(group.end, end);
    warp.step = scoreboard_.step_after(index, *warp.stream, warp.step);
    if (warp.step < warp.stream->steps.size()) {
      std::int64_t earliest = time_sum(warp.last_issue, machine_.warp_interval.count);
      if (step.barrier) earliest = std::max(earliest, completion);
      wait_for_operands(index, place, earliest, order);
      return;
    }
    group.latest_issue = std::max(group.latest_issue, warp.last_issue);
    if (--group.live == 0) end_group(group, place.unit, place.slot);
  }

  void arrive_at_barrier(std::int64_t time, const Step& step, Group& group) {
    ++group.waiting;
    group.latest_issue = std::max(group.latest_issue, time);
    group.barrier_completion = std::max(group.barrier_completion, step.completion.count);
  }

  /// Rule 7: opens the barrier of a group when every warp that has not ended waits there.
  void open_barrier_if_all_wait(const Place& place) {
    Group& group = group_of(place);
    if (group.waiting == 0 || group.waiting < group.live) return;
    const std::int64_t opening = time_sum(group.latest_issue, group.barrier_completion);
    group.waiting = 0;
    group.barrier_completion = 0;
    const std::size_t first = (place.unit * slots_ + place.slot) * warps_a_group_;
    for (std::size_t i = 0; i < warps_a_group_; ++i) {
      const auto index = static_cast<std::uint32_t>(first + i);
      const Stream& stream = program_.streams[program_.stream_of_warp[i]];
      const std::uint32_t step = warps_[index].step;
      if (step >= stream.steps.size()) continue;  // it has ended
      complete(index, place_of(index), stream.steps[step], opening, opening, waiting_[index].order);
    }
  }

  void end_group(const Group& group, std::size_t unit, std::size_t slot) {
    const auto unit_number = static_cast<std::int64_t>(unit);
    const auto slot_number = static_cast<std::int64_t>(slot);
    result_.cycles.count = std::max(result_.cycles.count, group.end);
    listener_.on_group_ended({group.end, unit_number, slot_number});
    dispatcher_.group_ended(group.end, unit_number, slot_number);
  }

  const Program& program_;
  const Machine& machine_;
  Listener& listener_;
  Gates gates_;
  std::size_t warps_a_group_, slots_, units_;
  std::size_t choosers_;  ///< of a unit: its schedulers, or 1 where there are none
  Dispatcher dispatcher_;
  Resources resources_;
  std::vector<Warp> warps_;
  std::vector<Group> groups_;
  Scoreboard scoreboard_;
  WaitingWarps waiting_;
  std::vector<LastIssued> last_;  ///< by chooser
  Tournament<Candidate> first_;   ///< by unit
  RunResult result_;
};

}  // namespace warpipe
