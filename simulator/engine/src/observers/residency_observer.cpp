#include "observers/residency_observer.hpp"

#include <algorithm>
#include <cmath>

namespace warpipe {
namespace {

std::int64_t bucket_width(std::int64_t cycles, std::int64_t buckets) {
  const std::int64_t width = std::max<std::int64_t>((cycles + buckets - 1) / buckets, 1);
  if (width <= kTicksPerCycle) return width;
  return (width + kTicksPerCycle - 1) / kTicksPerCycle * kTicksPerCycle;
}

/// Puts an amount of time evenly into the buckets of a stretch.
void spread(Residency& residency, std::int64_t from, std::int64_t to, std::int64_t amount) {
  residency.total.count += amount;
  const double rate = static_cast<double>(amount) / static_cast<double>(to - from);
  const std::int64_t width = residency.width.count;
  const auto buckets = static_cast<std::int64_t>(residency.occupied.size());
  std::int64_t done = 0;
  for (std::int64_t at = from; at < to;) {
    const std::int64_t bucket = std::min(at / width, buckets - 1);
    at = std::min(to, (bucket + 1) * width);
    const bool is_last = at == to || bucket + 1 == buckets;
    const std::int64_t so_far = is_last ? amount : std::llround(rate * static_cast<double>(at - from));
    residency.occupied[static_cast<std::size_t>(bucket)].count += so_far - done;
    if (is_last) return;
    done = so_far;
  }
}

}  // namespace

ResidencyObserver::ResidencyObserver(const Program& program)
    : layout_(program), slots_(layout_.group_slots()), intervals_(2 * slots_.size() + 1) {}

void ResidencyObserver::on_group_placed(const GroupPlacedEvent& placed) {
  count_skipped_time();
  const std::size_t number = layout_.group_slot(placed.unit, placed.slot);
  Slot& slot = slots_[number];
  if (slot.state == State::Ended) {
    count(slot.from, slot.ended);
    counted_ += slot.ended - slot.placed;
    counted_before_ = counted_;
  }
  placed_at(number).reset(placed.time);
  latest_placement().reset(placed.time);
  latest_before_ = slot.placed = slot.from = placed.time;
  slot.state = State::Resident;
  peak_ = std::max(peak_, residents(placed.unit, placed.time));
}

void ResidencyObserver::on_group_ended(const GroupEndedEvent& ended) {
  count_skipped_time();
  const std::size_t number = layout_.group_slot(ended.unit, ended.slot);
  ended_at(number).reset(ended.time);
  slots_[number].ended = ended.time;
  slots_[number].state = State::Ended;
}

std::int64_t ResidencyObserver::residents(std::int64_t unit, std::int64_t time) const {
  const auto first = slots_.begin() + static_cast<std::ptrdiff_t>(layout_.group_slot(unit, 0));
  const auto behind_last = first + static_cast<std::ptrdiff_t>(layout_.group_slots_per_unit);
  return std::count_if(first, behind_last, [time](const Slot& slot) {
    return slot.state == State::Resident || (slot.state == State::Ended && slot.ended > time);
  });
}

/// Skipped periods without a placement need nothing: the resident groups stay.
void ResidencyObserver::count_skipped_time() {
  const std::int64_t skipped = latest_placement().since - latest_before_;
  if (skipped == 0) return;
  const std::int64_t now = latest_before_;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (placed_at(i).since == slot.placed) continue;
    const std::int64_t until = std::max(slot.state == State::Ended ? std::min(slot.ended, now) : now, slot.from);
    count(slot.from, until);
    slot.from = until + skipped;
    slot.placed = placed_at(i).since;
    slot.ended = ended_at(i).since;
  }
  shares_.push_back({now, now + skipped, counted_ - counted_before_});
  latest_before_ = latest_placement().since;
  counted_before_ = counted_;
}

void ResidencyObserver::count(std::int64_t from, std::int64_t to) {
  if (to > from) shares_.push_back({from, to, to - from});
}

Residency ResidencyObserver::residency(Ticks cycles, std::size_t buckets) {
  count_skipped_time();
  std::int64_t first_empty = cycles.count;
  for (const Slot& slot : slots_) {
    if (slot.state == State::Ended) count(slot.from, slot.ended);
    first_empty = std::min(first_empty, slot.ended);
  }
  Residency residency;
  residency.width.count = bucket_width(cycles.count, static_cast<std::int64_t>(buckets));
  residency.occupied.resize(
      static_cast<std::size_t>((cycles.count + residency.width.count - 1) / residency.width.count));
  for (const Share& share : shares_) spread(residency, share.from, share.to, share.time);
  residency.peak = peak_;
  residency.tail.count = cycles.count - first_empty;
  return residency;
}

}  // namespace warpipe
