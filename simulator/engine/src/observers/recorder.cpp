#include "observers/recorder.hpp"

#include <algorithm>

#include "core/time.hpp"

namespace warpipe {
namespace {

/// The issuing time of a step (stalls.hpp).
std::int64_t issuing_time(const Program& program, const Step& step) {
  return program.machine.schedulers > 0 ? step.scheduler_busy.count : step.issue.count;
}

std::int64_t groups_of(const Program& program, const Window& window) {
  const std::int64_t last = std::min(window.last_group, program.machine.groups - 1);
  return std::max<std::int64_t>(last - window.first_group + 1, 0);
}

}  // namespace

Recorder::Recorder(const Program& program, const Window& window)
    : program_(program),
      layout_(program),
      current_(layout_.warp_slots()),
      groups_(layout_.group_slots()),
      is_wanted_(layout_.group_slots(), false),
      wanted_left_(groups_of(program, window)),
      latest_(layout_.warp_slots(), program.streams),
      warps_(layout_.warp_slots()) {
  recording_.window = window;
  for (std::size_t warp_slot = 0; warp_slot < warps_.size(); ++warp_slot) {
    warps_[warp_slot].cells = latest_.cells(warp_slot);
    warps_[warp_slot].counters = latest_.counters(warp_slot);
  }
}

bool Recorder::is_in_window(std::size_t warp_slot) const {
  const auto warp = static_cast<std::int64_t>(layout_.warp_of_group(warp_slot));
  const Window& window = recording_.window;
  return is_wanted_[layout_.group_slot_of(warp_slot)] && warp >= window.first_warp && warp <= window.last_warp;
}

void Recorder::finish_if_over(std::int64_t now) {
  if (wanted_left_ == 0) {
    is_finished_ = true;
    return;
  }
  Window& window = recording_.window;
  if (recording_.executions.size() >= window.most_executions && now < window.to.count) {
    window.to.count = now;
    recording_.is_cut = true;
  }
  is_finished_ = open_ == 0 && now >= window.to.count;
}

void Recorder::on_group_placed(const GroupPlacedEvent& placed) {
  finish_if_over(placed.time);
  if (is_finished_) return;
  const std::size_t slot = layout_.group_slot(placed.unit, placed.slot);
  const Window& window = recording_.window;
  is_wanted_[slot] =
      placed.age >= window.first_group && placed.age <= window.last_group && placed.time < window.to.count;
  groups_[slot] = {placed.age, placed.unit, placed.slot, Ticks{placed.time}, std::nullopt};
  for (std::size_t warp = 0; warp < layout_.warps_per_group; ++warp) {
    const std::size_t warp_slot = layout_.warp_slot(slot, warp);
    warps_[warp_slot].run_stream(program_.streams[program_.kinds[placed.kind][warp]]);
    start(warps_[warp_slot]);
    current_[warp_slot].since = current_[warp_slot].held = placed.time;
    current_[warp_slot].previous = kNotRecorded;
  }
}

/// The executions awaited by a step, in the order of its waits.
std::vector<std::size_t> Recorder::operands_of(std::size_t warp_slot, const Step& step) const {
  const Warp& warp = warps_[warp_slot];
  std::vector<std::size_t> operands;
  for (std::uint32_t i = step.waits.begin; i < step.waits.end; ++i) {
    const Wait& wait = warp.stream->waits[i];
    const std::int64_t latest = *awaited_cell(warp.cells, wait);
    operands.push_back(latest == kNever ? kNotRecorded : static_cast<std::size_t>(latest));
  }
  return operands;
}

void Recorder::on_waiting(const WaitingEvent& waiting) {
  Current& current = current_[waiting.warp_slot];
  if (!is_in_window(waiting.warp_slot) || current.since >= recording_.window.to.count) return;
  current.is_open = true;
  ++open_;
  current.stage_times.clear();
  current.operands = operands_of(waiting.warp_slot, warps_[waiting.warp_slot].stream->steps[waiting.step]);
  Execution& execution = current.execution;
  execution.warp_slot = waiting.warp_slot;
  execution.step = waiting.step;
  execution.group = groups_[layout_.group_slot_of(waiting.warp_slot)].group;
  execution.since.count = current.since;
  execution.earliest.count = waiting.earliest;
  execution.ready.count = waiting.ready;
  execution.last_wait = waiting.last_wait;
  execution.for_signal = waiting.for_signal;
}

void Recorder::on_stage(const StageEvent& stage) {
  Current& current = current_[stage.warp_slot];
  if (current.is_open) current.stage_times.push_back({Ticks{stage.arrival}, Ticks{stage.start}, Ticks{stage.free}});
}

void Recorder::on_issued(const IssuedEvent& issued) {
  Current& current = current_[issued.warp_slot];
  const Step& step = warps_[issued.warp_slot].stream->steps[issued.step];
  const std::int64_t held_before = current.held;
  current.since = issued.time;
  current.held = time_sum(issued.time, issuing_time(program_, step));
  if (current.is_open) {
    Execution& execution = current.execution;
    execution.idle.count = std::min(held_before, issued.time);
    execution.issue.count = issued.time;
    execution.held.count = current.held;
    execution.hold = issued.hold;
    execution.backlog = issued.backlog;
    execution.service = issued.service;
    execution.completion.count = issued.completion;
    execution.end.count = issued.end;
    if (current.previous != kNotRecorded) {
      Execution& previous = recording_.executions[current.previous];
      previous.held = previous.drained = std::min(previous.held, execution.issue);
    }
    if (!step.barrier) close(current, issued.warp_slot, step);
  }
  finish_if_over(issued.time);
}

void Recorder::on_barrier_passed(const BarrierPassedEvent& passed) {
  Current& current = current_[passed.warp_slot];
  if (current.is_open) {
    current.execution.completion.count = current.execution.end.count = passed.time;
    current.execution.held.count = std::min(current.execution.held.count, passed.time);
    close(current, passed.warp_slot, warps_[passed.warp_slot].stream->steps[passed.step]);
  }
  current.since = current.held = passed.time;
}

void Recorder::close(Current& current, std::size_t warp_slot, const Step& step) {
  current.is_open = false;
  --open_;
  Execution& execution = current.execution;
  execution.drained = execution.held;
  current.previous = kNotRecorded;
  if (std::max(execution.end, execution.held) >= recording_.window.from) {
    current.previous = recording_.executions.size();
    execution.first_stage_times = recording_.stage_times.size();
    execution.first_operand = recording_.operands.size();
    recording_.executions.push_back(execution);
    recording_.stage_times.insert(recording_.stage_times.end(), current.stage_times.begin(), current.stage_times.end());
    recording_.operands.insert(recording_.operands.end(), current.operands.begin(), current.operands.end());
  }
  const bool is_kept = current.previous != kNotRecorded;
  keep_completion(warps_[warp_slot], step.score, is_kept ? static_cast<std::int64_t>(current.previous) : kNever);
}

void Recorder::on_warp_ended(const WarpEndedEvent& ended) {
  const std::size_t last = current_[ended.warp_slot].previous;
  if (last == kNotRecorded) return;
  Execution& execution = recording_.executions[last];
  execution.held.count = std::min(execution.held.count, ended.time);
  execution.drained = std::max(execution.held, Ticks{ended.time});
}

void Recorder::on_group_ended(const GroupEndedEvent& ended) {
  const std::size_t slot = layout_.group_slot(ended.unit, ended.slot);
  if (!is_wanted_[slot]) return;
  groups_[slot].ended = Ticks{ended.time};
  if (ended.time >= recording_.window.from.count) recording_.groups.push_back(groups_[slot]);
  is_wanted_[slot] = false;
  --wanted_left_;
}

Recording Recorder::recording() {
  for (std::size_t slot = 0; slot < groups_.size(); ++slot)
    if (is_wanted_[slot]) recording_.groups.push_back(groups_[slot]);
  return std::move(recording_);
}

}  // namespace warpipe
