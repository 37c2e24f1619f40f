#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
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
///
/// Room is made for a line when it comes, so a cache costs what it holds and not what it could hold. A table finds a
/// line wherever it is; the lines of a set are linked in the order of their last uses.
/// @complexity of each call: constant, whatever the number of ways
class Cache {
 public:
  using Place = std::uint32_t;  ///< of a line; valid until the line leaves
  static constexpr Place kNowhere = UINT32_MAX;

  /// @param bytes  of all lines
  /// @param ways   at least: as many more as make the number of sets a power of two
  Cache(std::int64_t bytes, std::int64_t line_bytes, std::int64_t ways);

  /// A line that had to make room.
  struct Victim {
    std::uint32_t line = 0;
    std::uint32_t valid = 0;
    WrittenLine written;
  };

  /// Looks a line up. Where it is there, it is the one used last.
  Place find(std::uint32_t line) {
    const Place place = peek(line);
    if (place != kNowhere) bring_forward(place);
    return place;
  }

  /// The same without using it.
  Place peek(std::uint32_t line) const {
    Place place = first_of_bucket_[bucket_of(line)];
    while (place != kNowhere && lines_[place].number != line) place = lines_[place].next;
    return place;
  }

  /// Puts a line that is not there into its set, as the one used last.
  /// @param leave  called with the victim where that has dirty sectors
  /// @return       its place; nothing of it is valid
  template <class Leave>
  Place insert(std::uint32_t line, const Leave& leave) {
    if (sets_.empty()) sets_.assign(set_count_, {kNowhere, kNowhere, 0, std::min(ways_, foreign_), foreign_});
    const std::size_t set = set_of(line);
    sets_[set].held = std::min(sets_[set].held + 1, ways_);
    const Place place = push(set, line, ways_, leave);
    Place& first = first_of_bucket_[bucket_of(line)];
    lines_[place].next = std::exchange(first, place);
    return place;
  }

  /// The sectors of a line that can be read.
  std::uint32_t& valid(Place place) { return lines_[place].valid; }
  /// When the latest of them came, and from where: a number of the caller's.
  std::uint32_t& arrival(Place place) { return lines_[place].arrival; }
  /// What was written of it, for writing more.
  WrittenLine& written(Place place) {
    if (written_.size() <= place) written_.resize(lines_.capacity());
    return written_[place];
  }

  /// Makes the lines of a set older by as many foreign lines as have come since it was made older last.
  /// @param leave  called with each victim that has dirty sectors
  template <class Leave>
  void age(std::uint32_t line, const Leave& leave) {
    if (foreign_ != 0 && !sets_.empty()) age_set(set_of(line), leave);
  }
  template <class Leave>
  void age_all(const Leave& leave) {
    if (foreign_ == 0) return;
    for (std::size_t set = 0; set < sets_.size(); ++set) age_set(set, leave);
  }

  /// Foreign lines come, spread evenly over the sets.
  void add_foreign(double lines) {
    foreign_lines_ += lines;
    foreign_ = static_cast<std::uint32_t>(static_cast<std::uint64_t>(foreign_lines_ / static_cast<double>(set_count_)));
  }

  bool keeps_nothing() const { return ways_ == 0; }
  std::int64_t capacity() const { return static_cast<std::int64_t>(set_count_ * ways_); }  ///< lines
  std::int64_t held() const;  ///< lines, foreign ones, too, after age_all

  /// Calls visit(victim) for the lines that have dirty sectors, as if they left.
  template <class Visit>
  void for_each_dirty(const Visit& visit) const;

 private:
  static constexpr std::uint32_t kForeign = UINT32_MAX;

  struct Line {
    std::uint32_t number = 0, set = 0;
    Place newer = 0, older = 0;  ///< in its set: of the newest and the oldest without a meaning
    Place next = kNowhere;       ///< in its bucket
    std::uint32_t valid = 0, arrival = 0;
  };

  struct Set {
    Place newest = kNowhere, oldest = kNowhere;
    std::uint32_t places = 0;  ///< that its lines have. Foreign lines need none while no line of the set is older
    std::uint32_t held = 0;    ///< lines, with such foreign ones
    std::uint32_t aged = 0;    ///< foreign lines that it knows of
  };

