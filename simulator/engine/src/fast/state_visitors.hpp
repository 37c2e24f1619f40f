#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "core/warp.hpp"
#include "warpipe/idg/units.hpp"

/// Visitors that compare the state of the engine and of its observers with an earlier state, or move it into the
/// future, for steady-state skipping (steady_state.hpp). Each component passes every part of its state to a visitor:
///
///   time(t, late)        a time that matters only while ahead of now, or less than `late` behind
///   absolute_time(t)     a time whose age always matters
///   order(n)             an order of warps, which counts placed groups
///   value(n)             a number that must be the same
///   counter(c, trips)    a loop counter, running on until it reaches its trips
///
/// and, for observers only:
///
///   open_interval(i)     an interval before its end: over a period its start either stays fixed or is reset,
///                        and then it moves with the period
///   accumulator(sum)     a sum growing by the same amount in each period

namespace warpipe {

/// The description of a state in integers. Appending is cheap, and cleared memory is used again.
class StateWords {
 public:
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  [[gnu::always_inline]] void append(std::int64_t word) {
    if (size_ == memory_.size()) [[unlikely]]
      grow();
    memory_[size_++] = word;
  }
  friend bool operator==(const StateWords& a, const StateWords& b) {
    return a.size_ == b.size_ && std::equal(a.memory_.data(), a.memory_.data() + a.size_, b.memory_.data());
  }

 private:
  [[gnu::noinline]] void grow() { memory_.resize(2 * size_ + 256); }

  std::vector<std::int64_t> memory_;
  std::size_t size_ = 0;
};

/// A hash of a state's integers: different hashes, different states.
class StateHash {
 public:
  [[gnu::always_inline]] void append(std::int64_t word) {
    hash_ = (std::rotl(hash_, 29) ^ static_cast<std::uint64_t>(word)) * kOdd;
  }
  friend bool operator==(const StateHash&, const StateHash&) = default;

 private:
  static constexpr std::uint64_t kOdd = 0x9E37'79B9'7F4A'7C15;  // 2^64 / golden ratio
  std::uint64_t hash_ = 0;
};

/// An interval before its end: its start, and its number of resets.
struct OpenInterval {
  std::int64_t since = 0;
  std::int64_t resets = 0;

  void reset(std::int64_t time) {
    since = time;
    ++resets;
  }
};

/// A state at a possible begin or end of a period.
struct Checkpoint {
  struct Counter {
    std::int64_t value = 0;
    std::int64_t restarts = 0;  ///< a restarted counter has not just run on
    std::int64_t end = 0;       ///< the first value out of its reach
  };
  std::int64_t now = 0, issued = 0, placed = 0;
  std::int64_t work = 0;  ///< simulated individually or skipped: instructions, and groups without any
  StateWords words;
  std::vector<Counter> counters;
  std::vector<OpenInterval> open_intervals;
  std::vector<std::int64_t> accumulators;
};

/// Visitor: writes a state relative to now. Equal output, equal future.
/// @tparam Output  StateWords or StateHash
template <class Output>
class StateSerialiser {
 public:
  /// @param now          no event comes before it any more
  /// @param first_order  the order of the next placed warp
  StateSerialiser(Output& output, std::int64_t now, std::int64_t first_order)
      : output_(output), now_(now), first_order_(first_order) {}

  [[gnu::always_inline]] void time(std::int64_t time, std::int64_t late = 0) {
    value(std::max(time, now_ - late) - now_);
  }
  [[gnu::always_inline]] void absolute_time(std::int64_t time) { value(time - now_); }
  [[gnu::always_inline]] void order(std::int64_t order) { value(order - first_order_); }
  [[gnu::always_inline]] void value(std::int64_t value) { output_.append(value); }

 private:
  Output& output_;
  std::int64_t now_, first_order_;
};

/// Visitor: writes a checkpoint.
class CheckpointWriter : public StateSerialiser<StateWords> {
 public:
  CheckpointWriter(Checkpoint& checkpoint, std::int64_t first_order)
      : StateSerialiser(checkpoint.words, checkpoint.now, first_order), checkpoint_(checkpoint) {
    checkpoint.words.clear();
    checkpoint.counters.clear();
    checkpoint.open_intervals.clear();
    checkpoint.accumulators.clear();
  }

  void counter(const LoopCounter& counter, std::int64_t trips) {
    checkpoint_.counters.push_back({counter.trips_done, counter.restarts, trips});
  }
  void open_interval(const OpenInterval& interval) { checkpoint_.open_intervals.push_back(interval); }
  void accumulator(std::int64_t sum) { checkpoint_.accumulators.push_back(sum); }

 private:
  Checkpoint& checkpoint_;
};

/// Visitor: moves a state into the future, by a number of periods like the one between two checkpoints.
class StateShifter {
 public:
  /// @param then, now  the states at the begin and the end of the period; `now` is the visited state
  /// @param time       of all these periods
  /// @param orders     growth of the order of the warps
  StateShifter(const Checkpoint& then, const Checkpoint& now, std::int64_t periods, std::int64_t time,
               std::int64_t orders)
      : then_(then), now_(now), periods_(periods), time_(time), orders_(orders) {}

  void time(std::int64_t& time, std::int64_t = 0) { absolute_time(time); }
  void absolute_time(std::int64_t& time) {
    if (time > kNever) time = time_sum(time, time_);
  }
  void order(std::int64_t& order) { order += orders_; }
  void value(std::int64_t) {}

  void counter(LoopCounter& counter, std::int64_t) {
    const std::size_t i = counters_++;
    counter.trips_done += (now_.counters[i].value - then_.counters[i].value) * periods_;
  }
  void open_interval(OpenInterval& interval) {
    const std::size_t i = open_intervals_++;
    interval.since = continued(then_.open_intervals[i].since, now_.open_intervals[i].since);
  }
  void accumulator(std::int64_t& sum) {
    const std::size_t i = accumulators_++;
    sum = continued(then_.accumulators[i], now_.accumulators[i]);
  }

 private:
  /// @throws ModelError for a sum above 64 bits
  std::int64_t continued(std::int64_t then, std::int64_t now) const {
    return time_sum(now, checked_multiply(Ticks{now - then}, periods_).count);
  }

  const Checkpoint& then_;
  const Checkpoint& now_;
  std::int64_t periods_, time_, orders_;
  std::size_t counters_ = 0, open_intervals_ = 0, accumulators_ = 0;
};

}  // namespace warpipe
