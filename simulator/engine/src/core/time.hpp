#pragma once

#include <cstdint>
#include <limits>

#include "warpipe/idg/units.hpp"

/// The engine's own arithmetic on milli-cycles (rule 2), as plain 64-bit integers: events carry many times, and the
/// search for the next event does nothing but compare them.

namespace warpipe {

/// Later than every event.
inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();
/// Earlier than every event, also after any adjustment.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 2;

/// @throws ModelError for a sum above 64 bits
inline std::int64_t time_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    return checked_add(Ticks{a}, Ticks{b}).count;  // throws, with the common message
  return sum;
}

/// @throws ModelError for a time above 64 bits
inline std::int64_t narrow_time(WideTicks time) {
  const auto narrow = static_cast<std::int64_t>(time);
  return narrow == time ? narrow : time_sum(kForever, 1);  // throws
}

/// A time from now on; forever if it does not fit.
inline std::int64_t later(std::int64_t time, std::int64_t by) { return by < kForever - time ? time + by : kForever; }

}  // namespace warpipe
