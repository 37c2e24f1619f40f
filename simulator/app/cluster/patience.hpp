#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace warpipe::app {

/// Waits between two looks for a message: the longer none has come, the longer, so that a waiting thread leaves its
/// core to working threads. MPI's own waiting would keep the core busy.
class Patience {
 public:
  void wait() {
    std::this_thread::sleep_for(next_);
    next_ = std::min(2 * next_, kLongest);
  }
  /// A message has come: more may follow soon.
  void reset() { next_ = kShortest; }

 private:
  static constexpr std::chrono::microseconds kShortest{20}, kLongest{1000};
  std::chrono::microseconds next_ = kShortest;
};

}  // namespace warpipe::app
