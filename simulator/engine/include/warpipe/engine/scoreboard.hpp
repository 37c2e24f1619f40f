#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpipe/engine/program.hpp"
#include "warpipe/engine/time.hpp"

namespace warpipe {

/// The completion times and loop counters of all resident warps, an equal share for each.
class Scoreboard {
 public:
  Scoreboard(std::size_t warps, const std::vector<Stream>& streams) {
    for (const Stream& stream : streams) {
      cells_a_warp_ = std::max<std::size_t>(cells_a_warp_, stream.cells);
      counters_a_warp_ = std::max<std::size_t>(counters_a_warp_, stream.trips.size());
    }
    cells_.resize(warps * cells_a_warp_);
    counters_.resize(warps * counters_a_warp_);
  }

  /// Nothing has run, no trip has been made.
  void clear(std::size_t warp, const Stream& stream) {
    std::fill_n(cells(warp), stream.cells, kNever);
    for (std::size_t i = 0; i < stream.trips.size(); ++i) restart(counter(warp, i));
    for (const Step& step : stream.steps)
      if (step.score.depth > 1) cells(warp)[step.score.cell] = 0;
  }

  void record(std::size_t warp, Score score, std::int64_t completion) {
    if (score.depth == 0) return;
    std::int64_t* cell = cells(warp) + score.cell;
    if (score.depth > 1) {
      std::int64_t& position = *cell;
      cell += 1 + position;
      if (++position == score.depth) position = 0;
    }
    *cell = completion;
  }

  /// When a warp has all operands of a step.
  /// @param earliest  it cannot issue before that anyway
  std::int64_t operands_ready(std::size_t warp, const Stream& stream, Range waits, std::int64_t earliest) const {
    const std::int64_t* cells = cells_.data() + warp * cells_a_warp_;
    std::int64_t ready = earliest;
    for (std::uint32_t i = waits.begin; i < waits.end; ++i) ready = std::max(ready, completion(cells, stream.waits[i]));
    return ready;
  }

  /// Goes on behind a step: back to the start of a loop with trips left, else to the step that follows.
  std::uint32_t step_after(std::size_t warp, const Stream& stream, std::uint32_t step) {
    const Range ends = stream.steps[step].loop_ends;
    for (std::uint32_t i = ends.begin; i < ends.end; ++i) {
      const LoopEnd& loop = stream.loop_ends[i];
      Counter& counted = counter(warp, loop.counter);
      if (++counted.trips_done < loop.trips) return loop.first;
      restart(counted);
    }
    return step + 1;
  }

  /// How often a loop has gone round, and how often it began anew.
  struct Counter {
    std::int64_t trips_done = 0;
    std::int64_t restarts = 0;
  };
  Counter& counter(std::size_t warp, std::size_t index) { return counters_[warp * counters_a_warp_ + index]; }

  /// Shows the completion times of a warp to a visitor, see leap.hpp; a ring from its latest entry on.
  template <class Visitor>
  void visit_times(std::size_t warp, const Stream& stream, Visitor& visitor) {
    for (std::size_t i = 0; i < stream.steps.size(); ++i) {
      const Score score = stream.steps[i].score;
      std::int64_t* cell = cells(warp) + score.cell;
      if (score.depth == 1) visitor.time(*cell, stream.longest_adjusts[i].count);
      if (score.depth <= 1) continue;
      const auto position = static_cast<std::uint32_t>(*cell);
      for (std::uint32_t back = 1; back <= score.depth; ++back)
        visitor.time(cell[1 + (position + score.depth - back) % score.depth], stream.longest_adjusts[i].count);
    }
  }

 private:
  static void restart(Counter& counter) {
    counter.trips_done = 0;
    ++counter.restarts;
  }

  std::int64_t* cells(std::size_t warp) { return cells_.data() + warp * cells_a_warp_; }

  /// The completion of the back-th most recent execution, adjusted for this consumer; before every event where there
  /// was none.
  static std::int64_t completion(const std::int64_t* cells, const Wait& wait) {
    const std::int64_t* cell = cells + wait.producer.cell;
    if (wait.producer.depth > 1) {
      const std::int64_t position = *cell - wait.back;
      cell += 1 + (position >= 0 ? position : position + wait.producer.depth);
    }
    return *cell + wait.adjust.count;
  }

  std::size_t cells_a_warp_ = 0, counters_a_warp_ = 0;
  std::vector<std::int64_t> cells_;
  std::vector<Counter> counters_;
};

}  // namespace warpipe
