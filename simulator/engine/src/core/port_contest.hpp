#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/candidate.hpp"
#include "core/time.hpp"

namespace warpipe {

/// The candidates of all schedulers of a device at an issue port that opens for all of them at the same time. Each
/// issue makes all other candidates later, but the first changes rarely: time decides between two as long as either
/// waits for more than the port, then key and age decide for good. So each node of a tournament records until when its
/// winner stays the winner, however late the port opens.
class PortContest {
 public:
  explicit PortContest(std::size_t entries) : leaves_(std::bit_ceil(entries)), entries_(leaves_), nodes_(2 * leaves_) {
    for (std::size_t entry = 0; entry < leaves_; ++entry) nodes_[leaves_ + entry].winner = entry;
    for (std::size_t node = leaves_ - 1; node > 0; --node) decide(node);
  }

  /// @param candidate    empty if no warp waits there
  /// @param stays_until  if the port opens then or later, another warp of the same scheduler may be the first
  /// @complexity logarithm of the entries, if the entry changes
  void set(std::size_t entry, const Candidate& candidate, std::int64_t stays_until) {
    const Entry changed{candidate, candidate.warp == nullptr ? 0 : candidate.warp->order};
    Node& leaf = nodes_[leaves_ + entry];
    if (entries_[entry] == changed && leaf.stays_until == stays_until) return;
    entries_[entry] = changed;
    leaf.stays_until = stays_until;
    for (std::size_t node = (leaves_ + entry) / 2; node > 0; node /= 2) decide(node);
  }

  /// The first candidate.
  /// @param opens_at  time does not go back
  /// @param renew     renew(entry) sets the candidate of a scheduler with a possibly new first warp
  /// @complexity after a set(), each node above its entry changes once here at most, however late the port opens
  template <class Renew>
  Candidate first(std::int64_t opens_at, const Renew& renew) {
    opens_at_ = opens_at;
    if (nodes_[1].stays_until <= opens_at) catch_up(1, renew);
    Candidate first = entries_[nodes_[1].winner].candidate;
    first.time = std::max(first.time, opens_at);
    return first;
  }

 private:
  struct Entry {
    Candidate candidate;
    std::int64_t order = 0;  ///< of the warp at the call of set()

    /// Whether it goes first among warps that may issue at the same time.
    bool precedes(const Entry& other) const {
      const std::int64_t key = candidate.key, of_other = other.candidate.key;
      return key != of_other ? key < of_other : order < other.order;
    }
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  struct Node {
    std::size_t winner = 0;               ///< entry
    std::int64_t stays_until = kForever;  ///< for the port to open
  };

  void decide(std::size_t node) {
    const Node &left = nodes_[2 * node], &right = nodes_[2 * node + 1];
    const bool right_first = is_before(entries_[right.winner], entries_[left.winner]);
    const Node &winner = right_first ? right : left, &loser = right_first ? left : right;
    const std::int64_t overtaken = overtakes_at(entries_[loser.winner], entries_[winner.winner]);
    nodes_[node] = {winner.winner, std::min({left.stays_until, right.stays_until, overtaken})};
  }

  bool is_before(const Entry& a, const Entry& b) const {
    const std::int64_t time_of_a = std::max(a.candidate.time, opens_at_);
    const std::int64_t time_of_b = std::max(b.candidate.time, opens_at_);
    return time_of_a != time_of_b ? time_of_a < time_of_b : a.precedes(b);
  }

  /// The opening time of the port at which the loser of two becomes the winner.
  std::int64_t overtakes_at(const Entry& loser, const Entry& winner) const {
    return loser.candidate.time > opens_at_ && loser.precedes(winner) ? loser.candidate.time : kForever;
  }

  template <class Renew>
  void catch_up(std::size_t node, const Renew& renew) {
    if (nodes_[node].stays_until > opens_at_) return;
    if (node >= leaves_) return renew(node - leaves_);
    catch_up(2 * node, renew);
    catch_up(2 * node + 1, renew);
    decide(node);
  }

  std::size_t leaves_;
  std::int64_t opens_at_ = 0;
  std::vector<Entry> entries_;
  std::vector<Node> nodes_;  ///< node n has the children 2n and 2n + 1, the entries come last
};

}  // namespace warpipe
