#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace warpipe {

/// Keeps the smallest of a fixed number of values that change one at a time.
template <class T>
class Tournament {
 public:
  /// @param worst  a value that no player beats by losing to it: greater than or equal to all others
  Tournament(std::size_t players, const T& worst) : leaves_(std::bit_ceil(players)), nodes_(2 * leaves_, worst) {}

  const T& operator[](std::size_t player) const { return nodes_[leaves_ + player]; }
  const T& smallest() const { return nodes_[1]; }

  /// @complexity log of the number of players
  void set(std::size_t player, const T& value) {
    std::size_t node = leaves_ + player;
    nodes_[node] = value;
    while (node > 1) {
      node /= 2;
      nodes_[node] = nodes_[2 * node + 1] < nodes_[2 * node] ? nodes_[2 * node + 1] : nodes_[2 * node];
    }
  }

 private:
  std::size_t leaves_;
  std::vector<T> nodes_;  ///< node n has the children 2n and 2n + 1
};

}  // namespace warpipe
