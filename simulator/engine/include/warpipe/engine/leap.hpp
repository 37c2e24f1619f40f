#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "warpipe/engine/time.hpp"

/// Leaping over periods of a steady state, exactly.
///
/// What happens next depends on the state relative to now: where each warp stands, how far ahead the times lie at
/// which operands, pipelines and schedulers are ready, who is older than whom; and on counters that only matter when
/// they reach their end: the trips that loops have left, the groups that wait and are like those before. When the
/// relative state comes back, with some counters advanced, everything since then happens again, with the counters
/// advanced by as much, as long as none reaches its end. So whole periods can be skipped at once: all times move, all
/// counters advance.
///
/// A part of the state shows itself to a visitor:
///   time(t, late)       a time that matters only while it lies ahead of now, or less than `late` behind
///   time_since_ever(t)  a time that matters however long ago it was
///   order(n)            an order of warps, which counts placed groups
///   exact(n)            anything that must be the same
///
/// What a observer keeps adds two kinds. A tally is a sum that each period adds the same to. A lasting time is since
/// when something has been so, however long: in a period it either stays or begins anew, and then it moves with the
/// period.

namespace warpipe {

/// A list of words that keeps its memory, and whose end is cheap to append to.
class Words {
 public:
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  [[gnu::always_inline]] void push_back(std::int64_t word) {
    if (size_ == memory_.size()) [[unlikely]]
      grow();
    memory_[size_++] = word;
  }
  friend bool operator==(const Words& a, const Words& b) {
    return a.size_ == b.size_ && std::equal(a.memory_.data(), a.memory_.data() + a.size_, b.memory_.data());
  }

 private:
  [[gnu::noinline]] void grow() { memory_.resize(2 * size_ + 256); }

  std::vector<std::int64_t> memory_;
  std::size_t size_ = 0;
};

/// What is left of a list of words where it is enough to know that it is probably another one.
class Fingerprint {
 public:
  [[gnu::always_inline]] void push_back(std::int64_t word) {
    hash_ = (std::rotl(hash_, 29) ^ static_cast<std::uint64_t>(word)) * kOdd;
  }
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

 private:
  static constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;  // 2^64 / golden ratio
  std::uint64_t hash_ = 0;
};

/// The state relative to now, in words: equal words, equal future.
/// @tparam List  what takes the words
template <class List>
class RelativeState {
 public:
  /// @param words        where they go
  /// @param now          nothing happens before it any more
  /// @param first_order  the order of the next warp that is placed
  RelativeState(List& words, std::int64_t now, std::int64_t first_order)
      : words_(words), now_(now), first_order_(first_order) {}

  [[gnu::always_inline]] void time(std::int64_t time, std::int64_t late = 0) {
    exact(std::max(time, now_ - late) - now_);
  }
  [[gnu::always_inline]] void time_since_ever(std::int64_t time) { exact(time - now_); }
  [[gnu::always_inline]] void order(std::int64_t order) { exact(order - first_order_); }
  [[gnu::always_inline]] void exact(std::int64_t word) { words_.push_back(word); }

 private:
  List& words_;
  std::int64_t now_, first_order_;
};

/// Moves a state into the future.
class Shift {
 public:
  Shift(std::int64_t times, std::int64_t orders) : times_(times), orders_(orders) {}

  void time(std::int64_t& time, std::int64_t = 0) { time_since_ever(time); }
  void time_since_ever(std::int64_t& time) {
    if (time > kNever) time = time_sum(time, times_);
  }
  void order(std::int64_t& order) { order += orders_; }
  void exact(std::int64_t) {}

 private:
  std::int64_t times_, orders_;
};

/// A counter that may run on while the rest repeats, as long as it stays below its end.
struct RunningCounter {
  std::int64_t value = 0;
  std::int64_t restarts = 0;  ///< since it has started anew, it has not just run on
  std::int64_t end = 0;       ///< the first value that it must not reach
};

/// Since when something has been so.
struct LastingTime {
  std::int64_t since = 0;
  std::int64_t begun = 0;  ///< how often

