#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/candidate.hpp"
#include "core/port_contest.hpp"
#include "core/state.hpp"
#include "core/time.hpp"
#include "core/tournament.hpp"
#include "policies.hpp"

/// Rule 6, the order of issue: of all warps' next instructions the one with the smallest (earliest issue time, policy
/// key, age, warp) issues.

namespace warpipe {

/// The first candidate of a scheduler, as of its last search.
struct CachedCandidate {
  Candidate first;
  std::int64_t others = kForever;      ///< no warp at another issue port may issue earlier
  std::int64_t next_ready = kForever;  ///< when the next warp at its own issue port is ready
};

/// Finds the first candidate of all units: caches the first of each scheduler, and keeps the first of each unit in a
/// tournament. The issue time of a cached candidate can only grow, when another scheduler takes a shared pipeline, so
/// only apparent first candidates are refreshed. Candidates at issue ports shared by units are apart, in a contest; the
/// tournament has the rest.
template <IssuePolicy Rule>
class Candidates {
 public:
  explicit Candidates(EngineState& state)
      : state_(state),
        schedulers_per_unit_(state.layout.schedulers_per_unit),
        cached_(state.schedulers.size()),
        units_(state.layout.units, Candidate{}),
        contests_(state.shared_ports.size(), PortContest(state.schedulers.size())) {
    if constexpr (RankingPolicy<Rule>)
      state.allow_crowds(Rule::kRanksByIndex);
    else if constexpr (Rule::kHeadGoesFirst)
      state.allow_crowds(false);
  }

  /// The first candidate of all units.
  const Candidate& first() { return contests_.empty() ? units_.smallest() : first_of_contests(); }

  /// The first candidate of a unit's schedulers.
  const Candidate& first_of_unit(std::size_t unit) {
    CachedCandidate* cached = cached_.data() + unit * schedulers_per_unit_;
    const CachedCandidate* const behind_last = cached + schedulers_per_unit_;
    const Candidate* first = &cached->first;
    std::int64_t time = kForever;
    for (; cached != behind_last; ++cached) {
      if (cached->first.time > time) continue;
      refresh(*cached);
      if (cached->first.time >= time && !(cached->first < *first)) continue;
      first = &cached->first;
      time = first->time;
    }
    return *first;
  }

  /// Searches the queues of a scheduler.
  [[gnu::always_inline]] CachedCandidate search(const Scheduler& scheduler) const {
    QueueSearch found(scheduler);
    scheduler.for_each_queue([&](const IssueQueue& queue) { found.consider(queue); });
    return found.result();
  }

  /// Takes the result of a search; the unit's first candidate is not updated.
  void set_scheduler(std::size_t scheduler, const CachedCandidate& found) { cached_[scheduler] = found; }
  void set_unit(std::size_t unit, const Candidate& first) {
    if (contests_.empty())
      units_.set(unit, first);
    else
      set_unit_and_contests(unit);
  }

  /// Searches the queues of all schedulers of a unit; the unit's first candidate is not updated.
  void search_schedulers_of(std::size_t unit) {
    const std::size_t first = unit * schedulers_per_unit_;
    for (std::size_t i = first; i < first + schedulers_per_unit_; ++i) cached_[i] = search(state_.schedulers[i]);
  }

  void search_unit(std::size_t unit) {
    search_schedulers_of(unit);
    set_unit(unit, first_of_unit(unit));
  }

  /// All times have moved.
  void search_everywhere() {
    state_.sort_crowds();
    for (std::size_t unit = 0; unit < state_.layout.units; ++unit) search_unit(unit);
  }

 private:
  /// Works on scalars and builds one Candidate at the end: copying candidates costs as much as an issue.
  class QueueSearch {
   public:
    explicit QueueSearch(const Scheduler& scheduler) : scheduler_(scheduler) {}

