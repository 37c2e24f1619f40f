#pragma once

#include <compare>
#include <cstdint>
#include <string>

/// The units of the model. A quantity with a dimension is never a bare number in a public signature; the
/// conversions between dimensions are the named functions below.

namespace warpipe {

/// Simulated time: a whole number of milli-cycles (rule 2 of the model).
struct Ticks {
  std::int64_t count = 0;
  friend auto operator<=>(const Ticks&, const Ticks&) = default;
};

/// The sum of times of more instructions than 64 bits of milli-cycles may hold.
__extension__ using WideTicks = __int128;

/// A time in clock cycles of a compute unit, as latency tables and kernel files give it.
struct Cycles {
  double count = 0;
  friend auto operator<=>(const Cycles&, const Cycles&) = default;
};

struct Seconds {
  double count = 0;
  friend auto operator<=>(const Seconds&, const Seconds&) = default;
};

struct Hertz {
  double count = 0;
  friend auto operator<=>(const Hertz&, const Hertz&) = default;
};

struct Bytes {
  std::int64_t count = 0;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

struct BytesPerSecond {
  double count = 0;
  friend auto operator<=>(const BytesPerSecond&, const BytesPerSecond&) = default;
};

inline constexpr std::int64_t kTicksPerCycle = 1000;

/// The largest whole number allowed in a file or an option: above it, doubles skip whole numbers.
inline constexpr std::int64_t kLargestWhole = std::int64_t{1} << 53;

/// Rounds once to milli-cycles, as floor(1000 x + 0.5).
/// @throws ModelError where the result does not fit 64 bits
/// @source rule 2 of the model
Ticks round_to_ticks(Cycles cycles);

/// @return the nearest double; exact below 2^53 milli-cycles
Cycles to_cycles(Ticks ticks);

/// @source rule 2 of the model: seconds = cycles / clock
Seconds to_seconds(Ticks ticks, Hertz clock);

/// Writes cycles from the whole number of milli-cycles, without losing a digit.
/// @return at most three decimals, without trailing zeros: "440", "376.299"
std::string format_cycles(Ticks ticks);

/// Sums and products of times; all code uses these functions or the engine's own check.
/// @throws ModelError where the result does not fit 64 bits
Ticks checked_add(Ticks a, Ticks b);
Ticks checked_multiply(Ticks a, std::int64_t factor);

}  // namespace warpipe
