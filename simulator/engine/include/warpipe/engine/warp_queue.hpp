#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "warpipe/engine/warp.hpp"

namespace warpipe {

/// The warps of one chooser that wait to issue at one issue port, ordered by (ready, order), and what holds them back
/// there besides the chooser itself.
struct WarpQueue {
  struct Backlog {
    const std::int64_t* pipeline_free = nullptr;
    std::int64_t slack = 0;  ///< may issue that long before the pipeline is free
  };

  Warp* head = nullptr;
  Warp* tail = nullptr;
  std::int64_t* pipeline_free = nullptr;  ///< when the issue port's pipeline is free
  std::span<const Backlog> backlogs;
  bool is_own_of_chooser = false;  ///< an issue from here is no other chooser's business, see run_ahead.hpp
  bool is_own_of_unit = false;     ///< nor any other unit's

  bool is_empty() const { return head == nullptr; }

  /// The earliest time at which anybody here may issue.
  std::int64_t opens_at() const {
    std::int64_t time = *pipeline_free;
    for (const Backlog& backlog : backlogs) time = std::max(time, *backlog.pipeline_free - backlog.slack);
    return time;
  }

  /// Searches its warp slot from the tail: a warp that has just issued is mostly ready last.
  [[gnu::always_inline]] void insert(Warp& warp) {
    Warp* before = tail;
    Warp* after = nullptr;
    while (before != nullptr && goes_before(warp, *before)) {
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
  static bool goes_before(const Warp& warp, const Warp& other) {
    return warp.ready < other.ready || (warp.ready == other.ready && warp.order < other.order);
  }
};

}  // namespace warpipe