    [[gnu::always_inline]] void consider(const IssueQueue& queue) {
      Warp* const head = queue.head;
      // Rule 5, earliest issue time: the warp, its pipeline (with the queues behind it) and its scheduler are free.
      const std::int64_t open = std::max(scheduler_.free, queue.opens_at());
      const std::int64_t time = std::max(open, head->ready);
      if (time > time_) {
        others_ = std::min(others_, time);
        return;
      }
      others_ = time_;
      if constexpr (Rule::kHeadGoesFirst) return take_if_first(*head, time);
      if constexpr (RankingPolicy<Rule>) {
        if (queue.crowd) [[unlikely]] {
          const auto [of_crowd, next_ready] = first_of_crowd(*queue.crowd, open, scheduler_.last);
          next_ready_ = next_ready;
          return take_if_first(*of_crowd, time);
        }
      }
      Warp* warp = head;
      do {
        take_if_first(*warp, time);
        warp = warp->next;
      } while (warp != nullptr && warp->ready <= time);
      next_ready_ = warp == nullptr ? kForever : warp->ready;
    }

    CachedCandidate result() const { return {{time_, key_, first_}, others_, next_ready_}; }
    /// When the next warp is ready at the latest port considered.
    std::int64_t next_ready() const { return next_ready_; }

   private:
    [[gnu::always_inline]] void take_if_first(Warp& warp, std::int64_t time) {
      const std::int64_t key = key_under<Rule>({warp.ready, warp.order, warp.index}, scheduler_.last);
      if (time < time_ || key < key_ || (key == key_ && warp.order < first_->order)) {
        time_ = time;
        key_ = key;
        first_ = &warp;
      }
    }

    /// The first of a crowd's warps that may issue next, and the ready time of the next warp behind them.
    /// @param open  since when the queue and the scheduler are free
    [[gnu::noinline]] static std::pair<Warp*, std::int64_t> first_of_crowd(Crowd& crowd, std::int64_t open,
                                                                           const LastIssued& last) {
      crowd.release(open);
      const Crowd::Front front(crowd);
      return {front.of_rank(Rule::first_rank(front, last)), front.next_ready()};
    }

    const Scheduler& scheduler_;
    std::int64_t time_ = kForever, key_ = 0, others_ = kForever;
    std::int64_t next_ready_ = kForever;
    Warp* first_ = nullptr;
  };

  [[gnu::noinline]] const Candidate& first_of_contests() {
    first_ = units_.smallest();
    for (std::size_t i = 0; i < contests_.size(); ++i) {
      const Candidate of_contest = contests_[i].first(state_.shared_ports[i].opens_at(),
                                                      [&](std::size_t scheduler) { set_contest(i, scheduler); });
      if (of_contest < first_) first_ = of_contest;
    }
    return first_;
  }

  [[gnu::noinline]] void set_unit_and_contests(std::size_t unit) {
    Candidate first;
    for (std::size_t i = 0; i < schedulers_per_unit_; ++i) {
      const std::size_t number = unit * schedulers_per_unit_ + i;
      const Scheduler& scheduler = state_.schedulers[number];
      QueueSearch found(scheduler);
      scheduler.for_each_queue([&](const IssueQueue& queue) {
        if (!queue.is_shared) found.consider(queue);
      });
      first = std::min(first, found.result().first);
      for (std::size_t contest = 0; contest < contests_.size(); ++contest) set_contest(contest, number);
    }
    units_.set(unit, first);
  }

  void set_contest(std::size_t contest, std::size_t scheduler) {
    const IssueQueue& queue = state_.schedulers[scheduler].queues[state_.shared_ports[contest].issue_port];
    QueueSearch found(state_.schedulers[scheduler]);
    if (!queue.is_empty()) found.consider(queue);
    contests_[contest].set(scheduler, found.result().first, found.next_ready());
  }

  /// If only the issue port opens later, the same warp stays first unless a warp at another port can come before, or
  /// further warps are ready by then.
  void refresh(CachedCandidate& cached) {
    Candidate& first = cached.first;
    if (first.time == kForever) return;
    const std::int64_t opens_at = first.warp->queue->opens_at();
    if (opens_at <= first.time) return;
    if (opens_at < cached.others && (Rule::kHeadGoesFirst || opens_at < cached.next_ready)) {
      first.time = opens_at;
      return;
    }
    cached = search(state_.schedulers[first.warp->scheduler]);
  }

  EngineState& state_;
  const std::size_t schedulers_per_unit_;
  std::vector<CachedCandidate> cached_;  ///< by scheduler
  Tournament<Candidate> units_;          ///< by unit
  std::vector<PortContest> contests_;    ///< of EngineState::shared_ports; by scheduler
  Candidate first_;                      ///< of the tournament and the contests
};

}  // namespace warpipe
