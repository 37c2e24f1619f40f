#include "cache.hpp"

#include <bit>
#include <utility>

namespace warpipe {
namespace {

/// Moves numbers by one place, over the one behind them, and sets the first.
/// @return the one that was behind them
std::uint32_t push_front(std::uint32_t* numbers, std::size_t count, std::uint32_t value) {
  const std::uint32_t behind = numbers[count];
  std::copy_backward(numbers, numbers + count, numbers + count + 1);
  numbers[0] = value;
  return behind;
}

}  // namespace

Cache::Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways, Keeps keeps) {
  const std::int64_t lines = std::max<std::int64_t>(0, bytes) / line_bytes;
  if (lines == 0) return;
  sets_ = std::bit_floor(static_cast<std::uint64_t>(lines / std::min(ways, lines)));
  ways_ = static_cast<std::size_t>(lines) / sets_;
  set_mask_ = static_cast<std::uint32_t>(sets_ - 1);
  set_bits_ = static_cast<std::uint32_t>(std::max(1, static_cast<int>(std::bit_width(set_mask_))));
  row_ = 2 * ways_;
  if (keeps.arrivals) arrivals_ = std::exchange(row_, row_ + ways_);
  if (keeps.stores) written_ways_ = std::exchange(row_, row_ + ways_);
  rows_.resize(sets_ * row_, 0);
  aged_.resize(sets_, 0);
  if (keeps.stores) written_.resize(sets_ * ways_);
  for (Place first = 0; first < rows_.size(); first += row_) {
    for (std::size_t way = 0; way < ways_; ++way) {
      rows_[first + way] = kEmpty;
      if (keeps.stores) rows_[first + written_ways_ + way] = static_cast<std::uint32_t>(way);
    }
  }
}

void Cache::bring_forward(Place first, std::size_t rank) {
  for (std::size_t column = first; column < first + row_; column += ways_)
    push_front(&rows_[column], rank, rows_[column + rank]);
}

Cache::Place Cache::push(std::size_t set, std::uint32_t line, Victim& victim) {
  const Place first = set * row_;
  const std::size_t last = ways_ - 1;
  victim = {push_front(&rows_[first], last, line), push_front(&rows_[first + ways_], last, 0), {}};
  if (arrivals_ != 0) push_front(&rows_[first + arrivals_], last, 0);
  if (written_ways_ == 0) return first;
  std::uint32_t way = rows_[first + written_ways_ + last];
  if ((way & kDirty) != 0) victim.written = std::exchange(written_[set * ways_ + (way ^= kDirty)], {});
  push_front(&rows_[first + written_ways_], last, way);
  return first;
}

std::int64_t Cache::held() const {
  std::int64_t held = 0;
  for (Place first = 0; first < rows_.size(); first += row_)
    held += std::count_if(&rows_[first], &rows_[first] + ways_, [](std::uint32_t line) { return line != kEmpty; });
  return held;
}

}  // namespace warpipe
