#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/time.hpp"
#include "fast/state_visitors.hpp"

/// Finds an earlier state of the engine that came back, and the number of times that the period between the two can
/// repeat.

namespace warpipe {

/// Whether each open interval either stayed or was reset one period after its earlier reset.
inline bool open_intervals_agree(const Checkpoint& then, const Checkpoint& now) {
  for (std::size_t i = 0; i < now.open_intervals.size(); ++i) {
    const OpenInterval& before = then.open_intervals[i];
    const OpenInterval& after = now.open_intervals[i];
    if (after.resets != before.resets && after.since - before.since != now.now - then.now) return false;
  }
  return true;
}

/// Counts the further repetitions possible for the period between two checkpoints with equal words.
/// @param groups  waiting groups of the same kinds as the groups placed in between, in the same repeated order
/// @return 0 if some counter forbids it
inline std::int64_t periods_to_skip(const Checkpoint& then, const Checkpoint& now, std::int64_t groups) {
  if (!open_intervals_agree(then, now)) return 0;
  std::int64_t periods = kForever;
  if (now.placed > then.placed) periods = groups / (now.placed - then.placed);
  for (std::size_t i = 0; i < now.counters.size(); ++i) {
    const Checkpoint::Counter& before = then.counters[i];
    const Checkpoint::Counter& after = now.counters[i];
    if (after.value == before.value) continue;  // it will decide as in between
    if (after.restarts != before.restarts || after.value < before.value) return 0;
    periods = std::min(periods, (after.end - 1 - after.value) / (after.value - before.value));
  }
  return periods == kForever ? 0 : periods;
}

/// Searches for a repeated state at one kind of event, by Brent's algorithm: each state is compared with a kept state,
/// and the kept state is replaced after 1, 2, 4, ... probes. A hash distinguishes most states; only the rest are
/// written down, at a higher cost.
class PeriodFinder {
 public:
  /// @param spacing  work from one probe to the next, at least
  explicit PeriodFinder(std::int64_t spacing) : spacing_(spacing), next_probe_(spacing) {}

  /// The event happens.
  void note_event(std::int64_t time) { event_distance_ = time - std::exchange(latest_event_, time); }
  /// The time between the latest two events.
  std::int64_t event_distance() const { return event_distance_; }
  /// Moves all times.
  void shift(std::int64_t time) { latest_event_ += time; }

  /// Whether to probe the state at this event, with a low cost beside the simulation.
  /// @param work  as Checkpoint::work, so far
  bool is_due(std::int64_t work) const { return work >= next_probe_; }

  /// Probes a state.
  /// @return  whether to write the state down: it may equal the kept state, or replace it
  bool probe(StateHash hash, std::int64_t work) {
    next_probe_ = work + spacing_;
    hash_ = hash;
    ++probes_;
    return (hash == kept_hash_ && work >= next_comparison_) || wants_to_keep(work);
  }

  /// @param state  the latest probed state
  /// @return       the kept state if equal, else null
  const Checkpoint* find(const Checkpoint& state) {
    if (hash_ != kept_hash_) return nullptr;
    if (kept_.words == state.words) return &kept_;
    next_comparison_ = state.work + cost(state);
    return nullptr;
  }

  bool wants_to_keep(std::int64_t work) const { return probes_ >= replace_at_ && work >= next_replacement_; }

  /// @param state  is exchanged for another state
  void keep(Checkpoint& state) {
    next_replacement_ = state.work + cost(state);
    replace_at_ = 2 * probes_;
    std::swap(kept_, state);
    kept_hash_ = hash_;
  }

  /// Restarts the search: later states are unlike earlier ones.
  void restart() {
    probes_ = 0;
    replace_at_ = 1;
  }

 private:
  /// The work whose simulation takes ten times as long as writing the state down.
  static std::int64_t cost(const Checkpoint& state) { return static_cast<std::int64_t>(state.words.size()); }

  std::int64_t spacing_, next_probe_;
  std::int64_t next_comparison_ = 0, next_replacement_ = 0;
  std::int64_t latest_event_ = 0, event_distance_ = 0;
  Checkpoint kept_;
  StateHash hash_, kept_hash_;  ///< of the latest state, of the kept state
  std::uint64_t probes_ = 0, replace_at_ = 1;
};

}  // namespace warpipe
