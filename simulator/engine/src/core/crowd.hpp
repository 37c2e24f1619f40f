#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "core/time.hpp"
#include "core/warp.hpp"

namespace warpipe {

/// The warps of a very long issue queue, in a tree: no operation walks over all of them. Warps ready since before the
/// queue opened differ by their ranks only: the order in which the policy takes them.
class Crowd {
 public:
  /// @param by_index  ranks are the indices of warp slots; else the orders of the warps
  explicit Crowd(bool by_index) : by_index_(by_index) {}

  bool is_empty() const { return entries_.empty(); }
  void insert(Warp& warp) { entries_.insert(entry_of(warp)); }
  void remove(Warp& warp) { entries_.erase(entry_of(warp)); }

  /// The first by (ready, rank), with released warps before all.
  Warp* front() const { return entries_.begin()->warp; }

  /// Merges warps ready by `until`: their ready times no longer matter. Time does not go back.
  void release(std::int64_t until) {
    released_until_ = std::max(released_until_, until);
    for (auto first = behind(kReleased); first != entries_.end() && first->since <= until; first = behind(kReleased)) {
      auto moved = entries_.extract(first);
      moved.value().since = kReleased;
      entries_.insert(std::move(moved));
    }
  }

  /// The warps before all later warps, apart from their ranks: the released warps, else the warps ready first. Not
  /// empty.
  class Front {
   public:
    explicit Front(const Crowd& crowd) : crowd_(crowd), since_(crowd.entries_.begin()->since) {}

    std::int64_t smallest() const { return crowd_.entries_.begin()->rank; }
    /// The smallest rank not below `rank`.
    std::optional<std::int64_t> at_or_after(std::int64_t rank) const {
      const auto found = crowd_.entries_.lower_bound({since_, rank, nullptr});
      if (found == crowd_.entries_.end() || found->since != since_) return std::nullopt;
      return found->rank;
    }
    Warp* of_rank(std::int64_t rank) const { return crowd_.entries_.find({since_, rank, nullptr})->warp; }
    /// The ready time of the next warp behind them; kForever if there is none.
    std::int64_t next_ready() const {
      const auto next = crowd_.behind(since_);
      return next == crowd_.entries_.end() ? kForever : next->since;
    }

   private:
    const Crowd& crowd_;
    std::int64_t since_;
  };

  /// All times and orders of the warps have changed.
  void sort_again() {
    std::set<Entry> before;
    before.swap(entries_);
    released_until_ = kReleased;
    for (const Entry& entry : before) insert(*entry.warp);
  }

 private:
  static constexpr std::int64_t kReleased = kNever;

  struct Entry {
    std::int64_t since = 0;  ///< ready; kReleased
    std::int64_t rank = 0;
    Warp* warp = nullptr;
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.since < b.since || (a.since == b.since && a.rank < b.rank);
    }
  };

  Entry entry_of(Warp& warp) const {
    const std::int64_t rank = by_index_ ? std::int64_t{warp.index} : warp.order;
    return {warp.ready <= released_until_ ? kReleased : warp.ready, rank, &warp};
  }

  std::set<Entry>::const_iterator behind(std::int64_t since) const {
    return entries_.lower_bound({since + 1, INT64_MIN, nullptr});
  }

  bool by_index_;
  std::int64_t released_until_ = kReleased;
  std::set<Entry> entries_;
};

}  // namespace warpipe
