#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"

namespace warpipe {

struct RunResult {
  Ticks cycles;             ///< the latest end of a group, and of a stage still draining
  std::int64_t issued = 0;  ///< warp instructions
  friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// Plays a program to its end.
/// @throws ModelError where a time does not fit 64 bits
/// @complexity issued instructions x (queues of a unit + log units); memory in resident warps x cells
/// @source the simulation rules, 5 to 8
RunResult run(const Program& program);

}  // namespace warpipe
