#pragma once

#include "warpipe/idg/units.hpp"

/// Arithmetic on times for the reference engine. Its models are small, so nothing here watches for overflow.

namespace warpipe::reference {

constexpr Ticks operator+(Ticks a, Ticks b) { return {a.count + b.count}; }
constexpr Ticks operator-(Ticks a, Ticks b) { return {a.count - b.count}; }
constexpr Ticks operator*(Ticks a, std::int64_t factor) { return {a.count * factor}; }

}  // namespace warpipe::reference
