#include "set_spread.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <mutex>

namespace warpipe {
namespace {

using Polynomial = std::uint64_t;

Polynomial remainder(Polynomial of, Polynomial by) {
  while (std::countl_zero(of) <= std::countl_zero(by)) of ^= by << (std::countl_zero(by) - std::countl_zero(of));
  return of;
}

bool is_irreducible(Polynomial polynomial) {
  const Polynomial end = Polynomial{1} << (std::bit_width(polynomial) / 2 + 1);
  for (Polynomial factor = 2; factor < std::min(end, polynomial); ++factor)
    if (remainder(polynomial, factor) == 0) return false;
  return true;
}

/// The first irreducible polynomial of a degree from x^n + x^(n-1) + x^(n-3) + x^(n-5) + ... on: about half of its
/// coefficients are 1, so that each bit of a line's number decides about many bits of the set's.
Polynomial divisor(std::uint32_t degree) {
  Polynomial polynomial = (Polynomial{1} << degree) + (Polynomial{2} << degree) / 3;
  while (!is_irreducible(polynomial)) ++polynomial;
  return polynomial;
}

}  // namespace

SetSpread::SetSpread(std::uint32_t bits) : bits_(bits), mask_((std::uint32_t{1} << bits) - 1) {
  if (bits == 0) return;
  const Polynomial by = divisor(bits);
  for (std::size_t byte = 0; byte < remainders_.size(); ++byte)
    for (std::size_t value = 0; value < 256; ++value)
      remainders_[byte][value] = static_cast<std::uint32_t>(remainder(Polynomial{value} << (8 * byte + bits), by));
}

const SetSpread& SetSpread::over(std::uint32_t bits) {
  static std::array<std::once_flag, 32> once;
  static std::array<std::unique_ptr<const SetSpread>, 32> spreads;
  std::call_once(once.at(bits), [bits] { spreads[bits].reset(new SetSpread(bits)); });
  return *spreads[bits];
}

}  // namespace warpipe
