#pragma once

#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"

namespace warpipe {

/// What holds an instruction back besides its own warp: its pipeline, and the backlog of the pipelines behind it.
/// Steps with the same gate, on the same scheduler, become free to issue at the same moment, so they queue together.
struct Gate {
  struct Backlog {
    std::uint32_t pipeline = 0;
    std::int64_t slack = 0;  ///< may issue that long before the pipeline is free: backlog + after; milli-cycles
    friend auto operator<=>(const Backlog&, const Backlog&) = default;
  };
  std::uint32_t pipeline = 0;
  std::vector<Backlog> backlogs;
  friend auto operator<=>(const Gate&, const Gate&) = default;
};

/// The different gates of a program, and each step's.
struct Gates {
  std::vector<Gate> gates;
  std::vector<std::vector<std::uint32_t>> of_step;  ///< by stream, by step
};

/// @throws ModelError where a time does not fit 64 bits
Gates find_gates(const Program& program);

}  // namespace warpipe
