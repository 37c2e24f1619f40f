#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/time.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// isqrt(a x a + b x b), for a and b >= 0.
/// @throws ModelError where it does not fit 64 bits
std::int64_t root_of_squares(std::int64_t a, std::int64_t b);

/// How an instruction passes a further pipeline.
struct StagePassage {
  std::int64_t start = 0, free = 0;
  std::int64_t delay = 0;   ///< of its result
  bool waits_turn = false;  ///< the delay is all for its turn: others had the pipeline before
};

/// An instance of the pipeline of a memory level, and what is in flight there (rule 5): the more there is, the longer
/// each access takes.
class LevelPipeline {
 public:
  /// @param free  when the pipeline is free
  /// @throws ModelError where a time does not fit 64 bits
  StagePassage pass(std::int64_t arrival, std::int64_t free, const Stage& stage, std::int64_t latency) {
    retire(arrival);
    const std::int64_t loaded = root_of_squares(latency, in_flight_time_);
    const std::int64_t start = std::max(arrival, free);
    const std::int64_t end = time_sum(start, stage.issue.count);
    const std::int64_t late = std::max<std::int64_t>(end - arrival - latency, 0);
    add({time_sum(arrival, std::max(loaded, time_sum(latency, late))), stage.issue.count});
    if (stage.waits.count == 0) return {start, end};
    const std::int64_t slower = share(loaded - latency, stage.waits.count, latency);
    return {start, end, std::max(slower, late), start > arrival && late > 0 && late >= slower};
  }

  /// What is released by then has no effect any more on arrivals from then on.
  void retire(std::int64_t time) {
    while (!in_flight_.empty() && in_flight_.front().release <= time) {
      in_flight_time_ -= in_flight_.front().issue;
      std::ranges::pop_heap(in_flight_, std::ranges::greater{});
      in_flight_.pop_back();
    }
  }

  /// Passes the state to a visitor (fast/state_visitors.hpp).
  template <class Visitor>
  void visit(Visitor& visitor) {
    std::ranges::sort(in_flight_);  // sorted is a heap, too
    visitor.value(static_cast<std::int64_t>(in_flight_.size()));
    for (Access& access : in_flight_) {
      visitor.time(access.release);
      visitor.value(access.issue);
    }
  }

 private:
  struct Access {
    std::int64_t release, issue;
    friend auto operator<=>(const Access&, const Access&) = default;
  };

  void add(const Access& access) {
    if (access.issue == 0) return;  // slows nothing
    in_flight_time_ = time_sum(in_flight_time_, access.issue);
    in_flight_.push_back(access);
    std::ranges::push_heap(in_flight_, std::ranges::greater{});
  }

  /// floor(time x waits / latency), 0 where there is no latency.
  static std::int64_t share(std::int64_t time, std::int64_t waits, std::int64_t latency) {
    if (waits == latency || latency == 0) return latency == 0 ? 0 : time;
    return narrow_time(static_cast<WideTicks>(time) * waits / latency);
  }

  std::vector<Access> in_flight_;    ///< a heap, the first release at the front
  std::int64_t in_flight_time_ = 0;  ///< the sum of their lambdas
};

}  // namespace warpipe
