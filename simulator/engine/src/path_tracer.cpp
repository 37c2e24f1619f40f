#include "path_tracer.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "run_policy.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {

PathTracer::PathTracer(const Program& program, const std::function<void(const PathLink&)>& hear,
                       const PathLimits& limits)
    : program_(program),
      hear_(hear),
      limits_(limits),
      warps_per_group_(warps_per_group(program)),
      group_slots_per_unit_(static_cast<std::size_t>(program.machine.group_slots)),
      schedulers_per_unit_(static_cast<std::size_t>(std::max<std::int64_t>(program.machine.schedulers, 1))),
      fold_at_(limits.fold_at) {
  const auto units = static_cast<std::size_t>(program.machine.units);
  slots_.resize(units * group_slots_per_unit_);
  residents_.resize(slots_.size() * warps_per_group_);
  schedulers_.resize(units * schedulers_per_unit_);
  std::size_t instances = 0;
  for (const Machine::Pipeline& pipeline : program.machine.pipelines) {
    first_instances_.push_back(instances);
    instances += static_cast<std::size_t>(warpipe::instances(program.machine, pipeline.scope));
  }
  instances_.resize(instances);
  std::uint32_t cells = 0;
  for (const InstructionStream& stream : program.streams) cells = std::max(cells, stream.cells);
  for (Resident& resident : residents_) {
    resident.cells.resize(cells);
    resident.rings.resize(cells);
  }
  const std::uint32_t start = nodes_.make({});
  for (Place& slot : slots_) keep(slot.freed, start, 0);
  for (Reach* reach : {&placed_, &latest_, &end_}) keep(*reach, start, 0);
}

std::size_t PathTracer::chooser_of(std::size_t warp_slot) const {
  const std::size_t residents = group_slots_per_unit_ * warps_per_group_;
  return warp_slot / residents * schedulers_per_unit_ + warp_slot % residents % schedulers_per_unit_;
}

PathTracer::Reach& PathTracer::instance(std::uint32_t pipeline, std::size_t warp_slot) {
  std::size_t i = first_instances_[pipeline];
  const Scope scope = program_.machine.pipelines[pipeline].scope;
  if (scope == Scope::ComputeUnit) i += warp_slot / (group_slots_per_unit_ * warps_per_group_);
  if (scope == Scope::Scheduler) i += chooser_of(warp_slot);
  return instances_[i];
}

void PathTracer::keep(Reach& reach, std::uint32_t node, std::int64_t until) {
  nodes_.hold(node);  // first: the old one may be all that holds it
  nodes_.release(reach.node);
  reach = {node, until};
}

void PathTracer::forget(Reach& reach) {
  nodes_.release(reach.node);
  reach = {};
}

/// The cause may lie ahead where there is slack (a queue, a result that is there before its pipeline is): then one
/// before it counts.
std::uint32_t PathTracer::make(PathEdge edge, const Reach& cause, const PathPoint& effect, std::int64_t time,
                               std::uint32_t pipeline) {
  assert(cause.node != kNoNode);
  return nodes_.make({.time = time,
                      .parent = nodes_.at_or_before(cause.node, time),
                      .holders = 0,
                      .point = effect,
                      .pipeline = static_cast<std::uint16_t>(pipeline),
                      .edge = edge});
}

void PathTracer::on_group_placed(const PlacedEvent& placed) {
  const std::size_t slot =
      static_cast<std::size_t>(placed.unit) * group_slots_per_unit_ + static_cast<std::size_t>(placed.slot);
  const std::size_t first = slot * warps_per_group_;
  const bool slot_decides = slots_[slot].freed.until == placed.time;
  const std::uint32_t node =
      make(slot_decides ? PathEdge::Launch : PathEdge::Dispatch, slot_decides ? slots_[slot].freed : placed_,
           {static_cast<std::uint32_t>(first), kNoStep, 0}, placed.time);
  keep(slots_[slot].arrival, node, placed.time);
  keep(slots_[slot].last, node, placed.time);
  keep(placed_, node, time_sum(placed.time, program_.machine.group_dispatch_interval.count));
  for (std::size_t warp = 0; warp < warps_per_group_; ++warp) {
    residents_[first + warp].stream = program_.kinds[placed.kind][warp];
    settle(first + warp, node, placed.time);
  }
  if (placed.age + 1 == program_.machine.groups) forget_slots();
}

