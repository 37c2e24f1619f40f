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
  Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways, Keeps keeps);

  /// A line that had to make room.
  struct Victim {
    std::uint32_t line = 0;
    std::uint32_t valid = 0;
    WrittenLine written;
  };

  /// Looks a line up. Where it is there, it is the one used last.
  Place find(std::uint32_t line) {
    const Place first = set_of(line) * ways_, place = peek(first, line);
    if (place == first || place == kNowhere) return place;
    bring_forward(first, place);
    return first;
  }

  /// The same without using it.
  Place peek(std::uint32_t line) const { return peek(set_of(line) * ways_, line); }

  /// Puts a line that is not there into its set, as the one used last.
  /// @return its place; nothing of it is valid
  Place insert(std::uint32_t line, Victim& victim) { return push(set_of(line), line, victim); }

  /// The sectors of a line that can be read.
  std::uint32_t& valid(Place place) { return valid_[place]; }
  /// When the latest of them came, and from where: a number of the caller's. Only where arrivals are kept.
  std::uint32_t& arrival(Place place) { return arrivals_[place]; }
  /// What was written of it, for writing more. Only where stores are kept.
  WrittenLine& write(Place place) {
    ways_of_[place] |= kDirty;
    return written_[way_of(place)];
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
  std::int64_t capacity() const { return static_cast<std::int64_t>(sets_ * ways_); }       ///< lines
  std::int64_t held() const { return capacity() - std::ranges::count(numbers_, kEmpty); }  ///< foreign ones, too

  /// Calls visit(victim) for the lines that have dirty sectors, as if they left.
  template <class Visit>
  void for_each_dirty(const Visit& visit) const {
    for (Place place = 0; place < ways_of_.size(); ++place)
      if ((ways_of_[place] & kDirty) != 0) visit(Victim{numbers_[place], valid_[place], written_[way_of(place)]});
  }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX, kForeign = UINT32_MAX - 1;
  static constexpr std::uint16_t kDirty = 0x8000;
  static constexpr std::uint32_t kSpread = 0x9e3779b1;  // 2^32 / the golden ratio: neighbours fall far apart

  std::size_t set_of(std::uint32_t line) const {
    return static_cast<std::size_t>(std::uint64_t{line * kSpread} * sets_ >> 32);
  }
  Place peek(Place first, std::uint32_t line) const {
    for (Place place = first; place < first + ways_; ++place)
      if (numbers_[place] == line) return place;
    return kNowhere;
  }
  std::size_t way_of(Place place) const { return place / ways_ * ways_ + (ways_of_[place] & (kDirty - 1U)); }
  void bring_forward(Place first, Place place);
  Place push(std::size_t set, std::uint32_t line, Victim& victim);
  template <class Leave>
  void age_set(std::size_t set, const Leave& leave);

  std::size_t sets_ = 0, ways_ = 0;
  // By set; in a set the line used last comes first. That costs moves, but keeps together what is needed next.
  std::vector<std::uint32_t> numbers_;  ///< of lines
  std::vector<std::uint32_t> valid_;
  std::vector<std::uint32_t> arrivals_;
  std::vector<std::uint16_t> ways_of_;  ///< where what was written is; kDirty: something was
  std::vector<WrittenLine> written_;    ///< by set and way
  std::vector<std::uint32_t> aged_;     ///< by set: foreign lines that it knows of
  std::uint32_t foreign_ = 0;           ///< lines that have come to each set
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
