#include "cache.hpp"

#include <bit>
#include <cstring>

namespace warpipe {
namespace {

/// Moves the numbers [first, last) of a ring by one place, over the last number, and puts the last number first.
template <class Number>
void rotate(Number* ring, std::size_t size, std::size_t first, std::size_t last) {
  const Number moved = ring[last];
  if (last < first) {
    std::copy_backward(ring, ring + last, ring + last + 1);
    ring[0] = ring[size - 1];
    last = size - 1;
  }
  std::copy_backward(ring + first, ring + last, ring + last + 1);
  ring[first] = moved;
}

}  // namespace

Cache::Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways) {
  const std::int64_t lines = std::max<std::int64_t>(0, bytes) / line_bytes;
  if (lines == 0) return;
  set_count_ = std::bit_floor(static_cast<std::uint64_t>(lines / std::min(ways, lines)));
  ways_ = static_cast<std::uint32_t>(static_cast<std::size_t>(lines) / set_count_);
  spread_ = &SetSpread::over(static_cast<std::uint32_t>(std::countr_zero(set_count_)));
}

/// The library's search compares many bytes at a time.
std::uint32_t Cache::way_of(const Set& set, std::uint32_t line) const {
  if (set.first == kNone) return kNone;
  const std::uint8_t* const hashes = &hashes_[set.first];
  const Place* const places = &places_[set.first];
  const std::uint8_t hash = hash_of(line);
  if (hashes[set.head] == hash && lines_[places[set.head]].number == line) return set.head;
  for (const std::uint8_t* from = hashes;; ++from) {
    const auto left = static_cast<std::size_t>(hashes + ways_ - from);
    from = static_cast<const std::uint8_t*>(std::memchr(from, hash, left));
    if (from == nullptr) return kNone;
    if (lines_[places[from - hashes]].number == line) return static_cast<std::uint32_t>(from - hashes);
  }
}

void Cache::bring_forward(Set& set, std::uint32_t way) {
  rotate(&hashes_[set.first], ways_, set.head, way);
  rotate(&places_[set.first], ways_, set.head, way);
}

/// Earlier foreign lines need no room: nothing is older.
void Cache::make_sets() { sets_.assign(set_count_, {kNone, 0, std::min(ways_, foreign_), foreign_}); }

void Cache::make_room(Set& set) {
  set.first = static_cast<std::uint32_t>(places_.size());
  places_.resize(places_.size() + ways_, kNowhere);
  hashes_.resize(hashes_.size() + ways_, 0);
}

std::int64_t Cache::held() const {
  if (sets_.empty()) return static_cast<std::int64_t>(set_count_ * std::min(ways_, foreign_));
  std::int64_t held = 0;
  for (const Set& set : sets_) held += set.held;
  return held;
}

}  // namespace warpipe
