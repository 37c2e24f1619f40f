#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/issue_queue.hpp"
#include "policies.hpp"

namespace warpipe {

/// A warp scheduler of a unit: it issues its warps' instructions one after the other (rule 5). Its warps wait in a
/// queue per issue port.
struct alignas(64) Scheduler {
  std::int64_t free = 0;         ///< when it may issue again; stays 0 without an issue limit
  std::uint64_t occupied = 0;    ///< bit i: whether a queue with a number of i modulo 64 holds a warp
  std::span<IssueQueue> queues;  ///< by issue port
  LastIssued last;

  [[gnu::always_inline]] void insert(Warp& warp, std::uint32_t issue_port) {
    queues[issue_port].insert(warp);
    occupied |= bit(issue_port);
  }

  [[gnu::always_inline]] void remove(Warp& warp) {
    IssueQueue& queue = *warp.queue;
    queue.remove(warp);
    note_removal(queue);
  }

  /// Removes the head of one of its queues.
  [[gnu::always_inline]] void remove_first(IssueQueue& queue) {
    queue.remove_first();
    note_removal(queue);
  }

  /// Calls visit(queue) for each queue with a warp; empty queues cost nothing.
  template <class Visit>
  [[gnu::always_inline]] void for_each_queue(Visit visit) const {
    IssueQueue* const first = queues.data();
    if (queues.size() > 64) [[unlikely]] {
      for (std::uint64_t rest = occupied; rest != 0; rest &= rest - 1)
        for (IssueQueue* queue = first + std::countr_zero(rest); queue < first + queues.size(); queue += 64)
          if (!queue->is_empty()) visit(*queue);
      return;
    }
    for (std::uint64_t rest = occupied; rest != 0; rest &= rest - 1) visit(first[std::countr_zero(rest)]);
  }

 private:
  [[gnu::always_inline]] void note_removal(const IssueQueue& queue) {
    if (queue.is_empty()) clear_bit_if_empty(static_cast<std::size_t>(&queue - queues.data()));
  }

  static std::uint64_t bit(std::size_t issue_port) { return std::uint64_t{1} << (issue_port % 64); }

  /// Other queues may share the bit.
  void clear_bit_if_empty(std::size_t issue_port) {
    if (queues.size() > 64) [[unlikely]]
      for (std::size_t each = issue_port % 64; each < queues.size(); each += 64)
        if (!queues[each].is_empty()) return;
    occupied &= ~bit(issue_port);
  }
};

}  // namespace warpipe
