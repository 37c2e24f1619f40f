#pragma once

#include <cstdint>

#include "line_pattern.hpp"

namespace warpipe {

/// The sectors of a line, as masks of its parts.
class Sectors {
 public:
  /// @param parts  of a sector: a power of two, 1 to kPartsPerLine
  explicit Sectors(int parts = 1) : parts_(parts) {
    for (int part = 0; part < kPartsPerLine; part += parts) first_ |= std::uint32_t{1} << part;
    all_ = static_cast<std::uint32_t>((std::uint64_t{1} << parts) - 1);
    last_ = first_ << (parts - 1);
  }

  int parts() const { return parts_; }

  /// The first parts of all sectors with any part set: adding all ones to the remaining parts of a sector carries into
  /// its last part unless they are zero.
  std::uint32_t touched(std::uint32_t mask) const {
    const std::uint32_t others = ~last_;
    return (((mask & others) + others) | mask) >> (parts_ - 1) & first_;
  }
  /// All parts of these sectors.
  std::uint32_t whole(std::uint32_t mask) const { return whole_of(touched(mask)); }
  /// All parts of sectors given by their first parts.
  std::uint32_t whole_of(std::uint32_t first) const { return first * all_; }
  /// All parts of the sectors with every part set.
  std::uint32_t full(std::uint32_t mask) const { return ~whole(~mask); }
  int count(std::uint32_t mask) const { return count_first(touched(mask)); }
  /// The number of sectors given by their first parts. A product adds them up in its last sector if the sum fits there.
  int count_first(std::uint32_t first) const {
    return parts_ >= 4 ? static_cast<int>(first * first_ >> (kPartsPerLine - parts_)) : count_bits(first);
  }

  /// The number of set bits. (std::popcount is a call where the processor may lack the instruction.)
  static int count_bits(std::uint32_t mask) {
    mask -= mask >> 1 & 0x55555555;
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
    return static_cast<int>(((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
  }

 private:
  int parts_;
  std::uint32_t first_ = 0, last_ = 0;  ///< parts of the sectors
  std::uint32_t all_ = 0;               ///< parts of the first sector
};

}  // namespace warpipe
