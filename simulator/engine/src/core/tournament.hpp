#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace warpipe {

/// A tournament tree: keeps the smallest of a fixed number of values, set one at a time.
template <class T>
class Tournament {
 public:
  /// @param worst  the initial value of all entries: greater than or equal to every later value
  Tournament(std::size_t entries, const T& worst)
      : leaves_(std::bit_ceil(entries)), values_(leaves_, worst), winners_(2 * leaves_) {
    for (std::size_t entry = 0; entry < leaves_; ++entry) winners_[leaves_ + entry] = entry;
    for (std::size_t node = leaves_ - 1; node > 0; --node) winners_[node] = winners_[2 * node];
  }

  const T& operator[](std::size_t entry) const { return values_[entry]; }
  const T& smallest() const { return values_[winners_[1]]; }

  /// @complexity log of the number of entries
  void set(std::size_t entry, const T& value) {
    values_[entry] = value;
    for (std::size_t node = (leaves_ + entry) / 2; node > 0; node /= 2) {
      const std::size_t left = winners_[2 * node];
      const std::size_t right = winners_[2 * node + 1];
      winners_[node] = values_[right] < values_[left] ? right : left;
    }
  }

 private:
  std::size_t leaves_;
  std::vector<T> values_;             ///< by entry
  std::vector<std::size_t> winners_;  ///< by node; node n has the children 2n and 2n + 1, the entries come last
};

}  // namespace warpipe
