#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpipe {

/// Warps that wait to issue. Each chooser has a queue for each gate, ordered by (ready, order); an empty queue costs
/// nothing when the queues of a chooser are visited.
class WaitingWarps {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Entry {
    std::int64_t ready = 0;  ///< milli-cycles
    std::int64_t order = 0;
    std::uint32_t next = kNone, previous = kNone;
    std::uint32_t gate = kNone;  ///< kNone: it does not wait to issue
  };

  WaitingWarps(std::size_t warps, std::size_t choosers, std::size_t gates)
      : entries_(warps),
        gates_(gates),
        words_((gates + 63) / 64),
        queues_(choosers * gates),
        waiting_(choosers * words_) {}

  const Entry& operator[](std::uint32_t warp) const { return entries_[warp]; }
  Entry& operator[](std::uint32_t warp) { return entries_[warp]; }
  std::uint32_t head(std::size_t chooser, std::size_t gate) const { return queues_[chooser * gates_ + gate].head; }

  /// Searches its place from the tail: a warp that has just issued is mostly ready last.
  void insert(std::size_t chooser, std::uint32_t gate, std::uint32_t warp, std::int64_t ready, std::int64_t order) {
    Queue& queue = queues_[chooser * gates_ + gate];
    std::uint32_t before = queue.tail;
    while (before != kNone && is_after(entries_[before], ready, order)) before = entries_[before].previous;
    const std::uint32_t after = before == kNone ? queue.head : entries_[before].next;
    entries_[warp] = {ready, order, after, before, gate};
    (before == kNone ? queue.head : entries_[before].next) = warp;
    (after == kNone ? queue.tail : entries_[after].previous) = warp;
    waiting_[chooser * words_ + gate / 64] |= std::uint64_t{1} << (gate % 64);
  }

  void remove(std::size_t chooser, std::uint32_t warp) {
    Entry& entry = entries_[warp];
    Queue& queue = queues_[chooser * gates_ + entry.gate];
    (entry.previous == kNone ? queue.head : entries_[entry.previous].next) = entry.next;
    (entry.next == kNone ? queue.tail : entries_[entry.next].previous) = entry.previous;
    if (queue.head == kNone) waiting_[chooser * words_ + entry.gate / 64] &= ~(std::uint64_t{1} << (entry.gate % 64));
    entry.gate = kNone;
  }

  /// Calls visit(gate) for each gate at which somebody waits for this chooser.
  template <class Visit>
  void for_each_gate(std::size_t chooser, Visit visit) const {
    for (std::size_t word = 0; word < words_; ++word)
      for (std::uint64_t rest = waiting_[chooser * words_ + word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  }

 private:
  struct Queue {
    std::uint32_t head = kNone, tail = kNone;
  };

  static bool is_after(const Entry& entry, std::int64_t ready, std::int64_t order) {
    return entry.ready > ready || (entry.ready == ready && entry.order > order);
  }

  std::vector<Entry> entries_;
  std::size_t gates_, words_;
  std::vector<Queue> queues_;
  std::vector<std::uint64_t> waiting_;  ///< a bit a gate, `words_` words a chooser
};

}  // namespace warpipe
