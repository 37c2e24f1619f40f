#include "joined_stores.hpp"

#include <algorithm>

namespace warpipe {

bool JoinedStores::share_sectors(const Lines& store) const {
  auto own = lines_.begin();
  for (const TouchedLine& line : store.list) {
    const std::int64_t number = line.line + store.first;
    while (own != lines_.end() && own->line < number) ++own;
    if (own == lines_.end()) return false;
    if (own->line == number && (sectors_.touched(own->touched) & sectors_.touched(line.touched)) != 0) return true;
  }
  return false;
}

void JoinedStores::begin(const Lines& store, const Place& place) {
  first_ = place.instruction;
  lines_.assign(store.list.begin(), store.list.end());
  for (TouchedLine& line : lines_) line.line += store.first;
}

int JoinedStores::sectors() const {
  int sum = 0;
  for (const TouchedLine& line : lines_) sum += sectors_.count(line.touched);
  return sum;
}

/// Adds the lines of a store, and sets `before_`.
void JoinedStores::merge(const Lines& store) {
  const auto others = static_cast<std::ptrdiff_t>(lines_.size());
  before_.assign(store.list.size(), 0);
  for (std::size_t i = 0; i < store.list.size(); ++i) {
    TouchedLine line = store.list[i];
    line.line += store.first;
    const auto end = lines_.begin() + others;
    const auto other = std::ranges::find(lines_.begin(), end, line.line, &TouchedLine::line);
    if (other == end) {
      lines_.push_back(line);
    } else {
      before_[i] = other->touched;
      other->touched |= line.touched;
    }
  }
  std::ranges::sort(lines_, {}, &TouchedLine::line);
}

std::span<const std::uint32_t> JoinedStores::add(const Lines& store, const Place& place, bool shares) {
  const bool joins = shares && come_together(place);
  if (joins) merge(store);
  if (!joins || sectors() > kMostSectors) {
    before_.clear();
    begin(store, place);
  }
  last_ = place.instruction;
  return before_;
}

}  // namespace warpipe
