#include "core/level_pipeline.hpp"

#include <cmath>

namespace warpipe {
namespace {

__extension__ using WideSquare = unsigned __int128;

/// @tparam Square  holds the result's square and the next one
template <class Square>
Square corrected(Square root, Square square) {
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

}  // namespace

std::int64_t root_of_squares(std::int64_t a, std::int64_t b) {
  if (b == 0) return a;
  constexpr std::int64_t kSmall = std::int64_t{1} << 31;
  if (a < kSmall && b < kSmall) {
    const auto square = static_cast<std::uint64_t>(a * a + b * b);
    const double root = std::sqrt(static_cast<double>(square));
    return static_cast<std::int64_t>(corrected(static_cast<std::uint64_t>(root), square));
  }
  const WideSquare square =
      static_cast<WideSquare>(a) * static_cast<WideSquare>(a) + static_cast<WideSquare>(b) * static_cast<WideSquare>(b);
  const long double root = std::sqrt(static_cast<long double>(square));
  return narrow_time(static_cast<WideTicks>(corrected(static_cast<WideSquare>(root), square)));
}

}  // namespace warpipe
