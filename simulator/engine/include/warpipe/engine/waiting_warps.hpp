#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpipe {

/// Warps that wait to issue, in queues ordered by (ready, order). Queues belong to units; an empty queue costs nothing
/// when a unit's queues are visited.
class WaitingWarps {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Entry {
    std::int64_t ready = 0;  ///< milli-cycles
    std::int64_t order = 0;
    std::uint32_t next = kNone, previous = kNone;
    std::uint32_t queue = 0;  ///< of its unit
  };

  WaitingWarps(std::size_t warps, std::size_t units, std::size_t queues)
      : entries_(warps), queues_(queues), words_((queues + 63) / 64), ends_(units * queues), waiting_(units * words_) {}

  const Entry& operator[](std::uint32_t warp) const { return entries_[warp]; }
  std::uint32_t head(std::size_t unit, std::size_t queue) const { return ends_[unit * queues_ + queue].head; }

  /// Searches its place from the tail: a warp that has just issued is mostly ready last.
  void insert(std::size_t unit, std::uint32_t queue, std::uint32_t warp, std::int64_t ready, std::int64_t order) {
    Ends& ends = ends_[unit * queues_ + queue];
    std::uint32_t before = ends.tail;
    while (before != kNone && is_after(entries_[before], ready, order)) before = entries_[before].previous;
    const std::uint32_t after = before == kNone ? ends.head : entries_[before].next;
    entries_[warp] = {ready, order, after, before, queue};
    (before == kNone ? ends.head : entries_[before].next) = warp;
    (after == kNone ? ends.tail : entries_[after].previous) = warp;
    waiting_[unit * words_ + queue / 64] |= std::uint64_t{1} << (queue % 64);
  }

  void remove(std::size_t unit, std::uint32_t warp) {
    const Entry& entry = entries_[warp];
    Ends& ends = ends_[unit * queues_ + entry.queue];
    (entry.previous == kNone ? ends.head : entries_[entry.previous].next) = entry.next;
    (entry.next == kNone ? ends.tail : entries_[entry.next].previous) = entry.previous;
    if (ends.head == kNone) waiting_[unit * words_ + entry.queue / 64] &= ~(std::uint64_t{1} << (entry.queue % 64));
  }

  /// Calls visit(queue) for each queue of a unit in which somebody waits.
  template <class Visit>
  void for_each_queue(std::size_t unit, Visit visit) const {
    for (std::size_t word = 0; word < words_; ++word)
      for (std::uint64_t rest = waiting_[unit * words_ + word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  }

 private:
  struct Ends {
    std::uint32_t head = kNone, tail = kNone;
  };

  static bool is_after(const Entry& entry, std::int64_t ready, std::int64_t order) {
    return entry.ready > ready || (entry.ready == ready && entry.order > order);
  }

  std::vector<Entry> entries_;
  std::size_t queues_, words_;
  std::vector<Ends> ends_;
  std::vector<std::uint64_t> waiting_;  ///< a bit a queue, `words_` words a unit
};

}  // namespace warpipe
