#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "warpipe/engine/time.hpp"

/// Leaping over periods of a steady state, exactly.
///
/// What happens next depends on the state relative to now: where each warp stands, how far ahead the times lie at
/// which operands, pipelines and schedulers are ready, who is older than whom; and on counters that only matter when
/// they reach their end: the trips that loops have left, the groups that wait. When the relative state comes back, with
/// some counters advanced, everything since then happens again, with the counters advanced by as much, as long as none
/// reaches its end. So whole periods can be skipped at once: all times move, all counters advance.
///
/// A part of the state shows itself to a visitor:
///   time(t, late)       a time that matters only while it lies ahead of now, or less than `late` behind
///   time_since_ever(t)  a time that matters however long ago it was
///   order(n)            an order of warps, which counts placed groups
///   exact(n)            anything that must be the same
///
/// What a listener keeps adds two kinds. A tally is a sum that each period adds the same to. A lasting time is since
/// when something has been so, however long: in a period it either stays or begins anew, and then it moves with the
/// period.

namespace warpipe {

/// A list of words that keeps its memory, and whose end is cheap to append to.
class Words {
 public:
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  void push_back(std::int64_t word) {
    if (size_ == memory_.size()) [[unlikely]]
      memory_.resize(2 * size_ + 256);
    memory_[size_++] = word;
  }
  friend bool operator==(const Words& a, const Words& b) {
    return a.size_ == b.size_ && std::equal(a.memory_.data(), a.memory_.data() + a.size_, b.memory_.data());
  }

 private:
  std::vector<std::int64_t> memory_;
  std::size_t size_ = 0;
};

/// The state relative to now, in words: equal words, equal future.
class RelativeState {
 public:
  /// @param words        where they go
  /// @param now          nothing happens before it any more
  /// @param first_order  the order of the next warp that is placed
  RelativeState(Words& words, std::int64_t now, std::int64_t first_order)
      : words_(words), now_(now), first_order_(first_order) {
    words_.clear();
  }

  void time(std::int64_t time, std::int64_t late = 0) { exact(std::max(time, now_ - late) - now_); }
  void time_since_ever(std::int64_t time) { exact(time - now_); }
  void order(std::int64_t order) { exact(order - first_order_); }
  void exact(std::int64_t word) { words_.push_back(word); }

 private:
  Words& words_;
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

/// @return how many more times everything between two equal states can happen; 0 where some counter forbids it
inline std::int64_t periods_to_skip(const Checkpoint& then, const Checkpoint& now, std::int64_t groups_left) {
  if (!lasting_times_agree(then, now)) return 0;
  std::int64_t periods = kForever;
  if (now.placed > then.placed) periods = groups_left / (now.placed - then.placed);
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
/// one that was kept, and the kept one is replaced after 1, 2, 4, ... states.
class PeriodFinder {
 public:
  /// @param instructions_a_word  issued from one look to the next, at least, for each word of the state
  /// @param words                of the state, about
  PeriodFinder(std::int64_t instructions_a_word, std::size_t words)
      : instructions_a_word_(instructions_a_word), next_look_(instructions_a_word * static_cast<std::int64_t>(words)) {}

  /// Whether the state at this event is worth a look, so that looking costs little beside the simulation.
  /// @param issued  instructions so far
  bool is_due(std::int64_t issued) const { return issued >= next_look_; }

  /// @param state  now; may be exchanged for another one
  /// @return       the kept state where it equals this one, else null
  const Checkpoint* look(Checkpoint& state) {
    next_look_ = state.issued + static_cast<std::int64_t>(state.words.size()) * instructions_a_word_;
    if (kept_.words.size() > 0 && kept_.words == state.words) return &kept_;
    if (++looks_ >= replace_at_) {
      replace_at_ *= 2;
      std::swap(kept_, state);
    }
    return nullptr;
  }

 private:
  std::int64_t instructions_a_word_;
  Checkpoint kept_;
  std::int64_t next_look_;
  std::uint64_t looks_ = 0, replace_at_ = 1;
};

}  // namespace warpipe
