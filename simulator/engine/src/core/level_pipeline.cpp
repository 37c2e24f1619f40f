#include "core/level_pipeline.hpp"

#include <algorithm>

namespace warpipe {
namespace {

constexpr std::int64_t kShareOfLoad = 3;  ///< load / this adds to the latency of a level that is not full

/// floor(a / b), for a >= 0 and b > 0.
/// @throws ModelError for a result above 64 bits
std::int64_t quotient(WideTicks a, std::int64_t b) {
  if (a <= INT64_MAX) return static_cast<std::int64_t>(a) / b;
  return narrow_time(a / b);
}

/// floor(time x waits / latency), 0 without a latency.
std::int64_t share_of(std::int64_t time, std::int64_t waits, std::int64_t latency) {
  if (time == 0 || latency == 0) return 0;
  return waits == latency ? time : quotient(static_cast<WideTicks>(time) * waits, latency);
}

}  // namespace

inline void LevelPipeline::retire_first() {
  in_flight_ -= accesses_[first_].issue;
  writes_ -= accesses_[first_].is_write;
  ++first_;
}

/// An access in flight counts for its time there, back to the latest arrival, but for one latency at most.
inline void LevelPipeline::update_load(std::int64_t arrival) {
  const std::int64_t window = latest_ < arrival - latency_ ? latency_ : arrival - latest_;
  std::int64_t from = arrival - window;
  WideTicks area = 0;
  while (first_ < end_ && accesses_[first_].release <= arrival) {
    const std::int64_t release = std::max(accesses_[first_].release, from);
    area += static_cast<WideTicks>(in_flight_) * (release - from);
    from = release;
    retire_first();
  }
  area += static_cast<WideTicks>(in_flight_) * (arrival - from);
  if (latency_ > 0) load_ = quotient(static_cast<WideTicks>(load_) * (latency_ - window) + area, latency_);
  latest_ = arrival;
}

inline std::int64_t LevelPipeline::issue_of(const Stage& access) const {
  const bool is_mixed = access.is_write ? writes_ < static_cast<std::int64_t>(end_ - first_) : writes_ > 0;
  return (is_mixed ? access.mixed : access.issue).count;
}

/// Searches from the end: an access is mostly released behind earlier accesses.
inline void LevelPipeline::keep(const Access& access) {
  if (access.issue == 0) return;  // slows nothing
  in_flight_ = time_sum(in_flight_, access.issue);
  writes_ += access.is_write;
  if (end_ == accesses_.size()) [[unlikely]]
    make_room();
  Access* at = &accesses_[end_++];
  const Access* const first = &accesses_[first_];
  for (; at > first && access < at[-1]; --at) at[0] = at[-1];
  *at = access;
}

LevelDelay LevelPipeline::take(std::int64_t arrival, std::int64_t& free, const Stage& access) {
  if (arrival > latest_) update_load(arrival);
  const std::int64_t issue = issue_of(access);
  free = time_sum(std::max(arrival, free), issue);
  const std::int64_t loaded = std::max(time_sum(latency_, load_ / kShareOfLoad), load_);
  const std::int64_t late = std::max<std::int64_t>(free - arrival - latency_, 0);
  keep({time_sum(arrival, std::max(loaded, time_sum(latency_, late))), issue, access.is_write});
  if (access.waits.count == 0) return {};
  const std::int64_t slower = share_of(loaded - latency_, access.waits.count, latency_);
  return {std::max(slower, late), late > 0 && late >= slower};
}

/// If most accesses have left, the accesses in flight move to the front: each moves once for each that has left.
void LevelPipeline::make_room() {
  if (first_ <= end_ / 2) return accesses_.resize(2 * end_ + 8);
  std::move(accesses_.data() + first_, accesses_.data() + end_, accesses_.data());
  end_ -= first_;
  first_ = 0;
}

/// An access released a latency ago counts in no mean any more.
void LevelPipeline::forget(std::int64_t now) {
  if (latest_ >= now) return;
  while (first_ < end_ && accesses_[first_].release <= now - latency_) retire_first();
  if (latest_ > now - latency_) return;
  latest_ = kNever;
  load_ = 0;
}

}  // namespace warpipe
