#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

/// Floats by whole numbers of any size: exact results, rounded once. Says nothing of the processor's.

namespace warpipe::test {

/// sign x mantissa x 2^exponent, a little more in amount where `more`.
struct Exact {
  bool negative = false;
  boost::multiprecision::cpp_int mantissa = 0;
  int exponent = 0;
  bool more = false;
};

/// Of a finite number.
Exact exact(double value);
/// @param value  the magnitude
Exact exact_whole(std::uint64_t value, bool negative);

Exact sum(const Exact& a, const Exact& b);
Exact product(const Exact& a, const Exact& b);
/// @param b  not zero
Exact quotient(const Exact& a, const Exact& b);
/// @param a  not negative
Exact root(const Exact& a);

/// The float of a nonzero number; `mode` is 'n' to the nearest, 'z' towards zero, 'm' down, 'p' up.
/// @param bits  32 or 64
double rounded(const Exact& value, char mode, int bits);

}  // namespace warpipe::test
