#include "core/level_pipeline.hpp"

#include <algorithm>

namespace warpipe {
namespace {

constexpr std::int64_t kShareOfLoad = 3;  ///< of the load of a level that is not full, what it adds to the latency

/// floor(a / b), for a >= 0 and b > 0.
/// @throws ModelError where it does not fit 64 bits
std::int64_t quotient(WideTicks a, std::int64_t b) {
  if (a <= INT64_MAX) return static_cast<std::int64_t>(a) / b;
  return narrow_time(a / b);
}

/// floor(time x waits / latency), 0 where there is no latency.
std::int64_t share_of(std::int64_t time, std::int64_t waits, std::int64_t latency) {
  if (time == 0 || latency == 0) return 0;
  return waits == latency ? time : quotient(static_cast<WideTicks>(time) * waits, latency);
}

}  // namespace

LevelDelay LevelPipeline::add(std::int64_t arrival, std::int64_t issue, std::int64_t free, const Stage& access) {
  const std::int64_t loaded = std::max(time_sum(latency_, load_ / kShareOfLoad), load_);
  const std::int64_t late = std::max<std::int64_t>(free - arrival - latency_, 0);
  keep({time_sum(arrival, std::max(loaded, time_sum(latency_, late))), issue, access.is_write});
  if (access.waits.count == 0) return {};
  const std::int64_t slower = share_of(loaded - latency_, access.waits.count, latency_);
  return {std::max(slower, late), late > 0 && late >= slower};
}

/// What is in flight counts for as long as it was there, back to the latest arrival, but for one latency at most.
void LevelPipeline::update_load(std::int64_t arrival) {
  const std::int64_t window = latest_ < arrival - latency_ ? latency_ : arrival - latest_;
  std::int64_t from = arrival - window;
  WideTicks area = 0;
  while (first_ < accesses_.size() && accesses_[first_].release <= arrival) {
    const std::int64_t release = std::max(accesses_[first_].release, from);
    area += static_cast<WideTicks>(in_flight_) * (release - from);
    from = release;
    retire_first();
  }
  area += static_cast<WideTicks>(in_flight_) * (arrival - from);
  if (latency_ > 0) load_ = quotient(static_cast<WideTicks>(load_) * (latency_ - window) + area, latency_);
  latest_ = arrival;
}

/// An access that left one latency ago is in no mean any more.
void LevelPipeline::forget(std::int64_t now) {
  if (latest_ >= now) return;
  while (first_ < accesses_.size() && accesses_[first_].release <= now - latency_) retire_first();
  if (latest_ > now - latency_) return;
  latest_ = kNever;
  load_ = 0;
}

void LevelPipeline::retire_first() {
  in_flight_ -= accesses_[first_].issue;
  writes_ -= accesses_[first_].is_write;
  ++first_;
}

/// Searches from the end: an access is mostly released behind those before it.
void LevelPipeline::keep(const Access& access) {
  if (access.issue == 0) return;  // slows nothing
  in_flight_ = time_sum(in_flight_, access.issue);
  writes_ += access.is_write;
  if (accesses_.size() == accesses_.capacity() && first_ > accesses_.size() / 2) {
    accesses_.erase(accesses_.begin(), accesses_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  std::size_t at = accesses_.size();
  accesses_.push_back(access);
  for (; at > first_ && access < accesses_[at - 1]; --at) accesses_[at] = accesses_[at - 1];
  accesses_[at] = access;
}

}  // namespace warpipe
