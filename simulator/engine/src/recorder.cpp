#include "recorder.hpp"

#include <algorithm>

#include "warpipe/engine/time.hpp"

namespace warpipe {
namespace {

/// How long a step is said to be issuing (stalls.hpp).
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
      warps_per_group_(warps_per_group(program)),
      group_slots_per_unit_(static_cast<std::size_t>(program.machine.group_slots)),
      slots_(static_cast<std::size_t>(program.machine.units) * group_slots_per_unit_),
      is_wanted_(slots_.size(), false),
      wanted_left_(groups_of(program, window)),
      latest_(slots_.size() * warps_per_group_, program.streams),
      warps_(slots_.size() * warps_per_group_) {
  recording_.window = window;
  turns_.resize(warps_.size());
  for (std::size_t warp_slot = 0; warp_slot < warps_.size(); ++warp_slot) {
    warps_[warp_slot].cells = latest_.cells(warp_slot);
    warps_[warp_slot].counters = latest_.counters(warp_slot);
  }
}

bool Recorder::hears(std::size_t warp_slot) const {
  const auto warp = static_cast<std::int64_t>(warp_slot % warps_per_group_);
  const Window& window = recording_.window;
  return is_wanted_[warp_slot / warps_per_group_] && warp >= window.first_warp && warp <= window.last_warp;
}

void Recorder::stop_if_over(std::int64_t now) {
  if (wanted_left_ == 0) throw HeardEnough{};
  Window& window = recording_.window;
  if (recording_.executions.size() >= window.most_executions && now < window.to.count) {
    window.to.count = now;
    recording_.is_cut = true;
  }
  if (open_ == 0 && now >= window.to.count) throw HeardEnough{};
}

void Recorder::on_group_placed(const PlacedEvent& placed) {
  stop_if_over(placed.time);
  const std::size_t slot =
      static_cast<std::size_t>(placed.unit) * group_slots_per_unit_ + static_cast<std::size_t>(placed.slot);
  const Window& window = recording_.window;
  is_wanted_[slot] =
      placed.age >= window.first_group && placed.age <= window.last_group && placed.time < window.to.count;
  slots_[slot] = {placed.age, placed.unit, placed.slot, Ticks{placed.time}, std::nullopt};
  for (std::size_t warp = 0; warp < warps_per_group_; ++warp) {
    const std::size_t warp_slot = slot * warps_per_group_ + warp;
    warps_[warp_slot].run_stream(program_.streams[program_.kinds[placed.kind][warp]]);
    start(warps_[warp_slot]);
    turns_[warp_slot].since = turns_[warp_slot].held = placed.time;
    turns_[warp_slot].previous = kNotRecorded;
  }
}

/// The executions that a step waits for, in the order of its waits.
std::vector<std::size_t> Recorder::operands_of(std::size_t warp_slot, const Step& step) const {
  const Warp& warp = warps_[warp_slot];
  std::vector<std::size_t> operands;
  for (std::uint32_t i = step.waits.begin; i < step.waits.end; ++i) {
    const Wait& wait = warp.stream->waits[i];
    const std::int64_t latest = completion(warp.cells, wait) - wait.adjust.count;
    operands.push_back(latest == kNever ? kNotRecorded : static_cast<std::size_t>(latest));
  }
  return operands;
}

void Recorder::on_waiting(const WaitingEvent& waiting) {
  Turn& turn = turns_[waiting.warp_slot];
  if (!hears(waiting.warp_slot) || turn.since >= recording_.window.to.count) return;
  turn.is_open = true;
  ++open_;
  turn.stage_times.clear();
  turn.operands = operands_of(waiting.warp_slot, warps_[waiting.warp_slot].stream->steps[waiting.step]);
  Execution& execution = turn.execution;
  execution.warp_slot = waiting.warp_slot;
  execution.step = waiting.step;
  execution.group = slots_[waiting.warp_slot / warps_per_group_].group;
  execution.since.count = turn.since;
  execution.earliest.count = waiting.earliest;
  execution.ready.count = waiting.ready;
  execution.last_wait = waiting.last_wait;
}

void Recorder::on_stage(const StageEvent& stage) {
  Turn& turn = turns_[stage.warp_slot];
  if (turn.is_open) turn.stage_times.push_back({Ticks{stage.arrival}, Ticks{stage.start}, Ticks{stage.free}});
}

void Recorder::on_issued(const IssuedEvent& issued) {
  Turn& turn = turns_[issued.warp_slot];
  const Step& step = warps_[issued.warp_slot].stream->steps[issued.step];
  const std::int64_t held_before = turn.held;
  turn.since = issued.time;
  turn.held = time_sum(issued.time, issuing_time(program_, step));
  if (turn.is_open) {
    Execution& execution = turn.execution;
    execution.idle.count = std::min(held_before, issued.time);
    execution.issue.count = issued.time;
    execution.held.count = turn.held;
    execution.hold = issued.hold;
    execution.backlog = issued.backlog;
    execution.completion.count = issued.completion;
    execution.end.count = issued.end;
    if (turn.previous != kNotRecorded) {
      Execution& previous = recording_.executions[turn.previous];
      previous.held = previous.drained = std::min(previous.held, execution.issue);
    }
    if (!step.barrier) close(turn, issued.warp_slot, step);
  }
  stop_if_over(issued.time);
}

void Recorder::on_barrier_passed(const PassedEvent& passed) {
  Turn& turn = turns_[passed.warp_slot];
  if (turn.is_open) {
    turn.execution.completion.count = turn.execution.end.count = passed.time;
    turn.execution.held.count = std::min(turn.execution.held.count, passed.time);
    close(turn, passed.warp_slot, warps_[passed.warp_slot].stream->steps[passed.step]);
  }
  turn.since = turn.held = passed.time;
}

void Recorder::close(Turn& turn, std::size_t warp_slot, const Step& step) {
  turn.is_open = false;
  --open_;
  Execution& execution = turn.execution;
  execution.drained = execution.held;
  turn.previous = kNotRecorded;
  if (std::max(execution.end, execution.held) >= recording_.window.from) {
    turn.previous = recording_.executions.size();
    execution.first_stage_times = recording_.stage_times.size();
    execution.first_operand = recording_.operands.size();
    recording_.executions.push_back(execution);
    recording_.stage_times.insert(recording_.stage_times.end(), turn.stage_times.begin(), turn.stage_times.end());
    recording_.operands.insert(recording_.operands.end(), turn.operands.begin(), turn.operands.end());
  }
  const bool is_kept = turn.previous != kNotRecorded;
  warpipe::record(warps_[warp_slot], step.score, is_kept ? static_cast<std::int64_t>(turn.previous) : kNever);
}

void Recorder::on_warp_ended(const WarpEndedEvent& ended) {
  const std::size_t last = turns_[ended.warp_slot].previous;
  if (last == kNotRecorded) return;
  Execution& execution = recording_.executions[last];
  execution.held.count = std::min(execution.held.count, ended.time);
  execution.drained = std::max(execution.held, Ticks{ended.time});
}

void Recorder::on_group_ended(const EndedEvent& ended) {
  const std::size_t slot =
      static_cast<std::size_t>(ended.unit) * group_slots_per_unit_ + static_cast<std::size_t>(ended.slot);
  if (!is_wanted_[slot]) return;
  slots_[slot].ended = Ticks{ended.time};
  if (ended.time >= recording_.window.from.count) recording_.groups.push_back(slots_[slot]);
  is_wanted_[slot] = false;
  --wanted_left_;
}

Recording Recorder::recording() {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    if (is_wanted_[slot]) recording_.groups.push_back(slots_[slot]);
  return std::move(recording_);
}

}  // namespace warpipe
