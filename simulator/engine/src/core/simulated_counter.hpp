#pragma once

#include <cstdint>

#include "warpipe/engine/simulated.hpp"

namespace warpipe {

/// Adds what a run has issued to simulated_so_far(), and ends the run where it is to stop: both seldom, so that it
/// costs the run nothing.
class SimulatedCounter {
 public:
  /// @param most  instructions that the run may simulate one by one
  explicit SimulatedCounter(std::int64_t most = INT64_MAX) : most_(most) {}

  /// To be called often with what the run has issued, skipped instructions included, and how many of these it skipped.
  /// @throws Stopped where the run is to end
  void note(std::int64_t issued, std::int64_t skipped) {
    if (issued >= next_) [[unlikely]]
      note_step(issued, skipped);
  }
  /// To be called at the end of a run.
  void add(std::int64_t issued, std::int64_t skipped);
  /// Whether the run has simulated more than it may.
  bool is_over() const { return is_over_; }

 private:
  void note_step(std::int64_t issued, std::int64_t skipped);

  static constexpr std::int64_t kStep = 1 << 18;
  std::int64_t most_, next_ = kStep;
  bool is_over_ = false;
  SimulatedInstructions added_;
};

}  // namespace warpipe