/// No group waits for them any more.
void PathTracer::forget_slots() {
  for (Place& slot : slots_) forget(slot.freed);
  forget(placed_);
}

void PathTracer::settle(std::size_t warp_slot, std::uint32_t placed, std::int64_t time) {
  Resident& resident = residents_[warp_slot];
  for (Reach& cell : resident.cells) forget(cell);
  std::ranges::fill(resident.rings, 0);
  forget(resident.opened);
  keep(resident.previous, placed, time);
  keep(resident.last, placed, time);
}

void PathTracer::on_waiting(const WaitingEvent& waiting) {
  Resident& resident = residents_[waiting.warp_slot];
  if (waiting.last_wait != kNoWait) {
    resident.edge = PathEdge::Result;
    keep(resident.cause, cell_of(resident, stream_of(waiting.warp_slot).waits[waiting.last_wait]).node, waiting.ready);
  } else {
    const bool opening_decides = resident.opened.until == waiting.earliest;
    resident.edge = opening_decides ? PathEdge::Barrier : PathEdge::Interval;
    keep(resident.cause, opening_decides ? resident.opened.node : resident.previous.node, waiting.ready);
  }
}

PathTracer::Reach& PathTracer::cell_of(Resident& resident, const Wait& wait) {
  const ScoreboardEntry& score = wait.producer;
  if (score.depth <= 1) return resident.cells[score.cell];
  const std::uint32_t position = resident.rings[score.cell] + score.depth - wait.back;
  return resident.cells[score.cell + 1 + position % score.depth];
}

void PathTracer::record(Resident& resident, ScoreboardEntry score, std::uint32_t node, std::int64_t until) {
  if (score.depth == 0) return;
  std::uint32_t cell = score.cell;
  if (score.depth > 1) {
    std::uint32_t& position = resident.rings[score.cell];
    cell += 1 + position;
    position = (position + 1) % score.depth;
  }
  keep(resident.cells[cell], node, until);
}

std::uint32_t PathTracer::make_issued(const IssuedEvent& issued) {
  const PathPoint point = point_of(issued.warp_slot, issued.step);
  const Resident& resident = residents_[issued.warp_slot];
  const IssuePort& issue_port = program_.issue_ports[stream_of(issued.warp_slot).steps[issued.step].issue_port];
  switch (issued.hold) {
    case Hold::Scheduler:
      return make(PathEdge::Scheduler, schedulers_[chooser_of(issued.warp_slot)], point, issued.time);
    case Hold::Pipeline:
      return make(PathEdge::Pipeline, instance(issue_port.pipeline, issued.warp_slot), point, issued.time,
                  issue_port.pipeline);
    case Hold::Backlog: {
      const std::uint32_t pipeline = issue_port.backlogs[issued.backlog].pipeline;
      return make(PathEdge::Backlog, instance(pipeline, issued.warp_slot), point, issued.time, pipeline);
    }
    case Hold::Nothing:
      break;
  }
  return make(resident.edge, resident.cause, point, issued.time);
}

/// @return the event that decides when the step completes: its issue, or its start in the last pipeline that it waited
///         for
std::uint32_t PathTracer::go_through_stages(std::uint32_t issued, const PathPoint& point) {
  std::uint32_t completing = issued;
  for (const StageEvent& stage : stages_) {
    const std::uint32_t pipeline = stream_of(point.warp_slot).stages[stage.stage].pipeline;
    Reach& taken = instance(pipeline, point.warp_slot);
    const bool waited = stage.start > stage.arrival;
    const std::uint32_t started = make(waited ? PathEdge::Pipeline : PathEdge::Transit,
                                       waited ? taken : Reach{completing, stage.start}, point, stage.start, pipeline);
    keep(taken, started, stage.free);
    keep_latest(end_, started, stage.free);
    if (waited) completing = started;
  }
  stages_.clear();
  return completing;
}

