#include "observers/stall_accountant.hpp"

#include <algorithm>

#include "core/rotation.hpp"
#include "core/time.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kExecutions = kStalls;  // behind the states, in a step's sums

std::size_t most_services(const Program& program) {
  std::size_t most = 0;
  for (const InstructionStream& stream : program.streams)
    for (const Rotation& rotation : stream.rotations)
      most = std::max<std::size_t>(most, rotation.services.end - rotation.services.begin);
  return most;
}

/// @throws ModelError for a sum above 64 bits
void add(std::int64_t& sum, std::int64_t time) { sum = time_sum(sum, time); }

}  // namespace

StallAccountant::StallAccountant(const Program& program)
    : program_(program), layout_(program), most_services_(most_services(program)) {
  std::size_t next = layout_.units * kStalls;
  for (const InstructionStream& stream : program.streams) {
    std::vector<Entry>& entries = entries_.emplace_back();
    for (const Step& step : stream.steps) {
      Entry entry{.states = next};
      entry.backlogs = entry.states + kExecutions + 1;
      entry.waits = entry.backlogs + program.issue_ports[step.issue_port].backlogs.size();
      entry.holds_for = program.machine.schedulers > 0 ? step.scheduler_busy.count : step.issue.count;
      const std::size_t waits = step.waits.end - step.waits.begin;
      entry.services = entry.waits + waits;
      next = entry.services + waits * most_services_;
      entries.push_back(entry);
    }
  }
  sums_.resize(next, 0);
  accounts_.resize(layout_.warp_slots());
  intervals_.resize(layout_.warp_slots() + layout_.group_slots());
}

const InstructionStream& StallAccountant::stream_of(std::size_t warp_slot) const {
  return program_.streams[accounts_[warp_slot].stream];
}

const StallAccountant::Entry& StallAccountant::entry_of(std::size_t warp_slot, std::uint32_t step) const {
  return entries_[accounts_[warp_slot].stream][step];
}

std::int64_t StallAccountant::of_all_warps(std::int64_t time) const {
  return checked_multiply(Ticks{time}, static_cast<std::int64_t>(layout_.warps_per_group)).count;
}

void StallAccountant::charge(std::size_t warp_slot, const Entry& entry, Stall stall, std::int64_t until) {
  std::int64_t& since = intervals_[warp_slot].since;
  const std::int64_t time = until - since;
  if (time <= 0) return;
  add(sums_[entry.states + static_cast<std::size_t>(stall)], time);
  add(unit_sum(layout_.unit_of(warp_slot), stall), time);
  since = until;
}

void StallAccountant::charge_issuing(std::size_t warp_slot, std::int64_t next_event) {
  const std::uint32_t step = accounts_[warp_slot].issuing;
  if (step == kNone) return;
  const Entry& entry = entry_of(warp_slot, step);
  const std::int64_t released = time_sum(intervals_[warp_slot].since, entry.holds_for);
  charge(warp_slot, entry, Stall::Issuing, std::min(next_event, released));
}

void StallAccountant::begin(std::size_t warp_slot, std::int64_t time, std::uint32_t issuing) {
  intervals_[warp_slot].reset(time);
  Account& account = accounts_[warp_slot];
  account.issuing = issuing;
  account.last_wait = kNoWait;
  account.service = kNoService;
  account.for_signal = false;
  account.until_earliest = account.until_ready = 0;
}

void StallAccountant::note_end(std::size_t warp_slot, std::uint32_t step, std::int64_t end) {
  Account& account = accounts_[warp_slot];
  if (account.last_to_end != kNone && end <= account.end) return;
  account.last_to_end = step;
  account.end = end;
}

void StallAccountant::on_group_placed(const GroupPlacedEvent& placed) {
  const std::size_t group_slot = layout_.group_slot(placed.unit, placed.slot);
  const std::int64_t empty = placed.time - empty_interval(group_slot).since;
  add(unit_sum(static_cast<std::size_t>(placed.unit), Stall::Empty), of_all_warps(empty));
  for (std::size_t warp = 0; warp < layout_.warps_per_group; ++warp) {
    const std::size_t warp_slot = layout_.warp_slot(group_slot, warp);
    begin(warp_slot, placed.time, kNone);
    accounts_[warp_slot].stream = program_.kinds[placed.kind][warp];
    accounts_[warp_slot].last_to_end = kNone;
  }
}

void StallAccountant::on_waiting(const WaitingEvent& waiting) {
  Account& account = accounts_[waiting.warp_slot];
  const std::int64_t since = intervals_[waiting.warp_slot].since;
  account.until_earliest = waiting.earliest - since;
  account.until_ready = waiting.ready - since;
  account.last_wait = waiting.last_wait;
  account.service = waiting.service;
  account.for_signal = waiting.for_signal;
}

void StallAccountant::charge_wait(std::size_t warp_slot, const Entry& entry, const Step& step, std::int64_t time) {
  const Account& account = accounts_[warp_slot];
  const InstructionStream& stream = stream_of(warp_slot);
  const std::uint32_t wait = account.last_wait - step.waits.begin;
  add(sums_[entry.waits + wait], time);
  if (account.service == kNoService) return;
  const Step& producer = stream.steps[stream.producers[account.last_wait]];
  const std::uint32_t service = account.service - rotation_of(stream, producer).services.begin;
  add(sums_[entry.services + wait * most_services_ + service], time);
}

