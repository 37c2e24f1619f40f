#include "observers/path_tracer.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "warpipe/idg/error.hpp"

namespace warpipe {

PathTracer::PathTracer(const Program& program, const std::function<void(const PathLink&)>& on_link,
                       const PathLimits& limits)
    : program_(program),
      on_link_(on_link),
      limits_(limits),
      layout_(program),
      fold_at_(limits.fold_at),
      scoreboard_(layout_.warp_slots(), program.streams),
      warps_(layout_.warp_slots()),
      results_(layout_.warp_slots() * scoreboard_.cells_per_warp()),
      warp_events_(layout_.warp_slots()),
      group_events_(layout_.group_slots()),
      schedulers_(layout_.schedulers()),
      pipelines_(program) {
  for (std::size_t warp_slot = 0; warp_slot < warps_.size(); ++warp_slot) {
    warps_[warp_slot].cells = scoreboard_.cells(warp_slot);
    warps_[warp_slot].counters = scoreboard_.counters(warp_slot);
  }
  const std::uint32_t time_zero = nodes_.make({});
  for (GroupEvents& group : group_events_) keep(group.freed, time_zero, program_.machine.launch_begin.count);
  for (KeptEvent* kept : {&latest_placement_, &latest_issue_, &end_}) keep(*kept, time_zero, 0);
}

PathPoint PathTracer::point_of(std::size_t warp_slot, std::uint32_t step) const {
  const auto stream = warps_[warp_slot].stream - program_.streams.data();
  return {static_cast<std::uint32_t>(warp_slot), step, static_cast<std::uint32_t>(stream)};
}

PathPoint PathTracer::point_of_group(std::size_t group_slot) const {
  return {static_cast<std::uint32_t>(layout_.warp_slot(group_slot, 0)), kNoStep, 0};
}

PathTracer::KeptEvent& PathTracer::result_in(std::size_t warp_slot, const std::int64_t* cell) {
  const auto of_warp = static_cast<std::size_t>(cell - warps_[warp_slot].cells);
  return results_[warp_slot * scoreboard_.cells_per_warp() + of_warp];
}

void PathTracer::keep(KeptEvent& kept, std::uint32_t node, std::int64_t until) {
  nodes_.hold(node);  // first: the old node may hold the last reference to it
  nodes_.release(kept.node);
  kept = {node, until};
}

void PathTracer::keep_result(std::size_t warp_slot, std::uint32_t step, std::uint32_t node, std::int64_t completion) {
  const InstructionStream& stream = stream_of(warp_slot);
  const ScoreboardEntry producer = stream.steps[step].score;
  const std::int64_t until = time_sum(completion, stream.longest_adjusts[step].count);
  if (producer.depth > 0) keep(result_in(warp_slot, next_cell(warps_[warp_slot].cells, producer)), node, until);
}

void PathTracer::forget(KeptEvent& kept) {
  nodes_.release(kept.node);
  kept = {};
}

void PathTracer::keep_arrival(std::size_t warp_slot, std::uint32_t signal, std::uint32_t node,
                              const IssuedEvent& issued) {
  std::vector<std::vector<KeptEvent>>& of_group = group_events_[layout_.group_slot_of(warp_slot)].arrivals;
  of_group.resize(program_.signals.size());
  std::vector<KeptEvent>& arrivals = of_group[signal];
  std::erase_if(arrivals, [&](KeptEvent& kept) {
    const bool is_over = kept.until < issued.time;
    if (is_over) forget(kept);
    return is_over;
  });
  keep(arrivals.emplace_back(), node, issued.completion);
}

/// The arrival that completed a phase.
const PathTracer::KeptEvent& PathTracer::arrival_at(std::size_t warp_slot, std::uint32_t step,
                                                    std::int64_t completion) const {
  const InstructionStream& stream = stream_of(warp_slot);
  const std::uint32_t signal = signals_of(stream, stream.steps[step]).awaits;
  const std::vector<KeptEvent>& arrivals = group_events_[layout_.group_slot_of(warp_slot)].arrivals[signal];
  return *std::ranges::find(arrivals, completion, &KeptEvent::until);
}

std::uint32_t PathTracer::make(PathEdge edge, const KeptEvent& cause, const PathPoint& effect, std::int64_t time,
                               std::uint32_t pipeline) {
  assert(cause.node != kNoNode);
  return nodes_.make({.time = time,
                      .parent = nodes_.at_or_before(cause.node, time),
                      .holders = 0,
                      .point = effect,
                      .pipeline = static_cast<std::uint16_t>(pipeline),
                      .edge = edge});
}

void PathTracer::on_group_placed(const GroupPlacedEvent& placed) {
  const std::size_t group_slot = layout_.group_slot(placed.unit, placed.slot);
  GroupEvents& group = group_events_[group_slot];
  const bool slot_decides = group.freed.until == placed.time;
  const std::uint32_t node =
      make(slot_decides ? PathEdge::Launch : PathEdge::Dispatch, slot_decides ? group.freed : latest_placement_,
           point_of_group(group_slot), placed.time);
  keep(group.arrival, node, placed.time);
  keep(group.last_end, node, placed.time);
  keep(latest_placement_, node, time_sum(placed.time, program_.machine.group_dispatch_interval.count));
  for (std::size_t warp = 0; warp < layout_.warps_per_group; ++warp)
    start_warp(layout_.warp_slot(group_slot, warp), program_.streams[program_.kinds[placed.kind][warp]], node,
               placed.time);
  if (placed.age + 1 < program_.machine.groups) return;
  for (GroupEvents& each : group_events_) forget(each.freed);  // no group waits for a slot any more
  forget(latest_placement_);
}

void PathTracer::start_warp(std::size_t warp_slot, const InstructionStream& stream, std::uint32_t placed,
                            std::int64_t time) {
  const std::size_t cells = scoreboard_.cells_per_warp();
  for (std::size_t i = 0; i < cells; ++i) forget(results_[warp_slot * cells + i]);
  warps_[warp_slot].run_stream(stream);
  start(warps_[warp_slot]);
  WarpEvents& warp = warp_events_[warp_slot];
  forget(warp.opening);
  keep(warp.previous_issue, placed, time);
  keep(warp.last_end, placed, time);
}

void PathTracer::on_waiting(const WaitingEvent& waiting) {
  WarpEvents& warp = warp_events_[waiting.warp_slot];
  if (waiting.last_wait != kNoWait) {
    const Wait& wait = stream_of(waiting.warp_slot).waits[waiting.last_wait];
    const std::int64_t* cell = awaited_cell(warps_[waiting.warp_slot].cells, wait);
    warp.edge = PathEdge::Result;
    keep(warp.cause, result_in(waiting.warp_slot, cell).node, waiting.ready);
  } else if (waiting.for_signal) {
    warp.edge = PathEdge::Barrier;
    keep(warp.cause, arrival_at(waiting.warp_slot, waiting.step, waiting.ready).node, waiting.ready);
  } else {
    const bool opening_decides = warp.opening.until == waiting.earliest;
    warp.edge = opening_decides ? PathEdge::Barrier : PathEdge::Interval;
    keep(warp.cause, opening_decides ? warp.opening.node : warp.previous_issue.node, waiting.ready);
  }
}

std::uint32_t PathTracer::make_issue(const IssuedEvent& issued) {
  const PathPoint point = point_of(issued.warp_slot, issued.step);
  const WarpEvents& warp = warp_events_[issued.warp_slot];
  const IssuePort& issue_port = program_.issue_ports[stream_of(issued.warp_slot).steps[issued.step].issue_port];
  switch (issued.hold) {
    case Hold::Scheduler:
      return make(PathEdge::Scheduler, schedulers_[layout_.scheduler_of(issued.warp_slot)], point, issued.time);
    case Hold::Pipeline:
      return make(PathEdge::Pipeline, pipeline_of(issue_port.pipeline, issued.warp_slot), point, issued.time,
                  issue_port.pipeline);
    case Hold::Backlog: {
      const std::uint32_t pipeline = issue_port.backlogs[issued.backlog].pipeline;
      return make(PathEdge::Backlog, pipeline_of(pipeline, issued.warp_slot), point, issued.time, pipeline);
    }
    case Hold::Nothing:
      break;
  }
  return make(warp.edge, warp.cause, point, issued.time);
}

/// @return the event that decides when the step completes: its issue, or its start in the last pipeline with a wait
std::uint32_t PathTracer::go_through_stages(std::uint32_t issue, const PathPoint& point) {
  std::uint32_t completing = issue;
  for (const StageEvent& stage : stages_) {
    const std::uint32_t pipeline = stream_of(point.warp_slot).stages[stage.stage].pipeline;
    KeptEvent& taken = pipeline_of(pipeline, point.warp_slot);
    const bool is_taken = stage.start > stage.arrival;
    const std::uint32_t started =
        make(is_taken ? PathEdge::Pipeline : PathEdge::Transit, is_taken ? taken : KeptEvent{completing, stage.start},
             point, stage.start, pipeline);
    keep(taken, started, stage.free);
    keep_if_later(end_, started, stage.free);
    if (stage.waits_turn) completing = started;
  }
  stages_.clear();
  return completing;
}

void PathTracer::on_issued(const IssuedEvent& issued) {
  if (nodes_.size() >= fold_at_) make_room(issued.time);
  const Step& step = stream_of(issued.warp_slot).steps[issued.step];
  WarpEvents& warp = warp_events_[issued.warp_slot];
  const std::uint32_t node = make_issue(issued);
  keep(latest_issue_, node, issued.time);
  keep(warp.previous_issue, node, time_sum(issued.time, until_next_issue(program_.machine, step)));
  forget(warp.opening);
  keep(schedulers_[layout_.scheduler_of(issued.warp_slot)], node, time_sum(issued.time, step.scheduler_busy.count));
  keep(pipeline_of(program_.issue_ports[step.issue_port].pipeline, issued.warp_slot), node,
       time_sum(issued.time, step.issue.count));
  if (step.barrier) {
    keep(group_events_[layout_.group_slot_of(issued.warp_slot)].arrival, node, issued.time);
    return;
  }
  const std::uint32_t completing = go_through_stages(node, point_of(issued.warp_slot, issued.step));
  keep_result(issued.warp_slot, issued.step, completing, issued.completion);
  const std::uint32_t signal = signals_of(stream_of(issued.warp_slot), step).arrives;
  if (signal != kNoSignal) keep_arrival(issued.warp_slot, signal, completing, issued);
  keep_if_later(warp.last_end, step.retires_at_issue ? node : completing, issued.end);
}

void PathTracer::on_barrier_passed(const BarrierPassedEvent& passed) {
  WarpEvents& warp = warp_events_[passed.warp_slot];
  const GroupEvents& group = group_events_[layout_.group_slot_of(passed.warp_slot)];
  const std::uint32_t node =
      make(PathEdge::Barrier, group.arrival, point_of(passed.warp_slot, passed.step), passed.time);
  keep(warp.opening, node, passed.time);
  keep_result(passed.warp_slot, passed.step, node, passed.time);
  keep_if_later(warp.last_end, node, passed.time);
}

void PathTracer::on_warp_ended(const WarpEndedEvent& ended) {
  const WarpEvents& warp = warp_events_[ended.warp_slot];
  GroupEvents& group = group_events_[layout_.group_slot_of(ended.warp_slot)];
  const bool ended_at_barrier = warp.opening.node != kNoNode;  // then it has arrived there before
  if (!ended_at_barrier) keep(group.arrival, warp.previous_issue.node, nodes_[warp.previous_issue.node].time);
  keep_if_later(group.last_end, warp.last_end.node, warp.last_end.until);
}

void PathTracer::on_group_ended(const GroupEndedEvent& ended) {
  const std::size_t group_slot = layout_.group_slot(ended.unit, ended.slot);
  GroupEvents& group = group_events_[group_slot];
  const std::uint32_t node = make(PathEdge::Drain, group.last_end, point_of_group(group_slot), ended.time);
  keep(group.freed, node, time_sum(ended.time, program_.machine.group_launch_latency.count));
  keep_if_later(end_, node, time_sum(ended.time, program_.machine.launch_end.count));
}

/// Forgets the events without further effect, and reports the links shared by all paths.
void PathTracer::make_room(std::int64_t now) {
  forget_before(now);
  nodes_.drop_common_prefix(latest_issue_.node, on_link_);
  if (nodes_.size() > limits_.most_nodes)
    throw ModelError(Diagnostic{
        "critical path", "at most " + std::to_string(limits_.most_nodes) + " events may be part of it at a time",
        "found more after " + format_cycles(Ticks{now}) + " cycles", "use fewer groups or smaller trip counts"});
  fold_at_ = std::max(limits_.fold_at, 2 * nodes_.size());
}

void PathTracer::forget_before(std::int64_t now) {
  const auto forget_if_over = [this, now](KeptEvent& kept) {
    if (kept.node != kNoNode && kept.until < now) forget(kept);
  };
  for (WarpEvents& warp : warp_events_)
    for (KeptEvent* kept : {&warp.previous_issue, &warp.opening, &warp.cause, &warp.last_end}) forget_if_over(*kept);
  for (GroupEvents& group : group_events_)
    for (KeptEvent* kept : {&group.freed, &group.arrival, &group.last_end}) forget_if_over(*kept);
  for (GroupEvents& group : group_events_)
    for (std::vector<KeptEvent>& arrivals : group.arrivals) std::ranges::for_each(arrivals, forget_if_over);
  std::ranges::for_each(results_, forget_if_over);
  std::ranges::for_each(schedulers_, forget_if_over);
  std::ranges::for_each(pipelines_, forget_if_over);
  forget_if_over(latest_placement_);
  forget_if_over(end_);
}

void PathTracer::finish(Ticks cycles) {
  const PathNode& end = nodes_[end_.node];
  nodes_.report(end_.node, on_link_);
  if (end.time == cycles.count) return;
  const bool is_of_group = end.point.step == kNoStep;  // else a further pipeline is still busy
  on_link_({is_of_group ? PathEdge::Drain : PathEdge::Pipeline,
            end.pipeline,
            end.point,
            {end.point.warp_slot, kNoStep, 0},
            Ticks{end.time},
            cycles});
}

}  // namespace warpipe
