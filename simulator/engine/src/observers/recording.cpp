#include "warpipe/engine/recording.hpp"

#include "core/layout.hpp"

namespace warpipe {
namespace {

/// Adds a stretch unless it is empty, and moves `from` to its end.
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

std::vector<StallInterval> waits_of(const Execution& execution) {
  std::vector<StallInterval> stretches;
  Ticks from = execution.idle;
  add_stretch(stretches, Stall::Interval, from, execution.earliest);
  if (execution.for_signal) add_stretch(stretches, Stall::Barrier, from, execution.ready);
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
  const Layout layout(program);
  return {layout.unit_of(warp_slot), layout.slot_of_unit(layout.group_slot_of(warp_slot)),
          layout.warp_of_group(warp_slot), layout.scheduler_of(warp_slot) % layout.schedulers_per_unit};
}

const InstructionStream& stream_of(const Program& program, const Execution& execution) {
  const GroupKind& kind = program.kinds[program.order.kind_of(execution.group)];
  return program.streams[kind[execution.warp_slot % kind.size()]];
}

Range stages_of(const InstructionStream& stream, const Execution& execution) {
  if (execution.service != kNoService) return stream.services[execution.service].stages;
  return stream.steps[execution.step].stages;
}

}  // namespace warpipe
