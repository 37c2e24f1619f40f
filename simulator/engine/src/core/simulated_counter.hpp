#pragma once

#include <cstdint>

#include "warpipe/engine/simulated.hpp"

namespace warpipe {

/// Adds what a run has issued to simulated_so_far(), and ends the run where it is to stop: both seldom, so that it
/// costs the run nothing.
class SimulatedCounter {
 public:
  /// To be called often with what the run has issued, skipped instructions included, and how many of these it skipped.
  /// @throws Stopped where the run is to end
  void note(std::int64_t issued, std::int64_t skipped) {
    if (issued >= next_) [[unlikely]]
      note_step(issued, skipped);
  }
  /// To be called at the end of a run.
  void add(std::int64_t issued, std::int64_t skipped);

 private:
  void note_step(std::int64_t issued, std::int64_t skipped);

  static constexpr std::int64_t kStep = 1 << 18;
  std::int64_t next_ = kStep;
  SimulatedInstructions added_;
};

}  // namespace warpipe
