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
      warps_a_group_(warps_per_group(program)),
      slots_a_unit_(static_cast<std::size_t>(program.machine.slots)),
      places_a_unit_(slots_a_unit_ * warps_a_group_) {
  const Machine& machine = program.machine;
  const auto units = static_cast<std::size_t>(machine.units);
  std::size_t next = units * kStalls;
  for (const Stream& stream : program.streams) {
    std::vector<Entry>& entries = entries_.emplace_back();
    for (const Step& step : stream.steps) {
      Entry entry{.tallies = next};
      entry.backlogs = entry.tallies + kExecutions + 1;
      entry.waits = entry.backlogs + program.gates[step.gate].backlogs.size();
      entry.holds_for = machine.schedulers > 0 ? step.scheduler_busy.count : step.issue.count;
      next = entry.waits + (step.waits.end - step.waits.begin);
      entries.push_back(entry);
    }
  }
  tallies_.resize(next, 0);
  accounts_.resize(units * places_a_unit_);
  since_.resize(accounts_.size() + units * slots_a_unit_);
}

const Stream& StallAccountant::stream_of(std::size_t place) const { return program_.streams[accounts_[place].stream]; }

const StallAccountant::Entry& StallAccountant::entry_of(std::size_t place, std::uint32_t step) const {
  return entries_[accounts_[place].stream][step];
}

std::int64_t StallAccountant::of_a_group(std::int64_t time) const {
  return checked_multiply(Ticks{time}, static_cast<std::int64_t>(warps_a_group_)).count;
}

void StallAccountant::charge(std::size_t place, const Entry& entry, Stall stall, std::int64_t until) {
  std::int64_t& since = since_[place].since;
  const std::int64_t time = until - since;
  if (time <= 0) return;
  add(tallies_[entry.tallies + static_cast<std::size_t>(stall)], time);
  add(unit_tally(unit_of(place), stall), time);
  since = until;
}

/// The step that issued last holds its scheduler for a while, at most until something else happens.
void StallAccountant::charge_issuing(std::size_t place, std::int64_t most) {
  const std::uint32_t step = accounts_[place].issuing;
  if (step == kNobody) return;
  const Entry& entry = entry_of(place, step);
  charge(place, entry, Stall::Issuing, std::min(most, time_sum(since_[place].since, entry.holds_for)));
}

void StallAccountant::begin(std::size_t place, std::int64_t time, std::uint32_t issuing) {
  since_[place].begin(time);
  Account& account = accounts_[place];
  account.issuing = issuing;
  account.last_wait = kNoWait;
  account.until_earliest = account.until_ready = 0;
}

void StallAccountant::note_end(std::size_t place, std::uint32_t step, std::int64_t end) {
  Account& account = accounts_[place];
  if (account.ender != kNobody && end <= account.end) return;
  account.ender = step;
  account.end = end;
}

void StallAccountant::on_group_placed(const PlacedEvent& placed) {
  const auto unit = static_cast<std::size_t>(placed.unit);
  const std::size_t slot = unit * slots_a_unit_ + static_cast<std::size_t>(placed.slot);
  const std::int64_t empty = placed.time - since_[accounts_.size() + slot].since;
  add(unit_tally(unit, Stall::Empty), of_a_group(empty));
  for (std::size_t warp = 0; warp < warps_a_group_; ++warp) {
    const std::size_t place = slot * warps_a_group_ + warp;
    begin(place, placed.time, kNobody);
    accounts_[place].stream = program_.kinds[placed.kind][warp];
    accounts_[place].ender = kNobody;
  }
}

void StallAccountant::on_waiting(const WaitingEvent& waiting) {
  Account& account = accounts_[waiting.place];
  const std::int64_t since = since_[waiting.place].since;
  account.until_earliest = waiting.earliest - since;
  account.until_ready = waiting.ready - since;
  account.last_wait = waiting.last_wait;
}

void StallAccountant::on_issued(const IssuedEvent& issued) {
  const std::size_t place = issued.place;
  const Account& account = accounts_[place];
  const Entry& entry = entry_of(place, issued.step);
  const std::int64_t since = since_[place].since;
  charge_issuing(place, issued.time);
  charge(place, entry, Stall::Interval, since + account.until_earliest);
  if (account.last_wait != kNoWait) {
    const std::int64_t before = since_[place].since;
    charge(place, entry, Stall::Result, since + account.until_ready);
    const std::uint32_t wait = account.last_wait - stream_of(place).steps[issued.step].waits.begin;
    add(tallies_[entry.waits + wait], since_[place].since - before);
  }
  if (issued.hold == Hold::Scheduler) charge(place, entry, Stall::Scheduler, issued.time);
  if (issued.hold == Hold::Pipeline) charge(place, entry, Stall::Pipeline, issued.time);
  if (issued.hold == Hold::Backlog) {
    add(tallies_[entry.backlogs + issued.backlog], std::max<std::int64_t>(issued.time - since_[place].since, 0));
    charge(place, entry, Stall::Backlog, issued.time);
  }
  ++tallies_[entry.tallies + kExecutions];
  begin(place, issued.time, issued.step);
  if (!stream_of(place).steps[issued.step].barrier) note_end(place, issued.step, issued.end);
}

void StallAccountant::on_barrier_passed(const PassedEvent& passed) {
  charge_issuing(passed.place, passed.time);
  charge(passed.place, entry_of(passed.place, passed.step), Stall::Barrier, passed.time);
  begin(passed.place, passed.time, kNobody);
  note_end(passed.place, passed.step, passed.time);
}

void StallAccountant::on_warp_ended(const WarpEndedEvent& ended) {
  charge_issuing(ended.place, ended.time);
  charge(ended.place, entry_of(ended.place, accounts_[ended.place].ender), Stall::Drain, ended.time);
  begin(ended.place, ended.time, kNobody);
}

void StallAccountant::on_group_ended(const EndedEvent& ended) {
  const auto unit = static_cast<std::size_t>(ended.unit);
  const std::size_t slot = unit * slots_a_unit_ + static_cast<std::size_t>(ended.slot);
  for (std::size_t place = slot * warps_a_group_; place < (slot + 1) * warps_a_group_; ++place)
    add(unit_tally(unit, Stall::Ended), ended.time - since_[place].since);
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
    for (std::size_t slot = unit * slots_a_unit_; slot < (unit + 1) * slots_a_unit_; ++slot)
      add(empty, of_a_group(cycles.count - since_[accounts_.size() + slot].since));
  }
  return all;
}

}  // namespace warpipe
