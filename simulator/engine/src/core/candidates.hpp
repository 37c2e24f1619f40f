#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/state.hpp"
#include "core/time.hpp"
#include "core/tournament.hpp"
#include "policies.hpp"

/// Rule 6, who goes first: of all warps' next instructions the one with the smallest (earliest issue time, policy key,
/// age, warp) issues.

namespace warpipe {

/// A warp that would issue next, in the order of rule 6.
struct Candidate {
  std::int64_t time = kForever;  ///< earliest issue time
  std::int64_t key = 0;          ///< of the policy
  Warp* warp = nullptr;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.key != b.key) return a.key < b.key;
    return a.warp != b.warp && a.warp->order < b.warp->order;  // two empty candidates are equal
  }
};

/// The first candidate of a scheduler, as it was when it was searched for.
struct CachedCandidate {
  Candidate first;
  std::int64_t others = kForever;  ///< no warp at another issue port may issue before
};

/// Finds the first candidate of all units: caches that of each scheduler, and keeps the first of each unit in a
/// tournament. The issue time of a cached candidate can only grow, when another scheduler takes a pipeline that both
/// share, so it is enough to refresh those that seem to be first.
template <IssuePolicy Rule>
class Candidates {
 public:
  explicit Candidates(EngineState& state)
      : state_(state),
        schedulers_per_unit_(state.layout.schedulers_per_unit),
        cached_(state.schedulers.size()),
        units_(state.layout.units, Candidate{}) {}

  /// The first candidate of all units.
  const Candidate& first() {
    while (true) {
      const Candidate& cached = units_.smallest();
      if (!is_stale(cached)) return cached;
      const std::size_t unit = cached.warp->unit;
      units_.set(unit, first_of_unit(unit));
    }
  }

  /// The first candidate of a unit's schedulers.
  const Candidate& first_of_unit(std::size_t unit) {
    CachedCandidate* const of_unit = &cached_[unit * schedulers_per_unit_];
    const Candidate* first = &of_unit->first;
    for (std::size_t i = 0; i < schedulers_per_unit_; ++i) {
      CachedCandidate& cached = of_unit[i];
      if (cached.first.time > first->time) continue;
      refresh(cached);
      if (cached.first < *first) first = &cached.first;
    }
    return *first;
  }

  /// Searches the queues of a scheduler. Works on scalars and builds one Candidate at the end: copying candidates costs
  /// as much as an issue.
  [[gnu::always_inline]] CachedCandidate search(const Scheduler& scheduler) const {
    std::int64_t first_time = kForever;
    std::int64_t first_key = 0;
    std::int64_t others = kForever;
    Warp* first = nullptr;
    scheduler.for_each_queue([&](const IssueQueue& queue) {
      Warp* warp = queue.head;
      // Rule 5, earliest issue time: the warp, its pipeline (with the queues behind it) and its scheduler are free.
      const std::int64_t time = std::max(std::max(scheduler.free, queue.opens_at()), warp->ready);
      if (time > first_time) {
        others = std::min(others, time);
        return;
      }
      others = first_time;
      do {
        const std::int64_t key = key_under<Rule>({warp->ready, warp->order, warp->index}, scheduler.last);
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

  /// Takes the result of a search; the unit's first candidate is not updated.
  void set_scheduler(std::size_t scheduler, const CachedCandidate& found) { cached_[scheduler] = found; }
  void set_unit(std::size_t unit, const Candidate& first) { units_.set(unit, first); }

  /// Searches the queues of all schedulers of a unit; the unit's first candidate is not updated.
  void search_schedulers_of(std::size_t unit) {
    const std::size_t first = unit * schedulers_per_unit_;
    for (std::size_t i = first; i < first + schedulers_per_unit_; ++i) cached_[i] = search(state_.schedulers[i]);
  }

  void search_unit(std::size_t unit) {
    search_schedulers_of(unit);
    units_.set(unit, first_of_unit(unit));
  }

  void search_everywhere() {
    for (std::size_t unit = 0; unit < state_.layout.units; ++unit) search_unit(unit);
  }

 private:
  static bool is_stale(const Candidate& cached) {
    return cached.time != kForever && cached.warp->queue->opens_at() > cached.time;
  }

  /// Where the issue port opens later than it did, the same warp is still the first if no warp at another port can come
  /// before.
  void refresh(CachedCandidate& cached) {
    Candidate& first = cached.first;
    if (first.time == kForever) return;
    const std::int64_t opens_at = first.warp->queue->opens_at();
    if (opens_at <= first.time) return;
    if constexpr (Rule::kHeadGoesFirst) {
      if (opens_at < cached.others) {
        first.time = opens_at;
        return;
      }
    }
    cached = search(state_.schedulers[first.warp->scheduler]);
  }

  EngineState& state_;
  const std::size_t schedulers_per_unit_;
  std::vector<CachedCandidate> cached_;  ///< by scheduler
  Tournament<Candidate> units_;          ///< by unit
};

}  // namespace warpipe
