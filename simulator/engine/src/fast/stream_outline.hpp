#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// The relevant parts of a warp's state at a step of its stream, however long the stream is: the awaited completions,
/// and the counters of the loops around the step. All other counters are at 0.
struct StreamOutline {
  static constexpr std::uint32_t kNoLoop = UINT32_MAX;

  explicit StreamOutline(const InstructionStream& stream);

  std::vector<std::uint32_t> producers;    ///< steps with kept completions
  std::vector<std::uint32_t> loop_at;      ///< by step, the counter of the innermost loop around it
  std::vector<std::uint32_t> loop_around;  ///< by counter, the counter of the next loop around its own
};

}  // namespace warpipe