  void begin(std::int64_t time) {
    since = time;
    ++begun;
  }
};

/// A state to come back to.
struct Checkpoint {
  std::int64_t now = 0, issued = 0, placed = 0;
  Words words;
  std::vector<RunningCounter> counters;
  std::vector<LastingTime> lasting;
  std::vector<std::int64_t> tallies;
};

/// Whether each lasting time either stayed or began anew one period after it had begun before.
inline bool lasting_times_agree(const Checkpoint& then, const Checkpoint& now) {
  for (std::size_t i = 0; i < now.lasting.size(); ++i) {
    const LastingTime& before = then.lasting[i];
    const LastingTime& after = now.lasting[i];
    if (after.begun != before.begun && after.since - before.since != now.now - then.now) return false;
  }
  return true;
}

/// @param groups  that wait and are of the kinds that were placed in between, in the same order again and again
/// @return how many more times everything between two equal states can happen; 0 where some counter forbids it
inline std::int64_t periods_to_skip(const Checkpoint& then, const Checkpoint& now, std::int64_t groups) {
  if (!lasting_times_agree(then, now)) return 0;
  std::int64_t periods = kForever;
  if (now.placed > then.placed) periods = groups / (now.placed - then.placed);
  for (std::size_t i = 0; i < now.counters.size(); ++i) {
    const RunningCounter& before = then.counters[i];
    const RunningCounter& after = now.counters[i];
    if (after.value == before.value) continue;  // what it decided then it decides again
    if (after.restarts != before.restarts || after.value < before.value) return 0;
    periods = std::min(periods, (after.end - 1 - after.value) / (after.value - before.value));
  }
  return periods == kForever ? 0 : periods;
}

/// Looks for a state that comes back among those at one kind of event, by Brent's algorithm: each state is held against
/// one that was kept, and the kept one is replaced after 1, 2, 4, ... states. Most states are told apart by their
/// fingerprints; to write one down costs more.
class PeriodFinder {
 public:
  /// @param spacing  instructions from one fingerprint to the next, at least
  explicit PeriodFinder(std::int64_t spacing) : spacing_(spacing), next_look_(spacing) {}

  /// The event happens.
  void note(std::int64_t time) { round_ = time - std::exchange(latest_, time); }
  /// From the latest event but one to the latest.
  std::int64_t round() const { return round_; }
  /// Time has moved.
  void shift(std::int64_t times) { latest_ += times; }

  /// Whether the state at this event is worth a look, so that looking costs little beside the simulation.
  /// @param issued  instructions so far
  bool is_due(std::int64_t issued) const { return issued >= next_look_; }

  /// @return  whether the state with this fingerprint is to be written down: it may be the kept one, or replace it
  bool wants(Fingerprint fingerprint, std::int64_t issued) {
    next_look_ = issued + spacing_;
    fingerprint_ = fingerprint;
    ++looks_;
    return (fingerprint == kept_fingerprint_ && issued >= next_trial_) || is_to_replace(issued);
  }

  /// @param state  the one with the latest fingerprint
  /// @return       the kept state where it equals this one, else null
  const Checkpoint* find(const Checkpoint& state) {
    if (fingerprint_ != kept_fingerprint_) return nullptr;
    if (kept_.words == state.words) return &kept_;
    next_trial_ = state.issued + cost(state);
    return nullptr;
  }

  bool is_to_replace(std::int64_t issued) const { return looks_ >= replace_at_ && issued >= next_replacement_; }

  /// @param state  is exchanged for another one
  void keep(Checkpoint& state) {
    next_replacement_ = state.issued + cost(state);
    replace_at_ = 2 * looks_;
    std::swap(kept_, state);
    kept_fingerprint_ = fingerprint_;
  }

  /// What comes now is unlike what came before.
  void start_anew() {
    looks_ = 0;
    replace_at_ = 1;
  }

 private:
  /// To play so many instructions takes ten times as long as to write the state down.
  static std::int64_t cost(const Checkpoint& state) { return static_cast<std::int64_t>(state.words.size()); }

  std::int64_t spacing_, next_look_;
  std::int64_t next_trial_ = 0, next_replacement_ = 0;
  std::int64_t latest_ = 0, round_ = 0;
  Checkpoint kept_;
  Fingerprint fingerprint_, kept_fingerprint_;  ///< of the latest state, of the kept one
  std::uint64_t looks_ = 0, replace_at_ = 1;
};

}  // namespace warpipe
