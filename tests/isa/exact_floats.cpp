#include "exact_floats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpipe::test {

using boost::multiprecision::cpp_int;

Exact exact(double value) {
  int exponent = 0;
  const auto fraction = std::frexp(std::abs(value), &exponent);
  return {std::signbit(value), cpp_int(static_cast<std::uint64_t>(std::ldexp(fraction, 53))), exponent - 53};
}

Exact exact_whole(std::uint64_t value, bool negative) { return {negative, cpp_int(value), 0}; }

Exact sum(const Exact& a, const Exact& b) {
  const auto exponent = std::min(a.exponent, b.exponent);
  const auto aligned = [&](const Exact& x) -> cpp_int {
    const cpp_int amount = x.mantissa << static_cast<unsigned>(x.exponent - exponent);
    return x.negative ? cpp_int(-amount) : amount;
  };
  const cpp_int whole = aligned(a) + aligned(b);
  return {whole < 0, whole < 0 ? cpp_int(-whole) : whole, exponent};
}

Exact product(const Exact& a, const Exact& b) {
  return {a.negative != b.negative, a.mantissa * b.mantissa, a.exponent + b.exponent};
}

Exact quotient(const Exact& a, const Exact& b) {
  constexpr int kMore = 200;
  const cpp_int dividend = a.mantissa << kMore;
  const cpp_int whole = dividend / b.mantissa;
  return {a.negative != b.negative, whole, a.exponent - b.exponent - kMore, whole * b.mantissa != dividend};
}

Exact root(const Exact& a) {
  const unsigned more = 200 + (a.exponent % 2 != 0 ? 1 : 0);
  const cpp_int square = a.mantissa << more;
  const cpp_int whole = boost::multiprecision::sqrt(square);
  return {false, whole, (a.exponent - static_cast<int>(more)) / 2, whole * whole != square};
}

double rounded(const Exact& value, char mode, int bits) {
  const int digits = bits == 32 ? 24 : 53, least = bits == 32 ? -149 : -1074, most = bits == 32 ? 128 : 1024;
  const auto length = static_cast<int>(msb(value.mantissa)) + 1;
  const auto place = std::max(value.exponent + length - digits, least);
  auto mantissa = value.mantissa;
  // Twice the cut-off part, against a unit in the last place: less, as much, or more.
  int cut = 0;
  bool exactly = !value.more;
  if (place > value.exponent) {
    const auto shift = static_cast<unsigned>(place - value.exponent);
    mantissa >>= shift;
    const cpp_int off = value.mantissa - (mantissa << shift), half = cpp_int(1) << (shift - 1);
    cut = off < half ? -1 : off > half || value.more ? 1 : 0;
    exactly = exactly && off == 0;
  } else {
    mantissa <<= static_cast<unsigned>(value.exponent - place);
    cut = -1;
  }
  const bool away = mode == 'p' ? !value.negative : mode == 'm' && value.negative;
  const bool up = mode == 'n' ? cut > 0 || (cut == 0 && (mantissa & 1) != 0) : away && !exactly;
  if (up) ++mantissa;
  const auto sign = value.negative ? -1.0 : 1.0;
  if (mantissa == 0) return std::copysign(0.0, sign);
  if (place + static_cast<int>(msb(mantissa)) + 1 > most) {
    const double largest = bits == 32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    return sign * (mode == 'n' || away ? std::numeric_limits<double>::infinity() : largest);
  }
  return sign * std::ldexp(static_cast<double>(static_cast<std::uint64_t>(mantissa)), place);
}

}  // namespace warpipe::test
