#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// isqrt(a x a + b x b), for a and b >= 0.
/// @throws ModelError where it does not fit 64 bits
std::int64_t root_of_squares(std::int64_t a, std::int64_t b);

/// floor(time x waits / latency), 0 where there is no latency.
/// @throws ModelError where it does not fit 64 bits
inline std::int64_t share_of(std::int64_t time, std::int64_t waits, std::int64_t latency) {
  if (time == 0 || latency == 0) return 0;
  if (waits == latency) return time;
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(time, waits, &product)) return product / latency;
  return narrow_time(static_cast<WideTicks>(time) * waits / latency);
}

/// By how much later an access is done than on an idle device.
struct LevelDelay {
  std::int64_t time = 0;
  bool is_late = false;  ///< all of it for those that have the pipeline before
};

/// An instance of the pipeline of a memory level, and what is in flight there (rule 5): the more there is, the longer
/// each access takes.
class LevelPipeline {
 public:
  /// @param free  when the pipeline is free behind the access
  /// @throws ModelError where a time does not fit 64 bits
  LevelDelay add(std::int64_t arrival, std::int64_t free, const Stage& access, std::int64_t latency);

  /// What is released by then has no effect any more on arrivals from then on.
  void retire(std::int64_t time);

  /// Passes the state to a visitor (fast/state_visitors.hpp).
  template <class Visitor>
  void visit(Visitor& visitor) {
    visitor.value(static_cast<std::int64_t>(accesses_.size() - first_));
    for (std::size_t i = first_; i < accesses_.size(); ++i) {
      visitor.time(accesses_[i].release);
      visitor.value(accesses_[i].issue);
    }
  }

 private:
  struct Access {
    std::int64_t release, issue;
    friend auto operator<=>(const Access&, const Access&) = default;
  };

  void keep(const Access& access);
  /// The latency with what is in flight.
  std::int64_t loaded_latency(std::int64_t latency);

  std::vector<Access> accesses_;         ///< in flight from first_ on, sorted
  std::size_t first_ = 0;                ///< those before have left
  std::int64_t in_flight_ = 0;           ///< the sum of the lambdas of those in flight
  std::int64_t known_for_ = 0;           ///< in_flight_ when the loaded latency was last computed,
  std::int64_t known_latency_ = kNever;  ///< and what it was
};

inline LevelDelay LevelPipeline::add(std::int64_t arrival, std::int64_t free, const Stage& access,
                                     std::int64_t latency) {
  retire(arrival);
  const std::int64_t loaded = loaded_latency(latency);
  const std::int64_t late = std::max<std::int64_t>(free - arrival - latency, 0);
  keep({time_sum(arrival, std::max(loaded, time_sum(latency, late))), access.issue.count});
  if (access.waits.count == 0) return {};
  const std::int64_t slower = share_of(loaded - latency, access.waits.count, latency);
  return {std::max(slower, late), late > 0 && late >= slower};
}

inline std::int64_t LevelPipeline::loaded_latency(std::int64_t latency) {
  if (in_flight_ != known_for_ || known_latency_ == kNever) {  // in a steady state it is the same again and again
    known_for_ = in_flight_;
    known_latency_ = root_of_squares(latency, in_flight_);
  }
  return known_latency_;
}

inline void LevelPipeline::retire(std::int64_t time) {
  while (first_ < accesses_.size() && accesses_[first_].release <= time) in_flight_ -= accesses_[first_++].issue;
}

/// Searches from the end: an access is mostly released behind those before it.
inline void LevelPipeline::keep(const Access& access) {
  if (access.issue == 0) return;  // slows nothing
  in_flight_ = time_sum(in_flight_, access.issue);
  if (accesses_.size() == accesses_.capacity() && first_ > accesses_.size() / 2) {
    accesses_.erase(accesses_.begin(), accesses_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  std::size_t at = accesses_.size();
  accesses_.push_back(access);
  for (; at > first_ && access < accesses_[at - 1]; --at) accesses_[at] = accesses_[at - 1];
  accesses_[at] = access;
}

}  // namespace warpipe
