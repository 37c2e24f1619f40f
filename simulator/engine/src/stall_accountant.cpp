#include "stall_accountant.hpp"

#include <algorithm>

#include "warpipe/engine/time.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kExecutions = kStalls;  // behind the states, in a step's tallies

/// @throws ModelError where the sum does not fit 64 bits
void add(std::int64_t& tally, std::int64_t time) { tally = time_sum(tally, time); }

}  // namespace

StallAccountant::StallAccountant(const Program& program)
    : program_(program),
      warps_per_group_(warps_per_group(program)),
      group_slots_per_unit_(static_cast<std::size_t>(program.machine.group_slots)),
      warp_slots_per_unit_(group_slots_per_unit_ * warps_per_group_) {
  const Machine& machine = program.machine;
  const auto units = static_cast<std::size_t>(machine.units);
  std::size_t next = units * kStalls;
  for (const InstructionStream& stream : program.streams) {
    std::vector<Entry>& entries = entries_.emplace_back();
    for (const Step& step : stream.steps) {
      Entry entry{.tallies = next};
      entry.backlogs = entry.tallies + kExecutions + 1;
      entry.waits = entry.backlogs + program.issue_ports[step.issue_port].backlogs.size();
      entry.holds_for = machine.schedulers > 0 ? step.scheduler_busy.count : step.issue.count;
      next = entry.waits + (step.waits.end - step.waits.begin);
      entries.push_back(entry);
    }
  }
  tallies_.resize(next, 0);
  accounts_.resize(units * warp_slots_per_unit_);
  since_.resize(accounts_.size() + units * group_slots_per_unit_);
}

const InstructionStream& StallAccountant::stream_of(std::size_t warp_slot) const {
  return program_.streams[accounts_[warp_slot].stream];
}

const StallAccountant::Entry& StallAccountant::entry_of(std::size_t warp_slot, std::uint32_t step) const {
  return entries_[accounts_[warp_slot].stream][step];
}

std::int64_t StallAccountant::of_a_group(std::int64_t time) const {
  return checked_multiply(Ticks{time}, static_cast<std::int64_t>(warps_per_group_)).count;
}

void StallAccountant::charge(std::size_t warp_slot, const Entry& entry, Stall stall, std::int64_t until) {
  std::int64_t& since = since_[warp_slot].since;
  const std::int64_t time = until - since;
  if (time <= 0) return;
  add(tallies_[entry.tallies + static_cast<std::size_t>(stall)], time);
  add(unit_tally(unit_of(warp_slot), stall), time);
  since = until;
}

/// The step that issued last holds its scheduler for a while, at most until something else happens.
void StallAccountant::charge_issuing(std::size_t warp_slot, std::int64_t most) {
  const std::uint32_t step = accounts_[warp_slot].issuing;
  if (step == kNobody) return;
  const Entry& entry = entry_of(warp_slot, step);
  charge(warp_slot, entry, Stall::Issuing, std::min(most, time_sum(since_[warp_slot].since, entry.holds_for)));
}

void StallAccountant::begin(std::size_t warp_slot, std::int64_t time, std::uint32_t issuing) {
  since_[warp_slot].begin(time);
  Account& account = accounts_[warp_slot];
  account.issuing = issuing;
  account.last_wait = kNoWait;
  account.until_earliest = account.until_ready = 0;
}

void StallAccountant::note_end(std::size_t warp_slot, std::uint32_t step, std::int64_t end) {
  Account& account = accounts_[warp_slot];
  if (account.ender != kNobody && end <= account.end) return;
  account.ender = step;
  account.end = end;
}

void StallAccountant::on_group_placed(const PlacedEvent& placed) {
  const auto unit = static_cast<std::size_t>(placed.unit);
  const std::size_t slot = unit * group_slots_per_unit_ + static_cast<std::size_t>(placed.slot);
  const std::int64_t empty = placed.time - since_[accounts_.size() + slot].since;
  add(unit_tally(unit, Stall::Empty), of_a_group(empty));
  for (std::size_t warp = 0; warp < warps_per_group_; ++warp) {
    const std::size_t warp_slot = slot * warps_per_group_ + warp;
    begin(warp_slot, placed.time, kNobody);
    accounts_[warp_slot].stream = program_.kinds[placed.kind][warp];
    accounts_[warp_slot].ender = kNobody;
  }
}

void StallAccountant::on_waiting(const WaitingEvent& waiting) {
  Account& account = accounts_[waiting.warp_slot];
  const std::int64_t since = since_[waiting.warp_slot].since;
  account.until_earliest = waiting.earliest - since;
  account.until_ready = waiting.ready - since;
  account.last_wait = waiting.last_wait;
}

