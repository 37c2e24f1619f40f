#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/time.hpp"
#include "warpipe/engine/warp.hpp"

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

 private:
  std::size_t cells_per_warp_ = 0, counters_per_warp_ = 0;
  std::vector<std::int64_t> cells_;
  std::vector<LoopCounter> counters_;
};

/// Begins a warp's stream: nothing has run, no trip has been made.
inline void start(Warp& warp) {
  const InstructionStream& stream = *warp.stream;
  std::fill_n(warp.cells, stream.cells, kNever);
  for (std::size_t i = 0; i < stream.trips.size(); ++i) warp.counters[i].restart();
  for (const Step& step : stream.steps)
    if (step.score.depth > 1) warp.cells[step.score.cell] = 0;
  warp.step = stream.steps.data();
}

/// Notes when an execution of a producer completes.
[[gnu::always_inline]] inline void record(Warp& warp, ScoreboardEntry score, std::int64_t completion) {
  if (score.depth == 0) return;
  std::int64_t* cell = warp.cells + score.cell;
  if (score.depth > 1) {
    std::int64_t& position = *cell;
    cell += 1 + position;
    if (++position == score.depth) position = 0;
  }
  *cell = completion;
}

/// The completion of the execution that somebody waits for, adjusted for this consumer; before every event where there
/// was none.
[[gnu::always_inline]] inline std::int64_t completion(const std::int64_t* cells, const Wait& wait) {
  const std::int64_t* cell = cells + wait.producer.cell;
  if (wait.producer.depth > 1) {
    const std::int64_t position = *cell - wait.back;
    cell += 1 + (position >= 0 ? position : position + wait.producer.depth);
  }
  return *cell + wait.adjust.count;
}

/// When a warp has all operands of its next step.
/// @param earliest  it cannot issue before that anyway
[[gnu::always_inline]] inline std::int64_t operands_ready(const Warp& warp, std::int64_t earliest) {
  const Range waits = warp.step->waits;
  const Wait* wait = warp.stream->waits.data() + waits.begin;
  std::int64_t ready = earliest;
  for (std::uint32_t left = waits.end - waits.begin; left > 0; --left)
    ready = std::max(ready, completion(warp.cells, *wait++));
  return ready;
}

/// For what a warp waits last that waits for operands: an index into InstructionStream::waits, the first of equals.
inline std::uint32_t last_wait(const Warp& warp) {
  std::uint32_t i = warp.step->waits.begin;
  while (completion(warp.cells, warp.stream->waits[i]) != warp.ready) ++i;
  return i;
}

/// Goes on behind a step at which loops end: back to the start of one with trips left, else to the step that follows.
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

/// Shows the completion times of a warp to a visitor, see leap.hpp; a ring from its latest entry on.
template <class Visitor>
void visit_completions(Warp& warp, Visitor& visitor) {
  const InstructionStream& stream = *warp.stream;
  for (std::size_t i = 0; i < stream.steps.size(); ++i) {
    const ScoreboardEntry score = stream.steps[i].score;
    const std::int64_t late = stream.longest_adjusts[i].count;
    std::int64_t* cell = warp.cells + score.cell;
    if (score.depth == 1) visitor.time(*cell, late);
    if (score.depth <= 1) continue;
    const auto position = static_cast<std::uint32_t>(*cell);
    for (std::uint32_t back = 1; back <= score.depth; ++back)
      visitor.time(cell[1 + (position + score.depth - back) % score.depth], late);
  }
}

}  // namespace warpipe
