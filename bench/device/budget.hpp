#pragma once

#include <chrono>

namespace measure {

/// The time limit of a part, in seconds. It is checked before each point, so a part ends at most a point late.
class Budget {
 public:
  explicit Budget(double seconds)
      : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}
  bool is_spent() const { return Clock::now() >= end_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_;
};

}  // namespace measure