void StallAccountant::on_issued(const IssuedEvent& issued) {
  const std::size_t warp_slot = issued.warp_slot;
  const Account& account = accounts_[warp_slot];
  const Entry& entry = entry_of(warp_slot, issued.step);
  const std::int64_t since = since_[warp_slot].since;
  charge_issuing(warp_slot, issued.time);
  charge(warp_slot, entry, Stall::Interval, since + account.until_earliest);
  if (account.last_wait != kNoWait) {
    const std::int64_t before = since_[warp_slot].since;
    charge(warp_slot, entry, Stall::Result, since + account.until_ready);
    const std::uint32_t wait = account.last_wait - stream_of(warp_slot).steps[issued.step].waits.begin;
    add(tallies_[entry.waits + wait], since_[warp_slot].since - before);
  }
  if (issued.hold == Hold::Scheduler) charge(warp_slot, entry, Stall::Scheduler, issued.time);
  if (issued.hold == Hold::Pipeline) charge(warp_slot, entry, Stall::Pipeline, issued.time);
  if (issued.hold == Hold::Backlog) {
    add(tallies_[entry.backlogs + issued.backlog], std::max<std::int64_t>(issued.time - since_[warp_slot].since, 0));
    charge(warp_slot, entry, Stall::Backlog, issued.time);
  }
  ++tallies_[entry.tallies + kExecutions];
  begin(warp_slot, issued.time, issued.step);
  if (!stream_of(warp_slot).steps[issued.step].barrier) note_end(warp_slot, issued.step, issued.end);
}

void StallAccountant::on_barrier_passed(const PassedEvent& passed) {
  charge_issuing(passed.warp_slot, passed.time);
  charge(passed.warp_slot, entry_of(passed.warp_slot, passed.step), Stall::Barrier, passed.time);
  begin(passed.warp_slot, passed.time, kNobody);
  note_end(passed.warp_slot, passed.step, passed.time);
}

void StallAccountant::on_warp_ended(const WarpEndedEvent& ended) {
  charge_issuing(ended.warp_slot, ended.time);
  charge(ended.warp_slot, entry_of(ended.warp_slot, accounts_[ended.warp_slot].ender), Stall::Drain, ended.time);
  begin(ended.warp_slot, ended.time, kNobody);
}

void StallAccountant::on_group_ended(const EndedEvent& ended) {
  const auto unit = static_cast<std::size_t>(ended.unit);
  const std::size_t slot = unit * group_slots_per_unit_ + static_cast<std::size_t>(ended.slot);
  for (std::size_t warp_slot = slot * warps_per_group_; warp_slot < (slot + 1) * warps_per_group_; ++warp_slot)
    add(unit_tally(unit, Stall::Ended), ended.time - since_[warp_slot].since);
  since_[accounts_.size() + slot].begin(ended.time);
}

StepStalls StallAccountant::step_stalls(const Entry& entry, const Step& step) const {
  const auto tallies = [this](std::size_t first, std::size_t count) {
    std::vector<Ticks> times(count);
    for (std::size_t i = 0; i < count; ++i) times[i] = Ticks{tallies_[first + i]};
    return times;
  };
  StepStalls stalls;
  stalls.executions = tallies_[entry.tallies + kExecutions];
  for (std::size_t i = 0; i < kStalls; ++i) stalls.times[i] = Ticks{tallies_[entry.tallies + i]};
  stalls.backlogs = tallies(entry.backlogs, entry.waits - entry.backlogs);
  stalls.waits = tallies(entry.waits, step.waits.end - step.waits.begin);
  return stalls;
}

Stalls StallAccountant::stalls(Ticks cycles) const {
  Stalls all;
  for (std::size_t s = 0; s < entries_.size(); ++s) {
    std::vector<StepStalls>& steps = all.steps.emplace_back();
    for (std::size_t i = 0; i < entries_[s].size(); ++i)
      steps.push_back(step_stalls(entries_[s][i], program_.streams[s].steps[i]));
  }
  all.units.resize(static_cast<std::size_t>(program_.machine.units));
  for (std::size_t unit = 0; unit < all.units.size(); ++unit) {
    for (std::size_t i = 0; i < kStalls; ++i) all.units[unit][i] = Ticks{tallies_[unit * kStalls + i]};
    std::int64_t& empty = all.units[unit][static_cast<std::size_t>(Stall::Empty)].count;
    for (std::size_t slot = unit * group_slots_per_unit_; slot < (unit + 1) * group_slots_per_unit_; ++slot)
      add(empty, of_a_group(cycles.count - since_[accounts_.size() + slot].since));
  }
  return all;
}

}  // namespace warpipe
