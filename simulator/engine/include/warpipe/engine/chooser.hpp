#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "warpipe/engine/policy.hpp"
#include "warpipe/engine/warp_queue.hpp"

namespace warpipe {

/// A scheduler, or a unit where there are no schedulers: one warp of its own issues after the other.
struct Chooser {
  std::int64_t free = 0;        ///< when it may issue again; stays 0 where there is no issue limit
  std::uint64_t occupied = 0;   ///< a bit for all queues with that number modulo 64: whether one of them holds a warp
  std::span<WarpQueue> queues;  ///< by issue port
  LastIssued last;

  [[gnu::always_inline]] void insert(Warp& warp, std::uint32_t issue_port) {
    queues[issue_port].insert(warp);
    occupied |= bit(issue_port);
  }

  [[gnu::always_inline]] void remove(Warp& warp) {
    WarpQueue& queue = *warp.queue;
    queue.remove(warp);
    if (queue.is_empty()) note_empty(static_cast<std::size_t>(&queue - queues.data()));
  }

  /// Calls visit(queue) for each queue with somebody in it; the empty ones cost nothing.
  template <class Visit>
  [[gnu::always_inline]] void for_each_queue(Visit visit) const {
    for (std::uint64_t rest = occupied; rest != 0; rest &= rest - 1) {
      WarpQueue* queue = queues.data() + std::countr_zero(rest);
      if (queues.size() > 64) [[unlikely]] {
        for (; queue < queues.data() + queues.size(); queue += 64)
          if (!queue->is_empty()) visit(*queue);
      } else {
        visit(*queue);
      }
    }
  }

 private:
  static std::uint64_t bit(std::size_t issue_port) { return std::uint64_t{1} << (issue_port % 64); }

  void note_empty(std::size_t issue_port) {
    for (std::size_t each = issue_port % 64; each < queues.size(); each += 64)
      if (!queues[each].is_empty()) return;
    occupied &= ~bit(issue_port);
  }
};

}  // namespace warpipe
