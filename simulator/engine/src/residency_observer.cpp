#include "residency_observer.hpp"

#include <algorithm>
#include <cmath>

namespace warpipe {
namespace {

std::int64_t rounded_up(std::int64_t number, std::int64_t unit) { return (number + unit - 1) / unit * unit; }

}  // namespace

ResidencyObserver::ResidencyObserver(const Machine& machine, Ticks cycles, std::size_t buckets)
    : group_slots_per_unit_(static_cast<std::size_t>(machine.group_slots)),
      cycles_(cycles),
      slots_(static_cast<std::size_t>(machine.units) * group_slots_per_unit_),
      times_(2 * slots_.size() + 1) {
  const auto most = static_cast<std::int64_t>(buckets);
  std::int64_t width = std::max<std::int64_t>((cycles.count + most - 1) / most, 1);
  if (width > kTicksPerCycle) width = rounded_up(width, kTicksPerCycle);
  residency_.width.count = width;
  residency_.occupied.resize(static_cast<std::size_t>((cycles.count + width - 1) / width));
}

void ResidencyObserver::on_group_placed(const PlacedEvent& placed) {
  follow_leap();
  const std::size_t number =
      static_cast<std::size_t>(placed.unit) * group_slots_per_unit_ + static_cast<std::size_t>(placed.slot);
  Slot& slot = slots_[number];
  if (slot.state == State::Ended) {
    count(number);
    counted_ += slot.ended - slot.placed;
    counted_before_ = counted_;
  }
  placed_at(number).begin(placed.time);
  latest().begin(placed.time);
  latest_before_ = slot.placed = slot.from = placed.time;
  slot.state = State::Resident;
  residency_.peak = std::max(residency_.peak, residents(placed.unit, placed.time));
}

void ResidencyObserver::on_group_ended(const EndedEvent& ended) {
  follow_leap();
  const std::size_t number =
      static_cast<std::size_t>(ended.unit) * group_slots_per_unit_ + static_cast<std::size_t>(ended.slot);
  ended_at(number).begin(ended.time);
  slots_[number].ended = ended.time;
  slots_[number].state = State::Ended;
}

std::int64_t ResidencyObserver::residents(std::int64_t unit, std::int64_t time) const {
  const auto first = slots_.begin() + unit * static_cast<std::int64_t>(group_slots_per_unit_);
  return std::count_if(first, first + static_cast<std::int64_t>(group_slots_per_unit_), [time](const Slot& slot) {
    return slot.state == State::Resident || (slot.state == State::Ended && slot.ended > time);
  });
}

/// Periods without a placement need nothing: whoever is there then stays.
void ResidencyObserver::follow_leap() {
  const std::int64_t leap = latest().since - latest_before_;
  if (leap == 0) return;
  const std::int64_t now = latest_before_;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (placed_at(i).since == slot.placed) continue;
    const std::int64_t until = std::max(slot.state == State::Ended ? std::min(slot.ended, now) : now, slot.from);
    add(slot.from, until);
    slot.from = until + leap;
    slot.placed = placed_at(i).since;
    slot.ended = ended_at(i).since;
  }
  spread(now, now + leap, counted_ - counted_before_);
  latest_before_ = latest().since;
  counted_before_ = counted_;
}

void ResidencyObserver::count(std::size_t slot) { add(slots_[slot].from, slots_[slot].ended); }

void ResidencyObserver::add(std::int64_t from, std::int64_t to) {
  if (to > from) spread(from, to, to - from);
}

/// Puts an amount evenly into the buckets of a time.
void ResidencyObserver::spread(std::int64_t from, std::int64_t to, std::int64_t amount) {
  residency_.total.count += amount;
  const double rate = static_cast<double>(amount) / static_cast<double>(to - from);
  const std::int64_t width = residency_.width.count;
  std::int64_t done = 0;
  for (std::int64_t at = from; at < to;) {
    const std::int64_t bucket = std::min(at / width, static_cast<std::int64_t>(residency_.occupied.size()) - 1);
    at = std::min(to, (bucket + 1) * width);
    const bool is_last = at == to || bucket + 1 == static_cast<std::int64_t>(residency_.occupied.size());
    const std::int64_t so_far = is_last ? amount : std::llround(rate * static_cast<double>(at - from));
    residency_.occupied[static_cast<std::size_t>(bucket)].count += so_far - done;
    if (is_last) return;
    done = so_far;
  }
}

Residency ResidencyObserver::residency() {
  follow_leap();
  std::int64_t first_empty = cycles_.count;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].state == State::Ended) count(i);
    first_empty = std::min(first_empty, slots_[i].ended);
  }
  residency_.tail.count = cycles_.count - first_empty;
  return std::move(residency_);
}

}  // namespace warpipe
