#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpipe {

/// The lines that are looked up where some stand for all: of as many neighbouring blocks, one. Caches that are as many
/// times smaller do to these lines what whole caches do to all.
///
/// Which block of its neighbours it is hangs on a hash of their place, so lines that lie a power of two apart are
/// chosen as often as others. Lines are numbered anew without gaps: an array is as many times shorter, and spreads over
/// the sets of a cache as evenly as the whole one does over more sets.
class ChosenLines {
 public:
  static constexpr std::int64_t kNotChosen = -1;

  /// @param one_in      a power of two; 1: all lines
  /// @param line_bytes  a power of two
  ChosenLines(std::int64_t one_in, std::int64_t line_bytes)
      : choice_bits_(bits_of(one_in)), block_bits_(bits_of(std::max<std::int64_t>(1, kBlockBytes / line_bytes))) {}

  std::int64_t one_in() const { return std::int64_t{1} << choice_bits_; }

  /// The number of a line among those that are chosen.
  std::int64_t number(std::int64_t line) const {
    if (choice_bits_ == 0) return line;
    const std::int64_t block = line >> block_bits_, neighbours = block >> choice_bits_;
    if (block != chosen_of(neighbours)) return kNotChosen;
    return (neighbours << block_bits_) + line - (block << block_bits_);
  }

  /// The line that has such a number.
  std::int64_t line(std::int64_t number) const {
    if (choice_bits_ == 0) return number;
    const std::int64_t neighbours = number >> block_bits_;
    return (chosen_of(neighbours) << block_bits_) + number - (neighbours << block_bits_);
  }

 private:
  /// The lines of most accesses lie in one block: what 32 lanes read side by side, up to 16 bytes each.
  static constexpr std::int64_t kBlockBytes = 512;
  static constexpr std::uint32_t kSpread = 0x9e3779b1;

  static int bits_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

  /// The block that is chosen of some neighbours.
  std::int64_t chosen_of(std::int64_t neighbours) const {
    return (neighbours << choice_bits_) + (static_cast<std::uint32_t>(neighbours) * kSpread >> (32 - choice_bits_));
  }

  int choice_bits_, block_bits_;
};

}  // namespace warpipe
