#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "set_spread.hpp"

namespace warpipe {

/// The written sectors of a line in a cache, not yet written beyond. Masks have a bit for each of the line's
/// kPartsPerLine parts.
struct WrittenLine {
  std::uint32_t dirty = 0;    ///< sectors
  std::uint32_t covered = 0;  ///< the completely written parts
  std::uint32_t writer = 0;   ///< the access of the last write
};

/// Spreads lines over equal parts, unlike over a cache's sets.
/// @return the part of a line
inline std::size_t part_of(std::uint32_t line, std::size_t parts) {
  constexpr std::uint32_t kSpread = 0x85ebca6b;
  return static_cast<std::size_t>(std::uint64_t{line * kSpread} * parts >> 32);
}

/// A cache of lines in sets, each evicting its least recently used line. A cache smaller than a line keeps nothing and
/// must not be asked.
///
/// Memory for a set and for a line is allocated on first use, so a cache costs the lines that it holds and not its
/// capacity. A set is a ring of hashes, from the most recently used line to the oldest: a new line takes the place of
/// the oldest without moving the rest. Hashes are compared several at a time, and lie together.
class Cache {
 public:
  using Place = std::uint32_t;  ///< of a line; valid until the line leaves
  static constexpr Place kNowhere = UINT32_MAX;

  /// @param bytes  of all lines
  /// @param ways   at least; more if needed for a power of two of sets
  Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways);

  /// An evicted line.
  struct Victim {
    std::uint32_t line = 0;
    std::uint32_t valid = 0;
    WrittenLine written;
  };

  /// Looks a line up, and makes it the most recently used.
  Place find(std::uint32_t line) {
    if (sets_.empty()) return kNowhere;
    Set& set = sets_[set_of(line)];
    const std::uint32_t way = way_of(set, line);
    if (way == kNone) return kNowhere;
    const Place place = places_[set.first + way];
    if (way != set.head) bring_forward(set, way);
    return place;
  }

  /// Looks a line up without using it.
  Place peek(std::uint32_t line) const {
    if (sets_.empty()) return kNowhere;
    const Set& set = sets_[set_of(line)];
    const std::uint32_t way = way_of(set, line);
    return way == kNone ? kNowhere : places_[set.first + way];
  }

  /// Puts a new line into its set, as the most recently used.
  /// @param leave  called with a victim with dirty sectors
  /// @return       its place; no sector of it is valid
  template <class Leave>
  Place insert(std::uint32_t line, const Leave& leave) {
    if (sets_.empty()) make_sets();
    Set& set = sets_[set_of(line)];
    if (set.first == kNone) make_room(set);
    set.held = std::min(set.held + 1, ways_);
    Place& place = push(set, hash_of(line), leave);
    if (place == kNowhere) {
      place = static_cast<Place>(lines_.size());
      lines_.push_back({line, 0, 0});
    } else {
      lines_[place] = {line, 0, 0};
    }
    return place;
  }

  /// The readable sectors of a line.
  std::uint32_t& valid(Place place) { return lines_[place].valid; }
  /// The time and origin of its latest sector, as a number of the caller's.
  std::uint32_t& arrival(Place place) { return lines_[place].arrival; }
  /// The line's written sectors, for further writes.
  WrittenLine& written(Place place) {
    if (written_.size() <= place) written_.resize(lines_.capacity());
    return written_[place];
  }

  /// Ages the lines of a set by the foreign lines inserted since its last aging.
  /// @param leave  called with each victim with dirty sectors
  template <class Leave>
  void age(std::uint32_t line, const Leave& leave) {
    if (foreign_ != 0 && !sets_.empty()) age_set(sets_[set_of(line)], leave);
  }
  template <class Leave>
  void age_all(const Leave& leave) {
    if (foreign_ == 0) return;
    for (Set& set : sets_) age_set(set, leave);
  }

  /// Inserts foreign lines, spread evenly over the sets.
  void add_foreign(double lines) {
    foreign_lines_ += lines;
    foreign_ = static_cast<std::uint32_t>(static_cast<std::uint64_t>(foreign_lines_ / static_cast<double>(set_count_)));
  }

