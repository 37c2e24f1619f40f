#pragma once

#include <cstdint>

#include "warpipe/engine/program.hpp"

namespace warpipe {

struct IssueQueue;

/// The trips of a loop made by a warp since it entered the loop, and the number of restarts.
struct LoopCounter {
  std::int64_t trips_done = 0;
  std::int64_t restarts = 0;

  void restart() {
    trips_done = 0;
    ++restarts;
  }
};

/// A warp slot of a unit, and the warp in it, which runs its instructions in program order (rule 3).
struct alignas(64) Warp {
  const Step* step = nullptr;   ///< the next; null for an ended warp, and before the first placement
  std::int64_t ready = 0;       ///< when its operands and its predecessor let the step issue; milli-cycles
  std::int64_t order = 0;       ///< age of its group x warps per group + warp: the oldest is smallest
  IssueQueue* queue = nullptr;  ///< its issue queue; null while it waits at a barrier
  Warp* next = nullptr;         ///< in the queue, behind it
  Warp* previous = nullptr;
  std::int64_t* cells = nullptr;  ///< its part of the scoreboard
  std::int64_t end = 0;           ///< the latest end of its instructions so far
  std::int64_t last_issue = 0;

  const InstructionStream* stream = nullptr;
  const Step* behind_last = nullptr;  ///< of the stream
  LoopCounter* counters = nullptr;
  std::uint32_t group_slot = 0;  ///< of its warp slot; this and the next three are as in Layout
  std::uint32_t unit = 0;
  std::uint32_t scheduler = 0;
  std::uint32_t index = 0;  ///< of its warp slot on the unit

  bool has_ended() const { return step == nullptr; }

  void run_stream(const InstructionStream& its) {
    stream = &its;
    behind_last = its.steps.data() + its.steps.size();
  }
};

}  // namespace warpipe
