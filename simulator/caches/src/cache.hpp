#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "line_pattern.hpp"

namespace warpipe {

/// What is known of a line in a cache. Masks have a bit for each of the line's kPartsPerLine parts.
struct CachedLine {
  std::uint32_t valid = 0;    ///< can be read: whole sectors
  std::uint32_t dirty = 0;    ///< sectors that were written here, and not yet beyond
  std::uint32_t covered = 0;  ///< of these, the parts of which every byte was written
  std::uint16_t writer = 0;   ///< the access that wrote last
  std::uint8_t level = 0;     ///< from which the latest sectors came
  std::int64_t time = 0;      ///< when they came
};

/// A cache of lines in sets, each of which gives up the line that was not used for longest.
class Cache {
 public:
  /// @param bytes       of all lines; less than one line: nothing is kept
  /// @param line_bytes  of a line
  Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways);

  /// A line that had to make room.
  struct Victim {
    std::uint32_t line = 0;
    CachedLine content;
  };

  // A cache that keeps nothing has no line, and takes none.

  /// Looks a line up. Where it is there, it is the one used last.
  /// @return null where it is not there; valid until the next call
  CachedLine* find(std::uint32_t line);

  /// The same without using it.
  CachedLine* peek(std::uint32_t line);

  /// Puts a line that is not there into its set, as the one used last.
  /// @param victim  set to the line that leaves; its content is empty where none does
  /// @return        its content, empty; valid until the next call
  CachedLine& insert(std::uint32_t line, Victim& victim);

  /// Makes the lines of a set older by as many foreign lines as have come to the cache since it was used last.
  /// @param leave  called with each victim that has dirty sectors
  template <class Leave>
  void age(std::uint32_t line, const Leave& leave) {
    const std::size_t set = set_of(line);
    if (aged_[set] != foreign_) age_set(set, leave);
  }

  /// Foreign lines come, spread evenly over the sets.
  void add_foreign(double lines) {
    foreign_lines_ += lines;
    foreign_ = static_cast<std::int64_t>(foreign_lines_ / static_cast<double>(sets_));
  }

  bool keeps_nothing() const { return ways_ == 0; }
  std::int64_t capacity() const { return static_cast<std::int64_t>(lines_.size()); }  ///< lines

  /// Makes all sets older.
  template <class Leave>
  void age_all(const Leave& leave) {
    for (std::size_t set = 0; set < aged_.size(); ++set) age_set(set, leave);
  }

  /// Its lines, foreign ones among them.
  std::int64_t held() const { return std::ssize(tags_) - std::ranges::count(tags_, kEmpty); }
  const std::vector<CachedLine>& contents() const { return lines_; }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX, kForeign = UINT32_MAX - 1;

  std::size_t set_of(std::uint32_t line) const {
    return static_cast<std::size_t>(std::uint64_t{line * kSpread} * sets_ >> 32);
  }
  template <class Leave>
  void age_set(std::size_t set, const Leave& leave);
  void shift(std::size_t first, std::size_t count);

  static constexpr std::uint32_t kSpread = 0x9e3779b1;  // 2^32 / the golden ratio: neighbours fall far apart

  std::size_t sets_ = 1, ways_ = 0;
  std::vector<std::uint32_t> tags_;  ///< by set, the one used last first
  std::vector<CachedLine> lines_;
  std::vector<std::int64_t> aged_;  ///< by set: foreign lines that have come
  std::int64_t foreign_ = 0;        ///< to each set
  double foreign_lines_ = 0;
};

template <class Leave>
void Cache::age_set(std::size_t set, const Leave& leave) {
  const std::size_t first = set * ways_, last = first + ways_ - 1;
  const auto ways = static_cast<std::int64_t>(ways_);
  for (std::int64_t left = std::min(ways, foreign_ - aged_[set]); left > 0; --left) {
    if (lines_[last].dirty != 0) leave(Victim{tags_[last], lines_[last]});
    shift(first, ways_ - 1);
    tags_[first] = kForeign;
    lines_[first] = {};
  }
  aged_[set] = foreign_;
}

}  // namespace warpipe