  /// The number of the line cut into pieces of as many bits as number a set, which are put together by exclusive or:
  /// neighbours, and lines that are a power of two apart, fall into different sets.
  std::size_t set_of(std::uint32_t line) const {
    std::uint32_t set = 0;
    for (; line > set_mask_; line >>= set_bits_) set ^= line;
    return (set ^ line) & set_mask_;
  }
  /// Neighbours lie far apart, and lines of one part_of() in all buckets.
  std::size_t bucket_of(std::uint32_t line) const {
    constexpr std::uint32_t kSpread = 0x9e3779b1;
    return line * kSpread >> bucket_shift_;
  }

  void bring_forward(Place place);
  void forget(Place place);
  bool takes_new_place(const Set& set, std::uint32_t most) const {
    return set.places < most && (set.places == 0 || lines_[set.oldest].number != kForeign);
  }
  Place push_new(std::size_t set, std::uint32_t line);
  void make_room();
  template <class Leave>
  Place push(std::size_t set, std::uint32_t line, std::uint32_t most, const Leave& leave);
  template <class Leave>
  void age_set(std::size_t set, const Leave& leave);
  bool is_dirty(Place place) const { return place < written_.size() && written_[place].dirty != 0; }
  Victim victim(Place place) const { return {lines_[place].number, lines_[place].valid, written_[place]}; }

  std::size_t set_count_ = 0;
  std::uint32_t ways_ = 0, set_mask_ = 0, set_bits_ = 31;
  std::vector<Set> sets_;               ///< none before the first line comes
  std::vector<Line> lines_;             ///< in the order in which places were made; no more than buckets
  std::vector<WrittenLine> written_;    ///< by place, up to the last one that was written to; apart, as few need it
  std::vector<Place> first_of_bucket_;  ///< a power of two of buckets
  int bucket_shift_ = 0;                ///< what of a number of 32 bits is more than that of a bucket
  std::uint32_t foreign_ = 0;           ///< lines that have come to each set
  double foreign_lines_ = 0;
};

inline void Cache::bring_forward(Place place) {
  Line& line = lines_[place];
  Set& set = sets_[line.set];
  if (place == set.newest) return;
  if (place == set.oldest) {
    set.oldest = line.newer;
  } else {
    lines_[line.older].newer = line.newer;
    lines_[line.newer].older = line.older;
  }
  lines_[set.newest].newer = place;
  line.older = std::exchange(set.newest, place);
}

inline void Cache::forget(Place place) {
  Place* at = &first_of_bucket_[bucket_of(lines_[place].number)];
  while (*at != place) at = &lines_[*at].next;
  *at = lines_[place].next;
}

inline Cache::Place Cache::push_new(std::size_t number, std::uint32_t line) {
  if (lines_.size() == first_of_bucket_.size()) make_room();
  const auto place = static_cast<Place>(lines_.size());
  Set& set = sets_[number];
  if (set.places++ == 0)
    set.oldest = place;
  else
    lines_[set.newest].newer = place;
  const Place older = std::exchange(set.newest, place);
  lines_.push_back({line, static_cast<std::uint32_t>(number), place, older, kNowhere, 0, 0});
  return place;
}

/// Puts a line in front of a set, at the place of the oldest one where the set has the most places already, or where
/// the oldest is foreign, which nobody misses.
template <class Leave>
Cache::Place Cache::push(std::size_t number, std::uint32_t line, std::uint32_t most, const Leave& leave) {
  Set& set = sets_[number];
  if (takes_new_place(set, most)) return push_new(number, line);
  const Place place = set.oldest;
  bring_forward(place);
  if (lines_[place].number != kForeign) forget(place);
  if (is_dirty(place)) {
    leave(victim(place));
    written_[place] = {};
  }
  Line& pushed = lines_[place];
  pushed.number = line;
  pushed.valid = pushed.arrival = 0;
  return place;
}

template <class Leave>
void Cache::age_set(std::size_t number, const Leave& leave) {
  Set& set = sets_[number];
  if (set.aged == foreign_) return;
  const std::uint32_t foreign = std::min(ways_, foreign_ - set.aged);
  set.aged = foreign_;
  set.held = std::min(ways_, set.held + foreign);
  if (set.places == 0) return;
  const std::uint32_t most = foreign == ways_ ? set.places : ways_;  // no older line is left
  for (std::uint32_t left = std::min(foreign, most); left > 0; --left) push(number, kForeign, most, leave);
}

template <class Visit>
void Cache::for_each_dirty(const Visit& visit) const {
  for (const Set& set : sets_) {
    Place place = set.newest;
    for (std::uint32_t i = 0; i < set.places; ++i, place = lines_[place].older)
      if (is_dirty(place)) visit(victim(place));
  }
}

}  // namespace warpipe
