#pragma once

#include <array>
#include <cstdint>

namespace warpipe {

/// Spreads the lines of memory over the sets of a cache.
///
/// A line's number is taken as a polynomial over the numbers 0 and 1, a bit for each coefficient. Its set is the
/// remainder of the division by an irreducible polynomial, as in B. R. Rau, Pseudo-Randomly Interleaved Memory (ISCA
/// 1991): as many lines as there are sets, side by side or any power of 2 apart, fall into different sets.
class SetSpread {
 public:
  /// @param bits  0 to 31: of a set's number
  static const SetSpread& over(std::uint32_t bits);

  std::uint32_t set_of(std::uint32_t line) const {
    std::uint32_t set = line & mask_;
    std::uint32_t rest = line >> bits_;
    for (std::size_t byte = 0; rest != 0; ++byte, rest >>= 8) set ^= remainders_[byte][rest & 0xFF];
    return set;
  }

 private:
  explicit SetSpread(std::uint32_t bits);

  std::uint32_t bits_, mask_;
  std::array<std::array<std::uint32_t, 256>, 4> remainders_{};  ///< by byte above the set's bits, its value
};

}  // namespace warpipe
