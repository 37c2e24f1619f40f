#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "core/crowd.hpp"
#include "core/warp.hpp"

namespace warpipe {

/// The warps of a scheduler waiting at an issue port, with the resources behind the port besides the scheduler itself:
/// the port's pipeline and the queues behind it (rule 5). They are a list, ordered by (ready, order); very many are a
/// crowd, until all of them have left. A search for candidates reads a single cache line.
struct alignas(64) IssueQueue {
  struct Backlog {
    const std::int64_t* pipeline_free = nullptr;
    std::int64_t slack = 0;  ///< from the earliest issue until the pipeline is free
  };

  Warp* head = nullptr;  ///< the first of the list, or Crowd::front()
  Warp* tail = nullptr;  ///< of the list
  std::unique_ptr<Crowd> crowd;
  std::int64_t* pipeline_free = nullptr;  ///< when the issue port's pipeline is free
  std::span<const Backlog> backlogs;
  bool is_private_to_scheduler = false;  ///< an issue from here affects no other scheduler, see fast/lookahead.hpp
  bool is_private_to_unit = false;       ///< nor any other unit
  bool is_shared = false;                ///< it waits for a resource shared by several units
  bool ranked_by_index = false;          ///< in a crowd
  std::uint32_t listed = 0;              ///< warps of the list; most_listed in a crowd
  std::uint32_t most_listed = UINT32_MAX;

  static constexpr std::uint32_t kMostListed = 128;

  bool is_empty() const { return head == nullptr; }

  /// The earliest time at which a warp may issue here.
  std::int64_t opens_at() const {
    std::int64_t time = *pipeline_free;
    for (const Backlog& backlog : backlogs) time = std::max(time, *backlog.pipeline_free - backlog.slack);
    return time;
  }

  [[gnu::always_inline]] void insert(Warp& warp) {
    warp.queue = this;
    if (listed == most_listed) [[unlikely]]
      return insert_into_crowd(warp);
    ++listed;
    insert_into_list(warp);
  }

  /// Removes the head.
  [[gnu::always_inline]] void remove_first() {
    Warp& warp = *head;
    warp.queue = nullptr;
    if (crowd) [[unlikely]]
      return remove_from_crowd(warp);
    --listed;
    head = warp.next;
    (head == nullptr ? tail : head->previous) = nullptr;
  }

  [[gnu::always_inline]] void remove(Warp& warp) {
    warp.queue = nullptr;
    if (crowd) [[unlikely]]
      return remove_from_crowd(warp);
    --listed;
    (warp.previous == nullptr ? head : warp.previous->next) = warp.next;
    (warp.next == nullptr ? tail : warp.next->previous) = warp.previous;
  }

 private:
  /// Searches from the tail: a warp right after its issue is mostly ready last.
  [[gnu::always_inline]] void insert_into_list(Warp& warp) {
    Warp* before = tail;
    Warp* after = nullptr;
    while (before != nullptr && precedes(warp, *before)) {
      after = before;
      before = before->previous;
    }
    warp.next = after;
    warp.previous = before;
    (before == nullptr ? head : before->next) = &warp;
    (after == nullptr ? tail : after->previous) = &warp;
  }

  [[gnu::noinline]] void insert_into_crowd(Warp& warp) {
    if (!crowd) {
      crowd = std::make_unique<Crowd>(ranked_by_index);
      for (Warp* each = head; each != nullptr; each = each->next) crowd->insert(*each);
    }
    crowd->insert(warp);
    head = crowd->front();
  }

  [[gnu::noinline]] void remove_from_crowd(Warp& warp) {
    crowd->remove(warp);
    head = tail = nullptr;
    if (!crowd->is_empty()) {
      head = crowd->front();
    } else {
      crowd.reset();
      listed = 0;
    }
  }

  static bool precedes(const Warp& warp, const Warp& other) {
    return warp.ready < other.ready || (warp.ready == other.ready && warp.order < other.order);
  }
};

}  // namespace warpipe
