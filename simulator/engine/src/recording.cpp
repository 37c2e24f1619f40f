#include "warpipe/engine/recording.hpp"

#include <algorithm>

#include "recorder.hpp"
#include "run_policy.hpp"

namespace warpipe {
namespace {

/// A stretch that lasts for some time.
void add_stretch(std::vector<StallInterval>& stretches, Stall stall, Ticks& from, Ticks to) {
  if (to <= from) return;
  stretches.push_back({stall, from, to});
  from = to;
}

Stall stall_of(Hold hold) {
  if (hold == Hold::Pipeline) return Stall::Pipeline;
  return hold == Hold::Backlog ? Stall::Backlog : Stall::Scheduler;
}

}  // namespace

Recording record(const Program& program, const Window& window) {
  Recorder recorder(program, window);
  try {
    run_policy(program, recorder, false);
  } catch (const HeardEnough&) {
    // All that the window wants has been heard.
  }
  return recorder.recording();
}

std::vector<StallInterval> waits_of(const Execution& execution) {
  std::vector<StallInterval> stretches;
  Ticks from = execution.idle;
  add_stretch(stretches, Stall::Interval, from, execution.earliest);
  if (execution.last_wait != kNoWait) add_stretch(stretches, Stall::Result, from, execution.ready);
  add_stretch(stretches, stall_of(execution.hold), from, execution.issue);
  return stretches;
}

std::vector<StallInterval> intervals_from_issue(const Execution& execution, const Step& step) {
  std::vector<StallInterval> stretches{{Stall::Issuing, execution.issue, execution.held}};
  Ticks from = execution.held;
  if (step.barrier) add_stretch(stretches, Stall::Barrier, from, execution.completion);
  add_stretch(stretches, Stall::Drain, from, execution.drained);
  return stretches;
}

WarpSlot warp_slot_of(const Program& program, std::size_t warp_slot) {
  const std::size_t warps = warps_per_group(program);
  const std::size_t warp_slots_per_unit = warps * static_cast<std::size_t>(program.machine.group_slots);
  const auto schedulers = static_cast<std::size_t>(std::max<std::int64_t>(program.machine.schedulers, 1));
  const std::size_t index = warp_slot % warp_slots_per_unit;
  return {warp_slot / warp_slots_per_unit, index / warps, index % warps, index % schedulers};
}

const InstructionStream& stream_of(const Program& program, const Execution& execution) {
  const GroupKind& kind = program.kinds[program.order.kind_of(execution.group)];
  return program.streams[kind[execution.warp_slot % kind.size()]];
}

}  // namespace warpipe
