#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/warp.hpp"

namespace warpipe {

/// The warps of one scheduler that wait to issue at one issue port, ordered by (ready, order), with what holds them
/// back there besides the scheduler itself: the port's pipeline and the queues behind it (rule 5).
struct IssueQueue {
  struct Backlog {
    const std::int64_t* pipeline_free = nullptr;
    std::int64_t slack = 0;  ///< may issue that long before the pipeline is free
  };

  Warp* head = nullptr;
  Warp* tail = nullptr;
  std::int64_t* pipeline_free = nullptr;  ///< when the issue port's pipeline is free
  std::span<const Backlog> backlogs;
  bool is_private_to_scheduler = false;  ///< an issue from here affects no other scheduler, see fast/lookahead.hpp
  bool is_private_to_unit = false;       ///< nor any other unit

  bool is_empty() const { return head == nullptr; }

  /// The earliest time at which a warp may issue here.
  std::int64_t opens_at() const {
    std::int64_t time = *pipeline_free;
    for (const Backlog& backlog : backlogs) time = std::max(time, *backlog.pipeline_free - backlog.slack);
    return time;
  }

  /// Searches from the tail: a warp that has just issued is mostly ready last.
  [[gnu::always_inline]] void insert(Warp& warp) {
    Warp* before = tail;
    Warp* after = nullptr;
    while (before != nullptr && precedes(warp, *before)) {
      after = before;
      before = before->previous;
    }
    warp.queue = this;
    warp.next = after;
    warp.previous = before;
    (before == nullptr ? head : before->next) = &warp;
    (after == nullptr ? tail : after->previous) = &warp;
  }

  [[gnu::always_inline]] void remove(Warp& warp) {
    (warp.previous == nullptr ? head : warp.previous->next) = warp.next;
    (warp.next == nullptr ? tail : warp.next->previous) = warp.previous;
    warp.queue = nullptr;
  }

 private:
  static bool precedes(const Warp& warp, const Warp& other) {
    return warp.ready < other.ready || (warp.ready == other.ready && warp.order < other.order);
  }
};

}  // namespace warpipe
