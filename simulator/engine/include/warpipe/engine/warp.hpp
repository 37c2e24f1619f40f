#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"

namespace warpipe {

struct WarpQueue;

/// How often a loop has gone round, and how often it began anew.
struct LoopCounter {
  std::int64_t trips_done = 0;
  std::int64_t restarts = 0;

  void restart() {
    trips_done = 0;
    ++restarts;
  }
};

/// A warp slot for a warp, and the warp in it.
struct alignas(64) Warp {
  const Step* step = nullptr;  ///< the next one; null where it has ended, and where nobody has been placed yet
  std::int64_t ready = 0;      ///< when its operands and its predecessor let it issue; milli-cycles
  std::int64_t order = 0;      ///< age of its group x warps per group + warp: the oldest is smallest
  WarpQueue* queue = nullptr;  ///< that it waits in to issue; null where it waits at a barrier
  Warp* next = nullptr;        ///< in the queue, behind it
  Warp* previous = nullptr;
  std::int64_t* cells = nullptr;  ///< its part of the scoreboard
  std::int64_t end = 0;           ///< the latest end of its instructions so far
  std::int64_t last_issue = 0;

  const InstructionStream* stream = nullptr;
  const Step* behind_last = nullptr;  ///< of the stream
  LoopCounter* counters = nullptr;
  std::uint32_t group = 0;  ///< its warp slot's slot, over all units
  std::uint32_t unit = 0;
  std::uint32_t chooser = 0;          ///< its warp slot's, over all units
  std::uint32_t chooser_of_unit = 0;  ///< the same, within its unit
  std::uint32_t index = 0;            ///< slot x warps per group + warp

  bool has_ended() const { return step == nullptr; }

  void run_stream(const InstructionStream& its) {
    stream = &its;
    behind_last = its.steps.data() + its.steps.size();
  }
};

}  // namespace warpipe
