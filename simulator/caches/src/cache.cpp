#include "cache.hpp"

#include <utility>

namespace warpipe {
namespace {

/// Moves elements by one place, over the one behind them, and sets the first.
/// @return the one that was behind them
template <class Element>
Element push_front(std::vector<Element>& elements, std::size_t first, std::size_t last, const Element& value) {
  const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = elements.begin() + static_cast<std::ptrdiff_t>(last);
  const Element behind = *end;
  std::copy_backward(begin, end, end + 1);
  *begin = value;
  return behind;
}

}  // namespace

Cache::Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways, Keeps keeps) {
  const std::int64_t lines = std::max<std::int64_t>(0, bytes) / line_bytes;
  ways_ = static_cast<std::size_t>(std::min({ways, lines, std::int64_t{kDirty - 1}}));
  if (ways_ == 0) return;
  sets_ = static_cast<std::size_t>(lines) / ways_;
  numbers_.assign(sets_ * ways_, kEmpty);
  valid_.resize(sets_ * ways_, 0);
  if (keeps.arrivals) arrivals_.resize(sets_ * ways_, 0);
  if (keeps.stores) {
    written_.resize(sets_ * ways_);
    for (Place place = 0; place < written_.size(); ++place)
      ways_of_.push_back(static_cast<std::uint16_t>(place % ways_));
  }
  aged_.resize(sets_, 0);
}

void Cache::bring_forward(Place first, Place place) {
  push_front(numbers_, first, place, std::uint32_t{numbers_[place]});
  push_front(valid_, first, place, std::uint32_t{valid_[place]});
  if (!arrivals_.empty()) push_front(arrivals_, first, place, std::uint32_t{arrivals_[place]});
  if (!ways_of_.empty()) push_front(ways_of_, first, place, std::uint16_t{ways_of_[place]});
}

Cache::Place Cache::push(std::size_t set, std::uint32_t line, Victim& victim) {
  const Place first = set * ways_, last = first + ways_ - 1;
  victim.line = push_front(numbers_, first, last, line);
  victim.valid = push_front(valid_, first, last, std::uint32_t{0});
  if (!arrivals_.empty()) push_front(arrivals_, first, last, std::uint32_t{0});
  if (ways_of_.empty()) return first;
  if ((ways_of_[last] & kDirty) != 0) {
    victim.written = std::exchange(written_[way_of(last)], {});
    ways_of_[last] &= kDirty - 1U;
  }
  push_front(ways_of_, first, last, std::uint16_t{ways_of_[last]});
  return first;
}

}  // namespace warpipe
