#include "warpipe/explain/timeline.hpp"

#include <algorithm>
#include <tuple>

namespace warpipe {
namespace {

constexpr std::size_t kMostRows = 60;
constexpr std::size_t kMostExecutions = 100'000;  // of a window asked for

/// As many executions as a person reads at once.
Window first_warps() {
  Window window;
  window.last_group = 0;
  window.last_warp = 1;
  window.most_executions = 32;
  return window;
}

TimelineRow row_of(const Trace& trace, const Execution& execution) {
  const WarpSlot place = warp_slot_of(trace.launch.program, execution.warp_slot);
  const Instruction& instruction = instruction_of(trace, execution);
  TimelineRow row;
  row.group = execution.group;
  row.unit = place.unit;
  row.slot = place.slot;
  row.warp = place.warp;
  row.id = instruction.id;
  row.op = instruction.op;
  row.waits = waits_of(execution);
  for (const StallInterval& wait : row.waits) row.causes.push_back(cause_of(trace, execution, wait.stall));
  row.issue = execution.issue;
  row.end = execution.end;
  row.is_barrier = step_of(trace, execution).barrier;
  return row;
}

/// Orders executions warp by warp; within a warp they are in order already.
std::vector<std::size_t> by_warp(const Recording& recording) {
  std::vector<std::size_t> order(recording.executions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const Execution& execution = recording.executions[i];
    return std::tuple(execution.group, execution.warp_slot);
  });
  return order;
}

}  // namespace

Window window_of_timeline(const std::optional<Window>& asked) {
  Window window = asked.value_or(first_warps());
  window.most_executions = std::min(window.most_executions, kMostExecutions);
  return window;
}

Timeline timeline(const Trace& recorded) {
  const auto& [launch, recording, cycles] = recorded;
  Timeline timeline;
  timeline.kernel = launch.kernel.name;
  timeline.device = launch.device.name;
  timeline.shown = shown_ranges(recorded);
  timeline.units = launch.program.machine.units;
  timeline.cycles = cycles;
  for (const std::size_t i : by_warp(recording)) {
    if (timeline.rows.size() == kMostRows) break;
    timeline.rows.push_back(row_of(recorded, recording.executions[i]));
  }
  timeline.left_out = recording.executions.size() - timeline.rows.size();
  const Span span = span_of(recorded);
  timeline.from = span.from;
  timeline.to = span.from;
  for (const TimelineRow& row : timeline.rows) timeline.to = std::max(timeline.to, row.end);
  timeline.to = std::min(timeline.to, recording.is_cut ? cycles : recording.window.to);
  return timeline;
}

}  // namespace warpipe