  bool keeps_nothing() const { return ways_ == 0; }
  std::int64_t capacity() const { return static_cast<std::int64_t>(set_count_ * ways_); }  ///< lines
  std::int64_t held() const;  ///< lines, foreign lines included, after age_all

  /// Calls visit(victim) for the lines with dirty sectors, as if evicted.
  template <class Visit>
  void for_each_dirty(const Visit& visit) const;

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Line {
    std::uint32_t number = 0, valid = 0, arrival = 0;
  };

  struct Set {
    std::uint32_t first = kNone;  ///< of its hashes and places; none before its first line that is not foreign
    std::uint32_t head = 0;       ///< the way of the most recently used line; older lines follow, as in a ring
    std::uint32_t held = 0;       ///< lines, foreign lines included
    std::uint32_t aged = 0;       ///< foreign lines counted in it
  };

  std::size_t set_of(std::uint32_t line) const { return spread_->set_of(line); }
  /// Never 0, the mark of no line and of a foreign line. A byte, to keep the hashes of a set close together: with 64
  /// lines, a look-up in four meets another line with the same hash.
  static std::uint8_t hash_of(std::uint32_t line) {
    constexpr std::uint32_t kSpread = 0x9e3779b1;
    const std::uint32_t hash = line * kSpread >> 24;
    return static_cast<std::uint8_t>(hash == 0 ? 1 : hash);
  }
  std::uint32_t way_of(const Set& set, std::uint32_t line) const;
  void bring_forward(Set& set, std::uint32_t way);
  void make_sets();
  void make_room(Set& set);
  template <class Leave>
  Place& push(Set& set, std::uint8_t hash, const Leave& leave);
  template <class Leave>
  void age_set(Set& set, const Leave& leave);
  /// False for kNowhere, a number behind all places.
  bool is_dirty(Place place) const { return place < written_.size() && written_[place].dirty != 0; }
  Victim victim(Place place) const { return {lines_[place].number, lines_[place].valid, written_[place]}; }

  std::size_t set_count_ = 0;
  std::uint32_t ways_ = 0;
  const SetSpread* spread_ = nullptr;
  std::vector<Set> sets_;             ///< none before the first line
  std::vector<std::uint8_t> hashes_;  ///< of the sets with room, by way
  std::vector<Place> places_;         ///< likewise: a line's place; of a foreign line, an earlier line's, or nowhere
  std::vector<Line> lines_;           ///< by place
  std::vector<WrittenLine> written_;  ///< by place, up to the last written line; apart, as few lines need it
  std::uint32_t foreign_ = 0;         ///< lines inserted into each set
  double foreign_lines_ = 0;
};

/// Puts a line in front of a set, over the oldest; it may take the oldest line's place.
template <class Leave>
Cache::Place& Cache::push(Set& set, std::uint8_t hash, const Leave& leave) {
  set.head = (set.head == 0 ? ways_ : set.head) - 1;
  Place& place = places_[set.first + set.head];
  hashes_[set.first + set.head] = hash;
  if (is_dirty(place)) {
    leave(victim(place));
    written_[place] = {};
  }
  return place;
}

template <class Leave>
void Cache::age_set(Set& set, const Leave& leave) {
  if (set.aged == foreign_) return;
  const std::uint32_t foreign = std::min(ways_, foreign_ - set.aged);
  set.aged = foreign_;
  set.held = std::min(ways_, set.held + foreign);
  if (set.first == kNone) return;
  for (std::uint32_t left = foreign; left > 0; --left) push(set, 0, leave);
}

template <class Visit>
void Cache::for_each_dirty(const Visit& visit) const {
  if (written_.empty()) return;
  for (const Set& set : sets_) {
    if (set.first == kNone) continue;
    const Place* const places = &places_[set.first];
    const auto look_at = [&](Place place) {
      if (is_dirty(place)) visit(victim(place));
    };
    std::for_each(places + set.head, places + ways_, look_at);
    std::for_each(places, places + set.head, look_at);
  }
}

}  // namespace warpipe
