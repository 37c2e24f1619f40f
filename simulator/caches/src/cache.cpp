#include "cache.hpp"

#include <algorithm>

namespace warpipe {

Cache::Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways) {
  const std::int64_t lines = std::max<std::int64_t>(0, bytes) / line_bytes;
  ways_ = static_cast<std::size_t>(std::min(ways, lines));
  if (ways_ == 0) return;
  sets_ = static_cast<std::size_t>(lines) / ways_;
  tags_.assign(sets_ * ways_, kEmpty);
  lines_.resize(sets_ * ways_);
  aged_.assign(sets_, 0);
}

/// Moves the lines of a set by one place, over the one behind them.
void Cache::shift(std::size_t first, std::size_t count) {
  const auto begin = static_cast<std::ptrdiff_t>(first), end = begin + static_cast<std::ptrdiff_t>(count);
  std::copy_backward(tags_.begin() + begin, tags_.begin() + end, tags_.begin() + end + 1);
  std::copy_backward(lines_.begin() + begin, lines_.begin() + end, lines_.begin() + end + 1);
}

CachedLine* Cache::find(std::uint32_t line) {
  const std::size_t first = set_of(line) * ways_;
  for (std::size_t i = 0; i < ways_; ++i) {
    if (tags_[first + i] != line) continue;
    if (i > 0) {
      const CachedLine content = lines_[first + i];
      shift(first, i);
      tags_[first] = line;
      lines_[first] = content;
    }
    return &lines_[first];
  }
  return nullptr;
}

CachedLine* Cache::peek(std::uint32_t line) {
  const std::size_t first = set_of(line) * ways_;
  for (std::size_t i = 0; i < ways_; ++i)
    if (tags_[first + i] == line) return &lines_[first + i];
  return nullptr;
}

CachedLine& Cache::insert(std::uint32_t line, Victim& victim) {
  const std::size_t first = set_of(line) * ways_, last = first + ways_ - 1;
  victim = {tags_[last], lines_[last]};
  shift(first, ways_ - 1);
  tags_[first] = line;
  return lines_[first] = {};
}

}  // namespace warpipe
