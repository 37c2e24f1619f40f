#pragma once

#include <cstdint>

#include "warpipe/engine/simulated.hpp"

namespace warpipe {

/// Adds the issues of a run to simulated_so_far(), and ends a run to be stopped: both seldom, at no cost to the run.
class SimulatedCounter {
 public:
  /// @param most  instructions that the run may simulate individually
  void allow(std::int64_t most) {
    most_ = most;
    is_over_ = added_.issued > most_;
  }

  /// To be called often with the run's issues, skipped instructions included, and its skipped instructions.
  /// @throws Stopped if the run is to end
  void note(std::int64_t issued, std::int64_t skipped) {
    if (issued >= next_) [[unlikely]]
      note_step(issued, skipped);
  }
  /// To be called at the end of a run.
  void add(std::int64_t issued, std::int64_t skipped);
  /// Whether the run has simulated more than `most`.
  bool is_over() const { return is_over_; }

 private:
  void note_step(std::int64_t issued, std::int64_t skipped);

  static constexpr std::int64_t kStep = 1 << 18;
  std::int64_t most_ = INT64_MAX, next_ = kStep;
  bool is_over_ = false;
  SimulatedInstructions added_;
};

}  // namespace warpipe
