#pragma once

#include <cstdint>

#include "warpipe/engine/run.hpp"

namespace warpipe {

/// Warp instructions that all runs of this process have dealt with so far, so that somebody can tell how far long work
/// is. No part of any result.
struct SimulatedInstructions {
  std::int64_t issued = 0;   ///< one by one
  std::int64_t skipped = 0;  ///< leapt over, or of units that do the same as a played one
};

/// From any thread at any time; up to a quarter of a million instructions of each run under way are missing.
SimulatedInstructions simulated_so_far();

/// How many units run() plays one by one, as far as can be told before: fewer than there are where some do the same.
std::int64_t units_to_simulate(const Program& program, Skipping leap);

/// Adds what a run has done. Seldom, so that it costs a run nothing.
class SimulatedCounter {
 public:
  /// To be called often with what the run has issued, skipped ones included, and what of it was skipped.
  void note(std::int64_t issued, std::int64_t skipped) {
    if (issued >= next_) [[unlikely]]
      add(issued, skipped);
  }
  /// To be called at the end of a run.
  void add(std::int64_t issued, std::int64_t skipped);

 private:
  static constexpr std::int64_t kStep = 1 << 18;
  std::int64_t next_ = kStep;
  SimulatedInstructions told_;
};

}  // namespace warpipe