void StallAccountant::on_issued(const IssuedEvent& issued) {
  const std::size_t warp_slot = issued.warp_slot;
  const Account& account = accounts_[warp_slot];
  const Entry& entry = entry_of(warp_slot, issued.step);
  const std::int64_t since = intervals_[warp_slot].since;
  charge_issuing(warp_slot, issued.time);
  charge(warp_slot, entry, Stall::Interval, since + account.until_earliest);
  if (account.for_signal) charge(warp_slot, entry, Stall::Barrier, since + account.until_ready);
  if (account.last_wait != kNoWait) {
    const std::int64_t before = intervals_[warp_slot].since;
    charge(warp_slot, entry, Stall::Result, since + account.until_ready);
    charge_wait(warp_slot, entry, stream_of(warp_slot).steps[issued.step], intervals_[warp_slot].since - before);
  }
  if (issued.hold == Hold::Scheduler) charge(warp_slot, entry, Stall::Scheduler, issued.time);
  if (issued.hold == Hold::Pipeline) charge(warp_slot, entry, Stall::Pipeline, issued.time);
  if (issued.hold == Hold::Backlog) {
    const std::int64_t time = issued.time - intervals_[warp_slot].since;
    add(sums_[entry.backlogs + issued.backlog], std::max<std::int64_t>(time, 0));
    charge(warp_slot, entry, Stall::Backlog, issued.time);
  }
  ++sums_[entry.states + kExecutions];
  begin(warp_slot, issued.time, issued.step);
  if (!stream_of(warp_slot).steps[issued.step].barrier) note_end(warp_slot, issued.step, issued.end);
}

void StallAccountant::on_barrier_passed(const BarrierPassedEvent& passed) {
  charge_issuing(passed.warp_slot, passed.time);
  charge(passed.warp_slot, entry_of(passed.warp_slot, passed.step), Stall::Barrier, passed.time);
  begin(passed.warp_slot, passed.time, kNone);
  note_end(passed.warp_slot, passed.step, passed.time);
}

void StallAccountant::on_warp_ended(const WarpEndedEvent& ended) {
  charge_issuing(ended.warp_slot, ended.time);
  const Entry& last = entry_of(ended.warp_slot, accounts_[ended.warp_slot].last_to_end);
  charge(ended.warp_slot, last, Stall::Drain, ended.time);
  begin(ended.warp_slot, ended.time, kNone);
}

void StallAccountant::on_group_ended(const GroupEndedEvent& ended) {
  const std::size_t group_slot = layout_.group_slot(ended.unit, ended.slot);
  for (std::size_t warp = 0; warp < layout_.warps_per_group; ++warp) {
    const std::int64_t since = intervals_[layout_.warp_slot(group_slot, warp)].since;
    add(unit_sum(static_cast<std::size_t>(ended.unit), Stall::Ended), ended.time - since);
  }
  empty_interval(group_slot).reset(ended.time);
}

StepStalls StallAccountant::step_stalls(const Entry& entry, const InstructionStream& stream, const Step& step) const {
  const auto times = [this](std::size_t first, std::size_t count) {
    std::vector<Ticks> sums(count);
    for (std::size_t i = 0; i < count; ++i) sums[i] = Ticks{sums_[first + i]};
    return sums;
  };
  StepStalls stalls;
  stalls.executions = sums_[entry.states + kExecutions];
  for (std::size_t i = 0; i < kStalls; ++i) stalls.times[i] = Ticks{sums_[entry.states + i]};
  stalls.backlogs = times(entry.backlogs, entry.waits - entry.backlogs);
  const std::size_t waits = step.waits.end - step.waits.begin;
  stalls.waits = times(entry.waits, waits);
  for (std::size_t i = 0; i < waits; ++i) {
    const Step& producer = stream.steps[stream.producers[step.waits.begin + i]];
    stalls.services.push_back(times(entry.services + i * most_services_, services_of(stream, producer).size()));
  }
  return stalls;
}

Stalls StallAccountant::stalls(Ticks cycles) const {
  Stalls all;
  for (std::size_t s = 0; s < entries_.size(); ++s) {
    std::vector<StepStalls>& steps = all.steps.emplace_back();
    for (std::size_t i = 0; i < entries_[s].size(); ++i)
      steps.push_back(step_stalls(entries_[s][i], program_.streams[s], program_.streams[s].steps[i]));
  }
  all.units.resize(layout_.units);
  for (std::size_t unit = 0; unit < layout_.units; ++unit)
    for (std::size_t i = 0; i < kStalls; ++i) all.units[unit][i] = Ticks{sums_[unit * kStalls + i]};
  for (std::size_t group_slot = 0; group_slot < layout_.group_slots(); ++group_slot) {
    StallTimes& unit = all.units[layout_.unit_of_group_slot(group_slot)];
    add(unit[static_cast<std::size_t>(Stall::Empty)].count,
        of_all_warps(cycles.count - empty_interval(group_slot).since));
  }
  return all;
}

}  // namespace warpipe
