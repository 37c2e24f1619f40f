#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rotation.hpp"
#include "core/time.hpp"
#include "core/warp.hpp"
#include "warpipe/engine/program.hpp"

/// Rule 3: a warp runs its stream in program order, and each instruction waits for the completions of its producers.
/// The scoreboard keeps, for each warp, the completions still needed by later instructions, and the trips made of each
/// loop.

namespace warpipe {

/// The memory for the completion times and loop counters of all resident warps, an equal share for each.
class Scoreboard {
 public:
  Scoreboard(std::size_t warps, const std::vector<InstructionStream>& streams) {
    for (const InstructionStream& stream : streams) {
      cells_per_warp_ = std::max<std::size_t>(cells_per_warp_, stream.cells);
      counters_per_warp_ = std::max<std::size_t>(counters_per_warp_, stream.trips.size());
    }
    cells_.resize(warps * cells_per_warp_);
    counters_.resize(warps * counters_per_warp_);
  }

  std::int64_t* cells(std::size_t warp) { return cells_.data() + warp * cells_per_warp_; }
  LoopCounter* counters(std::size_t warp) { return counters_.data() + warp * counters_per_warp_; }

  std::size_t cells_per_warp() const { return cells_per_warp_; }
  std::size_t counters_per_warp() const { return counters_per_warp_; }

 private:
  std::size_t cells_per_warp_ = 0, counters_per_warp_ = 0;
  std::vector<std::int64_t> cells_;
  std::vector<LoopCounter> counters_;
};

/// Begins the stream of a warp with its order set: no step has executed, no trip has been made.
inline void start(Warp& warp) {
  const InstructionStream& stream = *warp.stream;
  std::fill_n(warp.cells, stream.cells, kNever);
  for (std::size_t i = 0; i < stream.trips.size(); ++i) warp.counters[i].restart();
  for (const Step& step : stream.steps)
    if (step.score.depth > 1) warp.cells[step.score.cell] = 0;
  start_rotations(warp);
  warp.step = stream.steps.data();
}

/// The cell for the next execution of an awaited producer; a ring moves on.
[[gnu::always_inline]] inline std::int64_t* next_cell(std::int64_t* cells, ScoreboardEntry producer) {
  std::int64_t* cell = cells + producer.cell;
  if (producer.depth > 1) {
    std::int64_t& position = *cell;
    cell += 1 + position;
    if (++position == producer.depth) position = 0;
  }
  return cell;
}

/// The cell of the execution awaited by a consumer.
[[gnu::always_inline]] inline const std::int64_t* awaited_cell(const std::int64_t* cells, const Wait& wait) {
  const std::int64_t* cell = cells + wait.producer.cell;
  if (wait.producer.depth > 1) {
    const std::int64_t position = *cell - wait.back;
    cell += 1 + (position >= 0 ? position : position + wait.producer.depth);
  }
  return cell;
}

/// Keeps the completion of a producer's execution, if a consumer waits for it.
[[gnu::always_inline]] inline void keep_completion(Warp& warp, ScoreboardEntry producer, std::int64_t completion) {
  if (producer.depth == 0) return;
  *next_cell(warp.cells, producer) = completion;
}

/// The completion of the execution awaited by a consumer, adjusted for this consumer; before every event if there was
/// no such execution.
[[gnu::always_inline]] inline std::int64_t awaited_completion(const std::int64_t* cells, const Wait& wait) {
  return *awaited_cell(cells, wait) + wait.adjust.count;
}

/// The time at which a warp has all operands of its next step.
/// @param earliest  a lower limit of the result
[[gnu::always_inline]] inline std::int64_t operands_ready(const Warp& warp, std::int64_t earliest) {
  const Range waits = warp.step->waits;
  const Wait* wait = warp.stream->waits.data() + waits.begin;
  std::int64_t ready = earliest;
  for (std::uint32_t left = waits.end - waits.begin; left > 0; --left)
    ready = std::max(ready, awaited_completion(warp.cells, *wait++));
  return ready;
}

/// The last operand to come, for a warp waiting for operands: an index into InstructionStream::waits, the first of
/// equals.
inline std::uint32_t last_wait(const Warp& warp) {
  std::uint32_t i = warp.step->waits.begin;
  while (awaited_completion(warp.cells, warp.stream->waits[i]) != warp.ready) ++i;
  return i;
}

/// The step behind a step with loop ends: the start of a loop with trips left, else the following step.
[[gnu::always_inline]] inline const Step* step_after_loops(Warp& warp, const Step& step) {
  const LoopEnd* loop = warp.stream->loop_ends.data() + step.loop_ends.begin;
  const LoopEnd* const behind_last = warp.stream->loop_ends.data() + step.loop_ends.end;
  for (; loop != behind_last; ++loop) {
    LoopCounter& counter = warp.counters[loop->counter];
    if (++counter.trips_done < loop->trips) return warp.stream->steps.data() + loop->first;
    counter.restart();
  }
  return &step + 1;
}

/// Passes the completion times of a warp to a visitor of the state (fast/state_visitors.hpp); a ring from its latest
/// entry on.
/// @param producers  the steps of its stream with kept completions
template <class Visitor>
void visit_completions(Warp& warp, const std::vector<std::uint32_t>& producers, Visitor& visitor) {
  const InstructionStream& stream = *warp.stream;
  for (const std::uint32_t i : producers) {
    const ScoreboardEntry score = stream.steps[i].score;
    const std::int64_t late = stream.longest_adjusts[i].count;
    std::int64_t* cell = warp.cells + score.cell;
    if (score.depth == 1) {
      visitor.time(*cell, late);
      continue;
    }
    const auto position = static_cast<std::uint32_t>(*cell);
    for (std::uint32_t back = 1; back <= score.depth; ++back)
      visitor.time(cell[1 + (position + score.depth - back) % score.depth], late);
  }
}

}  // namespace warpipe
