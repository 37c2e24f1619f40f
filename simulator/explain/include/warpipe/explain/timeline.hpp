#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/explain/trace.hpp"

/// The states of warps, cycle by cycle.

namespace warpipe {

/// One execution of an instruction.
struct TimelineRow {
  std::int64_t group = 0;                    ///< its age
  std::size_t unit = 0, slot = 0, warp = 0;  ///< warp of its group
  std::string id, op;
  std::vector<StallInterval> waits;  ///< before it issues, see waits_of
  std::vector<std::string> causes;   ///< of each: an instruction's id, a pipeline's name, or empty
  Ticks issue, end;
  bool is_barrier = false;
};

struct Timeline {
  std::string kernel, device;
  std::string shown;  ///< groups and warps, see shown_ranges
  std::int64_t units = 1;
  Ticks from, to;
  Ticks cycles;                   ///< of the whole run
  std::vector<TimelineRow> rows;  ///< warp by warp, each in order
  std::size_t left_out = 0;       ///< executions of the window without a row
};

/// The window to record for a timeline: the window asked for, with a limit on its executions.
/// @param asked  empty: the first warps of the first group, from its start on
Window window_of_timeline(const std::optional<Window>& asked);

/// The first executions of a recording of this window, as many as a person reads at once.
Timeline timeline(const Trace& recorded);

}  // namespace warpipe
