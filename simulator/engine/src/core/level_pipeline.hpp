#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/time.hpp"
#include "warpipe/engine/program.hpp"

namespace warpipe {

/// isqrt(a x a + b x b), for a and b >= 0.
/// @throws ModelError where it does not fit 64 bits
std::int64_t root_of_squares(std::int64_t a, std::int64_t b);

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

  void keep(const Access& access);

  std::vector<Access> in_flight_;    ///< a heap, the first release at the front
  std::int64_t in_flight_time_ = 0;  ///< the sum of their lambdas
};

}  // namespace warpipe
