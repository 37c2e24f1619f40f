#include "cache.hpp"

#include <bit>

namespace warpipe {
namespace {

constexpr int kFewBits = 4;  ///< of the number of a bucket, in a cache without lines

}  // namespace

Cache::Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways)
    : first_of_bucket_(std::size_t{1} << kFewBits, kNowhere), bucket_shift_(32 - kFewBits) {
  const std::int64_t lines = std::max<std::int64_t>(0, bytes) / line_bytes;
  if (lines == 0) return;
  set_count_ = std::bit_floor(static_cast<std::uint64_t>(lines / std::min(ways, lines)));
  ways_ = static_cast<std::uint32_t>(static_cast<std::size_t>(lines) / set_count_);
  set_mask_ = static_cast<std::uint32_t>(set_count_ - 1);
  if (set_mask_ != 0) set_bits_ = std::bit_width(set_mask_);
}

/// Links a new place in front of a set.
Cache::Place Cache::new_place(std::size_t number) {
  if (lines_.size() == first_of_bucket_.size()) enlarge_table();
  const auto place = static_cast<Place>(lines_.size());
  Line& line = lines_.emplace_back();
  line.set = static_cast<std::uint32_t>(number);
  line.newer = line.older = place;
  Set& set = sets_[number];
  if (set.places++ == 0) return place;
  Place& oldest = lines_[set.newest].newer;
  line.older = set.newest;
  line.newer = oldest;
  lines_[oldest].older = place;
  oldest = place;
  return place;
}

void Cache::enlarge_table() {
  first_of_bucket_.assign(2 * first_of_bucket_.size(), kNowhere);
  --bucket_shift_;
  for (Place place = 0; place < lines_.size(); ++place)
    if (lines_[place].number != kForeign) enter(place);
}

std::int64_t Cache::held() const {
  if (sets_.empty()) return static_cast<std::int64_t>(set_count_ * std::min(ways_, foreign_));
  std::int64_t held = 0;
  for (const Set& set : sets_) held += set.held;
  return held;
}

}  // namespace warpipe
