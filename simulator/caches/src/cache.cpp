#include "cache.hpp"

#include <bit>

namespace warpipe {
namespace {

constexpr int kFewBits = 3;  ///< of the number of a bucket, in a cache without lines

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

/// Doubles the table, and room for as many lines.
void Cache::make_room() {
  first_of_bucket_.assign(2 * first_of_bucket_.size(), kNowhere);
  --bucket_shift_;
  lines_.reserve(first_of_bucket_.size());
  for (Place place = 0; place < lines_.size(); ++place) {
    Line& line = lines_[place];
    if (line.number != kForeign) line.next = std::exchange(first_of_bucket_[bucket_of(line.number)], place);
  }
}

std::int64_t Cache::held() const {
  if (sets_.empty()) return static_cast<std::int64_t>(set_count_ * std::min(ways_, foreign_));
  std::int64_t held = 0;
  for (const Set& set : sets_) held += set.held;
  return held;
}

}  // namespace warpipe
