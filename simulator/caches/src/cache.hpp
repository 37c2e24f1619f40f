#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpipe {

/// What was written of a line in a cache, and not yet beyond. Masks have a bit for each of the line's kPartsPerLine
/// parts.
struct WrittenLine {
  std::uint32_t dirty = 0;    ///< sectors
  std::uint32_t covered = 0;  ///< the parts of which every byte was written
  std::uint32_t writer = 0;   ///< the access that wrote last
};

/// Among equal parts that lines are spread over, that of a line; unlike the spread over a cache's sets.
inline std::size_t part_of(std::uint32_t line, std::size_t parts) {
  constexpr std::uint32_t kSpread = 0x85ebca6b;
  return static_cast<std::size_t>(std::uint64_t{line * kSpread} * parts >> 32);
}

/// A cache of lines in sets, each of which gives up the line that was not used for longest. One that is smaller than a
/// line keeps nothing: it must not be asked.
class Cache {
 public:
  using Place = std::size_t;  ///< of a line; valid until the next use of its set
  static constexpr Place kNowhere = SIZE_MAX;

  /// What is kept of each line beside its sectors.
  struct Keeps {
    bool arrivals = false, stores = false;
  };

  /// @param bytes  of all lines
  /// @param ways   at least: as many more as make the number of sets a power of two
  Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways, Keeps keeps);

  /// A line that had to make room.
  struct Victim {
    std::uint32_t line = 0;
    std::uint32_t valid = 0;
    WrittenLine written;
  };

  /// Looks a line up. Where it is there, it is the one used last.
  Place find(std::uint32_t line) {
    const Place first = set_of(line) * row_, place = find_in(first, line);
    if (place == first || place == kNowhere) return place;
    bring_forward(first, place - first);
    return first;
  }

  /// The same without using it.
  Place peek(std::uint32_t line) const { return find_in(set_of(line) * row_, line); }

  /// Puts a line that is not there into its set, as the one used last.
  /// @return its place; nothing of it is valid
  Place insert(std::uint32_t line, Victim& victim) { return push(set_of(line), line, victim); }

  /// The sectors of a line that can be read.
  std::uint32_t& valid(Place place) { return rows_[place + ways_]; }
  /// When the latest of them came, and from where: a number of the caller's. Only where arrivals are kept.
  std::uint32_t& arrival(Place place) { return rows_[place + arrivals_]; }
  /// What was written of it, for writing more. Only where stores are kept.
  WrittenLine& write(Place place) {
    rows_[place + written_ways_] |= kDirty;
    return written_[written_at(place)];
  }

  /// Makes the lines of a set older by as many foreign lines as have come since it was made older last.
  /// @param leave  called with each victim that has dirty sectors
  template <class Leave>
  void age(std::uint32_t line, const Leave& leave) {
    if (foreign_ == 0) return;
    const std::size_t set = set_of(line);
    if (aged_[set] != foreign_) age_set(set, leave);
  }
  template <class Leave>
  void age_all(const Leave& leave) {
    for (std::size_t set = 0; set < sets_; ++set) age_set(set, leave);
  }

  /// Foreign lines come, spread evenly over the sets.
  void add_foreign(double lines) {
    foreign_lines_ += lines;
    foreign_ = static_cast<std::uint32_t>(static_cast<std::uint64_t>(foreign_lines_ / static_cast<double>(sets_)));
  }

  bool keeps_nothing() const { return ways_ == 0; }
  std::int64_t capacity() const { return static_cast<std::int64_t>(sets_ * ways_); }  ///< lines
  std::int64_t held() const;                                                          ///< lines, foreign ones, too

  /// Calls visit(victim) for the lines that have dirty sectors, as if they left.
  template <class Visit>
  void for_each_dirty(const Visit& visit) const {
    if (written_.empty()) return;
    for (std::size_t set = 0; set < sets_; ++set)
      for (Place place = set * row_; place < set * row_ + ways_; ++place)
        if ((rows_[place + written_ways_] & kDirty) != 0)
          visit(Victim{rows_[place], rows_[place + ways_], written_[written_at(place)]});
  }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX, kForeign = UINT32_MAX - 1;
  static constexpr std::uint32_t kDirty = 0x80000000;

  /// The number of the line cut into pieces of as many bits as number a set, which are put together by exclusive or:
  /// neighbours, and lines that are a power of two apart, fall into different sets.
  std::size_t set_of(std::uint32_t line) const {
    std::uint32_t set = 0;
    for (; line > set_mask_; line >>= set_bits_) set ^= line;
    return (set ^ line) & set_mask_;
  }
  /// Compares several ways at a time without a branch for each, of which compilers make vector instructions: caches
  /// near the units have 64 ways and more, and most lines are not there.
  Place find_in(Place first, std::uint32_t line) const {
    constexpr std::size_t kAtOnce = 16;
    const std::uint32_t* lines = rows_.data() + first;
    std::size_t way = 0;
    for (; way + kAtOnce <= ways_; way += kAtOnce) {
      std::uint32_t found = 0;
      for (std::size_t i = 0; i < kAtOnce; ++i) found += lines[way + i] == line;
      if (found != 0) break;
    }
    for (; way < ways_; ++way)
      if (lines[way] == line) return first + way;
    return kNowhere;
  }
  std::size_t written_at(Place place) const { return place / row_ * ways_ + (rows_[place + written_ways_] & ~kDirty); }

  void bring_forward(Place first, std::size_t rank);
  Place push(std::size_t set, std::uint32_t line, Victim& victim);
  template <class Leave>
  void age_set(std::size_t set, const Leave& leave);

  std::size_t sets_ = 0, ways_ = 0;
  std::uint32_t set_mask_ = 0, set_bits_ = 1;
  /// By set: the numbers of its lines, the one used last first; what is valid of each; where they are kept, arrivals;
  /// where stores are kept, the way at which `written_` has what was written, with kDirty where something was. A use
  /// moves them, but what is needed next is together.
  std::vector<std::uint32_t> rows_;
  std::size_t row_ = 0;                          ///< numbers of a set
  std::size_t arrivals_ = 0, written_ways_ = 0;  ///< where these begin in a row; 0: not kept
  std::vector<WrittenLine> written_;             ///< by set and way
  std::vector<std::uint32_t> aged_;              ///< by set: foreign lines that it knows of
  std::uint32_t foreign_ = 0;                    ///< lines that have come to each set
  double foreign_lines_ = 0;
};

template <class Leave>
void Cache::age_set(std::size_t set, const Leave& leave) {
  for (std::size_t left = std::min<std::size_t>(ways_, foreign_ - aged_[set]); left > 0; --left) {
    Victim victim;
    push(set, kForeign, victim);
    if (victim.written.dirty != 0) leave(victim);
  }
  aged_[set] = foreign_;
}

}  // namespace warpipe
