#include "warpipe/parallel/hand_out.hpp"

#include <algorithm>

namespace warpipe {
namespace {

/// A range holds at most the remaining indices divided by kShares and the number of workers. A larger value makes the
/// last ranges shorter and their ends nearer to each other, and ranges more numerous.
constexpr double kShares = 4;
/// The weight of the last range in the time per index, which may change along a study: n grows, and so do the times.
constexpr double kNewest = 0.25;

}  // namespace

HandOut::HandOut(IndexRange indices, const HandOutLimits& limits)
    : all_(indices), limits_(limits), next_(indices.first) {}

std::size_t HandOut::finished() const {
  std::size_t lowest = next_;
  if (!firsts_out_.empty()) lowest = std::min(lowest, *firsts_out_.begin());
  if (!returned_.empty()) lowest = std::min(lowest, returned_.begin()->first);
  return lowest;
}

double HandOut::seconds_of_range() const {
  return limits_.seconds + limits_.seconds_per_worker * static_cast<double>(workers_.size());
}

std::size_t HandOut::size_of_next(std::size_t left) const {
  if (!(seconds_per_index_ > 0)) return 1;
  const auto workers = static_cast<double>(workers_.size());
  const double of_time = seconds_of_range() / seconds_per_index_;
  const double of_rest = static_cast<double>(left) / (kShares * workers);
  const double of_window = static_cast<double>(limits_.window) / (kShares * workers);
  return static_cast<std::size_t>(std::max(1.0, std::min({of_time, of_rest, of_window})));
}

IndexRange HandOut::hand(Worker worker, IndexRange range) {
  out_.emplace(worker, range);
  firsts_out_.insert(range.first);
  return range;
}

std::optional<IndexRange> HandOut::ask(Worker worker) {
  workers_.insert(worker);
  const std::size_t size = size_of_next(all_.end - next_);
  if (!returned_.empty()) {
    const auto [first, end] = *returned_.begin();
    returned_.erase(returned_.begin());
    const IndexRange range{first, std::min(end, first + size)};
    if (range.end < end) returned_.emplace(range.end, end);
    return hand(worker, range);
  }
  const std::size_t allowed = std::min(all_.end, finished() + limits_.window);
  if (next_ >= allowed) return std::nullopt;
  const IndexRange range{next_, std::min(allowed, next_ + size)};
  next_ = range.end;
  return hand(worker, range);
}

void HandOut::go_back(IndexRange range) {
  if (range.size() > 0) returned_.emplace(range.first, range.end);
}

std::optional<IndexRange> HandOut::done(Worker worker, std::size_t count, double seconds) {
  const auto found = out_.find(worker);
  if (found == out_.end()) return std::nullopt;
  const IndexRange range = found->second;
  const IndexRange part{range.first, std::min(range.end, range.first + count)};
  out_.erase(found);
  firsts_out_.erase(range.first);
  go_back({part.end, range.end});
  if (part.size() > 0 && seconds > 0) {
    const double newest = seconds / static_cast<double>(part.size());
    seconds_per_index_ = seconds_per_index_ > 0 ? (1 - kNewest) * seconds_per_index_ + kNewest * newest : newest;
  }
  return part;
}

void HandOut::lost(Worker worker) {
  done(worker, 0, 0);
  workers_.erase(worker);
}

}  // namespace warpipe