void PathTracer::on_issued(const IssuedEvent& issued) {
  if (nodes_.size() >= fold_at_) make_room(issued.time);
  const InstructionStream& stream = stream_of(issued.warp_slot);
  const Step& step = stream.steps[issued.step];
  Resident& resident = residents_[issued.warp_slot];
  const std::uint32_t node = make_issued(issued);
  keep(latest_, node, issued.time);
  keep(resident.previous, node, time_sum(issued.time, program_.machine.warp_interval.count));
  forget(resident.opened);
  keep(schedulers_[chooser_of(issued.warp_slot)], node, time_sum(issued.time, step.scheduler_busy.count));
  keep(instance(program_.issue_ports[step.issue_port].pipeline, issued.warp_slot), node,
       time_sum(issued.time, step.issue.count));
  if (step.barrier) {
    keep(slots_[issued.warp_slot / warps_per_group_].arrival, node, issued.time);
    return;
  }
  const std::uint32_t completing = go_through_stages(node, point_of(issued.warp_slot, issued.step));
  record(resident, step.score, completing, time_sum(issued.completion, stream.longest_adjusts[issued.step].count));
  keep_latest(resident.last, step.retires_at_issue ? node : completing, issued.end);
}

void PathTracer::on_barrier_passed(const PassedEvent& passed) {
  const InstructionStream& stream = stream_of(passed.warp_slot);
  const Step& step = stream.steps[passed.step];
  Resident& resident = residents_[passed.warp_slot];
  const std::uint32_t node = make(PathEdge::Barrier, slots_[passed.warp_slot / warps_per_group_].arrival,
                                  point_of(passed.warp_slot, passed.step), passed.time);
  keep(resident.opened, node, passed.time);
  record(resident, step.score, node, time_sum(passed.time, stream.longest_adjusts[passed.step].count));
  keep_latest(resident.last, node, passed.time);
}

void PathTracer::on_warp_ended(const WarpEndedEvent& ended) {
  const Resident& resident = residents_[ended.warp_slot];
  Place& slot = slots_[ended.warp_slot / warps_per_group_];
  const bool at_barrier = resident.opened.node != kNoNode;  // then it has arrived there before
  if (!at_barrier) keep(slot.arrival, resident.previous.node, nodes_[resident.previous.node].time);
  keep_latest(slot.last, resident.last.node, resident.last.until);
}

void PathTracer::on_group_ended(const EndedEvent& ended) {
  const std::size_t slot =
      static_cast<std::size_t>(ended.unit) * group_slots_per_unit_ + static_cast<std::size_t>(ended.slot);
  const std::uint32_t node = make(PathEdge::Drain, slots_[slot].last,
                                  {static_cast<std::uint32_t>(slot * warps_per_group_), kNoStep, 0}, ended.time);
  keep(slots_[slot].freed, node, time_sum(ended.time, program_.machine.group_launch_latency.count));
  keep_latest(end_, node, ended.time);
}

/// What can decide nothing any more is forgotten, and the links that all paths share are told.
void PathTracer::make_room(std::int64_t now) {
  forget_before(now);
  nodes_.cut_trunk(latest_.node, hear_);
  if (nodes_.size() > limits_.most_nodes)
    throw ModelError(Diagnostic{
        "critical path", "at most " + std::to_string(limits_.most_nodes) + " events may be part of it at a time",
        "found more after " + format_cycles(Ticks{now}) + " cycles", "use fewer groups or smaller trip counts"});
  fold_at_ = std::max(limits_.fold_at, 2 * nodes_.size());
}

void PathTracer::forget_before(std::int64_t now) {
  const auto look = [this, now](Reach& reach) {
    if (reach.node != kNoNode && reach.until < now) forget(reach);
  };
  for (Resident& resident : residents_) {
    for (Reach* reach : {&resident.previous, &resident.opened, &resident.cause, &resident.last}) look(*reach);
    std::ranges::for_each(resident.cells, look);
  }
  for (Place& slot : slots_)
    for (Reach* reach : {&slot.freed, &slot.arrival, &slot.last}) look(*reach);
  std::ranges::for_each(schedulers_, look);
  std::ranges::for_each(instances_, look);
  look(placed_);
  look(end_);
}

void PathTracer::finish(Ticks cycles) {
  const PathNode& end = nodes_[end_.node];
  nodes_.tell(end_.node, hear_);
  if (end.time < cycles.count)  // a further pipeline is still busy
    hear_({PathEdge::Pipeline, end.pipeline, end.point, {end.point.warp_slot, kNoStep, 0}, Ticks{end.time}, cycles});
}

RunResult trace_critical_path(const Program& program, const std::function<void(const PathLink&)>& hear,
                              const PathLimits& limits) {
  PathTracer tracer(program, hear, limits);
  const RunResult result = run_policy(program, tracer, false);
  tracer.finish(result.cycles);
  return result;
}

}  // namespace warpipe
