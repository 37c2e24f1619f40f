#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "line_pattern.hpp"
#include "sectors.hpp"

namespace warpipe {

/// The last stores of a warp, one right behind the other: soon behind each other, they leave level 1 together.
class JoinedStores {
 public:
  /// On an H100 stores of words leave together where the lanes' words are 16 bytes apart, and hardly where they are 32
  /// bytes apart: 16 sectors and 32 for a store.
  static constexpr int kMostSectors = 16;

  /// The place of a store in the kernel.
  struct Place {
    std::size_t instruction = 0;
    std::size_t awaited = 0;  ///< the last instruction before it that it waits for, plus 1; 0: none
  };

  /// @param nearest  sectors of the nearest level
  explicit JoinedStores(Sectors nearest) : sectors_(nearest) {}

  /// The next access is not a store right behind these.
  void clear() { lines_.clear(); }

  /// Whether a store right behind these touches a sector in common with them.
  bool share_sectors(const Lines& store) const;

  /// Adds a store right behind these. Where it does not join them, it is the first of those to come.
  /// @param shares  the store's share_sectors()
  /// @return        by line of the store: the parts touched by the stores it joins; empty if none
  std::span<const std::uint32_t> add(const Lines& store, const Place& place, bool shares);

 private:
  bool come_together(const Place& place) const { return place.instruction > last_ && place.awaited <= first_ + 1; }
  void begin(const Lines& store, const Place& place);
  int sectors() const;
  void merge(const Lines& store);

  Sectors sectors_;
  std::size_t first_ = 0, last_ = 0;   ///< instructions
  std::vector<TouchedLine> lines_;     ///< of all, in ascending order
  std::vector<std::uint32_t> before_;  ///< result of add()
};

}  // namespace warpipe
